"""What is stored of ladders: who plays, what is paired, what was counted, and who may write it.

All of a ladder is in the partition of its name. Only the director writes pairings and results, each
time with the token of its lease; a ladder remembers the highest token and refuses lower ones.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import final

from shoal.server.store import keys, scripts
from shoal.server.store.errors import Fenced, StoreError
from shoal.server.store.link import Part, Reply
from shoal.server.store.pipe import Pipe
from shoal.server.store.scripts import Script


class UnknownLadder(StoreError):
    """There is no ladder of this name."""


@dataclass(frozen=True, slots=True)
class Ladder:
    """What is played on a ladder: a ruleset, at tables of these sizes."""

    ladder_id: str
    ruleset: str
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Member:
    """A bot that has joined, and what decides whom it may meet in rated play."""

    bot_id: str
    owner: str
    baseline: bool


@dataclass(frozen=True, slots=True)
class Score:
    """What the rated matches of a bot have come to."""

    mu: float
    sigma: float
    matches: int
    wins: int
    placement_sum: int


@dataclass(frozen=True, slots=True)
class Pairing:
    """A match that is to be created under a reserved id; bots are by seat."""

    match_id: str
    ladder_id: str
    ruleset: str
    bots: tuple[str, ...]
    rated: bool


@dataclass(frozen=True, slots=True)
class Roster:
    """The members and scores of a ladder, by bot."""

    members: Mapping[str, Member]
    scores: Mapping[str, Score]


@dataclass(frozen=True, slots=True)
class Before:
    """What a ladder knows before a match is counted."""

    counted: bytes | None
    """The result of this match that it has counted already, None when it has none."""

    scores: list[Score | None]
    """Those of the match's bots, by seat; None for a bot without a rated match."""


@dataclass(frozen=True, slots=True)
class Counted:
    """Whether a result was counted just now, and how many the ladder has counted then."""

    now: bool
    results: int


@dataclass(frozen=True, slots=True)
class Lease:
    """The answer to asking for the lease: a token, or 0 and how long another holds it."""

    token: int
    wait_ms: int


