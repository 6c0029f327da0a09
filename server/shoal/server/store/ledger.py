"""What each counted match did to the ratings of its bots: a line for each that is rated (T58).

It is written with the result, and anew when an organizer has decided what counts: then ratings are worked out
again, and so is what each match did to them.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias, final

from shoal.server.store import keys
from shoal.server.store.pipe import Pipe

LEDGER: Final = "ledger"
"""The hash of a competition that has the lines, by match id."""

NEXT_LEDGER: Final = "ledger_next"
"""The hash in which they are put together anew, until it takes the place of that."""


@final
class Change(NamedTuple):
    """What a match did to the rating of one seat, in displayed points to a tenth; intervals are 95 %."""

    before: float
    interval_before: float
    after: float
    interval_after: float


Changes: TypeAlias = tuple[Change, ...]
"""Those of a match, by seat; empty where none is known."""


@final
class LedgerStore:
    """Reads the lines of competitions."""

    def __init__(self, pipe: Pipe) -> None:
        """Ask through this pipe."""
        self._pipe = pipe

    async def of(self, competition_id: str, match_ids: Sequence[str]) -> dict[str, Changes]:
        """Return the lines of those of these matches that have one."""
        if not match_ids:
            return {}  # what Redis refuses to read
        found = await self._pipe.command(
            "HMGET", keys.competition(competition_id, LEDGER), *match_ids
        )
        lines = zip(match_ids, found, strict=True)
        return {match_id: changes_of(text) for match_id, text in lines if text is not None}


def changes_text(changes: Changes) -> str:
    """Write a line; "" for an empty one."""
    return json.dumps(changes, separators=(",", ":")) if changes else ""


def changes_of(text: bytes) -> Changes:
    """Read a line."""
    return tuple(Change(*each) for each in json.loads(text))


def lines_text(lines: Mapping[str, Changes]) -> list[str]:
    """Write matches and their lines in turn."""
    return [part for match_id, each in lines.items() for part in (match_id, changes_text(each))]
