"""Unrated matches by request: who may seat whom, and creating them exactly once."""

from collections.abc import Sequence
from dataclasses import replace
from typing import final

from shoal.server.auth import Caller
from shoal.server.errors import Reason, Refusal, not_found
from shoal.server.match import SeatMeta
from shoal.server.play.creation import Creation, MatchSpec, check
from shoal.server.store.bots import BotStore
from shoal.server.store.errors import RequestIdReused
from shoal.server.store.keys import is_id, new_id
from shoal.server.store.requests import RequestStore


@final
class Seating:
    """Creates matches for callers."""

    def __init__(self, creation: Creation, bots: BotStore, requests: RequestStore) -> None:
        """Create with these."""
        self._creation = creation
        self._bots = bots
        self._requests = requests

    async def create(self, caller: Caller, spec: MatchSpec, request_id: str, body: str) -> str:
        """Create a match for the caller and return its id. `body` is the hash of the request.

        The seats of `spec` need no names. An ordinary caller seats its owner's bots and the
        baselines. Raise Refusal.
        """
        caller.known()
        check(spec)
        seats = await self._allowed(caller, [seat.bot_id for seat in spec.seats])
        match_id = new_id()
        if request_id:
            match_id = await self._reserve(caller, request_id, body, match_id)
        await self._creation.create(match_id, replace(spec, seats=seats))
        return match_id

    async def _allowed(self, caller: Caller, bot_ids: Sequence[str]) -> tuple[SeatMeta, ...]:
        """Return the seats of these bots; raise Refusal when one is not there or not for the caller."""
        for bot_id in bot_ids:
            if not is_id(bot_id):
                raise not_found("bot", bot_id)
        seats = []
        for bot_id, bot in zip(bot_ids, await self._bots.get_many(bot_ids), strict=True):
            if bot is None:
                raise not_found("bot", bot_id)
            if not (caller.admin or bot.baseline or bot.owner == caller.owner):
                raise Refusal(
                    Reason.NOT_ALLOWED,
                    f"bot {bot.name!r} belongs to somebody else: only an admin token seats it",
                    bot_id=bot_id,
                )
            seats.append(SeatMeta(bot_id, bot.name))
        return tuple(seats)

    async def _reserve(self, caller: Caller, request_id: str, body: str, match_id: str) -> str:
        """Return the id that is reserved for the request."""
        try:
            found = await self._requests.reserve(
                caller.owner, request_id, body, {"match": match_id}
            )
        except RequestIdReused:
            raise Refusal(
                Reason.REQUEST_ID_REUSED,
                "this request_id was used for another request",
                field="request_id",
            ) from None
        return found.reserved["match"]
