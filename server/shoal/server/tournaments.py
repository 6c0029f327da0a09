"""Tournaments as callers use them: made, entered, begun, called off, and read."""

import asyncio
from bisect import bisect
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple, final

from shoal.competition import tournament
from shoal.competition.occasion import past
from shoal.competition.plan import Entrant
from shoal.competition.specification import (
    Gauntlet,
    RoundRobin,
    Specification,
    Swiss,
)
from shoal.competition.standings import Standing
from shoal.competition.tiebreaks import ROBIN_ORDER, SWISS_ORDER
from shoal.competition.validation import check
from shoal.server.auth import Caller
from shoal.server.digests import place_of
from shoal.server.director import counted_blocks
from shoal.server.entering import enter
from shoal.server.errors import Reason, Refusal, not_found
from shoal.server.finding import find
from shoal.server.organizing import TRIES, meanwhile_of, restless
from shoal.server.page_tokens import make_token, next_token, read_number, read_token
from shoal.server.reckoning import Reckoning
from shoal.server.reserving import known, reserve
from shoal.server.specifying import bad_specification, unknown_bots
from shoal.server.store.bots import Bot, BotStore
from shoal.server.store.competition_data import CompetitionData
from shoal.server.store.competition_nouns import (
    Block,
    Competition,
    Ended,
    Note,
    Score,
    State,
)
from shoal.server.store.competitions import (
    CompetitionStore,
    Stale,
    UnknownCompetition,
    now_ms,
)
from shoal.server.store.entries import EntryStore
from shoal.server.store.keys import is_id, new_id
from shoal.server.store.published import PublishedStore, Rated
from shoal.server.store.requests import RequestStore

_CANCEL = "cancel"
"""What the audit list calls it that a tournament was called off."""

_LINES = 100
"""How many lines of it are read at a time."""


@final
@dataclass(frozen=True, slots=True)
class View:
    """A tournament with its numbers of blocks; `planned` is 0 where it is not known."""

    competition: Competition
    entrants: int
    finished: int
    in_play: int
    planned: int


@final
class Line(NamedTuple):
    """One line of the standings, with what the bot is called and what its rated matches came to.

    `published` is its rating in the published table, None of a bot that is not in it.
    """

    standing: Standing
    bot_name: str
    withdrawn: bool
    score: Score | None
    published: Rated | None


