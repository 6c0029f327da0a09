"""Begins challenges: casual matches, in places that their bots have free, within what each accepts."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Final, final

import structlog

from shoal.server.acceptance import accepted_by, declined, hindered
from shoal.server.director.matches import Matches, Pairing
from shoal.server.director.rooms import Room, Rooms
from shoal.server.guard import one_of_many
from shoal.server.store.bots import Bot, BotStore
from shoal.server.store.challenges import (
    Acceptance,
    Challenge,
    ChallengeState,
    ChallengeStore,
    Objection,
)
from shoal.server.store.keys import by_time, is_id, now_ms, time_of
from shoal.server.store.matches import MatchStore

_log = structlog.get_logger(__name__)

AT_ONCE: Final = 32
"""How many challenges are looked at in one look, so that ladders have their turn however many wait."""

_UNMADE_MS: Final = 60_000
"""How old an id must be for its challenge to be taken for one that was never made, or is lost."""


@final
@dataclass(frozen=True, slots=True)
class _Seen:
    """What was read of all bots of the challenges of one look."""

    bots: Mapping[str, Bot]
    acceptances: Mapping[str, Acceptance]
    in_play: dict[str, int]
    room: Room


@final
class Challenges:
    """Looks at the challenges that wait, after tournaments and before ladders.

    What it does may be done twice, by two directors at a time too: the id of the match was reserved when the
    challenge was made, and a challenge leaves the list of those that wait when its match is there.
    """

    def __init__(
        self,
        challenges: ChallengeStore,
        bots: BotStore,
        stored: MatchStore,
        matches: Matches,
        rest: float,
    ) -> None:
        """Read and write here, and create matches by `matches`; `rest` is in seconds."""
        self._challenges = challenges
        self._bots = bots
        self._stored = stored
        self._matches = matches
        self._rest = rest
        self._rests_until: dict[str, float] = {}
        self._looks = count(1)
        self._looked: dict[str, int] = {}

    def finished(self, bots: Iterable[str]) -> None:
        """Take note of bots whose casual match is over: competitions have their next turn."""
        now = time.monotonic()
        resting = {bot: until for bot, until in self._rests_until.items() if until > now}
        self._rests_until = {**resting, **dict.fromkeys(bots, now + self._rest)}

    async def resume(self) -> list[str]:
        """Take note of those that were started and whose match was not made; return these, to be created."""
        open_ids = await self._challenges.open_ids()
        found, _ = await self._challenges.found_and_others(open_ids)
        started = [each for each in found.values() if each.state is ChallengeState.STARTED]
        statuses = await self._stored.statuses([each.match_id for each in started])
        return [self._expect(each) for each in started if each.match_id not in statuses]

    async def look(self, rooms: Rooms) -> None:
        """Begin what can begin, and end what has waited too long."""
        waiting = []
        ids = self._turn(await self._challenges.open_ids())
        found, others = await self._challenges.found_and_others(ids)
        for id_ in ids:
            if id_ in others:
                continue  # it waits until it can be read, or its time in the store is over
            challenge = found.get(id_)
            with one_of_many("challenge_stumbled", challenge=id_):
                if challenge is None:
                    await self._forget(id_)
                elif challenge.state is ChallengeState.STARTED:
                    await self._go_on(challenge)
                elif challenge.state is not ChallengeState.PENDING:
                    await self._challenges.close(id_)
                else:
                    waiting.append(challenge)
        if not waiting:
            return
        seen = await self._see(waiting, rooms)
        for challenge in waiting:
            with one_of_many("challenge_stumbled", challenge=challenge.challenge_id):
                await self._look(challenge, seen)

    def _turn(self, ids: Sequence[str]) -> list[str]:
        """Return whose turn it is: who was never looked at, then who was not for the longest time."""
        self._looked = {id_: self._looked.get(id_, 0) for id_ in ids}
        turn = sorted(ids, key=lambda id_: (self._looked[id_], by_time(id_)))[:AT_ONCE]
        self._looked.update(dict.fromkeys(turn, next(self._looks)))
        return turn

    async def _forget(self, challenge_id: str) -> None:
        """Forget a challenge of which nothing more came than the entry."""
        if not is_id(challenge_id) or now_ms() - time_of(challenge_id) > _UNMADE_MS:
            await self._challenges.close(challenge_id)

    async def _see(self, challenges: Sequence[Challenge], rooms: Rooms) -> _Seen:
        """Read all at once what is to be known of the bots of these challenges."""
        ids = list(dict.fromkeys(bot for each in challenges for bot in each.bots))
        bots = [bot for bot in await self._bots.get_many(ids) if bot is not None]
        known = await self._challenges.acceptances([bot.bot_id for bot in bots])
        return _Seen(
            {bot.bot_id: bot for bot in bots},
            {bot.bot_id: accepted_by(bot, each) for bot, each in zip(bots, known, strict=True)},
            await self._challenges.in_play_of(ids),
            await rooms.room(ids),
        )

    async def _look(self, challenge: Challenge, seen: _Seen) -> None:
        bots = [seen.bots[bot] for bot in challenge.bots if bot in seen.bots]
        refused = [
            each for bot in bots for each in declined(challenge, bot, seen.acceptances[bot.bot_id])
        ]
        if refused:
            await self._challenges.turn(challenge, ChallengeState.DECLINED, refused)
            return
        hindrances = self._hindrances(challenge, bots, seen)
        if not hindrances and len(bots) == len(challenge.bots):
            await self._begin(challenge, seen)
        elif challenge.expires_ms <= now_ms():
            await self._challenges.turn(challenge, ChallengeState.EXPIRED, hindrances)

    def _hindrances(
        self, challenge: Challenge, bots: Sequence[Bot], seen: _Seen
    ) -> list[Objection]:
        now = time.monotonic()
        found = (
            hindered(
                challenge,
                bot,
                seen.acceptances[bot.bot_id],
                there=seen.room.there.get(bot.bot_id),
                taken=seen.room.beside(bot.bot_id),
                in_play=seen.in_play[bot.bot_id],
                rests=self._rests_until.get(bot.bot_id, now) > now,
            )
            for bot in bots
        )
        return [each for each in found if each is not None]

    async def _begin(self, challenge: Challenge, seen: _Seen) -> None:
        await self._challenges.seated(challenge)
        began = await self._challenges.turn(challenge, ChallengeState.STARTED)
        if began.state is ChallengeState.STARTED:
            seen.room.take(challenge.bots)  # what was read does not know of this match
            for bot in challenge.bots:
                seen.in_play[bot] += 1
            await self._make(challenge)
            _log.info("challenge_started", challenge=challenge.challenge_id)

    async def _go_on(self, challenge: Challenge) -> None:
        """Close one whose match is there; make that of one that another director has started."""
        if self._matches.is_expected(challenge.match_id):
            return
        if await self._stored.statuses([challenge.match_id]):
            await self._challenges.close(challenge.challenge_id)
        else:
            await self._make(challenge)

    async def _make(self, challenge: Challenge) -> None:
        match_id = self._expect(challenge)
        await self._matches.create([match_id])
        if not self._matches.is_expected(match_id):
            await self._challenges.close(challenge.challenge_id)

    def _expect(self, challenge: Challenge) -> str:
        """Take note that the match of a challenge is to be created, and return its id."""
        pairing = Pairing(
            match_id=challenge.match_id,
            competition_id="",
            ruleset=challenge.ruleset,
            bots=challenge.bots,
            rated=False,
            time_control=challenge.time_control,
        )
        return self._matches.expect_pairing(pairing, partial(self._take_back, challenge))

    async def _take_back(self, challenge: Challenge) -> bool:
        """Be done with a challenge whose match cannot be made."""
        is_made = await self._stored.statuses([challenge.match_id])
        await self._challenges.close(challenge.challenge_id)
        return not is_made
