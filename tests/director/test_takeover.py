"""Directors that die, stall or lose the store: nothing is created or counted twice (T76)."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest
from structlog.testing import capture_logs

from shoal.competition.plan import Entrant
from shoal.competition.specification import RoundRobin, Specification
from shoal.server.director import MAIN, Pairing
from shoal.server.play.creation import Creation
from shoal.server.store import keys
from shoal.server.store.bells import Bells
from shoal.server.store.bots import BotStore
from shoal.server.store.competition_nouns import State
from shoal.server.store.direction import Direction
from shoal.server.store.errors import StoreUnavailable
from shoal.server.store.launcher import launch_redis
from shoal.server.store.leases import Lease, LeaseStore
from shoal.server.store.node import Limits
from shoal.server.store.outbox import Finished, Outbox
from shoal.server.store.pipe import Pipe
from shoal.server.store.presence import Claim, Presence, PresenceStore

from .arena import NOTE, QUICK, Arena, reserved, until
from .creating import creating
from .reads import results_of
from .test_tournaments import tournament_of

BRIEF = replace(QUICK, lease=0.6)
"""For directors that are to miss their lease."""


@pytest.fixture
async def arena(pipe: Pipe, bells: Bells) -> Arena:
    arena = Arena(pipe, bells)
    await arena.make(MAIN, "main")
    return arena


class StuckOutbox(Outbox):
    """An outbox whose cursor never moves: what is applied is not noted as applied."""

    def __init__(self, pipe: Pipe) -> None:
        super().__init__(pipe)
        self.reached = asyncio.Event()

    async def advance(self, positions: Mapping[int, str]) -> NoReturn:
        if not positions:
            return  # type: ignore[misc]
        self.reached.set()
        await asyncio.Event().wait()
        raise AssertionError


class HeldOutbox(Outbox):
    """An outbox of which nothing new is read before a certain match has ended, which then comes last."""

    def __init__(self, pipe: Pipe) -> None:
        super().__init__(pipe)
        self.last: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def cursors(self) -> list[str]:
        await asyncio.shield(self.last)
        return await super().cursors()

    async def read_many(self, after: Mapping[int, str], count: int) -> list[Finished]:
        found = await super().read_many(after, count)
        last = self.last.result() if self.last.done() else ""
        return sorted(found, key=lambda entry: entry.match_id == last)


class ShutOutbox(Outbox):
    """An outbox of which nothing is read before it is opened."""

    def __init__(self, pipe: Pipe) -> None:
        super().__init__(pipe)
        self.opened = asyncio.Event()

    async def read_many(self, after: Mapping[int, str], count: int) -> list[Finished]:
        await self.opened.wait()
        return await super().read_many(after, count)


class TickingBots(BotStore):
    """Bots of which it takes a director some ticks to hear that they have left a certain match."""

    def __init__(self, pipe: Pipe, presences: "HeldPresences") -> None:
        super().__init__(pipe)
        self._presences = presences
        self.slow = ""

    async def end_match(self, bot_ids: Sequence[str], match_id: str) -> None:
        await super().end_match(bot_ids, match_id)
        if match_id == self.slow:
            await self._presences.ticks()


class HeldPresences(PresenceStore):
    """Presences that a director looks at with every tick, and that hold it up until ticks are asked for."""

    def __init__(self, pipe: Pipe) -> None:
        super().__init__(pipe)
        self._asked_for = asyncio.Event()
        self._looked = asyncio.Condition()
        self._looks = 0

    async def get_many(self, bot_ids: Sequence[str]) -> list[Presence | None]:
        await self._asked_for.wait()
        async with self._looked:
            self._looks += 1
            self._looked.notify_all()
        return await super().get_many(bot_ids)

    async def ticks(self) -> None:
        """Let ticks come, and wait for one: not every look is of a tick, and each competition has its own."""
        self._asked_for.set()
        async with asyncio.timeout(10), self._looked:
            enough = self._looks + 12
            await self._looked.wait_for(lambda: self._looks >= enough)


class StuckBots(BotStore):
    """Bots that never leave their matches: a result is counted and no more."""

    def __init__(self, pipe: Pipe) -> None:
        super().__init__(pipe)
        self.reached = asyncio.Event()

    async def end_match(self, *_: object) -> NoReturn:
        self.reached.set()
        await asyncio.Event().wait()
        raise AssertionError


async def totals(arena: Arena) -> tuple[int, int]:
    """Return how many seats the scores and the results know of: they must be the same."""
    scores = (await arena.competitions.roster("main")).scores.values()
    return sum(score.matches for score in scores), (await arena.competitions.get("main")).rated


async def counted(arena: Arena, matches: int) -> None:
    async def enough() -> bool:
        return len(await results_of(arena.competitions, "main")) >= matches

    await until(enough)


async def test_a_director_that_dies_between_applying_and_noting_counts_once(arena: Arena) -> None:
    """If a result is applied and the cursor has not moved, the successor does not count it again."""
    await arena.arrive("a", "b", seats=(2,))
    outbox = StuckOutbox(arena.pipe)
    async with arena.directing(stores=replace(arena.stores, outbox=outbox)):
        await arena.finish(await arena.next_match())
        await outbox.reached.wait()
    assert await totals(arena) == (2, 1)
    async with arena.directing():
        await arena.finish(await arena.next_match())
        await counted(arena, 2)
    assert await totals(arena) == (4, 2)


async def test_a_director_that_dies_after_counting_leaves_no_bot_behind(arena: Arena) -> None:
    """If a result is counted and its bots are still in the match, the successor frees them."""
    await arena.arrive("a", "b", seats=(2,))
    bots = StuckBots(arena.pipe)
    async with arena.directing(stores=replace(arena.stores, bots=bots)):
        await arena.finish(await arena.next_match())
        await bots.reached.wait()
    async with arena.directing():
        await arena.next_match()
    assert await totals(arena) == (2, 1)


async def test_a_match_that_was_counted_is_not_created_again(arena: Arena) -> None:
    """If a successor reads a result twice, and what follows is over then, that stays in no bot's list."""
    bots = await arena.arrive("a", "b", seats=(2,), joined=False)
    cup = await arena.make(Specification("cup", RoundRobin(cycles=2), seats=(2,)), state=State.OPEN)
    await arena.enter(cup, *(Entrant(bot, f"owner of {bot}") for bot in bots))
    found = await arena.competitions.get(cup)
    await arena.competitions.turn(found, [State.OPEN], State.RUNNING, NOTE)
    async with arena.directing():
        first = await arena.next_match()
    await arena.finish(first)
    outbox, presences = HeldOutbox(arena.pipe), HeldPresences(arena.pipe)
    ticking = TickingBots(arena.pipe, presences)
    stores = replace(arena.stores, outbox=outbox, presences=presences, bots=ticking)
    async with arena.directing(stores=stores):
        second = await arena.next_match()  # the first was counted as one that nobody had read yet
        await arena.finish(second)
        ticking.slow = second.match_id
        outbox.last.set_result(second.match_id)
        third = await arena.next_match()
    assert set(third.bots) == set(bots)
    for bot in bots:
        assert await arena.stores.bots.live_matches(bot) == [third.match_id]


