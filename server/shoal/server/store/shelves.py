"""What a director takes out of Redis when it is in the archive, each time with the token of its lease.

A partition remembers the highest token, up to when matches were taken out, and where they are.
"""

from collections.abc import Mapping, Sequence
from typing import final

from shoal.server.store import keys, scripts
from shoal.server.store.archive import ArchivedMatch
from shoal.server.store.errors import Fenced
from shoal.server.store.pipe import Pipe


@final
class Shelves:
    """The finished matches in Redis, as whoever clears them away sees them."""

    def __init__(self, pipe: Pipe, token: int, place: str) -> None:
        """Write with the token of a lease; `place` says where the archive is."""
        self._pipe = pipe
        self._token = token
        self._place = place

    async def older(
        self, after: Mapping[int, str], made_ms: int, count: int
    ) -> dict[int, list[str]]:
        """Return up to `count` ids of each partition behind one of it ("" from the first).

        Only of matches that were made before a wall time; by time, since ids of a partition sort so.
        """
        replies = await self._pipe.many(
            (
                *("ZRANGEBYLEX", keys.MATCHES[partition], f"({last}" if last else "-"),
                *(f"({partition:02x}{made_ms:012x}", "LIMIT", 0, count),
            )
            for partition, last in after.items()
        )
        return {
            partition: [id_.decode() for id_ in reply]
            for partition, reply in zip(after, replies, strict=True)
        }

    async def read(self, match_ids: Sequence[str]) -> list[ArchivedMatch]:
        """Return these matches with all that is stored of them, without those that are not there."""
        replies = await self._pipe.many(
            command
            for match_id in match_ids
            for command in (
                ("HGETALL", keys.match(match_id)),
                ("LRANGE", keys.log(match_id), 0, -1),
            )
        )
        return [
            ArchivedMatch(
                match_id,
                {name.decode(): value for name, value in zip(flat[::2], flat[1::2], strict=True)},
                tuple(entries),
            )
            for match_id, flat, entries in zip(match_ids, replies[::2], replies[1::2], strict=True)
            if flat
        ]

    async def pending(self, match_ids: Sequence[str]) -> set[str]:
        """Return those of these matches of which something in an outbox is still to be counted."""
        partitions = sorted({keys.partition_of(match_id) for match_id in match_ids})
        cursors = await self._pipe.many(("GET", keys.OUTBOX_CURSOR[each]) for each in partitions)
        replies = await self._pipe.many(
            ("XRANGE", keys.OUTBOX[each], f"({at.decode()}" if at else "-", "+")
            for each, at in zip(partitions, cursors, strict=True)
        )
        waiting = {fields[1].decode() for entries in replies for _, fields in entries}
        return waiting & set(match_ids)

    async def remove(self, match: ArchivedMatch, bots: Sequence[str]) -> bool:
        """Take a match out; false, and it stays, if it is not any more what is in the archive.

        Raises Fenced. The lists of its bots go first: were we killed in between, it would be met again.
        """
        match_id = match.match_id
        await self._pipe.many(
            ("ZREM", keys.history(bot_id), keys.by_time(match_id)) for bot_id in bots
        )
        partition = keys.partition_of(match_id)
        word = await self._pipe.call(
            scripts.ARCHIVE_REMOVE,
            (
                *(keys.match(match_id), keys.log(match_id), keys.MATCHES[partition]),
                *(keys.DEADLINES[partition], keys.ARCHIVE[partition]),
            ),
            (self._token, match_id, match.fields["rev"], self._place),
        )
        if word == b"fenced":
            raise Fenced(match_id)
        return bool(word != b"changed")
