"""Challenges as callers use them: made, read, taken back, and which of them a bot accepts."""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import final

from shoal.competition.specification import TimeControl
from shoal.server.acceptance import accepted_by, declined, hindered
from shoal.server.auth import Caller
from shoal.server.errors import LONGEST_ECHO, Reason, Refusal, malformed, not_found
from shoal.server.organizing import note_of
from shoal.server.play.creation import MatchSpec, check
from shoal.server.play.time_controls import with_defaults
from shoal.server.reserving import reserve
from shoal.server.store.bots import Bot, BotStore
from shoal.server.store.challenges import (
    Acceptance,
    AcceptFrom,
    Challenge,
    ChallengeState,
    ChallengeStore,
    Objection,
)
from shoal.server.store.errors import BadPageToken
from shoal.server.store.keys import is_id, new_id, now_ms
from shoal.server.store.presence import PresenceStore
from shoal.server.store.requests import RequestStore

MOST_WAITING = 20
"""How many challenges of an owner may wait at a time."""


@final
class Challenges:
    """The challenges of this server. Every method may raise Refusal.

    What an organizer does with challenges and bots of others has a line in the list of actions.
    """

    def __init__(
        self,
        challenges: ChallengeStore,
        bots: BotStore,
        presences: PresenceStore,
        requests: RequestStore,
    ) -> None:
        """Read and write in these."""
        self._challenges = challenges
        self._bots = bots
        self._presences = presences
        self._requests = requests

    async def create(
        self, caller: Caller, spec: MatchSpec, wait_s: int, request_id: str, body: str
    ) -> Challenge:
        """Make a challenge, which may be declined at once. `body` is the hash of the request."""
        caller.known()
        check(spec)
        bots = [await self._bot(seat.bot_id) for seat in spec.seats]
        if not caller.admin and all(bot.owner != caller.owner for bot in bots):
            raise Refusal(Reason.NOT_ALLOWED, "one of the bots must be yours: you play along")
        new = {"challenge": new_id(), "match": new_id()}
        kept = await reserve(self._requests, caller.owner, request_id, body, new)
        ids = kept.reserved
        if not kept.fresh:
            (made,) = await self._challenges.get_many([ids["challenge"]])
            if made is not None:
                return made
        time = with_defaults(spec.time)
        challenge = Challenge(
            challenge_id=ids["challenge"],
            owner=caller.owner,
            bots=tuple(bot.bot_id for bot in bots),
            ruleset=spec.ruleset,
            time_control=TimeControl(
                move_ms=time.move_ms,
                bank_ms=time.bank_ms,
                increment_ms=time.increment_ms,
                max_strikes=time.max_strikes,
                max_illegal=time.max_illegal,
                match_ms=time.match_ms,
            ),
            match_id=ids["match"],
            expires_ms=now_ms() + 1000 * wait_s,
        )
        refused = await self._declined(challenge, bots)
        if refused:
            challenge = replace(challenge, state=ChallengeState.DECLINED, objections=tuple(refused))
        elif not await self._challenges.take_place(challenge, MOST_WAITING):
            raise Refusal(
                Reason.CONCURRENCY_LIMIT,
                f"{MOST_WAITING} of your challenges wait already",
                retry_after=5,
            )
        elif all(bot.owner != caller.owner for bot in bots):
            line = f"{challenge.challenge_id}: {' '.join(challenge.bots)}"
            note = note_of(caller, "challenge", line)
            await self._bots.note(note, f"challenge {challenge.challenge_id}")
        await self._challenges.create(challenge)
        return challenge

    async def get(self, challenge_id: str) -> Challenge:
        """Return a challenge; one that waits with what it waits for."""
        challenge = await self._find(challenge_id)
        if challenge.state is not ChallengeState.PENDING:
            return challenge
        return replace(challenge, objections=tuple(await self._waits_for(challenge)))

    async def of_bot(
        self, caller: Caller, bot_id: str, page_size: int, token: str
    ) -> tuple[list[Challenge], str]:
        """Return a page of the challenges that a bot is in, and the token of the next."""
        bot = await self._bot(bot_id or caller.playing())
        try:
            page = await self._challenges.of_bot(bot.bot_id, page_size, token)
        except BadPageToken:
            raise malformed("page_token", "not one that this list gave out") from None
        found = await self._challenges.get_many(page.ids)
        return [each for each in found if each is not None], page.next_token

    async def cancel(self, caller: Caller, challenge_id: str) -> Challenge:
        """Take a challenge back, as its maker or the owner of one of its bots; again is a success."""
        caller.known()
        challenge = await self._find(challenge_id)
        owners = {bot.owner for bot in await self._bots.get_many(challenge.bots) if bot is not None}
        if not caller.admin and caller.owner not in {challenge.owner, *owners}:
            raise Refusal(Reason.NOT_ALLOWED, "you have nothing to do with this challenge")
        if challenge.state is ChallengeState.PENDING:
            if caller.owner not in {challenge.owner, *owners}:
                note = note_of(caller, "cancel challenge", challenge_id)
                await self._bots.note(note, f"cancel {challenge_id}")
            challenge = await self._challenges.turn(challenge, ChallengeState.CANCELLED)
        if challenge.state is not ChallengeState.CANCELLED:
            state = challenge.state.value
            raise Refusal(Reason.WRONG_STATE, f"the challenge waits no more: {state}", state=state)
        return challenge

    async def accept(self, caller: Caller, bot_id: str, acceptance: Acceptance) -> Acceptance:
        """Set what a bot of the caller's owner accepts."""
        caller.known()
        bot = await self._bot(bot_id or caller.playing())
        if not caller.admin and bot.owner != caller.owner:
            raise Refusal(
                Reason.NOT_ALLOWED, f"bot {bot.name!r} is somebody else's", bot_id=bot.bot_id
            )
        if bot.owner != caller.owner:
            changes = _changes(await self.acceptance(caller, bot.bot_id), acceptance)
            if changes:
                note = note_of(caller, "set acceptance", f"{bot.bot_id}: {changes}")
                await self._bots.note(note, f"acceptance {new_id()}")
        await self._challenges.accept(bot.bot_id, acceptance)
        return acceptance

    async def acceptance(self, caller: Caller, bot_id: str) -> Acceptance:
        """Return what a bot accepts."""
        bot = await self._bot(bot_id or caller.playing())
        (known,) = await self._challenges.acceptances([bot.bot_id])
        return accepted_by(bot, known)

    async def _declined(self, challenge: Challenge, bots: Sequence[Bot]) -> list[Objection]:
        known = await self._challenges.acceptances([bot.bot_id for bot in bots])
        return [
            each
            for bot, acceptance in zip(bots, known, strict=True)
            for each in declined(challenge, bot, accepted_by(bot, acceptance))
        ]

    async def _waits_for(self, challenge: Challenge) -> list[Objection]:
        """Return what is in the way of a challenge, as far as a server can see."""
        bots = [await self._bot(bot_id) for bot_id in challenge.bots]
        presences = await self._presences.get_many(challenge.bots)
        known = await self._challenges.acceptances(challenge.bots)
        found = [
            hindered(
                challenge,
                bot,
                accepted_by(bot, acceptance),
                there=there,
                taken=0,
                in_play=await self._challenges.in_play(bot.bot_id),
            )
            for bot, there, acceptance in zip(bots, presences, known, strict=True)
        ]
        return [each for each in found if each is not None]

    async def _find(self, challenge_id: str) -> Challenge:
        (found,) = await self._challenges.get_many([challenge_id])
        if found is None:
            raise not_found("challenge", challenge_id)
        return found

    async def _bot(self, bot_id: str) -> Bot:
        bot = await self._bots.get(bot_id) if is_id(bot_id) else None
        if bot is None:
            raise not_found("bot", bot_id)
        return bot


def _changes(before: Acceptance, after: Acceptance) -> str:
    """Return in what two of them differ, as the second has it; "" if they are the same."""
    return ", ".join(
        f"{each.name} {_value(getattr(after, each.name))}"
        for each in fields(Acceptance)
        if getattr(after, each.name) != getattr(before, each.name)
    )


def _value(value: AcceptFrom | tuple[str, ...] | tuple[int, ...] | int) -> str:
    """Return a value for a line that people read, in which a list may be cut."""
    match value:
        case AcceptFrom():
            return value.value
        case tuple():
            return " ".join(map(str, value))[:LONGEST_ECHO] or "any"
        case _:
            return str(value)
