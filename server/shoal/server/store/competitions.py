"""Competitions in Redis: what anybody reads of them, and what organizers and owners of bots change.

All of a competition is in one partition. What the director writes is in `direction`.
"""

import time
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, final

from shoal.competition.plan import Entrant
from shoal.competition.rulings import Rulings
from shoal.competition.specification import Specification
from shoal.server.store import competition_texts as texts
from shoal.server.store import keys, scripts
from shoal.server.store.audit import read_lines, write_line
from shoal.server.store.competition_nouns import (
    Block,
    Competition,
    Ended,
    Note,
    Roster,
    Score,
    State,
)
from shoal.server.store.errors import StoreError
from shoal.server.store.pipe import Pipe
from shoal.server.store.unreadable import Unreadable

_SPECIFICATIONS: Final = 1000
"""How many specifications are kept as they were read."""

_PAGE: Final = 200
"""How many fields of a large hash are read at a time."""


class UnknownCompetition(StoreError):
    """There is no competition of this id or name."""


class AlreadyThere(StoreError):
    """There is a competition of this name, which somebody else has made."""


class Stale(StoreError):
    """What was read has changed since: read it again."""


@dataclass(frozen=True, slots=True)
class _Change:
    """What is to change, as it is stored; what is empty stays as it is.

    With a bot an empty `entrant` takes it out. `ended` goes with the state.
    """

    state: str = ""
    ended: str = ""
    bot: str = ""
    entrant: str = ""
    rulings: str = ""
    block: Block | None = None


@final
@dataclass(frozen=True, slots=True)
class Meanwhile:
    """Blocks of a tournament may end while something is decided.

    So many were over when the competition was read, or just after; it holds while fewer than `below` are.
    """

    over: int
    below: int


