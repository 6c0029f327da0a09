"""The results of counted matches without luck: what of the win is left to each seat (docs/luck.md).

Each is noted once, some time after its match was counted, and stays: it is a function of the match alone.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, final

from shoal.server.store import keys
from shoal.server.store.pipe import Pipe

LUCK: Final = "luck"
"""The hash of a competition that has them, by match id."""


@final
class WithoutLuck(NamedTuple):
    """A result without luck, by the value function `model`.

    `parts` are by seat those of the win, as `shoal.rating.Match` has them. `counted` is the place of the
    match in the order of its competition, 0 of one that was counted before there was an order.
    """

    model: str
    parts: tuple[int, ...]
    counted: int = 0


@final
class LuckStore:
    """Reads what is noted in competitions."""

    def __init__(self, pipe: Pipe) -> None:
        """Ask through this pipe."""
        self._pipe = pipe

    async def of(self, competition_id: str, match_ids: Sequence[str]) -> dict[str, WithoutLuck]:
        """Return what is noted of those of these matches of which it is."""
        if not match_ids:
            return {}  # what Redis refuses to read
        found = await self._pipe.command(
            "HMGET", keys.competition(competition_id, LUCK), *match_ids
        )
        read = zip(match_ids, found, strict=True)
        return {match_id: without_luck_of(text) for match_id, text in read if text is not None}


def without_luck_text(without: WithoutLuck) -> str:
    """Write one."""
    return json.dumps(without._asdict(), separators=(",", ":"))


def without_luck_of(text: bytes) -> WithoutLuck:
    """Read one."""
    fields = json.loads(text)
    return WithoutLuck(fields["model"], tuple(fields["parts"]), fields["counted"])


def lines_text(lines: Mapping[str, WithoutLuck]) -> Iterable[str]:
    """Yield matches and what is noted of them in turn."""
    for match_id, without in lines.items():
        yield match_id
        yield without_luck_text(without)
