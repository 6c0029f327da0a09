"""What the director writes of competitions, each time with the token of its lease.

A competition remembers the highest token and refuses lower ones: who lost the lease writes nothing more.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import final

from shoal.competition.specification import Ladder, Specification
from shoal.server.store import competition_texts as texts
from shoal.server.store import keys, scripts
from shoal.server.store.competition_errors import Stale
from shoal.server.store.competition_nouns import Block, Competition, Ended, Note, Score, State
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.errors import Fenced
from shoal.server.store.ledger import LEDGER, NEXT_LEDGER, Changes, changes_text, lines_text
from shoal.server.store.link import Part, Reply
from shoal.server.store.luck import LUCK, WithoutLuck
from shoal.server.store.luck import lines_text as luck_text
from shoal.server.store.pipe import Pipe
from shoal.server.store.scripts import Script
from shoal.server.store.waits import WaitStore


@dataclass(frozen=True, slots=True)
class Counted:
    """What a result makes of its competition, to be written as one.

    `block` is as it goes on, `ended` as it is over, both None if the match belongs to no block in play.
    `scores` are those after the match, none of a match that is not rated, and `changes` what it did to them.
    With `instead_of`, a result that was counted of this match, they are those without it, and the block has
    still the same match in play.
    """

    scores: Mapping[str, Score]
    block: Block | None = None
    ended: Ended | None = None
    instead_of: bytes = b""
    changes: Changes = ()


@dataclass(frozen=True, slots=True)
class Recounted:
    """What is left of a competition by its rulings, to be written as one.

    `scores` are all there are, `rated` how many matches are behind them, `uncounted` the keys of the blocks
    that are over and do not count, and `blocks` those in play that change: as they were, and as they are.
    """

    scores: Mapping[str, Score]
    rated: int
    uncounted: Collection[str]
    blocks: Sequence[tuple[Block, Block | Ended]]


@dataclass(frozen=True, slots=True)
class Done:
    """A competition after a result: its rev, 0 if it was counted before, and how many it has counted."""

    rev: int
    results: int


@final
class Direction:
    """The writes of one director in Redis. Every one of them raises Fenced."""

    def __init__(self, pipe: Pipe, token: int) -> None:
        """Write with the token of a lease."""
        self._pipe = pipe
        self._token = token
        self.waits = WaitStore(pipe)
        """Hints, which need no token."""

    @property
    def token(self) -> int:
        """The token of the lease, for what is written by other means."""
        return self._token

    async def shut_out(self, competition_id: str) -> None:
        """Refuse all directors before this one from now on."""
        await self._reserve(competition_id, "", ())

    async def reserve(
        self, found: Competition, new: Iterable[Block], waiting: Iterable[Block] = ()
    ) -> None:
        """Keep blocks, each with the reserved id of its next match: new ones, and those that waited for it.

        Raises Stale if what is due may differ, or a block that waited is not as it was read. The tables of a
        ladder do not depend on what else happens in it, as long as it runs.
        """
        rev = "" if found.is_ladder else found.rev
        begun = [("", block) for block in new]
        going = [(texts.block_json(replace(block, match_id="")), block) for block in waiting]
        await self._reserve(found.competition_id, rev, (*begun, *going))

    async def drop(self, competition_id: str, key: str, match_id: str) -> bool:
        """Take back a reserved match that cannot be made; a block without any other is forgotten.

        Without a match a block that waits is taken back, and what an organizer wanted is forgotten with it.
        False if its block has gone on from it: it was made after all.
        """
        blocks = keys.competition(competition_id, "blocks")
        word: Reply = b"stale"
        while word == b"stale":  # what was read may have changed
            before = await self._pipe.command("HGET", blocks, key)
            if before is None or (block := texts.block_of(key, before)).match_id != match_id:
                matches = keys.competition(competition_id, "matches")
                return not await self._pipe.command("HEXISTS", matches, match_id)
            after = texts.block_json(replace(block, match_id="")) if block.tries else ""
            word = await self._write(
                scripts.COMPETITION_DROP,
                competition_id,
                ("blocks", "matches"),
                (key, before, after, match_id),
            )
        return True

    async def count(
        self, found: Competition, match_id: str, result: bytes, counted: Counted
    ) -> Done:
        """Count a result, unless it was counted before.

        Raises Stale if it takes the place of another, and its block has gone on meanwhile; or if a match is
        to follow, and something has changed that may forbid it: a pause, a bot that is excluded.
        """
        key = text = next_match = ""
        if counted.ended is not None:
            key, text = counted.ended.block.key, texts.ended_json(counted.ended)
        elif counted.block is not None:
            key, text = counted.block.key, texts.block_json(counted.block)
            next_match = counted.block.match_id
        rated = int(bool(counted.scores)) * (-1 if counted.instead_of else 1)
        args: list[Part] = [match_id, result, counted.instead_of, rated]
        args += [key, text, int(counted.ended is not None), next_match, int(not found.is_ladder)]
        args += [found.rev, changes_text(counted.changes)]
        for bot_id, score in counted.scores.items():
            args += (bot_id, texts.score_json(score))
        kinds = ("scores", "results", "matches", "blocks", "finished", "order", LEDGER)
        reply = await self._write(
            scripts.COMPETITION_COUNT, found.competition_id, kinds, tuple(args)
        )
        if reply == b"stale":
            raise Stale(found.competition_id)
        return Done(*reply)

    async def end(self, found: Competition, ended: Ended, before: Block | None) -> int:
        """End a block that waits for its bots, and return the rev then; 0 when it was over before.

        `before` is the block as it was read, None of one that has not begun. Raises Stale if it is not so
        any more.
        """
        args = (
            *(ended.block.key, "" if before is None else texts.block_json(before)),
            *(texts.ended_json(ended), int(not found.is_ladder)),
        )
        reply = await self._write(
            scripts.COMPETITION_END, found.competition_id, ("blocks", "finished", "order"), args
        )
        if reply == b"stale":
            raise Stale(found.competition_id)
        return int(reply)

    async def turn(self, found: Competition, state: State, note: Note, ended: str = "") -> None:
        """Change the state; a block that was forced and has not begun is taken back, unless it runs then.

        Raises Stale if something has changed since it was read.
        """
        args = (found.rev, state.value, ended, note.at_ms, texts.note_json(note))
        kinds = ("audit", "blocks")
        word = await self._write(scripts.COMPETITION_TURN, found.competition_id, kinds, args)
        if word == b"stale":
            raise Stale(found.competition_id)

    async def draft_ledger(
        self, competition_id: str, lines: Mapping[str, Changes], *, anew: bool = False
    ) -> None:
        """Put lines of a ledger together, which takes the place of the one there is with the next recount."""
        args: tuple[Part, ...] = (int(anew), *lines_text(lines))
        await self._write(scripts.COMPETITION_LEDGER, competition_id, (NEXT_LEDGER,), args)

    async def note_luck(self, competition_id: str, lines: Mapping[str, WithoutLuck]) -> None:
        """Note results without luck; again, and of what was not counted, nothing changes."""
        kinds = ("results", LUCK, "order")
        args: tuple[Part, ...] = tuple(luck_text(lines))
        await self._write(scripts.COMPETITION_LUCK, competition_id, kinds, args)

    async def recount(self, found: Competition, recounted: Recounted, note: Note) -> None:
        """Write what the rulings of a competition have made of it, and the ledger that was drafted.

        Raises Stale if a block has gone on.
        """
        args: list[Part] = [found.rulings.number, recounted.rated]
        args += [texts.to_json(sorted(recounted.uncounted)), texts.note_json(note)]
        args.append(len(recounted.scores))
        for bot_id, score in recounted.scores.items():
            args += (bot_id, texts.score_json(score))
        for before, after in recounted.blocks:
            over = isinstance(after, Ended)
            text = texts.ended_json(after) if isinstance(after, Ended) else texts.block_json(after)
            args += (before.key, texts.block_json(before), text, int(over))
        kinds = ("scores", "blocks", "finished", "audit", "order", "uncounted", LEDGER, NEXT_LEDGER)
        word = await self._write(
            scripts.COMPETITION_RECOUNT, found.competition_id, kinds, tuple(args)
        )
        if word == b"stale":
            raise Stale(found.competition_id)

    async def retire(self, competition_id: str) -> None:
        """Look no more at one that is finished, unless more was decided; it stays for all to read."""
        await self._pipe.command("SREM", keys.ACTIVE, competition_id)
        # Something may have been decided since it was read, and the index is in another part of the store.
        if (await CompetitionStore(self._pipe).get(competition_id)).is_recounting:
            await self._pipe.command("SADD", keys.ACTIVE, competition_id)

    async def adopt_ladders(self, note: Note) -> list[str]:
        """Make competitions of the ladders that an earlier version has stored, and return their names."""
        found = await self._pipe.command("SMEMBERS", keys.LADDERS)
        names = sorted(name.decode() for name in found)
        for name in names:
            await self._adopt(name, note)
            await self._pipe.command("SREM", keys.LADDERS, name)
        return names

    async def _adopt(self, name: str, note: Note) -> None:
        fields = await self._pipe.command("HGET", keys.ladder(name), "spec")
        if fields is None:
            return
        # Indexes first, as when a competition is made.
        await self._pipe.command("SADD", keys.COMPETITIONS, name)
        await self._pipe.command("SADD", keys.ACTIVE, name)
        old = ("", "members", "scores", "results", "pairings")
        new = ("", "entrants", "scores", "results", "blocks", "matches", "audit")
        specification = _of_old(name, fields)
        word = await self._pipe.call(
            scripts.COMPETITION_ADOPT,
            (
                *(keys.ladder(name, kind) for kind in old),
                *(keys.competition(name, kind) for kind in new),
            ),
            (
                *(self._token, texts.specification_json(specification)),
                *(note.at_ms, texts.note_json(note)),
            ),
        )
        if word == b"fenced":
            raise Fenced(name)

    async def _reserve(
        self, competition_id: str, rev: str | int, blocks: Iterable[tuple[str, Block]]
    ) -> None:
        args: list[Part] = [rev]
        for before, block in blocks:
            args += (block.key, before, texts.block_json(block), block.match_id)
        kinds = ("blocks", "finished", "matches")
        word = await self._write(scripts.COMPETITION_RESERVE, competition_id, kinds, tuple(args))
        if word == b"stale":
            raise Stale(competition_id)

    async def _write(
        self, script: Script, competition_id: str, kinds: tuple[str, ...], args: tuple[Part, ...]
    ) -> Reply:
        names = tuple(keys.competition(competition_id, kind) for kind in ("", *kinds))
        word = await self._pipe.call(script, names, (self._token, *args))
        if word == b"fenced":
            raise Fenced(competition_id)
        return word


def _of_old(name: str, fields: bytes) -> Specification:
    """Return what a ladder of an earlier version was to play."""
    ruleset, seats = texts.old_ladder_of(fields)
    return Specification(name, Ladder(), rulesets=(ruleset,), seats=seats)