@final
class CompetitionStore:
    """The competitions in Redis."""

    def __init__(self, pipe: Pipe) -> None:
        """Work through this pipe, which the caller opens and closes."""
        self._pipe = pipe
        self._read: dict[bytes, Specification] = {}
        self._unreadable = Unreadable()

    async def create(
        self,
        competition_id: str,
        specification: Specification,
        state: State,
        note: Note,
        maker: str = "",
    ) -> Competition:
        """Make a competition, and return it; one that exists stays as it is, and is returned.

        `maker` marks who makes it: then one that somebody else has made raises AlreadyThere.
        """
        # The indexes come first: what is in them and does not exist yet is passed over.
        await self._pipe.command("SADD", keys.COMPETITIONS, competition_id)
        await self._pipe.command("SADD", keys.ACTIVE, competition_id)
        made_by = await self._pipe.call(
            scripts.COMPETITION_CREATE,
            (keys.competition(competition_id), keys.competition(competition_id, "audit")),
            (
                *(texts.specification_json(specification), state.value),
                *(note.at_ms, texts.note_json(note), maker),
            ),
        )
        if maker and made_by.decode() != maker:
            raise AlreadyThere(competition_id)
        return await self.get(competition_id)

    async def get(self, competition_id: str) -> Competition:
        """Return a competition; raise UnknownCompetition, and ValueError of one that cannot be read."""
        (head,) = await self._heads([competition_id])
        found = texts.competition_of(competition_id, head, self._specification)
        if found is None:
            raise UnknownCompetition(competition_id)
        return found

    async def maker(self, competition_id: str) -> str:
        """Return the mark of the one who has made a competition, "" where there is none."""
        mark = await self._pipe.command("HGET", keys.competition(competition_id), "maker")
        return (mark or b"").decode()

    async def ids(self, *, ladders: bool) -> list[str]:
        """Return the ids of all ladders or of all tournaments, sorted: that of a ladder has another form."""
        found = await self._pipe.command("SMEMBERS", keys.COMPETITIONS)
        return sorted(id_ for id_ in map(bytes.decode, found) if keys.is_id(id_) is not ladders)

    async def some(self, ids: Sequence[str]) -> list[Competition]:
        """Return those of these that exist and can be read, in this order."""
        found = [
            self._unreadable.read(
                "competition_unreadable",
                id_,
                partial(texts.competition_of, id_, values, self._specification),
            )
            for id_, values in zip(ids, await self._heads(ids), strict=True)
        ]
        return [each for each in found if each is not None]

    async def entered(self, bot_id: str, ids: Sequence[str]) -> list[str]:
        """Return those of these competitions that a bot has entered."""
        found = await self._pipe.many(
            ("HEXISTS", keys.competition(each, "entrants"), bot_id) for each in ids
        )
        return [each for each, is_in in zip(ids, found, strict=True) if is_in]

    async def active(self) -> list[Competition]:
        """Return those that are not known to be over and can be read, by id."""
        return await self.some(
            sorted(map(bytes.decode, await self._pipe.command("SMEMBERS", keys.ACTIVE)))
        )

    async def roster(self, competition_id: str) -> Roster:
        """Return who takes part and what everybody who ever played has reached."""
        entrants, scores = await self._pipe.many(
            ("HGETALL", keys.competition(competition_id, kind)) for kind in ("entrants", "scores")
        )
        numbered = texts.entrants_of(dict(_pairs(entrants)))
        return Roster(
            {bot: entrant for bot, (_, entrant) in numbered.items()},
            {bot: texts.score_of(text) for bot, text in _pairs(scores)},
        )

    async def entrants(self, competition_id: str) -> tuple[Entrant, ...]:
        """Return who takes part, in seeded order."""
        return tuple(entrant for _, entrant in (await self._entrants(competition_id)).values())

    async def take_part(self, competition_id: str, bots: Sequence[str]) -> set[str]:
        """Return those of these bots that have entered."""
        key = keys.competition(competition_id, "entrants")
        found = await self._pipe.command("HMGET", key, *bots)
        return {bot for bot, text in zip(bots, found, strict=True) if text is not None}

    async def blocks(self, competition_id: str) -> dict[str, Block]:
        """Return the blocks in play that can be read, by key."""
        return (await self.blocks_and_others(competition_id))[0]

    async def blocks_and_others(
        self, competition_id: str
    ) -> tuple[dict[str, Block], frozenset[str]]:
        """Return the blocks in play by key, and the keys of those that cannot be read."""
        found = await self._pipe.command("HGETALL", keys.competition(competition_id, "blocks"))
        texts_of = dict(sorted(_pairs(found)))
        read = {
            key: self._unreadable.read(
                "block_unreadable", f"{competition_id} {key}", partial(texts.block_of, key, text)
            )
            for key, text in texts_of.items()
        }
        blocks = {key: block for key, block in read.items() if block is not None}
        return blocks, frozenset(texts_of.keys() - blocks.keys())

    async def uncounted(self, found: Competition) -> frozenset[str]:
        """Return the keys of the blocks that are over and do not count after all."""
        if not found.recounted:
            return frozenset()
        key = keys.competition(found.competition_id, "uncounted")
        return frozenset(key.decode() for key in await self._pipe.command("SMEMBERS", key))

    async def block(self, competition_id: str, key: str) -> Block | None:
        """Return a block, in play or over, as it is; None if it has not begun."""
        kinds = ("blocks", "finished")
        in_play, ended = await self._pipe.many(
            ("HGET", keys.competition(competition_id, kind), key) for kind in kinds
        )
        if in_play is not None:
            return texts.block_of(key, in_play)
        return None if ended is None else texts.ended_of(key, ended).block

    async def count_blocks(self, competition_id: str) -> tuple[int, int]:
        """Return how many blocks are over, and how many in play."""
        over, in_play = await self._pipe.many(
            ("HLEN", keys.competition(competition_id, kind)) for kind in ("finished", "blocks")
        )
        return over, in_play

    async def count_entrants(self, competition_id: str) -> int:
        """Return how many take part."""
        number: int = await self._pipe.command("HLEN", keys.competition(competition_id, "entrants"))
        return number

    async def result_pages(self, competition_id: str) -> AsyncIterator[dict[str, bytes]]:
        """Yield every counted result by match id, some at a time; one may come twice."""
        async for page in self._pages(keys.competition(competition_id, "results")):
            yield dict(page)

    async def ended_pages(self, competition_id: str) -> AsyncIterator[dict[str, Ended]]:
        """Yield every block that is over by its key, some at a time; one may come twice."""
        async for page in self._pages(keys.competition(competition_id, "finished")):
            yield {key: texts.ended_of(key, text) for key, text in page}

    async def counted(
        self, competition_id: str, match_ids: Sequence[str]
    ) -> dict[str, bytes | None]:
        """Return what has been counted of each of these matches, None where nothing has."""
        key = keys.competition(competition_id, "results")
        found = await self._pipe.command("HMGET", key, *match_ids)
        return dict(zip(match_ids, found, strict=True))

    async def sizes(self, competition_ids: Sequence[str]) -> list[int]:
        """Return how many results each of these competitions has counted."""
        return await self._pipe.many(
            ("HLEN", keys.competition(each, "results")) for each in competition_ids
        )

    async def scores(self, competition_id: str, bots: Sequence[str]) -> list[Score | None]:
        """Return the scores of these bots, None for one without a rated match."""
        if not bots:
            return []  # what Redis refuses to read
        key = keys.competition(competition_id, "scores")
        found = await self._pipe.command("HMGET", key, *bots)
        return [None if text is None else texts.score_of(text) for text in found]

    async def block_of(self, competition_id: str, match_id: str) -> Block | None:
        """Return the block in play that a match belongs to; None if there is none, or it is over."""
        found = await self.place_of(competition_id, match_id)
        return found if isinstance(found, Block) else None

    async def place_of(self, competition_id: str, match_id: str) -> Block | Ended | None:
        """Return the block that a match belongs to, in play or over; None if there is none."""
        matches = keys.competition(competition_id, "matches")
        name = await self._pipe.command("HGET", matches, match_id)
        if name is None:
            return None
        key = name.decode()
        in_play, over = await self._pipe.many(
            ("HGET", keys.competition(competition_id, kind), key) for kind in ("blocks", "finished")
        )
        if in_play is not None:
            return texts.block_of(key, in_play)
        return None if over is None else texts.ended_of(key, over)

    async def put_entrant(
        self,
        found: Competition,
        entrant: Entrant,
        note: Note,
        meanwhile: Meanwhile | None = None,
    ) -> None:
        """Write how a bot takes part, and ring the director's bell; again is a success.

        `found` is what the caller has looked at. Raises Stale if that is not so any more. Who enters does so
        in `entries`, where it is counted who may.
        """
        text = await self._entrant_text(found, entrant)
        states = (State.OPEN, State.RUNNING, State.PAUSED, State.DRAINING)
        change = _Change(bot=entrant.bot_id, entrant=text)
        await self._amend(found, states, note, change, meanwhile)

    async def take_out(self, found: Competition, bot_id: str, note: Note) -> None:
        """Forget that a bot has entered, its score stays; again is a success. Raises Stale."""
        await self._amend(found, tuple(State), note, _Change(bot=bot_id))

    async def turn(
        self,
        found: Competition,
        states: Sequence[State],
        state: State,
        note: Note,
        ended: str = "",
    ) -> None:
        """Change the state from one of these; again is a success. Raises Stale.

        A block that was forced and has not begun is taken back, unless it runs then.
        """
        await self._amend(found, states, note, _Change(state=state.value, ended=ended))

    async def rule(
        self,
        found: Competition,
        rulings: Rulings,
        note: Note,
        entrant: Entrant | None = None,
        taken_out: str = "",
        meanwhile: Meanwhile | None = None,
    ) -> None:
        """Decide something, and with it how a bot takes part, or that it does not; again is a success.

        Raises Stale.
        """
        bot, text = taken_out, ""
        if entrant is not None:
            bot, text = entrant.bot_id, await self._entrant_text(found, entrant)
        # First the index, as when it is made: one that is over must be looked at again. And once more after
        # it: a director that had not heard of it may have taken it out in between.
        await self._pipe.command("SADD", keys.ACTIVE, found.competition_id)
        change = _Change(bot=bot, entrant=text, rulings=texts.rulings_json(rulings))
        await self._amend(found, tuple(State), note, change, meanwhile)
        await self._pipe.command("SADD", keys.ACTIVE, found.competition_id)

    async def force(self, found: Competition, block: Block, note: Note) -> None:
        """Let a block begin before all others; again is a success. Raises Stale."""
        await self._amend(found, [State.RUNNING], note, _Change(block=block))

    async def note(self, competition_id: str, note: Note, mark: str) -> None:
        """Write a line of the audit list of what is done elsewhere, once for each mark.

        With an empty `competition_id` it is the list of what belongs to no competition.
        """
        await write_line(self._pipe, competition_id, note, mark)

    async def actions(
        self, competition_id: str, count: int, end: int | None = None
    ) -> tuple[list[Note], int]:
        """Return up to so many lines before the line of this number, the latest first, and what is before.

        None: the latest. Lines are numbered from 0, the first one, and never change.
        """
        return await read_lines(self._pipe, competition_id, count, end)

    async def _entrant_text(self, found: Competition, entrant: Entrant) -> str:
        """Return what is to be stored of an entrant: its number stays."""
        key = keys.competition(found.competition_id, "entrants")
        text = await self._pipe.command("HGET", key, entrant.bot_id)
        known = {} if text is None else texts.entrants_of({entrant.bot_id: text})
        number, _ = known.get(entrant.bot_id, (found.entered, entrant))
        return texts.entrant_json(entrant, number)

    async def _amend(
        self,
        found: Competition,
        states: Sequence[State],
        note: Note,
        change: _Change,
        meanwhile: Meanwhile | None = None,
    ) -> None:
        kinds = ("", "entrants", "audit", "blocks", "finished")
        allowed = f",{','.join(each.value for each in states)},"
        block = change.block
        forced = ("", "") if block is None else (block.key, texts.block_json(block))
        ends = ("", "") if meanwhile is None else (meanwhile.over, meanwhile.below)
        word = await self._pipe.call(
            scripts.COMPETITION_AMEND,
            tuple(keys.competition(found.competition_id, kind) for kind in kinds),
            (
                *(found.rev, allowed, change.state, change.ended, note.at_ms),
                *(change.bot, change.entrant, change.rulings),
                *(*forced, texts.note_json(note), keys.LADDER_BELL),
                *(*ends, found.recounted),
            ),
        )
        if word == b"unknown":
            raise UnknownCompetition(found.competition_id)
        if word == b"stale":
            raise Stale(found.competition_id)

    async def _entrants(self, competition_id: str) -> dict[str, tuple[int, Entrant]]:
        found = await self._pipe.command("HGETALL", keys.competition(competition_id, "entrants"))
        return texts.entrants_of(dict(_pairs(found)))

    async def _pages(self, key: str) -> AsyncIterator[Iterator[tuple[str, bytes]]]:
        """Read a large hash without holding up anybody: neither Redis nor this process."""
        cursor = b"0"
        while True:
            cursor, found = await self._pipe.command("HSCAN", key, cursor, "COUNT", _PAGE)
            yield _pairs(found)
            if cursor == b"0":
                return

    async def _heads(self, ids: Sequence[str]) -> list[Sequence[bytes | None]]:
        return await self._pipe.many(("HMGET", keys.competition(id_), *texts.HEAD) for id_ in ids)

    def _specification(self, text: bytes) -> Specification:
        """Read a specification, the same text once: the director looks at it all the time."""
        if text not in self._read:
            while len(self._read) >= _SPECIFICATIONS:
                del self._read[next(iter(self._read))]
            self._read[text] = texts.specification_of(text)
        return self._read[text]


def now_ms() -> int:
    """Return the wall time, for people."""
    return time.time_ns() // 1_000_000


def _pairs(flat: Sequence[bytes]) -> Iterator[tuple[str, bytes]]:
    """Read the reply of HGETALL."""
    return ((flat[i].decode(), flat[i + 1]) for i in range(0, len(flat), 2))
