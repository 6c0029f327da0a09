"""All that a competition has come to, as lines: for whoever computes ratings again, or keeps them elsewhere.

Results are sorted by match id, pairings by block key and ratings by bot id. Each result says when among all
it was counted: ratings that are computed in that order are those of the server.
"""

import json
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, final

from shoal.match.model import LeaveReason, Termination, VoidReason
from shoal.rating import Row, Table
from shoal.server.auth import Caller
from shoal.server.director import counted_blocks
from shoal.server.director.basis import basis_of
from shoal.server.director.releases import score_names
from shoal.server.director.result import NEWCOMER, finished, with_anchors
from shoal.server.director.tally import is_counted
from shoal.server.errors import malformed
from shoal.server.finding import find
from shoal.server.page_tokens import make_token, read_token
from shoal.server.store import competition_data
from shoal.server.store.bots import BotStore
from shoal.server.store.competition_data import AT_ONCE, CompetitionData, Counted, Place
from shoal.server.store.competition_nouns import Block, Competition, Ended, Score
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.keys import now_ms, time_of
from shoal.server.store.ledger import Changes, LedgerStore
from shoal.server.store.luck import WithoutLuck, without_luck_of
from shoal.server.store.published import Published, PublishedStore
from shoal.server.store.releases import Releases, ReleaseStore, named
from shoal.server.unrated import Unrated, why_unrated


@final
@dataclass(frozen=True, slots=True)
class Head:
    """The first line: what is exported, `since` where ("": all of it), and when it was read, in wall ms.

    `published` is the table that is published then, None where there is none yet; it is `current` unless
    something beside later results has changed since.
    """

    competition: Competition
    at_ms: int
    since: str
    published: Published | None
    current: bool


@final
@dataclass(frozen=True, slots=True)
class Result:
    """A match that was counted; tuples are by seat, `block_key` is "" where it is not known.

    `changes` are what it did to ratings, empty if it does not count, and where that was not noted.
    `without_luck` is its result without luck, None in the same cases, and `noted` the place at which that
    was noted.

    `versions` are the releases that played, "" where none was ever heard of. It is not `counted` any more
    where an organizer has decided so; `unrated` says why it does not count for ratings. `order` is its place
    among all that was counted, from 1; 0 of one that was counted before there was an order.
    """

    match_id: str
    block_key: str
    rated: bool
    counted: bool
    unrated: Unrated | None
    ruleset: str
    bots: tuple[str, ...]
    versions: tuple[str, ...]
    placements: tuple[int, ...]
    totals: tuple[int, ...]
    termination: Termination
    void: VoidReason
    left: tuple[LeaveReason, ...]
    created_ms: int
    ended_ms: int
    order: int
    changes: Changes
    without_luck: WithoutLuck | None
    noted: int


@final
@dataclass(frozen=True, slots=True)
class Pairing:
    """A block that is over or in play."""

    block: Block | Ended


@final
@dataclass(frozen=True, slots=True)
class Rating:
    """A bot that takes part, has a rated match or a published rating; `owner` is "" for a baseline.

    Each release has a line of its own; its `version` is "" where none was ever heard of. `published` is its
    row of the table of the head, if it is in it.
    """

    bot_id: str
    version: str
    name: str
    owner: str
    entered: bool
    score: Score
    published: Row | None


@final
@dataclass(frozen=True, slots=True)
class End:
    """The last line: where a later export goes on, and how many lines of each kind came."""

    next: str
    results: int
    pairings: int
    ratings: int


Line: TypeAlias = Head | Result | Pairing | Rating | End


