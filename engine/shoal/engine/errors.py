"""Every error the engine raises on purpose: one class for each thing that can be at fault."""

from enum import Enum, unique


class EngineError(ValueError):
    """What the engine was given is not acceptable; nothing has been changed."""


@unique
class Reason(Enum):
    """Why a move or a leaving was refused."""

    MATCH_OVER = "the match is over"
    NOT_AN_OPTION = "the move is not among the options of the open decision"
    NO_SUCH_SEAT = "the match has no such seat"
    SEAT_HAS_LEFT = "the seat has left already"


class IllegalMove(EngineError):
    """The rules do not allow this now; `reason` says why."""

    def __init__(self, reason: Reason) -> None:
        """Keep the reason for callers to branch on."""
        super().__init__(reason.value)
        self.reason = reason


class UnknownCard(EngineError):
    """No card has this name or face id."""


class UnknownMove(EngineError):
    """No move has this code, these fields or this text, whatever the position."""


class UnknownRuleset(EngineError):
    """No ruleset has this name; `known` lists the names that exist."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        """Keep what was asked for and what could have been."""
        super().__init__(f"unknown ruleset {name!r}, known are: {', '.join(known)}")
        self.name = name
        self.known = known


class BadSetup(EngineError):
    """A match cannot be started with this number of seats or this seed."""


class UnknownFormat(EngineError):
    """The encoded state has a format or ruleset version that this engine cannot read."""


class CorruptState(EngineError):
    """The encoded state is not one that the engine could have written."""
