"""Registering bots: who may, under which name and owner, exactly once."""

from dataclasses import dataclass
from typing import final

from shoal.server.auth import Caller
from shoal.server.errors import Reason, Refusal
from shoal.server.reserving import reserve
from shoal.server.store.bots import Bot, BotStore
from shoal.server.store.errors import NameTaken
from shoal.server.store.keys import new_id
from shoal.server.store.requests import RequestStore
from shoal.server.store.tokens import TokenStore


@final
@dataclass(frozen=True, slots=True)
class Registered:
    """A bot, and its token the first time: "" when the request is a repeat."""

    bot: Bot
    token: str


@final
class Registration:
    """The register of bots; `is_open` lets anybody in, as a new owner."""

    def __init__(
        self, bots: BotStore, tokens: TokenStore, requests: RequestStore, *, is_open: bool
    ) -> None:
        """Register in these."""
        self._bots = bots
        self._tokens = tokens
        self._requests = requests
        self._is_open = is_open

    async def register(
        self, caller: Caller, name: str, request_id: str, body: str, *, baseline: bool
    ) -> Registered:
        """Register a bot for the caller's owner, or a new one. `body` is the hash of the request.

        Raise Refusal: NOT_ALLOWED, NAME_TAKEN, REQUEST_ID_REUSED.
        """
        if caller.anonymous and not self._is_open:
            raise Refusal(Reason.NOT_ALLOWED, "registration is closed: ask for a token")
        if baseline and not caller.admin:
            raise Refusal(Reason.NOT_ALLOWED, "only an admin token registers baselines")
        new = {"bot": new_id(), "owner": caller.owner or f"o{new_id()}"}
        kept = await reserve(self._requests, _caller_key(caller), request_id, body, new)
        ids = kept.reserved
        if kept.answer is not None:
            bot = await self._bots.get(ids["bot"])
            if bot is not None:
                return Registered(bot, "")
        try:
            bot = await self._bots.register(ids["bot"], name, ids["owner"], baseline=baseline)
        except NameTaken:
            raise Refusal(
                Reason.NAME_TAKEN, f"a bot is called {name!r} already", field="name"
            ) from None
        token = await self._tokens.issue(bot.owner, bot.bot_id)
        if request_id:
            await self._requests.finish(_caller_key(caller), request_id, b"registered")
        return Registered(bot, token)


def _caller_key(caller: Caller) -> str:
    """Return under which name the caller's requests are kept."""
    return caller.owner or "anonymous"
