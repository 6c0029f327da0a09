"""Unrated matches by request: who may seat whom, and creating them exactly once."""

from collections.abc import Sequence
from dataclasses import replace
from typing import final

from shoal.match import SeatMeta
from shoal.server.auth import Caller
from shoal.server.errors import Reason, Refusal, malformed, not_found
from shoal.server.organizing import note_of
from shoal.server.play.creation import Creation, MatchSpec, check
from shoal.server.reserving import reserve
from shoal.server.store.bots import Bot, BotStore
from shoal.server.store.keys import is_id, new_id
from shoal.server.store.requests import RequestStore

BASELINE_MATCHES = 2
"""How many unfinished matches keep a baseline from one more by request: its places are for the ladders."""

BASELINE_LIMITS = {
    "move_ms": 60_000,
    "max_strikes": 10,
    "bank_ms": 600_000,
    "increment_ms": 10_000,
    "match_ms": 24 * 3_600_000,
}
"""The most that a time control may say, where a baseline has to wait as long."""

BOT_MATCHES = 1_000
"""How many unfinished matches keep any other bot from one more by request."""


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

        The seats of `spec` need no names. An ordinary caller seats its owner's bots and the baselines; where
        an organizer seats others, that has a line in the list of actions. Raise Refusal.
        """
        caller.known()
        check(spec)
        bots = await self._allowed(caller, [seat.bot_id for seat in spec.seats])
        seats = tuple(SeatMeta(bot.bot_id, bot.name) for bot in bots)
        kept = await reserve(self._requests, caller.owner, request_id, body, {"match": new_id()})
        match_id = kept.reserved["match"]
        if not kept.fresh and await self._creation.is_made(match_id):
            return match_id
        if not caller.admin:
            await self._check_room(spec, bots)
        elif any(not bot.baseline and bot.owner != caller.owner for bot in bots):
            line = f"{match_id}: {' '.join(bot.bot_id for bot in bots)}"
            await self._bots.note(note_of(caller, "create match", line), f"create {match_id}")
        await self._creation.create(match_id, replace(spec, seats=seats))
        return match_id

    async def _check_room(self, spec: MatchSpec, bots: Sequence[Bot]) -> None:
        """Refuse a match that would take too much of a bot, above all of one that is there for all."""
        if any(bot.baseline for bot in bots):
            for name, most in BASELINE_LIMITS.items():
                if getattr(spec.time, name) > most:
                    raise malformed(f"time_control.{name}", f"at most {most} with a baseline")
        for bot in bots:
            most = BASELINE_MATCHES if bot.baseline else BOT_MATCHES
            if len(await self._bots.live_matches(bot.bot_id)) >= most:
                raise Refusal(
                    Reason.CONCURRENCY_LIMIT, _no_room(bot, most), retry_after=5, bot_id=bot.bot_id
                )

    async def _allowed(self, caller: Caller, bot_ids: Sequence[str]) -> list[Bot]:
        """Return these bots; raise Refusal when one is not there or not for the caller."""
        for bot_id in bot_ids:
            if not is_id(bot_id):
                raise not_found("bot", bot_id)
        bots = []
        for bot_id, bot in zip(bot_ids, await self._bots.get_many(bot_ids), strict=True):
            if bot is None:
                raise not_found("bot", bot_id)
            if not (caller.admin or bot.baseline or bot.owner == caller.owner):
                raise Refusal(
                    Reason.NOT_ALLOWED,
                    f"bot {bot.name!r} belongs to somebody else: you may seat the bots of your owner "
                    "and the baselines; an admin token seats any bot",
                    bot_id=bot_id,
                )
            bots.append(bot)
        return bots


def _no_room(bot: Bot, most: int) -> str:
    """Return what to say of a bot that has as many matches as it may, and the way out."""
    if not bot.baseline:
        return (
            f"bot {bot.name!r} has {most} unfinished matches, and gets no more by request: let some "
            "end, or seat another bot"
        )
    return (
        f"baseline {bot.name!r} has {most} unfinished matches, those of ladders too, and gets no more "
        "by request: try later, or run an opponent of your own (`shoal bot register NAME --token-file "
        "NEW --owner-token-file YOURS`, then `shoal bot run greedy --token-file NEW`)"
    )
