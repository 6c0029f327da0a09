"""Takes finished matches out of Redis when nobody needs them there any more, after they are in the archive.

What is kept is first on the disk, then gone from the store, each under our token: killed in between, it is in
both, and the next director finds that the archive has it. All that counts stays: results, blocks, ratings.
"""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Final, final

import structlog

from shoal.match import MatchMeta, Phase, decode_meta, parse_entry
from shoal.server.director.settings import Settings
from shoal.server.guard import one_of_many
from shoal.server.store.archive import Archive, ArchiveBroken, ArchivedMatch
from shoal.server.store.bots import BotStore
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.keys import PARTITIONS, now_ms, partition_of
from shoal.server.store.matches import MatchStore
from shoal.server.store.shelves import Shelves

_OF_PARTITION: Final = 10
"""How many matches of a partition are looked at at a time."""

_log = structlog.get_logger(__name__)


@final
class Archiving:
    """Goes through all partitions, from the oldest match to those that are too young, and over again."""

    def __init__(
        self,
        archive: Archive,
        shelves: Shelves,
        competitions: CompetitionStore,
        matches: MatchStore,
        bots: BotStore,
        settings: Settings,
    ) -> None:
        """Keep matches in `archive`, and take them from `shelves`."""
        self._archive = archive
        self._shelves = shelves
        self._competitions = competitions
        self._matches = matches
        self._bots = bots
        self._settings = settings
        self._after = _from_the_first()
        self._left: set[str] = set()

    async def run(self) -> None:
        """Look every so often, at once where there is more to do, for ever."""
        await asyncio.to_thread(self._archive.prepare)
        while True:
            try:
                more = await self.look()
            except (OSError, ArchiveBroken) as error:
                # Nothing is taken out that is not kept; the disk may have room again later.
                _log.error("archive_unusable", error=str(error))
                more = False
            await asyncio.sleep(0 if more else self._settings.archive)

    async def look(self) -> bool:
        """Take out what is due among the next matches; true if there are more behind them.

        A partition that has no more is left alone until all have been gone through. Raises OSError and
        ArchiveBroken when the archive cannot be used.
        """
        made_ms = max(0, now_ms() - round(self._settings.retention * 1000))
        found = await self._shelves.older(self._after, made_ms, _OF_PARTITION)
        due = await self._due([each for some in found.values() for each in some])
        differ = await asyncio.to_thread(self._archive.write, [match for match, _ in due])
        for match, meta in due:
            if match.match_id in differ:
                # Both are kept, the archive's and the store's, for people to look at.
                self._left.add(match.match_id)
                _log.error("archive_differs", error=str(differ[match.match_id]))
            else:
                await self._shelves.remove(match, _bots_of(meta))
        going_on = {
            partition: some[-1] for partition, some in found.items() if len(some) == _OF_PARTITION
        }
        self._after = going_on or _from_the_first()
        return bool(going_on)

    async def _due(self, ids: Sequence[str]) -> list[tuple[ArchivedMatch, MatchMeta]]:
        """Return those of these matches that are over for long enough, and that nobody needs here."""
        over: list[tuple[ArchivedMatch, MatchMeta]] = []
        # Logs are long: none is read of a match that is played.
        statuses = await self._matches.statuses([each for each in ids if each not in self._left])
        ids = [each for each, status in statuses.items() if status == Phase.FINISHED]
        clocks = await self._clocks(ids)
        for match in await self._shelves.read(ids):
            self._left.add(match.match_id)  # if it cannot be read, for as long as we direct
            with one_of_many("match_not_archived", match=match.match_id):
                now = clocks[partition_of(match.match_id)]
                if not _is_whole(match):
                    raise ValueError("its log does not lead to what is stored of it")
                if now - _ended_ms(match) >= self._settings.retention * 1000:
                    over.append((match, decode_meta(match.fields["meta"])))
                self._left.discard(match.match_id)
        needed = await self._needed([match.match_id for match, _ in over], [m for _, m in over])
        return [(match, meta) for match, meta in over if match.match_id not in needed]

    async def _clocks(self, ids: Sequence[str]) -> dict[int, int]:
        """Return the time of the partitions of these matches, in which their logs are written."""
        ticks = await asyncio.gather(
            *(
                self._matches.submit_tick(partition, 0)
                for partition in sorted(set(map(partition_of, ids)))
            )
        )
        return {tick.partition: tick.now_ms for tick in ticks}

    async def _needed(self, ids: Sequence[str], metas: Sequence[MatchMeta]) -> set[str]:
        """Return those of these matches that somebody still needs in the store.

        A result that is not counted; a bot that is to be told the end; a block that takes it for its match
        in play.
        """
        needed = await self._shelves.pending(ids)
        bots = sorted({bot for meta in metas for bot in _bots_of(meta)})
        told = await asyncio.gather(*map(self._bots.to_tell, bots))
        needed |= set[str]().union(*told)
        for competition in sorted({meta.ladder for meta in metas if meta.ladder}):
            its = [meta.match_id for meta in metas if meta.ladder == competition]
            counted = await self._competitions.counted(competition, its)
            needed.update(each for each, result in counted.items() if result is None)
            needed.update(await self._in_play(competition))
        return needed

    async def _in_play(self, competition: str) -> Iterable[str]:
        blocks = await self._competitions.blocks(competition)
        return (block.match_id for block in blocks.values())


def _from_the_first() -> dict[int, str]:
    """Return, by partition, behind which match to go on: none."""
    return dict.fromkeys(range(PARTITIONS), "")


def _bots_of(meta: MatchMeta) -> list[str]:
    return [seat.bot_id for seat in meta.seats]


def _is_whole(match: ArchivedMatch) -> bool:
    """Tell whether the store has all of a match; one that nothing has happened in has no log."""
    version = int(match.fields["version"])
    revs = [parse_entry(entry).rev for entry in match.entries[-1:]]
    return len(match.entries) == version and revs == [match.fields["rev"].decode()] * bool(version)


def _ended_ms(match: ArchivedMatch) -> int:
    """Return when a match ended, in partition time."""
    return parse_entry(match.entries[-1]).at_ms
