"""Ladders as callers use them: join, leave, and read the standings page by page."""

from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple, final

from shoal.competition.plan import Entrant
from shoal.server.director import Standing, ladder_standings
from shoal.server.entering import enter
from shoal.server.errors import Refusal, not_found
from shoal.server.joining import Joining
from shoal.server.page_tokens import make_token, next_token, read_number, read_token
from shoal.server.store.bots import BotStore
from shoal.server.store.competition_nouns import Competition, Note
from shoal.server.store.competitions import (
    CompetitionStore,
    Stale,
    UnknownCompetition,
    now_ms,
)
from shoal.server.store.releases import named, retired


@final
class StandingsPage(NamedTuple):
    """Lines of the standings with the bots' names, and the number of rated matches behind them."""

    rows: list[tuple[Standing, str]]
    next_token: str
    matches: int


@final
class Ladders:
    """The ladders of this server: competitions that make their tables of whoever is there."""

    def __init__(self, competitions: CompetitionStore, bots: BotStore, joining: Joining) -> None:
        """Read and write in these."""
        self._joining = joining
        self._competitions = competitions
        self._bots = bots

    async def list_ladders(self, page_size: int, token: str) -> tuple[list[Competition], str]:
        """Return a page of ladders by name, and the token of the next; raise Refusal."""
        after = read_token("ladders", token)
        found = [
            each
            for each in await self._competitions.all()
            if each.is_ladder and each.competition_id > after
        ]
        page = found[:page_size]
        more = len(found) > len(page)
        return page, make_token("ladders", page[-1].competition_id) if more else ""

    async def join(self, ladder_id: str, bot_id: str) -> None:
        """Enter a bot; raise Refusal when there is no such ladder, or it takes no more."""
        bot = await self._bots.get(bot_id)
        if bot is None:
            raise not_found("bot", bot_id)
        entrant = Entrant(bot_id, "" if bot.baseline else bot.owner)
        await enter(
            self._competitions,
            lambda: self._ladder(ladder_id),
            entrant,
            lambda ladder: self._joining.prepare(ladder, entrant),
        )

    async def leave(self, ladder_id: str, bot_id: str) -> None:
        """Take a bot out; raise Refusal when there is no such ladder."""
        note = Note(now_ms(), f"bot {bot_id}", "withdraw", bot_id)
        while True:
            with suppress(Stale):
                await self._competitions.take_out(await self._ladder(ladder_id), bot_id, note)
                return

    async def _ladder(self, ladder_id: str) -> Competition:
        """Return a ladder; raise Refusal."""
        try:
            found = await self._competitions.get(ladder_id)
        except UnknownCompetition:
            raise _no_ladder(ladder_id) from None
        if not found.is_ladder:
            raise _no_ladder(ladder_id)
        return found

    async def standings(self, ladder_id: str, page_size: int, token: str) -> StandingsPage:
        """Return a page of the standings, best first; raise Refusal."""
        start = read_number("standings", token)
        ladder = await self._ladder(ladder_id)
        lines = await ladder_standings(self._competitions, ladder_id)
        page = lines[start : start + page_size]
        releases = [named(line.bot_id) for line in page]
        bots = await self._bots.get_many([each.bot_id for each in releases])
        names = ["" if bot is None else bot.name for bot in bots]
        end = start + len(page)
        return StandingsPage(
            rows=[
                (
                    replace(line, bot_id=each.bot_id),
                    retired(name, each.version) if each.version else name,
                )
                for line, each, name in zip(page, releases, names, strict=True)
            ],
            next_token=next_token("standings", end, len(lines)),
            matches=ladder.rated,
        )


def _no_ladder(ladder_id: str) -> Refusal:
    """Return the refusal of a ladder that is not there."""
    return not_found("ladder", ladder_id)