@final
class LadderStore:
    """The ladders in Redis."""

    def __init__(self, pipe: Pipe) -> None:
        """Work through this pipe, which the caller opens and closes."""
        self._pipe = pipe

    async def create(self, ladder: Ladder) -> Ladder:
        """Make a ladder, and return it; one of this name that exists stays as it is, and is returned."""
        spec = _to_json({"ruleset": ladder.ruleset, "seats": ladder.seats})
        await self._pipe.command("HSETNX", keys.ladder(ladder.ladder_id), "spec", spec)
        await self._pipe.command("SADD", keys.LADDERS, ladder.ladder_id)
        return await self.get(ladder.ladder_id)

    async def ladders(self) -> tuple[Ladder, ...]:
        """Return all ladders, by name."""
        names = sorted(name.decode() for name in await self._pipe.command("SMEMBERS", keys.LADDERS))
        specs = await self._pipe.many(("HGET", keys.ladder(name), "spec") for name in names)
        return tuple(map(_ladder, names, specs))

    async def get(self, ladder_id: str) -> Ladder:
        """Return a ladder; raise UnknownLadder."""
        spec = await self._pipe.command("HGET", keys.ladder(ladder_id), "spec")
        if spec is None:
            raise UnknownLadder(ladder_id)
        return _ladder(ladder_id, spec)

    async def join(self, ladder_id: str, member: Member) -> None:
        """Enter a bot and ring the ladder's bell; raise UnknownLadder. Again is a success."""
        word = await self._pipe.call(
            scripts.LADDER_JOIN,
            (keys.ladder(ladder_id), keys.ladder(ladder_id, "members")),
            (member.bot_id, _member_json(member), keys.LADDER_BELL),
        )
        if word == b"unknown":
            raise UnknownLadder(ladder_id)

    async def leave(self, ladder_id: str, bot_id: str) -> None:
        """Take a bot out, its score stays; raise UnknownLadder. Again is a success."""
        await self.get(ladder_id)
        await self._pipe.command("HDEL", keys.ladder(ladder_id, "members"), bot_id)

    async def roster(self, ladder_id: str) -> Roster:
        """Return who has joined and what everybody who ever played has reached."""
        members, scores = await self._pipe.many(
            ("HGETALL", keys.ladder(ladder_id, kind)) for kind in ("members", "scores")
        )
        return Roster(
            {bot: Member(bot_id=bot, **json.loads(text)) for bot, text in _pairs(members)},
            {bot: Score(**json.loads(text)) for bot, text in _pairs(scores)},
        )

    async def rated_matches(self, ladder_id: str) -> int:
        """Return how many rated matches have been counted."""
        return int(await self._pipe.command("HGET", keys.ladder(ladder_id), "rated") or 0)

    async def results(self, ladder_id: str) -> dict[str, bytes]:
        """Return every counted result by match id: what the scores can be computed from again."""
        return dict(_pairs(await self._pipe.command("HGETALL", keys.ladder(ladder_id, "results"))))

    async def sizes(self, ladder_ids: Sequence[str]) -> list[int]:
        """Return how many results each of these ladders has counted."""
        return await self._pipe.many(("HLEN", keys.ladder(name, "results")) for name in ladder_ids)

    async def counted(self, ladder_id: str, match_ids: Sequence[str]) -> dict[str, bytes | None]:
        """Return what a ladder has counted of each of these matches, None where it has nothing."""
        results = keys.ladder(ladder_id, "results")
        found = await self._pipe.command("HMGET", results, *match_ids)
        return dict(zip(match_ids, found, strict=True))

    async def pairings(self, ladder_id: str) -> tuple[Pairing, ...]:
        """Return the pairings without a result, by match id."""
        found = await self._pipe.command("HGETALL", keys.ladder(ladder_id, "pairings"))
        return tuple(
            _pairing(match_id, ladder_id, text) for match_id, text in sorted(_pairs(found))
        )

    async def before(self, ladder_id: str, match_id: str, bots: Sequence[str]) -> Before:
        """Return what the ladder knows of a match, and the scores of its bots, before it is counted."""
        counted, scores = await self._pipe.many(
            (
                ("HGET", keys.ladder(ladder_id, "results"), match_id),
                ("HMGET", keys.ladder(ladder_id, "scores"), *bots),
            )
        )
        return Before(counted, [text and Score(**json.loads(text)) for text in scores])

    async def acquire(self, holder: str, ttl_ms: int) -> Lease:
        """Ask for the lease of the one director; a holder's name is of one run of one process."""
        return Lease(*await self._lease(holder, ttl_ms, 0))

    async def renew(self, holder: str, ttl_ms: int, token: int) -> bool:
        """Keep the lease for `ttl_ms` from now, 0 to give it up; false when it is somebody else's."""
        kept, _ = await self._lease(holder, ttl_ms, token)
        return bool(kept)

    async def commit(self, token: int, ladder_id: str, pairings: Iterable[Pairing]) -> None:
        """Keep pairings until their results; without any, shut out older tokens. Raises Fenced."""
        args: list[Part] = []
        for pairing in pairings:
            args += (pairing.match_id, _pairing_json(pairing))
        await self._write(scripts.LADDER_PAIR, ladder_id, ("pairings", "results"), (token, *args))

    async def drop(self, token: int, ladder_id: str, match_id: str) -> None:
        """Take back a pairing that cannot be made into a match. Raises Fenced."""
        await self._write(scripts.LADDER_DROP, ladder_id, ("pairings",), (token, match_id))

    async def count(
        self, token: int, ladder_id: str, match_id: str, result: bytes, scores: Mapping[str, Score]
    ) -> Counted:
        """Count a result and end its pairing, unless it was counted before. Raises Fenced.

        `scores` are those after the match, none of a match that is not rated.
        """
        args: tuple[Part, ...] = (token, match_id, result, "", int(bool(scores)), *_flat(scores))
        return await self._count(ladder_id, args)

    async def take_back(
        self,
        token: int,
        ladder_id: str,
        match_id: str,
        results: tuple[bytes, bytes],
        scores: Mapping[str, Score],
    ) -> Counted:
        """Put another result in the place of the one that was counted, unless that is done. Raises Fenced.

        `results` are the counted one and the other; `scores` are those without the match, none where it
        was not rated.
        """
        counted, result = results
        args: tuple[Part, ...] = (
            token,
            match_id,
            result,
            counted,
            -int(bool(scores)),
            *_flat(scores),
        )
        return await self._count(ladder_id, args)

    async def _count(self, ladder_id: str, args: tuple[Part, ...]) -> Counted:
        kinds = ("scores", "results", "pairings")
        word, results = await self._write(scripts.LADDER_RESULT, ladder_id, kinds, args)
        return Counted(word == b"counted", results)

    async def _lease(self, holder: str, ttl_ms: int, token: int) -> tuple[int, int]:
        granted, wait_ms = await self._pipe.call(
            scripts.LADDER_LEASE, (keys.DIRECTOR,), (holder, ttl_ms, token)
        )
        return granted, wait_ms

    async def _write(
        self, script: Script, ladder_id: str, kinds: tuple[str, ...], args: tuple[Part, ...]
    ) -> Reply:
        names = (keys.ladder(ladder_id), *(keys.ladder(ladder_id, kind) for kind in kinds))
        reply = await self._pipe.call(script, names, args)
        if (reply[0] if isinstance(reply, list) else reply) == b"fenced":
            raise Fenced(ladder_id)
        return reply


def _to_json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _flat(scores: Mapping[str, Score]) -> Iterator[str]:
    """Yield bots and scores in turn."""
    for bot_id, score in scores.items():
        yield bot_id
        yield _to_json(asdict(score))


def _member_json(member: Member) -> str:
    return _to_json({"owner": member.owner, "baseline": member.baseline})


def _pairing_json(pairing: Pairing) -> str:
    fields = {"ruleset": pairing.ruleset, "bots": pairing.bots, "rated": pairing.rated}
    return _to_json(fields)


def _pairing(match_id: str, ladder_id: str, text: bytes) -> Pairing:
    fields = json.loads(text)
    bots = tuple(fields["bots"])
    return Pairing(match_id, ladder_id, fields["ruleset"], bots, fields["rated"])


def _ladder(ladder_id: str, spec: bytes) -> Ladder:
    fields = json.loads(spec)
    return Ladder(ladder_id, fields["ruleset"], tuple(fields["seats"]))


def _pairs(flat: Sequence[bytes]) -> Iterator[tuple[str, bytes]]:
    """Read the reply of HGETALL."""
    return ((flat[i].decode(), flat[i + 1]) for i in range(0, len(flat), 2))
