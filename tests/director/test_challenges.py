"""How a director looks at challenges that wait, on a real Redis."""

from collections import Counter
from collections.abc import Sequence

import pytest

from shoal.competition.specification import TimeControl
from shoal.server.director import MAIN
from shoal.server.director.absences import Absences
from shoal.server.director.attendance import Attendance
from shoal.server.director.challenges import AT_ONCE, Challenges
from shoal.server.director.matches import Matches
from shoal.server.director.rooms import Rooms
from shoal.server.store import keys
from shoal.server.store.bells import Bells
from shoal.server.store.bots import Bot, BotStore
from shoal.server.store.challenges import (
    Acceptance,
    AcceptFrom,
    Challenge,
    ChallengeState,
    ChallengeStore,
)
from shoal.server.store.direction import Direction
from shoal.server.store.pipe import Pipe

from .arena import Arena


class CountingBots(BotStore):
    """Counts how often, and of how many, bots are read."""

    def __init__(self, pipe: Pipe) -> None:
        super().__init__(pipe)
        self.reads: list[int] = []

    async def get_many(self, bot_ids: Sequence[str]) -> list[Bot | None]:
        self.reads.append(len(bot_ids))
        return await super().get_many(bot_ids)


class Looking:
    """A director's look at challenges alone."""

    def __init__(self, arena: Arena, pipe: Pipe) -> None:
        self.arena = arena
        self.store = ChallengeStore(pipe)
        self.bots = CountingBots(pipe)
        self._matches = Matches(arena.create, arena.stores.bots, Direction(pipe, 1), attempts=1)
        self.challenges = Challenges(self.store, self.bots, arena.matches, self._matches, 0)

    async def arrive(self, *names: str, room: int = 1) -> list[str]:
        """Let bots come that accept challenges of everybody."""
        ids = await self.arena.arrive(*names, room=room)
        for name, bot_id in zip(names, ids, strict=True):
            await self.bots.register(bot_id, f"{name}-{bot_id}", bot_id)
            await self.store.accept(bot_id, Acceptance(AcceptFrom.ANYONE, at_once=9))
        return ids

    async def challenge(self, *bots: str) -> str:
        """Make a challenge of these bots."""
        made = Challenge(
            keys.new_id(),
            bots[0],
            bots,
            "base",
            TimeControl(move_ms=1000),
            keys.new_id(),
            keys.now_ms() + 300_000,
        )
        await self.store.create(made)
        return made.challenge_id

    async def look(self) -> None:
        """Look once."""
        rooms = Rooms(
            self.arena.stores.presences, self._matches, Attendance(1, 1, 1, 0), Absences(1)
        )
        await self.challenges.look(rooms)

    async def states(self, *challenge_ids: str) -> list[ChallengeState | None]:
        """Return how challenges stand."""
        found = await self.store.get_many(challenge_ids)
        return [None if each is None else each.state for each in found]


@pytest.fixture
async def looking(pipe: Pipe, bells: Bells) -> Looking:
    arena = Arena(pipe, bells)
    await arena.make(MAIN, "main")
    return Looking(arena, pipe)


async def test_many_that_wait_cost_a_look_no_more_than_some(looking: Looking) -> None:
    """However many wait, some are looked at in one look, by one read, and all of them in turn (T67)."""
    busy = await looking.arrive(*(f"b{number}" for number in range(8)))
    for bot in busy:
        await looking.arena.stores.bots.add_match([bot], keys.new_id())
    waiting = [
        await looking.challenge(busy[number % 7], busy[number % 7 + 1])
        for number in range(3 * AT_ONCE)
    ]
    looking.bots.reads.clear()
    await looking.look()
    assert looking.bots.reads == [8]
    free = await looking.arrive("c", "d")
    late = await looking.challenge(*free)
    for bot in busy[:2]:
        await looking.arena.stores.bots.forget_match(
            [bot], *await looking.arena.stores.bots.live_matches(bot)
        )
    for _ in range(4):
        await looking.look()
    states = await looking.states(*waiting, late)
    assert states.count(ChallengeState.STARTED) == 2
    assert states[-1] is ChallengeState.STARTED
    assert all(reads <= 2 * AT_ONCE for reads in looking.bots.reads)


async def test_no_more_begin_at_once_than_bots_have_places(looking: Looking) -> None:
    """If more could begin than a bot has places, the oldest begin, and the others wait (T77)."""
    mine, other = await looking.arrive("a", "b", room=3)
    made = [await looking.challenge(mine, other) for _ in range(5)]
    await looking.look()
    states = await looking.states(*made)
    assert Counter(states) == {ChallengeState.STARTED: 3, ChallengeState.PENDING: 2}
    ages = [(keys.time_of(each), state) for each, state in zip(made, states, strict=True)]
    latest = max(at for at, state in ages if state is ChallengeState.STARTED)
    # Of one millisecond any may be the first.
    assert latest <= min(at for at, state in ages if state is ChallengeState.PENDING)
    await looking.look()
    assert await looking.states(*made) == states