@pytest.mark.parametrize("half_done", [False, True])
async def test_a_match_that_was_only_committed_is_created_by_the_successor(
    arena: Arena, *, half_done: bool
) -> None:
    """If a director dies between committing and creating, or in it, the match is made once (T70)."""
    bots = await arena.arrive("a", "b", seats=(2,))
    reached = asyncio.Event()

    async def stuck(pairing: Pairing) -> None:
        if half_done:
            await arena.stores.bots.add_match(pairing.bots, pairing.match_id)
        reached.set()
        await asyncio.Event().wait()

    async with arena.directing(stuck):
        await reached.wait()
    (match_id,) = await reserved(arena)
    async with arena.directing():
        assert (await arena.next_match()).match_id == match_id
    for bot in bots:
        assert await arena.stores.bots.live_matches(bot) == [match_id]


async def test_of_two_directors_one_works_and_the_other_takes_over(arena: Arena) -> None:
    """If two run, matches come from one; when it ends, the other goes on where it was."""
    makers: Counter[str] = Counter()

    async def first(pairing: Pairing) -> None:
        makers["first"] += 1
        await arena.create(pairing)

    async def second(pairing: Pairing) -> None:
        makers["second"] += 1
        await arena.create(pairing)

    await arena.arrive("a", "b", seats=(2,))
    async with arena.directing(first) as leader:
        await arena.finish(await arena.next_match())
        async with arena.directing(second):
            for _ in range(5):
                await arena.finish(await arena.next_match())
            assert makers["second"] == 0
            last = await arena.next_match()
            leader.cancel()
            await arena.finish(last)
            await arena.next_match()
            await counted(arena, 7)
    assert makers["second"] > 0
    assert await totals(arena) == (14, 7)


async def test_a_director_without_the_lease_stops_and_comes_back(arena: Arena) -> None:
    """If another takes the lease, the director writes nothing more until it has it again."""
    await arena.arrive("a", "b", seats=(2,))
    async with arena.directing(settings=BRIEF):
        match = await arena.next_match()
        thief = Lease(0, 0)
        while not thief.token:  # the director may keep it just in between
            await arena.pipe.command("HSET", keys.DIRECTOR, "until", 0)
            thief = await arena.stores.leases.acquire("thief", 60_000)
        await Direction(arena.pipe, thief.token).shut_out("main")
        await arena.finish(match)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(BRIEF.lease):
                await arena.created.get()
        assert await results_of(arena.competitions, "main") == {}
        await arena.stores.leases.renew("thief", 0, thief.token)
        await arena.next_match()
        await counted(arena, 1)
    assert await totals(arena) == (2, 1)


