"""The matches that this process knows cannot be counted, until they are over: the sweeper ends them."""

from typing import final

from shoal.match import VoidReason


@final
class Condemned:
    """By match, why it cannot be counted; the first reason counts."""

    def __init__(self) -> None:
        """Begin with none."""
        self._reasons: dict[str, VoidReason] = {}

    def add(self, match_id: str, reason: VoidReason) -> None:
        """Note that a match cannot be counted; the sweeper says so in the store, and ends it."""
        self._reasons.setdefault(match_id, reason)

    def reason_for(self, match_id: str) -> VoidReason | None:
        """Return why a match cannot be counted; None for any other."""
        return self._reasons.get(match_id)

    def all(self) -> list[tuple[str, VoidReason]]:
        """Return the matches that cannot be counted and are not over yet."""
        return list(self._reasons.items())

    def pardon(self, match_id: str) -> None:
        """Forget that a match cannot be counted: it is over, or gone."""
        self._reasons.pop(match_id, None)
