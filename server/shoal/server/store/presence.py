"""Presence: which bots are available and for what, and which process hosts a bot's stream if it has one."""

import asyncio
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from shoal.server.store import keys, scripts
from shoal.server.store.link import Reply
from shoal.server.store.pipe import Pipe
from shoal.server.store.whereabouts import Whereabouts, whereabouts_of


@dataclass(frozen=True, slots=True)
class Claim:
    """What a process says when a bot has opened a stream to it."""

    bot_id: str
    process: str
    """The name of the process; unique among all that ever ran. In an offer, the one that the bot polls at."""

    max_matches: int
    rulesets: tuple[str, ...]
    seats: tuple[int, ...]
    """Which numbers of seats the bot plays at."""

    version: str = ""
    """What it says that it is a version of; empty: it does not say."""


@dataclass(frozen=True, slots=True)
class Presence:
    """A bot whose stream is open, or that polls."""

    bot_id: str
    process: str
    """Empty for one that polls: a poll makes nobody the owner."""

    epoch: int
    """Counts the claims of a bot: the stream of the highest epoch is the bot's one stream. 0: it polls."""

    max_matches: int
    rulesets: tuple[str, ...]
    seats: tuple[int, ...]
    live_count: int
    """How many matches are in its live set."""

    version: str = ""
    """What it says that it is a version of; empty: it does not say, or polls."""


class PresenceStore:
    """Who hosts which bot; an owner that is silent for longer than its ttl is forgotten."""

    def __init__(self, pipe: Pipe) -> None:
        """Ask through this pipe."""
        self._pipe = pipe

    async def claim(self, claim: Claim, ttl_ms: int, *, known: int | None = None) -> int:
        """Become the owner of a bot's stream, whoever it was; return the epoch.

        With the epoch that is `known`, only if nobody has claimed the bot since, else return 0: a claim may
        reach the store late, when the bot is long elsewhere.

        Rings the bot's bell, so that the owner before learns of it, and the ladders', which may pair it; what
        they say is the bot.
        """
        bot_id = claim.bot_id
        epoch: int = await self._pipe.call(
            scripts.CLAIM,
            (keys.stream(bot_id), keys.bot(bot_id)),
            (
                *(claim.process, claim.max_matches),
                *(json.dumps(claim.rulesets), json.dumps(claim.seats)),
                *(ttl_ms, "" if known is None else known, secrets.token_hex(8)),
                *(claim.version, bot_id),
                *(keys.bot_bell(bot_id), keys.LADDER_BELL),
            ),
        )
        return epoch

    async def offer(self, claim: Claim, ttl_ms: int) -> bool:
        """Make a bot available without an owner; return False, and change nothing, when it has one.

        Rings the ladders' bell, which says the bot, when that is news. A stream may claim it at any time.
        """
        made: int = await self._pipe.call(
            scripts.OFFER,
            (keys.stream(claim.bot_id),),
            (
                claim.max_matches,
                *(json.dumps(claim.rulesets), json.dumps(claim.seats)),
                *(ttl_ms, keys.LADDER_BELL, claim.process, claim.bot_id),
            ),
        )
        return bool(made)

    async def polled(self, bot_id: str, process: str) -> None:
        """Note that a poll of a bot was answered at this process, which no longer keeps it waiting."""
        await self._pipe.call(scripts.POLLED, (keys.stream(bot_id),), (process,))

    async def renew(self, bot_id: str, process: str, epoch: int, ttl_ms: int) -> bool:
        """Stay the owner for another `ttl_ms`; return False when the stream is somebody else's."""
        args = (process, epoch, ttl_ms)
        return bool(await self._pipe.call(scripts.RENEW, (keys.stream(bot_id),), args))

    async def release(
        self, bot_id: str, process: str, epoch: int, *, left: bool = True, ago_ms: int = 0
    ) -> bool:
        """Stop being the owner; return False, and change nothing, when somebody else is.

        `left` says that it was the bot who went, not the process; if it was the process, the bot has been
        cut off since `ago_ms` milliseconds ago.
        """
        args = (process, epoch, int(left), ago_ms)
        return bool(await self._pipe.call(scripts.RELEASE, _names(bot_id), args))

    async def whereabouts(self, bot_ids: Sequence[str]) -> list[Whereabouts]:
        """Return where bots are."""
        asked = [
            self._pipe.submit_script(scripts.WHERE, _names(bot_id), decode=whereabouts_of)
            for bot_id in bot_ids
        ]
        return list(await asyncio.gather(*asked))

    async def get_many(self, bot_ids: Sequence[str]) -> list[Presence | None]:
        """Return the presence of each bot, None where it is away."""
        fields = ("process", "epoch", "max_matches", "rulesets", "seats", "version")
        replies = await self._pipe.many(
            command
            for bot_id in bot_ids
            for command in (
                ("HMGET", keys.stream(bot_id), *fields),
                ("SCARD", keys.live(bot_id)),
            )
        )
        return [
            _presence(bot_id, values, live_count)
            for bot_id, values, live_count in zip(bot_ids, replies[::2], replies[1::2], strict=True)
        ]

    async def live_counts(self, bot_ids: Sequence[str]) -> dict[str, int]:
        """Return how many live matches each bot has, present or not."""
        counts = await self._pipe.many(("SCARD", keys.live(bot_id)) for bot_id in bot_ids)
        return dict(zip(bot_ids, counts, strict=True))


def _names(bot_id: str) -> tuple[str, str, str]:
    """Return the keys of what says where a bot is, and since when."""
    return keys.stream(bot_id), keys.bot(bot_id), keys.CLOCK[keys.partition_of(bot_id)]


@lru_cache(maxsize=1000)
def _listed(text: bytes) -> tuple[Any, ...]:
    """Read a list; nearly all bots offer the same, and a director reads all of them all the time."""
    return tuple(json.loads(text))


def _presence(bot_id: str, values: Reply, live_count: int) -> Presence | None:
    """Read the fields of a bot that is there."""
    process, epoch, max_matches, rulesets, seats, version = values
    if process is None:
        return None
    return Presence(
        bot_id=bot_id,
        process=process.decode(),
        epoch=int(epoch),
        max_matches=int(max_matches),
        rulesets=_listed(rulesets),
        seats=_listed(seats),
        live_count=live_count,
        version=(version or b"").decode(),
    )
