"""Tournaments as callers use them: made, entered, begun, called off, and read."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple, final

from shoal.competition import tournament
from shoal.competition.crosstable import Row, crosstable
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
from shoal.server.director import counted_blocks, finished_block
from shoal.server.entering import enter
from shoal.server.errors import Reason, Refusal, not_found
from shoal.server.page_tokens import make_token, next_token, read_number, read_token
from shoal.server.rounds import next_round
from shoal.server.specifying import bad_specification
from shoal.server.store.bots import Bot, BotStore
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
from shoal.server.store.errors import RequestIdReused
from shoal.server.store.keys import is_id, new_id
from shoal.server.store.requests import RequestStore

CALLED_OFF = "called off"


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
    """One line of the standings, with what the bot is called and what its rated matches came to."""

    standing: Standing
    bot_name: str
    withdrawn: bool
    score: Score | None


@final
class Tournaments:
    """The tournaments of this server."""

    def __init__(
        self, competitions: CompetitionStore, bots: BotStore, requests: RequestStore
    ) -> None:
        """Read and write in these."""
        self._competitions = competitions
        self._bots = bots
        self._requests = requests

    async def create(
        self, caller: Caller, specification: Specification, request_id: str, body: str
    ) -> View:
        """Make a tournament. `body` is the hash of the request. Raise Refusal, with all problems at once."""
        owner = caller.organizing().owner
        if problems := check(specification):
            raise bad_specification(problems)
        tournament_id = new_id()
        if request_id:
            tournament_id = await self._reserve(owner, request_id, body, tournament_id)
        note = Note(now_ms(), f"owner {owner}", "create")
        await self._competitions.create(tournament_id, specification, State.OPEN, note)
        return await self.get(tournament_id)

    async def get(self, tournament_id: str) -> View:
        """Return a tournament; raise Refusal."""
        return await self._view(await self._find(tournament_id))

    async def list_tournaments(self, page_size: int, token: str) -> tuple[list[View], str]:
        """Return a page of tournaments by id, and the token of the next; raise Refusal."""
        after = read_token("tournaments", token)
        found = [
            each
            for each in await self._competitions.all()
            if not each.is_ladder and each.competition_id > after
        ]
        page = found[:page_size]
        views = [await self._view(each) for each in page]
        more = len(found) > len(page)
        return views, make_token("tournaments", page[-1].competition_id) if more else ""

    async def enter(self, caller: Caller, tournament_id: str, bot_id: str) -> None:
        """Enter a bot, that of the caller if none is named; raise Refusal."""
        bot = await self._bot(caller, bot_id)
        who = f"owner {caller.owner}"
        await enter(self._competitions, lambda: self._find(tournament_id), _entrant(bot), who)

    async def withdraw(self, caller: Caller, tournament_id: str, bot_id: str) -> None:
        """Take a bot out: from the first round on that is not paired yet. Raise Refusal."""
        bot = await self._bot(caller, bot_id)
        note = Note(now_ms(), f"owner {caller.owner}", "withdraw", bot.bot_id)
        while True:  # what was looked at may have changed
            with suppress(Stale):
                return await self._withdraw(await self._find(tournament_id), bot.bot_id, note)

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
        ended = f"{CALLED_OFF}: {why}" if why else CALLED_OFF
        note = Note(now_ms(), f"owner {caller.owner}", "cancel", why=why)
        while True:
            found = await self._find(tournament_id)
            if found.state is State.FINISHED:
                if found.ended.startswith(CALLED_OFF):
                    return await self._view(found)
                raise _wrong_state(found, "it is over")
            with suppress(Stale):
                await self._competitions.turn(
                    found, tuple(State), State.FINISHED, note, ended=ended
                )

    async def standings(self, tournament_id: str) -> tuple[list[Line], tuple[str, ...]]:
        """Return the standings, best first, and the names of the tie-breaks; raise Refusal."""
        found = await self._find(tournament_id)
        roster = await self._competitions.roster(tournament_id)
        blocks = map(finished_block, await self._counted(found))
        entrants = tuple(roster.entrants.values())
        # Of hundreds of bots it takes a while, in which the moves of others must not wait.
        ranked = await asyncio.to_thread(
            tournament.ranking, found.specification, entrants, tuple(blocks)
        )
        names = await self.names([each.bot_id for each in ranked])
        lines = [
            Line(
                each,
                names[each.bot_id],
                roster.entrants[each.bot_id].gone_from is not None,
                roster.scores.get(each.bot_id),
            )
            for each in ranked
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
        in_play = {} if hidden else await self._competitions.blocks(tournament_id)
        ended = {one.block.key: one for one in await self._counted(found)}
        by_key: dict[str, Block | Ended] = {**in_play, **ended}
        order = sorted(by_key, key=_place)
        end = start + page_size
        return [by_key[key] for key in order[start:end]], next_token("blocks", end, len(order))

    async def crosstable(
        self, tournament_id: str, page_size: int, token: str
    ) -> tuple[list[tuple[Row, str]], list[str], str]:
        """Return a page of rows with the bots' names, the columns, and the token of the next page."""
        start = read_number("crosstable", token)
        lines, _ = await self.standings(tournament_id)
        found = await self._find(tournament_id)
        entrants = await self._competitions.entrants(tournament_id)
        blocks = list(map(finished_block, await self._counted(found)))
        settled = await asyncio.to_thread(tournament.settled, found.specification, entrants, blocks)
        order = [line.standing.bot_id for line in lines]
        rows = crosstable(order, [*blocks, *settled.forfeits], settled.uncounted)
        end = start + page_size
        named = [
            (row, line.bot_name)
            for row, line in zip(rows[start:end], lines[start:end], strict=True)
        ]
        return named, order, next_token("crosstable", end, len(order))

    async def names(self, bot_ids: Sequence[str]) -> dict[str, str]:
        """Return the names of bots, "" for one that is not there."""
        bots = await self._bots.get_many(bot_ids)
        return {
            bot_id: "" if bot is None else bot.name
            for bot_id, bot in zip(bot_ids, bots, strict=True)
        }

    async def _counted(self, found: Competition) -> list[Ended]:
        """Return the blocks that are over, with nothing in those that do not count after all."""
        ended = await self._competitions.ended(found.competition_id)
        return counted_blocks(found, ended.values())

    async def _withdraw(self, found: Competition, bot_id: str, note: Note) -> None:
        if found.is_ending:
            raise _wrong_state(found, "it is over")
        entrants = await self._competitions.entrants(found.competition_id)
        entrant = next((one for one in entrants if one.bot_id == bot_id), None)
        if entrant is None or entrant.gone_from is not None:
            return
        if found.state is State.OPEN:
            await self._competitions.take_out(found, bot_id, note)
            return
        number = await next_round(self._competitions, found, entrants, bot_id)
        await self._competitions.enter(found, replace(entrant, gone_from=number), note)

    async def _find(self, tournament_id: str) -> Competition:
        """Return a tournament; raise Refusal."""
        missing = not_found("tournament", tournament_id)
        if not is_id(tournament_id):
            raise missing
        try:
            found = await self._competitions.get(tournament_id)
        except UnknownCompetition:
            raise missing from None
        if found.is_ladder:
            raise missing
        return found

    async def _view(self, found: Competition) -> View:
        finished, in_play = await self._competitions.count_blocks(found.competition_id)
        entrants = await self._competitions.entrants(found.competition_id)
        return View(found, len(entrants), finished, in_play, _planned(found, entrants))

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

    async def _reserve(self, owner: str, request_id: str, body: str, tournament_id: str) -> str:
        """Return the id that is reserved for the request."""
        try:
            found = await self._requests.reserve(
                owner, request_id, body, {"tournament": tournament_id}
            )
        except RequestIdReused:
            raise Refusal(
                Reason.REQUEST_ID_REUSED,
                "this request_id was used for another request",
                field="request_id",
            ) from None
        return found.reserved["tournament"]


def _wrong_state(found: Competition, why: str) -> Refusal:
    return Refusal(
        Reason.WRONG_STATE,
        f"tournament {found.competition_id}: {why}",
        state=found.state.value,
    )


def _entrant(bot: Bot) -> Entrant:
    return Entrant(bot.bot_id, "" if bot.baseline else bot.owner)


def _place(key: str) -> tuple[int, ...]:
    return tuple(map(int, key.split(".")))


def _tiebreaks(specification: Specification) -> tuple[str, ...]:
    match specification.format:
        case RoundRobin() | Gauntlet():
            return tuple(each.value for each in ROBIN_ORDER)
        case Swiss():
            return tuple(each.value for each in SWISS_ORDER)
        case _:
            return ()


def _planned(found: Competition, entrants: Sequence[Entrant]) -> int:
    """Return how many blocks there will be; 0 where it depends on results, or on who else enters."""
    if found.state is State.OPEN:
        return 0
    return tournament.number_of_blocks(found.specification, entrants)
