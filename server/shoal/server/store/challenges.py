"""Challenges in Redis, and which of them each bot accepts.

A challenge is in the partition of its id, what a bot accepts and which of its live matches are challenges in
that of the bot. Those that wait, or whose match may not be made yet, are in one set for the director.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from enum import Enum, unique
from functools import partial
from typing import Final, final

from shoal.competition.specification import TimeControl
from shoal.server.store import keys, scripts
from shoal.server.store.competition_texts import to_json
from shoal.server.store.paging import Page, make_token, read_token
from shoal.server.store.pipe import Pipe
from shoal.server.store.unreadable import Unreadable

KEPT_MS: Final = 7 * 24 * 3_600_000
"""How long a challenge is kept."""

_KEPT_OF_A_BOT: Final = 1000
"""How many challenges of a bot are listed."""

_UNMADE_MS: Final = 60_000
"""How old an id must be for what it names to be taken for something that will not be made any more."""


@unique
class ChallengeState(Enum):
    """Where a challenge stands."""

    PENDING = "pending"
    STARTED = "started"
    DECLINED = "declined"
    EXPIRED = "expired"
    CANCELLED = "cancelled"


@unique
class Decline(Enum):
    """Why a bot does not play a challenge."""

    NOBODY = "nobody"
    OWNER = "owner"
    RULESET = "ruleset"
    TABLE_SIZE = "table_size"
    CLOCK = "clock"
    AWAY = "away"
    NOT_OFFERED = "not_offered"
    BUSY = "busy"
    ENOUGH = "enough"


@final
@dataclass(frozen=True, slots=True)
class Objection:
    """Why one bot does not play a challenge, or not yet; the text is for people."""

    bot_id: str
    decline: Decline
    text: str


@final
@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge; bots are by seat, `match_id` is reserved from the beginning. Times are wall time in ms."""

    challenge_id: str
    owner: str
    bots: tuple[str, ...]
    ruleset: str
    time_control: TimeControl
    match_id: str
    expires_ms: int
    state: ChallengeState = ChallengeState.PENDING
    objections: tuple[Objection, ...] = ()

    @property
    def created_ms(self) -> int:
        """When it was made."""
        return keys.time_of(self.challenge_id)


@unique
class AcceptFrom(Enum):
    """Whose challenges a bot accepts."""

    ANYONE = "anyone"
    LISTED = "listed"
    NOBODY = "nobody"


@final
@dataclass(frozen=True, slots=True)
class Acceptance:
    """Which challenges a bot accepts; 0 and empty stand for no limit."""

    accept_from: AcceptFrom
    owners: tuple[str, ...] = ()
    rulesets: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    least_move_ms: int = 0
    most_move_ms: int = 0
    most_bank_ms: int = 0
    most_increment_ms: int = 0
    most_match_ms: int = 0
    at_once: int = 1


