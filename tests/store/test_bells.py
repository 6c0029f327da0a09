"""Laws of bells: confirmed before anybody relies on them, and rung again when one may be lost."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from shoal.server.store import Bells, Pipe, PrivateRedis, StoreUnavailable

from .proxy import Proxy, proxied


class Counter:
    """Counts rings, and can be awaited until there are enough."""

    def __init__(self) -> None:
        """Begin at 0."""
        self.count = 0
        self._changed = asyncio.Event()

    def __call__(self) -> None:
        """Ring."""
        self.count += 1
        self._changed.set()

    async def reach(self, count: int) -> None:
        """Wait for so many rings in all."""
        async with asyncio.timeout(5):
            while self.count < count:
                self._changed.clear()
                await self._changed.wait()


@pytest.fixture
def store_url(redis: PrivateRedis) -> str:
    """These laws are of one connection."""
    return redis.url


@pytest.fixture
async def proxy(redis: PrivateRedis, tmp_path: Path) -> AsyncIterator[Proxy]:
    """A proxy in front of the common Redis."""
    async with proxied(redis.url, tmp_path) as running:
        yield running


@pytest.fixture
async def bells(proxy: Proxy) -> AsyncIterator[Bells]:
    """Bells behind the proxy."""
    async with Bells(proxy.url) as listening:
        yield listening


async def test_a_confirmation_counts_as_a_bell(bells: Bells) -> None:
    """Whoever subscribes is rung once without anybody ringing, so that he reads."""
    ring = Counter()
    await bells.subscribe("shoal:a", ring)
    await ring.reach(1)


async def test_what_rings_after_the_subscription_is_heard(bells: Bells, pipe: Pipe) -> None:
    """From the confirmation on every message rings, on its own channel only."""
    ring, other = Counter(), Counter()
    await bells.subscribe("shoal:a", ring)
    await bells.subscribe("shoal:b", other)
    for _ in range(10):
        assert await pipe.command("PUBLISH", "shoal:a", "") == 1
    await ring.reach(11)
    assert other.count == 1


async def test_two_listeners_share_a_channel(bells: Bells, pipe: Pipe) -> None:
    """Both are rung; when one leaves, the other stays."""
    one, two = Counter(), Counter()
    await bells.subscribe("shoal:a", one)
    await bells.subscribe("shoal:a", two)
    await one.reach(1)
    await two.reach(1)
    await pipe.command("PUBLISH", "shoal:a", "")
    await one.reach(2)
    await two.reach(2)
    bells.unsubscribe("shoal:a", one)
    await pipe.command("PUBLISH", "shoal:a", "")
    await two.reach(3)
    assert one.count == 2


async def test_who_listens_is_told_what_was_said_and_when_something_may_be_unheard(
    bells: Bells, proxy: Proxy, pipe: Pipe
) -> None:
    """Beside somebody who is only rung; in the end it is told nothing more."""
    ring, told = Counter(), asyncio.Queue[str | None]()
    await bells.listen("shoal:a", told.put_nowait)
    await bells.subscribe("shoal:a", ring)
    async with asyncio.timeout(5):
        assert await told.get() is None
        for word in ("one", "two", ""):
            await pipe.command("PUBLISH", "shoal:a", word)
            assert await told.get() == word
        proxy.cut()
        assert await told.get() is None
    before = ring.count
    bells.unsubscribe("shoal:a", told.put_nowait)
    await pipe.command("PUBLISH", "shoal:a", "three")
    await ring.reach(before + 1)
    assert told.empty()


async def test_nobody_listens_after_unsubscribing(bells: Bells, pipe: Pipe) -> None:
    """The last one to leave ends the subscription in Redis too (T32)."""
    ring, marker = Counter(), Counter()
    await bells.subscribe("shoal:a", ring)
    bells.unsubscribe("shoal:a", ring)
    bells.unsubscribe("shoal:a", ring)
    bells.unsubscribe("shoal:never", ring)
    await bells.subscribe("shoal:b", marker)  # confirmed behind the end of the other
    assert await pipe.command("PUBLISH", "shoal:a", "") == 0


async def test_subscribing_anew_at_once_waits_for_its_own_confirmation(
    bells: Bells, pipe: Pipe
) -> None:
    """A confirmation of before does not count for a subscription that was taken back."""
    for _ in range(20):
        first, second = Counter(), Counter()
        hasty = asyncio.create_task(bells.subscribe("shoal:a", first))
        await asyncio.sleep(0)
        bells.unsubscribe("shoal:a", first)
        await bells.subscribe("shoal:a", second)
        assert await pipe.command("PUBLISH", "shoal:a", "") == 1
        await second.reach(2)
        hasty.cancel()
        await asyncio.gather(hasty, return_exceptions=True)
        bells.unsubscribe("shoal:a", second)


async def test_a_lost_connection_rings_everybody_when_it_is_back(
    bells: Bells, proxy: Proxy, pipe: Pipe
) -> None:
    """What rang meanwhile was not heard, so every callback is called (T22, T24)."""
    rings = [Counter() for _ in range(10)]
    for number, ring in enumerate(rings):
        await bells.subscribe(f"shoal:{number}", ring)
        await ring.reach(1)
    for round_ in (2, 4):
        proxy.cut()
        for number, ring in enumerate(rings):
            await ring.reach(round_)
            await pipe.command("PUBLISH", f"shoal:{number}", "")
            await ring.reach(round_ + 1)


async def test_without_redis_a_subscription_goes_on(bells: Bells, proxy: Proxy) -> None:
    """Whoever listens is rung when Redis is back; who has left meanwhile is not."""
    ring, gone = Counter(), Counter()
    await proxy.refuse()
    await asyncio.gather(bells.subscribe("shoal:a", ring), bells.subscribe("shoal:b", gone))
    bells.unsubscribe("shoal:b", gone)
    assert ring.count == 0
    await proxy.accept()
    await ring.reach(1)
    assert gone.count == 0


async def test_bells_to_nowhere_do_not_open(tmp_path: Path) -> None:
    """Opening tells that nobody is there."""
    with pytest.raises(StoreUnavailable):
        async with Bells(f"unix://{tmp_path}/nothing.sock"):
            pass
