"""All that a competition has come to, as lines: for whoever computes ratings again, or keeps them elsewhere.

Results are sorted by match id, pairings by block key and ratings by bot id, so that the same competition
gives the same lines, in whatever order its matches were played.
"""

import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import TypeAlias, final

from shoal.match.model import LeaveReason, Termination, VoidReason
from shoal.server.director.result import NEWCOMER
from shoal.server.errors import malformed, not_found
from shoal.server.page_tokens import make_token, read_token
from shoal.server.store import competition_data
from shoal.server.store.bots import BotStore
from shoal.server.store.competition_data import AT_ONCE, CompetitionData, Place
from shoal.server.store.competition_nouns import Block, Competition, Ended, Score
from shoal.server.store.competitions import CompetitionStore, UnknownCompetition, now_ms
from shoal.server.store.keys import time_of


@final
@dataclass(frozen=True, slots=True)
class Head:
    """The first line: what is exported, and when it was read, in ms of wall time."""

    competition: Competition
    at_ms: int


@final
@dataclass(frozen=True, slots=True)
class Result:
    """A match that was counted; tuples are by seat, `block_key` is "" where it is not known."""

    match_id: str
    block_key: str
    rated: bool
    ruleset: str
    bots: tuple[str, ...]
    placements: tuple[int, ...]
    totals: tuple[int, ...]
    termination: Termination
    void: VoidReason
    left: tuple[LeaveReason, ...]
    created_ms: int


@final
@dataclass(frozen=True, slots=True)
class Pairing:
    """A block that is over or in play."""

    block: Block | Ended


@final
@dataclass(frozen=True, slots=True)
class Rating:
    """A bot that takes part or has a rated match; `owner` is "" for a baseline."""

    bot_id: str
    name: str
    owner: str
    entered: bool
    score: Score


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
        self, competitions: CompetitionStore, data: CompetitionData, bots: BotStore
    ) -> None:
        """Read from these."""
        self._competitions = competitions
        self._data = data
        self._bots = bots

    async def export(self, competition_id: str, since: str) -> AsyncIterator[list[Line]]:
        """Yield all lines, some at a time; raise Refusal.

        What is counted meanwhile may come or not; a later export from the end of this one has it.
        """
        try:
            found = await self._competitions.get(competition_id)
        except UnknownCompetition:
            raise not_found("competition", competition_id) from None
        start = await self._start(competition_id, since)
        # The end first: what is counted from now on is behind it, so a later export does not miss it.
        end = await self._data.end(competition_id)
        counted = await (
            self._data.between(competition_id, start, end)
            if since
            else self._data.all(competition_id)
        )
        yield [Head(found, now_ms())]
        results = pairings = ratings = 0
        async for some in self._data.results(competition_id, counted.match_ids):
            results += len(some)
            yield [_result(each) for each in some]
        # Those in play first, or one that ends in between would be in neither.
        in_play = await self._competitions.blocks(competition_id)
        keys = sorted({*counted.block_keys, *in_play})
        async for blocks in self._pairings(competition_id, keys, in_play):
            pairings += len(blocks)
            yield [Pairing(block) for block in blocks]
        async for lines in self._ratings(competition_id):
            ratings += len(lines)
            yield [*lines]
        yield [End(_token(end), results, pairings, ratings)]

    async def _start(self, competition_id: str, since: str) -> Place:
        """Return the place that a token names; raise Refusal."""
        if not since:
            return Place()
        place = _place(since)
        if not await self._data.is_there(competition_id, place):
            raise malformed(
                "since",
                "this competition has lost results since, or never had them: export all of it",
            )
        return place

    async def _pairings(
        self, competition_id: str, keys: list[str], in_play: dict[str, Block]
    ) -> AsyncIterator[list[Block | Ended]]:
        for at in range(0, len(keys), AT_ONCE):
            some = keys[at : at + AT_ONCE]
            found: dict[str, Block | Ended] = {key: in_play[key] for key in some if key in in_play}
            async for blocks in self._data.ended(competition_id, some):
                found.update((each.block.key, each) for each in blocks)
            yield [found[key] for key in some if key in found]

    async def _ratings(self, competition_id: str) -> AsyncIterator[list[Rating]]:
        roster = await self._competitions.roster(competition_id)
        every = sorted({*roster.entrants, *roster.scores})
        for at in range(0, len(every), AT_ONCE):
            ids = every[at : at + AT_ONCE]
            bots = await self._bots.get_many(ids)
            yield [
                Rating(
                    bot_id=bot_id,
                    name="" if bot is None else bot.name,
                    owner="" if bot is None or bot.baseline else bot.owner,
                    entered=bot_id in roster.entrants,
                    score=roster.scores.get(bot_id, NEWCOMER),
                )
                for bot_id, bot in zip(ids, bots, strict=True)
            ]


def _result(counted: competition_data.Result) -> Result:
    fields = json.loads(counted.payload)
    return Result(
        match_id=counted.match_id,
        block_key=counted.block_key,
        rated=fields["rated"],
        ruleset=fields["ruleset"],
        bots=tuple(fields["bots"]),
        placements=tuple(fields["placements"]),
        # A match that the store has lost has none.
        totals=tuple(fields.get("totals", [0] * len(fields["bots"]))),
        termination=Termination(fields["termination"]),
        void=VoidReason(fields.get("void", "")),
        left=tuple(map(LeaveReason, fields["left"])),
        created_ms=fields.get("created_ms") or time_of(counted.match_id),
    )


def _token(place: Place) -> str:
    return make_token("export", f"{place.count}:{place.last}")


def _place(since: str) -> Place:
    """Read what `_token` has written; raise Refusal."""
    count, _, last = read_token("export", since, "since").partition(":")
    if not re.fullmatch(r"[0-9]{1,12}", count):
        raise malformed("since", "not one that an export ended with")
    return Place(int(count), last)
