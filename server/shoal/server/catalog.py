"""Reading what is there: bots, matches and their records, as anybody may."""

import asyncio
from typing import final

from shoal.match import LoggedEntry, Match, parse_entry
from shoal.server.errors import Reason, Refusal, malformed, not_found
from shoal.server.guard import one_of_many
from shoal.server.hub.hub import Hub
from shoal.server.hub.table import Table
from shoal.server.store.bots import Bot, BotStore
from shoal.server.store.errors import BadPageToken
from shoal.server.store.keys import is_id
from shoal.server.store.matches import MatchStore
from shoal.server.store.paging import Page


@final
class Catalog:
    """What is there to read."""

    def __init__(self, hub: Hub, bots: BotStore, matches: MatchStore) -> None:
        """Read from these."""
        self._hub = hub
        self._bots = bots
        self._matches = matches

    async def bot(self, bot_id: str) -> Bot:
        """Return a bot; raise Refusal."""
        bot = await self._bots.get(bot_id) if is_id(bot_id) else None
        if bot is None:
            raise not_found("bot", bot_id)
        return bot

    async def list_bots(self, page_size: int, token: str) -> tuple[list[Bot], str]:
        """Return a page of bots and the token of the next; raise Refusal."""
        try:
            page = await self._bots.list_bots(page_size, token)
        except BadPageToken:
            raise _bad_token() from None
        bots = await self._bots.get_many(page.ids)
        return [bot for bot in bots if bot is not None], page.next_token

    async def table(self, match_id: str) -> Table:
        """Return a match at hand, brought up to date; raise Refusal."""
        table = await self._hub.table(match_id)
        if table is None:
            raise not_found("match", match_id)
        await self._hub.refresh(table)
        return table

    async def list_matches(
        self, page_size: int, token: str, bot_id: str
    ) -> tuple[list[Match], str]:
        """Return a page of matches, of one bot or of all, and the token of the next; raise Refusal."""
        try:
            page = await self._page(page_size, token, bot_id)
        except BadPageToken:
            raise _bad_token() from None
        found = await asyncio.gather(*map(self._readable, page.ids))
        tables = [table for table in found if table is not None]
        await self._hub.catch_up(tables)
        return [table.match for table in tables], page.next_token

    async def _readable(self, match_id: str) -> Table | None:
        """Return a match at hand; None, and a line in the log, when it cannot be read."""
        with one_of_many("match_not_listed", match=match_id):
            return await self._hub.table(match_id)
        return None

    async def record(self, match_id: str) -> tuple[Match, list[LoggedEntry]]:
        """Return a finished match and its log; raise Refusal."""
        table = await self.table(match_id)
        if not table.over:
            raise Refusal(Reason.MATCH_NOT_OVER, "the match is not over: its seed is still secret")
        texts = await self._matches.entries(match_id)
        return table.match, [parse_entry(text) for text in texts]

    async def _page(self, page_size: int, token: str, bot_id: str) -> Page:
        """Return a page of match ids."""
        if not bot_id:
            return await self._matches.list_matches(page_size, token)
        if not is_id(bot_id):
            raise not_found("bot", bot_id)
        return await self._bots.history(bot_id, page_size, token)


def _bad_token() -> Refusal:
    """Return the refusal of a page token that no list gave out."""
    return malformed("page_token", "not one that this list gave out")