async def test_a_director_outlives_its_store(tmp_path: Path) -> None:
    """If the store goes away, that is said once, and the director goes on when it is back."""
    with launch_redis(tmp_path) as redis:
        url = redis.url
        async with Pipe(url) as pipe:
            await Arena(pipe, Bells(url)).make(MAIN, "main")
            await Arena(pipe, Bells(url)).arrive("a", "b", seats=(2,))
    with capture_logs() as logs:

        def said() -> list[str]:
            told = [entry["event"] for entry in logs]
            return [event for event in told if event in {"store_away", "store_back"}]

        async def is_silent() -> bool:
            return "store_away" in said()

        async with AsyncExitStack() as context:
            up = context.enter_context(ExitStack())
            up.enter_context(launch_redis(tmp_path))
            pipe = await context.enter_async_context(Pipe(url))
            hasty = await context.enter_async_context(Pipe(url, Limits(patience=0.2)))
            bells = await context.enter_async_context(Bells(url))
            arena = Arena(pipe, bells)
            stores = arena.sharing(hasty).stores
            await context.enter_async_context(arena.directing(settings=BRIEF, stores=stores))
            await arena.finish(await arena.next_match())
            match = await arena.next_match()
            up.close()
            await until(is_silent)
            up.enter_context(launch_redis(tmp_path))
            await until(lambda: _asks(pipe))
            await arena.finish(match)
            await arena.next_match()
            await counted(arena, 2)
            assert await totals(arena) == (4, 2)
        # A disk that is slow for a moment is another absence; each is said once.
        assert said() == ["store_away", "store_back"] * (len(said()) // 2) != []


async def _asks(pipe: Pipe) -> bool:
    """Tell whether the store answers."""
    with suppress(StoreUnavailable):
        return bool(await pipe.command("PING"))
    return False


async def test_who_takes_over_frees_no_place_before_it_counts(arena: Arena) -> None:
    """If a match ended while nobody directed, nothing gets its places but what follows it (T77)."""
    bots = await registered(arena, 2)
    create, made = creating(arena)

    await tournament_of(arena, bots, RoundRobin())
    async with arena.directing(create):
        first = await made.get()
    await arena.finish(first)
    await tournament_of(arena, bots, RoundRobin())
    outbox, presences = ShutOutbox(arena.pipe), HeldPresences(arena.pipe)
    stores = replace(arena.stores, outbox=outbox, presences=presences)
    async with arena.directing(create, stores=stores):
        await presences.ticks()
        assert await reserved_by_all(arena) == {first.match_id}
        outbox.opened.set()
        async with asyncio.timeout(10):
            while (second := await made.get()).match_id == first.match_id:
                pass  # what was reserved is tried once more
        assert second.competition_id == first.competition_id
        await presences.ticks()
        assert await reserved_by_all(arena) == {second.match_id}
    for bot in bots:
        assert await arena.stores.bots.live_matches(bot) == [second.match_id]


async def test_who_makes_a_match_late_leaves_it_in_no_list(arena: Arena) -> None:
    """If a match of a competition has been counted, who creates it once more takes it from its bots again."""
    bots = await registered(arena, 2)
    creation = Creation(arena.matches, arena.stores.bots, arena.competitions, "test")
    cup = await tournament_of(arena, bots, RoundRobin())
    async with arena.directing():
        first = await arena.next_match()
        await arena.finish(first)
        second = await arena.next_match()
    await creation.create_for_competition(
        first.match_id, first.bots, ruleset_name="base", competition=cup, rated=True
    )
    for bot in bots:
        assert await arena.stores.bots.live_matches(bot) == [second.match_id]


async def registered(arena: Arena, count: int) -> list[str]:
    """Register bots that take one match at a time, and are there."""
    bots = [keys.new_id() for _ in range(count)]
    for bot_id in bots:
        await arena.stores.bots.register(bot_id, bot_id, "owner")
        await arena.stores.presences.claim(Claim(bot_id, "p", 1, ("base",), (2,)), 600_000)
    return bots


async def reserved_by_all(arena: Arena) -> set[str]:
    """Return the matches in play of all competitions."""
    found = await arena.competitions.active()
    return {id_ for each in found for id_ in await reserved(arena, each.competition_id)}


async def test_one_that_is_ended_while_it_asks_for_the_lease_leaves_none(arena: Arena) -> None:
    """Else nobody directs until the time of that lease has passed (T76)."""
    leases = arena.stores.leases
    asked = asyncio.Event()

    class Asking(LeaseStore):
        async def acquire(self, holder: str, ttl_ms: int) -> Lease:
            asked.set()
            return await super().acquire(holder, ttl_ms)

    stores = replace(arena.stores, leases=Asking(arena.pipe))
    async with arena.directing(stores=stores):
        await asked.wait()
    assert (await leases.acquire("another", 60_000)).token
