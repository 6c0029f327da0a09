"""Every error the store raises on purpose: one class for each thing that can be at fault."""


class StoreError(Exception):
    """The store answered a command with an error that retrying will not cure."""


class StoreUnavailable(StoreError):
    """The store cannot be reached or cannot serve now; what was asked may or may not be done.

    Asking again is always safe: every write of this package may run twice.
    """


class MatchCondemned(StoreError):
    """The match cannot be counted and takes nothing but its void, for this `reason`, which is on its way."""

    def __init__(self, reason: str) -> None:
        """Keep the reason for callers to branch on."""
        super().__init__("the match cannot be counted, and ends")
        self.reason = reason


class MatchArchived(StoreError):
    """The match, if there was one, is in an archive that this process cannot read; `place` says where."""

    def __init__(self, match_id: str, place: str) -> None:
        """Keep both for callers to branch on."""
        super().__init__(f"what there was of match {match_id} is in the archive {place}")
        self.match_id = match_id
        self.place = place


class Fenced(StoreError):
    """A newer director has written: this one's token is worth nothing any more."""


class StoreRefused(StoreError):
    """The store is not fit for a server; the message says what is wrong and what to do."""


class NoRedisBinary(StoreRefused):
    """No Redis program to start is on this machine; the message says what to install."""


class FolderInUse(StoreRefused):
    """Another server keeps its private Redis in this folder."""


class NameTaken(StoreError):
    """The name of a bot is reserved by another bot, whose id is `holder`."""

    def __init__(self, name: str, holder: str) -> None:
        """Keep both for callers to branch on."""
        super().__init__(f"the name {name!r} is taken")
        self.name = name
        self.holder = holder


class RequestIdReused(StoreError):
    """The same caller used this request id before, with another body."""


class BadPageToken(StoreError, ValueError):
    """The page token is not one that this list has given out."""
