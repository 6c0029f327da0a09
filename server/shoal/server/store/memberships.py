"""How bots take part in ladders: on trial, paired, or paused, and why. A bot without a record is paired."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from enum import Enum, unique
from functools import partial
from typing import Final, final

from shoal.server.store import competition_texts as texts
from shoal.server.store import keys, scripts
from shoal.server.store.competition_errors import Stale, UnknownCompetition
from shoal.server.store.competition_nouns import Note
from shoal.server.store.errors import Fenced
from shoal.server.store.pipe import Pipe
from shoal.server.store.replies import pairs
from shoal.server.store.unreadable import Unreadable

_KIND: Final = "memberships"

_UNREADABLE: Final = "what is stored of it cannot be read; it may leave the ladder and join again"


@unique
class Stage(Enum):
    """How far a bot is on a ladder."""

    TRIAL = "trial"
    """It has entered, and is paired as soon as it has finished a casual match."""

    ACTIVE = "active"
    PAUSED = "paused"
    """It failed its trial, or too many of its latest matches; a trial that it finishes brings it back."""

    UNREADABLE = "unreadable"
    """What is stored cannot be read, which is never stored: it is not paired before it has entered again."""


@final
@dataclass(frozen=True, slots=True)
class Fault:
    """A match that went wrong by the bot: what happened, and when that was noted (wall time in ms).

    `since` is how many matches of the bot were counted after it.
    """

    match_id: str
    what: str
    at_ms: int
    since: int = 0


@final
@dataclass(frozen=True, slots=True)
class Membership:
    """How a bot takes part in a ladder. Times are wall time in ms.

    `why` is for its author, in words. `match_id`, `bots` and `ruleset` are those of the trial in play;
    `failed` counts the trials that it failed in a row, `due_ms` says before when no other begins, `tried_ms`
    when the last one was over. `faults` are those of its latest matches, the latest last.
    """

    stage: Stage
    since_ms: int
    rev: int = 0
    why: str = ""
    match_id: str = ""
    bots: tuple[str, ...] = ()
    ruleset: str = ""
    failed: int = 0
    tried_ms: int = 0
    due_ms: int = 0
    faults: tuple[Fault, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Change:
    """A record that takes the place of the one that was read, None if there was none, and the line for it."""

    before: Membership | None
    after: Membership
    note: Note | None = None

    @property
    def rev(self) -> int:
        """The rev that was read."""
        return 0 if self.before is None else self.before.rev

    @property
    def made(self) -> Membership:
        """The record as it is to be stored."""
        return replace(self.after, rev=self.rev + 1)

    @property
    def words(self) -> tuple[int, str, str]:
        """What a script is told: the rev that was read, the record as JSON, the line or ""."""
        return self.rev, _json(self.made), "" if self.note is None else texts.note_json(self.note)


@final
class MembershipStore:
    """The memberships in Redis, each ladder's in its own partition."""

    def __init__(self, pipe: Pipe) -> None:
        """Ask through this pipe."""
        self._pipe = pipe
        self._bad = Unreadable()
        self._read: dict[str, dict[bytes, Membership]] = {}

    async def all(self, ladder_id: str) -> dict[str, Membership]:
        """Return all records of a ladder, by bot.

        What was read before, and has not changed, is not read again: a director looks all the time.
        """
        found = await self._pipe.command("HGETALL", keys.competition(ladder_id, _KIND))
        before = self._read.get(ladder_id, {})
        texts_of = dict(pairs(found))
        known = {
            bot: before.get(text) or self._membership(ladder_id, bot, text)
            for bot, text in texts_of.items()
        }
        self._read[ladder_id] = {text: known[bot] for bot, text in texts_of.items()}
        return known

    def forget(self, ladder_id: str) -> None:
        """Keep nothing of what was read of a ladder."""
        self._read.pop(ladder_id, None)

    async def of(self, ladder_id: str, bots: Sequence[str]) -> dict[str, Membership]:
        """Return the records of these bots, as far as there are any."""
        if not bots:
            return {}
        key = keys.competition(ladder_id, _KIND)
        found = await self._pipe.command("HMGET", key, *bots)
        return {
            bot: self._membership(ladder_id, bot, text)
            for bot, text in zip(bots, found, strict=True)
            if text is not None
        }

    async def of_bot(self, bot_id: str, ladders: Sequence[str]) -> dict[str, Membership]:
        """Return the records of a bot by ladder, as far as there are any, all at once."""
        found = await self._pipe.many(
            ("HGET", keys.competition(ladder_id, _KIND), bot_id) for ladder_id in ladders
        )
        return {
            ladder_id: self._membership(ladder_id, bot_id, text)
            for ladder_id, text in zip(ladders, found, strict=True)
            if text is not None
        }

    async def change(
        self,
        ladder_id: str,
        bot_id: str,
        before: Membership | None,
        after: Membership,
        note: Note | None = None,
        token: int | None = None,
    ) -> Membership:
        """Write a record in the place of the one that was read, and return it as it is stored.

        `token` is that of a director. Raises Stale, Fenced, UnknownCompetition.
        """
        change = Change(before, after, note)
        word = await self._pipe.call(
            scripts.MEMBERSHIP,
            tuple(keys.competition(ladder_id, kind) for kind in ("", _KIND, "audit")),
            (
                *("" if token is None else token, bot_id),
                *(*change.words, keys.LADDER_BELL),
            ),
        )
        match word:
            case b"fenced":
                raise Fenced(ladder_id)
            case b"stale":
                raise Stale(ladder_id)
            case b"unknown":
                raise UnknownCompetition(ladder_id)
        return change.made

    def _membership(self, ladder_id: str, bot_id: str, text: bytes) -> Membership:
        """Return a record, and what stands for one that cannot be read."""
        id_ = f"{ladder_id} {bot_id}"
        read = self._bad.read("membership_unreadable", id_, partial(_membership_of, text))
        return read or Membership(Stage.UNREADABLE, 0, _rev_of(text), why=_UNREADABLE)


def _json(membership: Membership) -> str:
    fields = {**asdict(membership), "stage": membership.stage.value}
    return texts.to_json(fields)


def _membership_of(text: bytes) -> Membership:
    fields = json.loads(text)
    fields["stage"] = Stage(fields["stage"])
    fields["bots"] = tuple(fields["bots"])
    fields["faults"] = tuple(Fault(**each) for each in fields["faults"])
    return Membership(**fields)


def _rev_of(text: bytes) -> int:
    """Return the rev of a record that cannot be read as the scripts see it: 0 where there is none."""
    try:
        rev = json.loads(text)["rev"]
    except (ValueError, TypeError, LookupError):
        return 0
    return int(rev) if type(rev) in {int, float} and rev % 1 == 0 else 0
