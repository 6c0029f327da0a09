"""Bots: who they are, under which unique name, and which matches they play and played."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from shoal.server.store import keys, scripts
from shoal.server.store.audit import write_line
from shoal.server.store.competition_nouns import Note
from shoal.server.store.errors import NameTaken
from shoal.server.store.link import Reply
from shoal.server.store.paging import Page, make_token, page_of_all, read_token
from shoal.server.store.pipe import Pipe

_FIELDS: Final = ("name", "owner", "baseline", "created")

_TOLD_SECONDS: Final = 600
"""For how long a bot's new streams are told that a match is void after all."""

_UNFINISHED_MS: Final = 60_000
"""After so long a registration that left a name without a bot is taken for given up."""


@dataclass(frozen=True, slots=True)
class Bot:
    """A registered bot."""

    bot_id: str
    name: str
    owner: str
    baseline: bool
    """Whether it is one of the arena's own, against which the others are measured."""

    created_ms: int
    """Wall time, for people."""


class BotStore:
    """The bots of one Redis."""

    def __init__(self, pipe: Pipe) -> None:
        """Ask through this pipe."""
        self._pipe = pipe

    async def note(self, note: Note, mark: str) -> None:
        """Write a line of what is about to be done with bots outside of competitions, once for each mark."""
        await write_line(self._pipe, "", note, mark)

    async def register(self, bot_id: str, name: str, owner: str, *, baseline: bool = False) -> Bot:
        """Make a bot under an id that was reserved before; doing it again changes nothing.

        Raises NameTaken when another bot has the name, or is getting it.
        """
        bot = Bot(bot_id, name, owner, baseline, keys.time_of(bot_id))
        name_key = keys.bot_name(name)
        _, holder = await self._pipe.many([("SETNX", name_key, bot_id), ("GET", name_key)])
        if holder.decode() != bot_id and not await self._take_over(name, holder.decode(), bot_id):
            raise NameTaken(name, holder.decode())
        await self._pipe.command(
            *("HSET", keys.bot(bot_id), "name", name, "owner", owner),
            *("baseline", int(baseline), "created", bot.created_ms),
        )
        await self._pipe.command("ZADD", keys.BOTS[keys.partition_of(bot_id)], 0, bot_id)
        return bot

    async def _take_over(self, name: str, holder: str, bot_id: str) -> bool:
        """Take a name from an id whose registration went no further; return whether that was so."""
        if keys.time_of(bot_id) - keys.time_of(holder) < _UNFINISHED_MS:
            return False
        if await self.get(holder) is not None:
            return False
        taken = await self._pipe.call(scripts.TAKE_NAME, (keys.bot_name(name),), (holder, bot_id))
        return bool(taken)

    async def get(self, bot_id: str) -> Bot | None:
        """Return a bot, or None when there is none with this id, or it is no id at all."""
        return (await self.get_many([bot_id]))[0]

    async def get_many(self, bot_ids: Sequence[str]) -> list[Bot | None]:
        """Return these bots in this order, None where there is none."""
        asked = [id_ for id_ in bot_ids if keys.is_id(id_)]
        replies = await self._pipe.many(("HMGET", keys.bot(id_), *_FIELDS) for id_ in asked)
        found = {id_: _bot(id_, reply) for id_, reply in zip(asked, replies, strict=True)}
        return [found.get(id_) for id_ in bot_ids]

    async def id_of(self, name: str) -> str | None:
        """Return the id that holds a name, or None when it is free."""
        reply = await self._pipe.command("GET", keys.bot_name(name))
        return reply.decode() if reply is not None else None

    async def list_bots(self, page_size: int, token: str = "") -> Page:
        """Return a page of the ids of all bots; raise BadPageToken."""
        return await page_of_all(self._pipe, "bot", keys.BOTS, page_size, token)

    async def add_match(self, bot_ids: Sequence[str], match_id: str) -> None:
        """Put a match among the live ones and into the history of these bots; idempotent."""
        await asyncio.gather(*self.submit_add_match(bot_ids, match_id))

    def submit_add_match(
        self, bot_ids: Sequence[str], match_id: str
    ) -> "list[asyncio.Future[Reply]]":
        """Ask for the same; no cancellation of who waits takes it back."""
        return [
            future
            for bot_id in bot_ids
            for future in (
                self._pipe.submit("SADD", keys.live(bot_id), match_id),
                self._pipe.submit("ZADD", keys.history(bot_id), 0, keys.by_time(match_id)),
            )
        ]

    async def without_match(self, bot_ids: Sequence[str], match_id: str) -> list[str]:
        """Return those of these bots that do not have a match among their live ones."""
        there = await self._pipe.many(
            ("SISMEMBER", keys.live(bot_id), match_id) for bot_id in bot_ids
        )
        return [bot_id for bot_id, has in zip(bot_ids, there, strict=True) if not has]

    async def restore_match(self, bot_ids: Sequence[str], match_id: str) -> None:
        """Put a live match back among those of these bots, and ring for it."""
        await self._pipe.many(
            command
            for bot_id in bot_ids
            for command in (
                ("SADD", keys.live(bot_id), match_id),
                ("ZADD", keys.history(bot_id), 0, keys.by_time(match_id)),
                ("PUBLISH", keys.bot_bell(bot_id), ""),
            )
        )

    async def end_match(self, bot_ids: Sequence[str], match_id: str) -> None:
        """Take a match from the live ones of these bots; their history keeps it; idempotent."""
        await self._pipe.many(("SREM", keys.live(bot_id), match_id) for bot_id in bot_ids)

    async def annul_match(self, bot_ids: Sequence[str], match_id: str) -> None:
        """Do the same for a match whose end was told, and lost: it is void, and they are to be told so.

        Rings their bells.
        """
        await asyncio.gather(
            *(
                self._pipe.call(
                    scripts.ANNUL,
                    (keys.live(bot_id), keys.annulled(bot_id)),
                    (match_id, _TOLD_SECONDS, keys.bot_bell(bot_id)),
                )
                for bot_id in bot_ids
            )
        )

    async def forget_match(self, bot_ids: Sequence[str], match_id: str) -> None:
        """Undo `add_match`, for a match that was never made; idempotent."""
        await self.end_match(bot_ids, match_id)
        await self._pipe.many(
            ("ZREM", keys.history(bot_id), keys.by_time(match_id)) for bot_id in bot_ids
        )

    async def live_matches(self, bot_id: str) -> list[str]:
        """Return the ids of a bot's live matches, sorted; a match among them may have ended."""
        reply = await self._pipe.command("SMEMBERS", keys.live(bot_id))
        return sorted(id_.decode() for id_ in reply)

    async def live_of(self, bot_ids: Collection[str]) -> dict[str, list[str]]:
        """Return the ids of the live matches of several bots."""
        replies = await self._pipe.many(("SMEMBERS", keys.live(bot_id)) for bot_id in bot_ids)
        return {
            bot_id: [id_.decode() for id_ in reply]
            for bot_id, reply in zip(bot_ids, replies, strict=True)
        }

    async def to_tell(self, bot_id: str) -> set[str]:
        """Return the live matches of a bot, and those that turned out lately to be void after their end."""
        reply = await self._pipe.command("SUNION", keys.live(bot_id), keys.annulled(bot_id))
        return {id_.decode() for id_ in reply}

    async def annulled(self, bot_id: str) -> set[str]:
        """Return the matches of a bot that turned out lately to be void after their end."""
        reply = await self._pipe.command("SMEMBERS", keys.annulled(bot_id))
        return {id_.decode() for id_ in reply}

    async def played(self, bot_id: str, match_ids: Collection[str]) -> set[str]:
        """Return those of these ids that are matches of a bot."""
        asked = [match_id for match_id in match_ids if keys.is_id(match_id)]
        if not asked:
            return set()
        members = [keys.by_time(match_id) for match_id in asked]
        scores = await self._pipe.command("ZMSCORE", keys.history(bot_id), *members)
        return {id_ for id_, score in zip(asked, scores, strict=True) if score is not None}

    async def history(self, bot_id: str, page_size: int, token: str = "") -> Page:
        """Return a page of a bot's matches, the newest first; raise BadPageToken."""
        last_id = read_token("history", token)
        start = f"({keys.by_time(last_id)}" if last_id else "+"
        reply = await self._pipe.command(
            *("ZREVRANGEBYLEX", keys.history(bot_id), start, "-", "LIMIT", 0, page_size + 1)
        )
        ids = tuple(keys.from_time(member.decode()) for member in reply)
        if len(ids) <= page_size:
            return Page(ids, "")
        return Page(ids[:page_size], make_token("history", ids[page_size - 1]))


def _bot(bot_id: str, values: Reply) -> Bot | None:
    """Read the fields of a bot in the order of `_FIELDS`."""
    name, owner, baseline, created = values
    if name is None:
        return None
    return Bot(bot_id, name.decode(), owner.decode(), baseline == b"1", int(created))
