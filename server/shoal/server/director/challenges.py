"""Begins challenges: casual matches, in places that their bots have free, within what each accepts."""

import time
from collections.abc import Iterable, Sequence
from typing import final

import structlog

from shoal.server.acceptance import accepted_by, declined, hindered
from shoal.server.director.matches import Create, Pairing
from shoal.server.director.rooms import Rooms
from shoal.server.guard import one_of_many
from shoal.server.store.bots import Bot, BotStore
from shoal.server.store.challenges import (
    Acceptance,
    Challenge,
    ChallengeState,
    ChallengeStore,
    Objection,
)
from shoal.server.store.keys import now_ms

_log = structlog.get_logger(__name__)


@final
class Challenges:
    """Looks at the challenges that wait, after tournaments and before ladders.

    What it does may be done twice, by two directors at a time too: the id of the match was reserved when the
    challenge was made, and a challenge leaves the list of those that wait when its match is there.
    """

    def __init__(
        self, challenges: ChallengeStore, bots: BotStore, create: Create, rest: float
    ) -> None:
        """Read and write here, and create matches by `create`; `rest` is in seconds."""
        self._challenges = challenges
        self._bots = bots
        self._create = create
        self._rest = rest
        self._rests_until: dict[str, float] = {}

    def finished(self, bots: Iterable[str]) -> None:
        """Take note of bots whose casual match is over: competitions have their next turn."""
        now = time.monotonic()
        resting = {bot: until for bot, until in self._rests_until.items() if until > now}
        self._rests_until = {**resting, **dict.fromkeys(bots, now + self._rest)}

    async def look(self, rooms: Rooms) -> None:
        """Begin what can begin, and end what has waited too long."""
        for challenge in await self._challenges.open():
            with one_of_many("challenge_stumbled", challenge=challenge.challenge_id):
                if challenge.state is ChallengeState.STARTED:
                    await self._make(challenge)
                elif challenge.state is not ChallengeState.PENDING:
                    await self._challenges.close(challenge.challenge_id)
                else:
                    await self._look(challenge, rooms)

    async def _look(self, challenge: Challenge, rooms: Rooms) -> None:
        bots = [bot for bot in await self._bots.get_many(challenge.bots) if bot is not None]
        known = await self._challenges.acceptances([bot.bot_id for bot in bots])
        accepted = [accepted_by(bot, each) for bot, each in zip(bots, known, strict=True)]
        refused = [
            each
            for bot, acceptance in zip(bots, accepted, strict=True)
            for each in declined(challenge, bot, acceptance)
        ]
        if refused:
            await self._challenges.turn(challenge, ChallengeState.DECLINED, refused)
            return
        hindrances = await self._hindrances(challenge, bots, accepted, rooms)
        if not hindrances and len(bots) == len(challenge.bots):
            await self._begin(challenge, rooms)
        elif challenge.expires_ms <= now_ms():
            await self._challenges.turn(challenge, ChallengeState.EXPIRED, hindrances)

    async def _hindrances(
        self,
        challenge: Challenge,
        bots: Sequence[Bot],
        accepted: Sequence[Acceptance],
        rooms: Rooms,
    ) -> list[Objection]:
        room = await rooms.room(challenge.bots)
        now = time.monotonic()
        found = []
        for bot, acceptance in zip(bots, accepted, strict=True):
            found.append(
                hindered(
                    challenge,
                    bot,
                    acceptance,
                    there=room.there.get(bot.bot_id),
                    taken=room.beside(bot.bot_id),
                    in_play=await self._challenges.in_play(bot.bot_id),
                    rests=self._rests_until.get(bot.bot_id, now) > now,
                )
            )
        return [each for each in found if each is not None]

    async def _begin(self, challenge: Challenge, rooms: Rooms) -> None:
        await self._challenges.seated(challenge)
        began = await self._challenges.turn(challenge, ChallengeState.STARTED)
        if began.state is ChallengeState.STARTED:
            rooms.hold(challenge.bots)
            await self._make(challenge)
            _log.info("challenge_started", challenge=challenge.challenge_id)

    async def _make(self, challenge: Challenge) -> None:
        await self._create(
            Pairing(
                match_id=challenge.match_id,
                competition_id="",
                ruleset=challenge.ruleset,
                bots=challenge.bots,
                rated=False,
                time_control=challenge.time_control,
            )
        )
        await self._challenges.close(challenge.challenge_id)