@final
class Exporting:
    """Reads competitions from their beginning, or from where an earlier export ended."""

    def __init__(
        self,
        competitions: CompetitionStore,
        data: CompetitionData,
        bots: BotStore,
        releases: ReleaseStore,
        published: PublishedStore,
        ledger: LedgerStore,
    ) -> None:
        """Read from these."""
        self._published = published
        self._ledger = ledger
        self._competitions = competitions
        self._data = data
        self._bots = bots
        self._releases = releases

    async def export(
        self, caller: Caller, competition_id: str, since: str
    ) -> AsyncIterator[list[Line]]:
        """Yield all lines, some at a time; raise Refusal.

        Where names are hidden only organizers are told of blocks in play.

        What is counted meanwhile may come or not; a later export from the end of this one has it.
        """
        found = await find(self._competitions, competition_id)
        start = await self._start(found, since)
        # The table before the results, so that all that it is of are among them.
        head = await self._head(found, since)
        # The end first: what is counted from now on is behind it, so a later export does not miss it.
        end = await self._data.end(competition_id)
        counted = await (
            self._data.between(competition_id, start, end)
            if since
            else self._data.all(competition_id)
        )
        yield [head]
        results = pairings = ratings = 0
        async for some in self._data.results(competition_id, counted.changed):
            results += len(some)
            yield await self._results(found, some, counted)
        # Those in play first, or one that ends in between would be in neither.
        hidden = found.specification.names_hidden and not caller.admin
        in_play = {} if hidden else await self._competitions.blocks(competition_id)
        keys = sorted({*counted.block_keys, *in_play})
        async for blocks in self._pairings(found, keys, in_play):
            pairings += len(blocks)
            yield [Pairing(block) for block in blocks]
        table = Table() if head.published is None else head.published.table
        async for lines in self._ratings(found, table):
            ratings += len(lines)
            yield [*lines]
        yield [End(_token(end, found), results, pairings, ratings)]

    async def _head(self, found: Competition, since: str) -> Head:
        published = await self._published.get(found.competition_id)
        current = False
        if published is not None:
            known = await self._releases.every(found.competition_id)
            current = published.basis == basis_of(found, published.basis.place, known)
        return Head(found, now_ms(), since, published, current)

    async def _start(self, found: Competition, since: str) -> Place:
        """Return the place that a token names; raise Refusal."""
        if not since:
            return Place()
        place, rulings = _place(since)
        if rulings != found.rulings.number:
            raise malformed("since", "an organizer has decided since what counts: export all of it")
        if not await self._data.is_there(found.competition_id, place):
            raise malformed(
                "since",
                "this competition has lost results since, or never had them: export all of it",
            )
        return place

    async def _results(
        self,
        found: Competition,
        some: Sequence[competition_data.Result],
        counted: Counted,
    ) -> list[Line]:
        bots = sorted({bot for each in some for bot in finished(each.payload).bots})
        known = await self._releases.of(found.competition_id, bots)
        ids = [each.match_id for each in some]
        changes = await self._ledger.of(found.competition_id, ids)
        return [
            _result(each, found, known, counted, changes.get(each.match_id, ())) for each in some
        ]

    async def _pairings(
        self, found: Competition, keys: list[str], in_play: dict[str, Block]
    ) -> AsyncIterator[list[Block | Ended]]:
        uncounted = await self._competitions.uncounted(found)
        for at in range(0, len(keys), AT_ONCE):
            some = keys[at : at + AT_ONCE]
            lines: dict[str, Block | Ended] = {key: in_play[key] for key in some if key in in_play}
            async for blocks in self._data.ended(found.competition_id, some):
                counted = counted_blocks(found, blocks, uncounted)
                lines.update((each.block.key, each) for each in counted)
            yield [lines[key] for key in some if key in lines]

    async def _ratings(self, found: Competition, table: Table) -> AsyncIterator[list[Rating]]:
        roster = await self._competitions.roster(found.competition_id)
        roster = with_anchors(roster, found.specification)
        rows = {row.bot_id: row for row in table.rows}
        every = sorted({*roster.entrants, *roster.scores, *rows})
        for at in range(0, len(every), AT_ONCE):
            names = every[at : at + AT_ONCE]
            ids = [named(name).bot_id for name in names]
            bots = await self._bots.get_many(ids)
            known = await self._releases.of(found.competition_id, ids)
            yield [
                Rating(
                    bot_id=bot_id,
                    version=_version(name, known),
                    name="" if bot is None else bot.name,
                    owner="" if bot is None or bot.baseline else bot.owner,
                    entered=name in roster.entrants,
                    score=roster.scores.get(name, NEWCOMER),
                    published=rows.get(name),
                )
                for name, bot_id, bot in zip(names, ids, bots, strict=True)
            ]


def _result(
    result: competition_data.Result,
    found: Competition,
    known: Mapping[str, Releases],
    counted: Counted,
    changes: Changes,
) -> Result:
    fields, match = json.loads(result.payload), finished(result.payload)
    # What was noted since comes with a later export, as what was counted since does.
    noted = counted.noted.get(result.match_id, 0)
    without_luck = without_luck_of(result.luck) if noted else None
    before = 0 if without_luck is None else without_luck.counted
    counts = is_counted(found.rulings, match)
    unrated = why_unrated(found, match.termination, rated=match.rated, counted=counts)
    names = score_names(match.match_id, match.bots, known)
    return Result(
        match_id=result.match_id,
        block_key=result.block_key,
        rated=match.rated,
        counted=counts,
        unrated=unrated,
        ruleset=fields["ruleset"],
        bots=match.bots,
        versions=tuple(_version(name, known) for name in names),
        placements=match.placements,
        # A match that the store has lost has none.
        totals=tuple(fields.get("totals", [0] * len(match.bots))),
        termination=match.termination,
        void=match.void,
        left=match.left,
        created_ms=fields.get("created_ms") or time_of(result.match_id),
        ended_ms=match.ended_ms or time_of(result.match_id),
        order=counted.numbers.get(result.match_id, before),
        changes=() if unrated else changes,
        without_luck=None if unrated else without_luck,
        noted=0 if unrated else noted,
    )


def _version(name: str, known: Mapping[str, Releases]) -> str:
    """Return which release a score of this name is of."""
    bot_id, version = named(name)
    return version or (known[bot_id].version if bot_id in known else "")


def _token(place: Place, found: Competition) -> str:
    return make_token("export", f"{place.count}:{found.rulings.number}:{place.last}")


def _place(since: str) -> tuple[Place, int]:
    """Read what `_token` has written, a place and the number of the rulings then; raise Refusal."""
    read = re.fullmatch(r"([0-9]{1,12}):([0-9]{1,12}):(.*)", read_token("export", since, "since"))
    if read is None:
        raise malformed("since", "not one that an export ended with")
    return Place(int(read[1]), read[3]), int(read[2])
