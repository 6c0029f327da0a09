"""Ladders as callers use them: made and ended, joined and left, and read page by page."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, final

from shoal.competition.plan import Entrant
from shoal.competition.problems import Problem
from shoal.competition.specification import Specification
from shoal.competition.validation import check
from shoal.rating.ladder_standings import Standing
from shoal.server.auth import Caller
from shoal.server.entering import enter
from shoal.server.errors import Reason, Refusal, not_found
from shoal.server.finding import find
from shoal.server.joining import Joining
from shoal.server.page_tokens import make_token, next_token, read_number, read_token
from shoal.server.reckoning import Reckoning
from shoal.server.reserving import known, reserve
from shoal.server.specifying import bad_specification, unknown_bots
from shoal.server.standstill import why_excluded
from shoal.server.store.bots import BotStore
from shoal.server.store.competition_errors import AlreadyThere, Stale
from shoal.server.store.competition_nouns import Competition, Note, State
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.entries import EntryStore
from shoal.server.store.keys import is_id, new_id, now_ms
from shoal.server.store.releases import named, retired
from shoal.server.store.requests import RequestStore

ENDED: Final = "ended"
"""How the reason begins for which an organizer ends a ladder."""


@final
@dataclass(frozen=True, slots=True)
class LadderView:
    """A ladder with its numbers of bots and of blocks."""

    competition: Competition
    bots: int
    finished: int
    in_play: int


@final
class Line(NamedTuple):
    """A line of the standings with what the bot is called.

    `excluded` says why it is excluded, as far as the caller may know it; None if it is not.
    """

    standing: Standing
    bot_name: str
    excluded: str | None


@final
class StandingsPage(NamedTuple):
    """Lines of the standings, and the number of rated matches behind them.

    `published_ms` is when the published ratings were worked out, None as long as none are.
    """

    lines: list[Line]
    next_token: str
    matches: int
    published_ms: int | None


@final
class Ladders:
    """The ladders of this server: competitions that make their tables of whoever is there."""

    def __init__(
        self,
        competitions: CompetitionStore,
        entries: EntryStore,
        bots: BotStore,
        requests: RequestStore,
        joining: Joining,
        reckoning: Reckoning,
    ) -> None:
        """Read and write in these, and ask who is best."""
        self._reckoning = reckoning
        self._competitions = competitions
        self._entries = entries
        self._bots = bots
        self._requests = requests
        self._joining = joining

    async def create(
        self, caller: Caller, specification: Specification, request_id: str, body: str
    ) -> LadderView:
        """Make a ladder. `body` is the hash of the request. Raise Refusal, with all problems at once."""
        owner = caller.organizing().owner
        now = now_ms()
        name = specification.name
        problems = [*_problems(specification, now), *await unknown_bots(specification, self._bots)]
        if problems:
            # What was in order then is made, whatever time it is now.
            before = await known(self._requests, owner, request_id, body)
            if before and await self._competitions.maker(name) == before.reserved["maker"]:
                return await self.get(name)
            raise bad_specification(problems)
        reserved = await reserve(self._requests, owner, request_id, body, {"maker": new_id()})
        maker = reserved.reserved["maker"]
        begins = specification.starts_ms is None or specification.starts_ms <= now
        state = State.RUNNING if begins else State.OPEN
        note = Note(now, f"owner {owner}", "create")
        try:
            made = await self._competitions.create(name, specification, state, note, maker)
        except AlreadyThere:
            raise Refusal(
                Reason.NAME_TAKEN,
                f"a ladder is called {name!r} already",
                field="name",
            ) from None
        return await self._view(made)

    async def get(self, ladder_id: str) -> LadderView:
        """Return a ladder; raise Refusal."""
        return await self._view(await self.find(ladder_id))

    async def end(self, caller: Caller, ladder_id: str, why: str) -> LadderView:
        """Make no more tables, and play those in play to their end; raise Refusal."""
        caller.organizing()
        note = Note(now_ms(), f"owner {caller.owner}", "end", why=why)
        ended = f"{ENDED}: {why}" if why else ENDED
        going = (State.OPEN, State.RUNNING, State.PAUSED, State.DRAINING)
        while True:
            found = await self.find(ladder_id)
            if found.is_ending:
                return await self._view(found)
            with suppress(Stale):
                await self._competitions.turn(found, going, State.DRAINING, note, ended=ended)

    async def list_ladders(self, page_size: int, token: str) -> tuple[list[LadderView], str]:
        """Return a page of ladders by name, and the token of the next; raise Refusal."""
        after = read_token("ladders", token)
        ids = [each for each in await self._competitions.ids(ladders=True) if each > after]
        page = await self._competitions.some(ids[:page_size])
        more = len(ids) > page_size
        views = list(await asyncio.gather(*map(self._view, page)))
        return views, make_token("ladders", ids[page_size - 1]) if more else ""

    async def join(self, caller: Caller, ladder_id: str, bot_id: str) -> None:
        """Enter a bot; raise Refusal when there is no such ladder, or it takes no more."""
        bot = await self._bots.get(bot_id)
        if bot is None:
            raise not_found("bot", bot_id)
        entrant = Entrant(bot_id, "" if bot.baseline else bot.owner)
        who, asked = _who(caller, bot_id), None
        if caller.owner != bot.owner:
            asked = Note(now_ms(), who, "try again", bot_id)
        await enter(
            self._competitions,
            self._entries,
            lambda: self.find(ladder_id),
            entrant,
            who,
            lambda ladder: self._joining.prepare(ladder, entrant, asked),
        )

    async def leave(self, caller: Caller, ladder_id: str, bot_id: str) -> None:
        """Take a bot out; raise Refusal when there is no such ladder."""
        note = Note(now_ms(), _who(caller, bot_id), "withdraw", bot_id)
        while True:
            with suppress(Stale):
                await self._competitions.take_out(await self.find(ladder_id), bot_id, note)
                return

    async def find(self, ladder_id: str) -> Competition:
        """Return a ladder; raise Refusal."""
        found = await find(self._competitions, ladder_id, what="ladder")
        if not found.is_ladder:
            raise not_found("ladder", ladder_id)
        return found

    async def _view(self, found: Competition) -> LadderView:
        """Return a ladder with its numbers."""
        finished, in_play = await self._competitions.count_blocks(found.competition_id)
        bots = await self._competitions.count_entrants(found.competition_id)
        return LadderView(found, bots, finished, in_play)

    async def standings(
        self, caller: Caller, ladder_id: str, page_size: int, token: str
    ) -> StandingsPage:
        """Return a page of the standings, best first; raise Refusal."""
        start = read_number("standings", token)
        ladder = await self.find(ladder_id)
        lines, published_ms = await self._reckoning.ladder_standings(ladder_id)
        page = lines[start : start + page_size]
        releases = [named(line.bot_id) for line in page]
        bots = await self._bots.get_many([each.bot_id for each in releases])
        names = ["" if bot is None else bot.name for bot in bots]
        owners = {bot.bot_id: bot.owner for bot in bots if bot is not None}
        excluded = why_excluded(caller, ladder, owners)
        end = start + len(page)
        return StandingsPage(
            lines=[
                Line(
                    replace(line, bot_id=each.bot_id),
                    retired(name, each.version) if each.version else name,
                    None if each.version else excluded.get(each.bot_id),
                )
                for line, each, name in zip(page, releases, names, strict=True)
            ],
            next_token=next_token("standings", end, len(lines)),
            matches=ladder.rated,
            published_ms=published_ms,
        )


def _who(caller: Caller, bot_id: str) -> str:
    """Return for the list of actions who enters a bot or takes it out: itself, its owner, an organizer."""
    return f"bot {bot_id}" if caller.bot_id == bot_id else f"owner {caller.owner}"


def _problems(specification: Specification, now: int) -> tuple[Problem, ...]:
    """Return all that is wrong with the specification of a ladder that is made now."""
    began = now if specification.starts_ms is None else specification.starts_ms
    problems = check(replace(specification, starts_ms=began))
    if is_id(specification.name):
        taken = Problem("name", "has the form of an id, which tournaments have")
        return tuple(sorted([*problems, taken]))
    return problems
