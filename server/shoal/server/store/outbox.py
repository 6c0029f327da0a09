"""Finished matches on their way to whoever counts them: at least once, and in order."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from shoal.server.store import keys
from shoal.server.store.link import Reply
from shoal.server.store.pipe import Pipe

KEPT_MS: Final = 600_000
"""How long a finished match stays behind the cursor, to be counted again if a failover loses that it was."""


@dataclass(frozen=True, slots=True)
class Finished:
    """One finished match in the outbox of a partition."""

    partition: int
    position: str
    """Where it stands in the outbox: the cursor, once it has been applied."""

    match_id: str
    payload: bytes
    """The result, as the last commit gave it."""

    @property
    def ended_ms(self) -> int:
        """When the match ended, in ms of wall time by the clock of its Redis."""
        return int(self.position.partition("-")[0])


class Outbox:
    """The outboxes of all partitions; each has one cursor, behind the last one applied.

    Read, apply (idempotent by match id), advance: a reader that dies in between reads again. What was applied
    stays for a while, since the ladder may be on another Redis, and lose it when that one fails over.
    """

    def __init__(self, pipe: Pipe) -> None:
        """Ask through this pipe."""
        self._pipe = pipe

    async def cursor(self, partition: int) -> str:
        """Return the position of the last match applied, '' when none was."""
        return _text(await self._pipe.command("GET", keys.OUTBOX_CURSOR[partition]))

    async def cursors(self) -> list[str]:
        """Return the cursor of every partition."""
        return [_text(at) for at in await self._pipe.many(("GET", k) for k in keys.OUTBOX_CURSOR)]

    async def read(self, partition: int, after: str, count: int) -> list[Finished]:
        """Return up to `count` finished matches behind a position ('': from the first)."""
        return await self.read_many({partition: after}, count)

    async def read_many(self, after: Mapping[int, str], count: int) -> list[Finished]:
        """Return up to `count` finished matches of each of these partitions, in one pipeline."""
        replies = await self._pipe.many(
            ("XRANGE", keys.OUTBOX[partition], f"({at}" if at else "-", "+", "COUNT", count)
            for partition, at in after.items()
        )
        return [
            Finished(partition, position.decode(), fields[1].decode(), fields[3])
            for partition, entries in zip(after, replies, strict=True)
            for position, fields in entries
        ]

    async def reject(self, entry: Finished) -> None:
        """Put an entry that cannot be applied aside, where it stays for people to look at."""
        key = keys.REJECTED[entry.partition]
        await self._pipe.command("XADD", key, "*", "match", entry.match_id, "result", entry.payload)

    async def advance(self, positions: Mapping[int, str]) -> None:
        """Set the cursors of partitions, and drop what is `KEPT_MS` before them; for applied results only."""
        await self._pipe.many(_advancing(positions.items()))


def _advancing(positions: Iterable[tuple[int, str]]) -> Iterable[tuple[str, ...]]:
    """Yield the commands, the cursor first: what is dropped must never be missed."""
    for partition, position in positions:
        yield ("SET", keys.OUTBOX_CURSOR[partition], position)
        ended_ms = int(position.partition("-")[0])
        yield ("XTRIM", keys.OUTBOX[partition], "MINID", str(max(0, ended_ms - KEPT_MS)))


def _text(reply: Reply) -> str:
    """Read a string that may be absent."""
    return reply.decode() if reply is not None else ""