@final
class ChallengeStore:
    """The challenges of one Redis."""

    def __init__(self, pipe: Pipe) -> None:
        """Ask through this pipe."""
        self._pipe = pipe
        self._unreadable = Unreadable()

    async def create(self, challenge: Challenge) -> None:
        """Make a challenge, and ring the director's bell; one that exists stays as it is."""
        challenge_id = challenge.challenge_id
        if challenge.state is ChallengeState.PENDING:
            await self._pipe.command("SADD", keys.CHALLENGES, challenge_id)
        await self._pipe.call(
            scripts.CHALLENGE_CREATE,
            (keys.challenge(challenge_id),),
            (
                *(_body(challenge), challenge.state.value),
                *(_objections_json(challenge.objections), keys.LADDER_BELL),
            ),
        )
        await self._pipe.many(
            command
            for bot_id in challenge.bots
            for command in (
                ("ZADD", keys.challenges_of(bot_id), 0, keys.by_time(challenge_id)),
                ("ZREMRANGEBYRANK", keys.challenges_of(bot_id), 0, -_KEPT_OF_A_BOT - 1),
            )
        )
        life_ms = KEPT_MS + challenge.expires_ms - challenge.created_ms
        await self._pipe.command("PEXPIRE", keys.challenge(challenge_id), life_ms)

    async def take_place(self, challenge: Challenge, most: int) -> bool:
        """Let a challenge that is about to be made wait as one of `most` of its owner; again is a success.

        Its place is free when it has its end, or would have expired: its maker may die before it is made.
        """
        taken = await self._pipe.call(
            scripts.CHALLENGE_PLACE,
            (keys.challenging(challenge.owner),),
            (challenge.challenge_id, keys.now_ms(), challenge.expires_ms, most, KEPT_MS),
        )
        return bool(taken)

    async def get_many(self, challenge_ids: Sequence[str]) -> list[Challenge | None]:
        """Return these challenges, None where there is none that can be read or the text is no id."""
        found, _ = await self.found_and_others(challenge_ids)
        return [found.get(id_) for id_ in challenge_ids]

    async def found_and_others(
        self, challenge_ids: Sequence[str]
    ) -> tuple[dict[str, Challenge], frozenset[str]]:
        """Return those of these challenges that are there by id, and the ids of those that cannot be read."""
        asked = [id_ for id_ in challenge_ids if keys.is_id(id_)]
        replies = await self._pipe.many(
            ("HMGET", keys.challenge(id_), "body", "state", "objections") for id_ in asked
        )
        read = {
            id_: self._unreadable.read(
                "challenge_unreadable", id_, partial(_challenge, id_, *reply)
            )
            for id_, reply in zip(asked, replies, strict=True)
            if reply[0] is not None
        }
        found = {id_: challenge for id_, challenge in read.items() if challenge is not None}
        return found, frozenset(read.keys() - found.keys())

    async def open_ids(self) -> list[str]:
        """Return the ids of those that wait or whose match may not be made yet, the oldest first.

        Of some nothing more than the entry may have come.
        """
        ids = [each.decode() for each in await self._pipe.command("SMEMBERS", keys.CHALLENGES)]
        return sorted(ids, key=keys.by_time)

    async def turn(
        self, challenge: Challenge, state: ChallengeState, objections: Sequence[Objection] = ()
    ) -> Challenge:
        """Give one that waits its end, and return it; another end that it has had stays."""
        word = await self._pipe.call(
            scripts.CHALLENGE_TURN,
            (keys.challenge(challenge.challenge_id),),
            (state.value, _objections_json(objections)),
        )
        await self._pipe.command("ZREM", keys.challenging(challenge.owner), challenge.challenge_id)
        now = ChallengeState(word.decode() or ChallengeState.EXPIRED.value)
        if now is not ChallengeState.STARTED:
            await self.close(challenge.challenge_id)
        return replace(challenge, state=now, objections=tuple(objections))

    async def close(self, challenge_id: str) -> None:
        """Take note that there is nothing more to do about a challenge."""
        await self._pipe.command("SREM", keys.CHALLENGES, challenge_id)

    async def of_bot(self, bot_id: str, page_size: int, token: str) -> Page:
        """Return a page of the ids of a bot's challenges, the newest first; raise BadPageToken."""
        last_id = read_token("challenges", token)
        start = f"({keys.by_time(last_id)}" if last_id else "+"
        reply = await self._pipe.command(
            *("ZREVRANGEBYLEX", keys.challenges_of(bot_id), start, "-", "LIMIT", 0, page_size + 1)
        )
        ids = tuple(keys.from_time(member.decode()) for member in reply)
        if len(ids) <= page_size:
            return Page(ids, "")
        return Page(ids[:page_size], make_token("challenges", ids[page_size - 1]))

    async def seated(self, challenge: Challenge) -> None:
        """Take note that the match of a challenge takes a place of its bots."""
        await self._pipe.many(
            ("SADD", keys.challenged(bot_id), challenge.match_id) for bot_id in challenge.bots
        )

    async def in_play(self, bot_id: str) -> int:
        """Return how many of a bot's live matches are challenges, and forget those that are over."""
        return (await self.in_play_of([bot_id]))[bot_id]

    async def in_play_of(self, bot_ids: Sequence[str]) -> dict[str, int]:
        """Return the same of many bots, by bot."""
        replies = await self._pipe.many(
            command
            for bot_id in bot_ids
            for command in (
                ("SINTER", keys.challenged(bot_id), keys.live(bot_id)),
                ("SMEMBERS", keys.challenged(bot_id)),
            )
        )
        over = {}
        for bot_id, live, every in zip(bot_ids, replies[::2], replies[1::2], strict=True):
            over[bot_id] = [
                match_id
                for match_id in set(every) - set(live)
                if keys.now_ms() - keys.time_of(match_id.decode()) > _UNMADE_MS
            ]
        await self._pipe.many(
            ("SREM", keys.challenged(bot_id), *ids) for bot_id, ids in over.items() if ids
        )
        return {bot_id: len(live) for bot_id, live in zip(bot_ids, replies[::2], strict=True)}

    async def accept(self, bot_id: str, acceptance: Acceptance) -> None:
        """Set what a bot accepts, and ring the director's bell."""
        fields = {**asdict(acceptance), "accept_from": acceptance.accept_from.value}
        await self._pipe.command("SET", keys.acceptance(bot_id), to_json(fields))
        await self._pipe.command("PUBLISH", keys.LADDER_BELL, "")

    async def acceptances(self, bot_ids: Sequence[str]) -> list[Acceptance | None]:
        """Return what these bots accept, None where nothing was set; nothing where it cannot be read."""
        replies = await self._pipe.many(("GET", keys.acceptance(bot_id)) for bot_id in bot_ids)
        return [
            None if text is None else self._accepted(bot_id, text)
            for bot_id, text in zip(bot_ids, replies, strict=True)
        ]

    def _accepted(self, bot_id: str, text: bytes) -> Acceptance:
        read = self._unreadable.read("acceptance_unreadable", bot_id, partial(_acceptance, text))
        return read or Acceptance(AcceptFrom.NOBODY)


def _body(challenge: Challenge) -> str:
    fields = asdict(challenge)
    return to_json({name: fields[name] for name in fields.keys() - _CHANGING})


_CHANGING: Final = {"challenge_id", "state", "objections"}


def _objections_json(objections: Sequence[Objection]) -> str:
    return to_json([[each.bot_id, each.decline.value, each.text] for each in objections])


def _challenge(challenge_id: str, body: bytes, state: bytes, objections: bytes) -> Challenge:
    fields = json.loads(body)
    fields["bots"] = tuple(fields["bots"])
    for id_ in (fields["match_id"], *fields["bots"]):
        keys.partition_of(id_)  # raises ValueError of what would stop those who look at many
    fields["time_control"] = TimeControl(**fields["time_control"])
    return Challenge(
        challenge_id=challenge_id,
        state=ChallengeState(state.decode()),
        objections=tuple(
            Objection(bot, Decline(decline), text) for bot, decline, text in json.loads(objections)
        ),
        **fields,
    )


def _acceptance(text: bytes) -> Acceptance:
    fields = json.loads(text)
    fields["accept_from"] = AcceptFrom(fields["accept_from"])
    for name in ("owners", "rulesets", "seats"):
        fields[name] = tuple(fields[name])
    return Acceptance(**fields)