@final
class Tournaments:
    """The tournaments of this server."""

    def __init__(
        self,
        competitions: CompetitionStore,
        data: CompetitionData,
        entries: EntryStore,
        bots: BotStore,
        requests: RequestStore,
        reckoning: Reckoning,
        *,
        published: PublishedStore,
    ) -> None:
        """Read and write in these, and ask what follows from the blocks that are over."""
        self._published = published
        self._competitions = competitions
        self._data = data
        self._entries = entries
        self._reckoning = reckoning
        self._bots = bots
        self._requests = requests

    async def create(
        self, caller: Caller, specification: Specification, request_id: str, body: str
    ) -> View:
        """Make a tournament. `body` is the hash of the request. Raise Refusal, with all problems at once."""
        owner = caller.organizing().owner
        problems = [
            *(check(specification) or past(specification, now_ms())),
            *await unknown_bots(specification, self._bots),
        ]
        if problems:
            # What was in order then is made, whatever time it is now.
            before = await known(self._requests, owner, request_id, body)
            with suppress(UnknownCompetition):
                if before is not None:
                    made = await self._competitions.get(before.reserved["tournament"])
                    return await self._view(made)
            raise bad_specification(problems)
        reserved = await reserve(self._requests, owner, request_id, body, {"tournament": new_id()})
        tournament_id = reserved.reserved["tournament"]
        note = Note(now_ms(), f"owner {owner}", "create")
        await self._competitions.create(tournament_id, specification, State.OPEN, note)
        return await self.get(tournament_id)

    async def get(self, tournament_id: str) -> View:
        """Return a tournament; raise Refusal."""
        return await self._view(await self._find(tournament_id))

    async def list_tournaments(self, page_size: int, token: str) -> tuple[list[View], str]:
        """Return a page of tournaments by id, and the token of the next; raise Refusal."""
        after = read_token("tournaments", token)
        ids = [each for each in await self._competitions.ids(ladders=False) if each > after]
        page = await self._competitions.some(ids[:page_size])
        views = list(await asyncio.gather(*map(self._view, page)))
        more = len(ids) > page_size
        return views, make_token("tournaments", ids[page_size - 1]) if more else ""

    async def enter(self, caller: Caller, tournament_id: str, bot_id: str) -> None:
        """Enter a bot, that of the caller if none is named; raise Refusal."""
        bot = await self._bot(caller, bot_id)
        who = f"owner {caller.owner}"
        await enter(
            self._competitions,
            self._entries,
            lambda: self._find(tournament_id),
            _entrant(bot),
            who,
        )

    async def withdraw(self, caller: Caller, tournament_id: str, bot_id: str) -> None:
        """Take a bot out: from the first round on that is not paired yet. Raise Refusal."""
        bot = await self._bot(caller, bot_id)
        note = Note(now_ms(), f"owner {caller.owner}", "withdraw", bot.bot_id)
        for _ in range(TRIES):  # what was looked at may have changed
            with suppress(Stale):
                return await self._withdraw(await self._find(tournament_id), bot.bot_id, note)
        raise restless(tournament_id)

    async def start(self, caller: Caller, tournament_id: str) -> View:
        """Begin a tournament now; raise Refusal."""
        caller.organizing()
        note = Note(now_ms(), f"owner {caller.owner}", "start")
        while True:
            found = await self._find(tournament_id)
            if found.state is State.RUNNING:
                return await self._view(found)
            if found.state is not State.OPEN:
                raise _wrong_state(found, f"it is {found.state.value}")
            entrants = await self._competitions.entrants(tournament_id)
            if not tournament.can_begin(found.specification, entrants):
                raise _wrong_state(
                    found, f"nobody has anybody to play: {len(entrants)} have entered"
                )
            with suppress(Stale):
                await self._competitions.turn(found, [State.OPEN], State.RUNNING, note)

    async def cancel(self, caller: Caller, tournament_id: str, why: str) -> View:
        """Call a tournament off; raise Refusal."""
        caller.organizing()
        ended = f"called off: {why}" if why else "called off"
        note = Note(now_ms(), f"owner {caller.owner}", _CANCEL, why=why)
        while True:
            found = await self._find(tournament_id)
            if found.state is State.FINISHED:
                if await self._is_called_off(tournament_id):
                    return await self._view(found)
                raise _wrong_state(found, "it is over")
            with suppress(Stale):
                await self._competitions.turn(
                    found, tuple(State), State.FINISHED, note, ended=ended
                )

    async def _is_called_off(self, tournament_id: str) -> bool:
        """Tell how a tournament that is over came to its end."""
        before: int | None = None
        while before != 0:
            notes, before = await self._competitions.actions(tournament_id, _LINES, before)
            for note in notes:
                if note.action in {_CANCEL, State.FINISHED.value}:
                    return note.action == _CANCEL
        return False

    async def standings(self, tournament_id: str) -> tuple[list[Line], tuple[str, ...]]:
        """Return the standings, best first, and the names of the tie-breaks; raise Refusal."""
        found = await self._find(tournament_id)
        ranking = await self._reckoning.ranking(tournament_id)
        bots = [each.bot_id for each in ranking.standings]
        names = await self.names(bots)
        scores = dict(zip(bots, await self._competitions.scores(tournament_id, bots), strict=True))
        gone = {one.bot_id for one in ranking.entrants if one.gone_from is not None}
        told = await self._published.get(tournament_id)
        rated = (
            {} if told is None else {bot: Rated(row, told.at_ms) for bot, row in told.rows.items()}
        )
        lines = [
            Line(
                each,
                names[each.bot_id],
                each.bot_id in gone,
                scores[each.bot_id],
                rated.get(each.bot_id),
            )
            for each in ranking.standings
        ]
        return lines, _tiebreaks(found.specification)

    async def blocks(
        self, caller: Caller, tournament_id: str, page_size: int, token: str
    ) -> tuple[list[Block | Ended], str]:
        """Return a page of the blocks that have begun, and the token of the next; raise Refusal.

        Where names are hidden only organizers are told of those in play.
        """
        start = read_number("blocks", token)
        found = await self._find(tournament_id)
        hidden = found.specification.names_hidden and not caller.admin
        # Those in play first, or one that ends in between would be in neither.
        in_play = {} if hidden else await self._competitions.blocks(tournament_id)
        over = await self._reckoning.order(tournament_id)
        begun = sorted(in_play.keys() - over.known, key=place_of)
        end = start + page_size
        page = _merged(over.keys, begun, start, end)
        uncounted = await self._competitions.uncounted(found)
        ended = [
            each
            async for some in self._data.ended(
                tournament_id, [key for key in page if key in over.known]
            )
            for each in counted_blocks(found, some, uncounted)
        ]
        by_key: dict[str, Block | Ended] = {**in_play, **{one.block.key: one for one in ended}}
        told = [by_key[key] for key in page if key in by_key]
        return told, next_token("blocks", end, len(over.keys) + len(begun))

    async def names(self, bot_ids: Sequence[str]) -> dict[str, str]:
        """Return the names of bots, "" for one that is not there."""
        bots = await self._bots.get_many(bot_ids)
        return {
            bot_id: "" if bot is None else bot.name
            for bot_id, bot in zip(bot_ids, bots, strict=True)
        }

    async def _withdraw(self, found: Competition, bot_id: str, note: Note) -> None:
        if found.is_ending:
            raise _wrong_state(found, "it is over")
        over, _ = await self._competitions.count_blocks(found.competition_id)
        entrant = await self._entries.get(found.competition_id, bot_id)
        if entrant is None or entrant.gone_from is not None:
            return
        if found.state is State.OPEN:
            await self._competitions.take_out(found, bot_id, note)
            return
        departure = await self._reckoning.departure(found, bot_id)
        left = replace(entrant, gone_from=departure.gone_from)
        meanwhile = meanwhile_of(found, over, departure)
        await self._competitions.put_entrant(found, left, note, meanwhile)

    async def _find(self, tournament_id: str) -> Competition:
        """Return a tournament; raise Refusal."""
        missing = not_found("tournament", tournament_id)
        if not is_id(tournament_id):
            raise missing
        found = await find(self._competitions, tournament_id, what="tournament")
        if found.is_ladder:
            raise missing
        return found

    async def _view(self, found: Competition) -> View:
        finished, in_play = await self._competitions.count_blocks(found.competition_id)
        entrants = await self._competitions.count_entrants(found.competition_id)
        # Before it has begun it depends on who else enters.
        planned = 0 if found.state is State.OPEN else await self._reckoning.planned(found)
        return View(found, entrants, finished, in_play, planned)

    async def _bot(self, caller: Caller, bot_id: str) -> Bot:
        """Return a bot that the caller may enter and withdraw; raise Refusal."""
        caller.known()
        asked = bot_id or caller.playing()
        bot = await self._bots.get(asked)
        if bot is None:
            raise not_found("bot", asked)
        if not caller.admin and bot.owner != caller.owner:
            raise Refusal(
                Reason.NOT_ALLOWED, f"bot {bot.name!r} belongs to somebody else", bot_id=bot.bot_id
            )
        return bot


def _wrong_state(found: Competition, why: str) -> Refusal:
    return Refusal(
        Reason.WRONG_STATE,
        f"tournament {found.competition_id}: {why}",
        state=found.state.value,
    )


def _merged(over: Sequence[str], begun: Sequence[str], start: int, end: int) -> list[str]:
    """Return a page of the sorted keys of blocks, both sorted: of those that are over there may be many."""
    places = [bisect(over, place_of(key), key=place_of) + at for at, key in enumerate(begun)]
    at_place = dict(zip(places, begun, strict=True))
    return [
        at_place[at] if at in at_place else over[at - bisect(places, at)]
        for at in range(start, min(end, len(over) + len(begun)))
    ]


def _entrant(bot: Bot) -> Entrant:
    return Entrant(bot.bot_id, "" if bot.baseline else bot.owner)


def _tiebreaks(specification: Specification) -> tuple[str, ...]:
    match specification.format:
        case RoundRobin() | Gauntlet():
            return tuple(each.value for each in ROBIN_ORDER)
        case Swiss():
            return tuple(each.value for each in SWISS_ORDER)
        case _:
            return ()
