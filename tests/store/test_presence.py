"""Laws of presence: the newest stream owns the bot, and silence ends it."""

import asyncio
from dataclasses import replace

import pytest

from shoal.server.store import (
    Bells,
    BotStore,
    Claim,
    Pipe,
    Presence,
    PresenceStore,
    bot_bell,
    keys,
    new_id,
    scripts,
)
from shoal.server.store.keys import LADDER_BELL
from shoal.server.store.link import Part
from shoal.server.store.whereabouts import SentAway, Streaming, Whereabouts

from .quiet import quiet

LONG_MS = 60_000


@pytest.fixture
def presences(pipe: Pipe) -> PresenceStore:
    """The presences of an empty Redis."""
    return PresenceStore(pipe)


def claim(bot_id: str, process: str = "one") -> Claim:
    """Return a claim of a bot by a process."""
    return Claim(bot_id, process, max_matches=4, rulesets=("base", "pepper"), seats=(2, 3))


async def test_a_claim_is_seen_by_all(pipe: Pipe, presences: PresenceStore) -> None:
    """What the bot is ready for, and how many matches it plays, is there to pair it by (T87)."""
    bot_id, absent = new_id(), new_id()
    await BotStore(pipe).add_match([bot_id], new_id())
    epoch = await presences.claim(claim(bot_id), LONG_MS)
    assert await presences.get_many([absent, bot_id]) == [
        None,
        Presence(
            bot_id=bot_id,
            process="one",
            epoch=epoch,
            max_matches=4,
            rulesets=("base", "pepper"),
            seats=(2, 3),
            live_count=1,
        ),
    ]


async def test_the_newest_claim_wins(presences: PresenceStore) -> None:
    """The owner before can neither renew nor release what is somebody else's (T8, T23)."""
    bot_id = new_id()
    first = await presences.claim(claim(bot_id, "one"), LONG_MS)
    second = await presences.claim(claim(bot_id, "two"), LONG_MS)
    assert second > first
    assert not await presences.renew(bot_id, "one", first, LONG_MS)
    assert not await presences.release(bot_id, "one", first)
    assert await presences.renew(bot_id, "two", second, LONG_MS)
    (presence,) = await presences.get_many([bot_id])
    assert presence is not None
    assert (presence.process, presence.epoch) == ("two", second)


async def test_a_claim_that_comes_late_claims_nothing(presences: PresenceStore) -> None:
    """Who has not seen the newest claim is not newer, when its own was under way for long (T23)."""
    bot_id = new_id()
    (before,) = await presences.whereabouts([bot_id])
    owner = await presences.claim(claim(bot_id, "two"), LONG_MS, known=before.epoch)
    assert await presences.claim(claim(bot_id, "one"), LONG_MS, known=before.epoch) == 0
    assert await presences.renew(bot_id, "two", owner, LONG_MS)
    (after,) = await presences.whereabouts([bot_id])
    assert after == Whereabouts(Streaming("two"), owner)
    assert await presences.claim(claim(bot_id, "one"), LONG_MS, known=after.epoch) == owner + 1


async def test_a_claim_that_comes_twice_is_one(pipe: Pipe, presences: PresenceStore) -> None:
    """A claim is sent again when its reply was lost: that it was there before is no other's (T1)."""
    bot_id = new_id()
    first = await presences.claim(claim(bot_id), LONG_MS)  # so that Redis knows the script
    again: tuple[Part, ...] = (
        *("EVALSHA", scripts.CLAIM.sha, 2, keys.stream(bot_id), keys.bot(bot_id)),
        *("one", 4, "[]", "[]", LONG_MS, first, "this one", ""),
    )
    assert [await pipe.command(*again) for _ in range(2)] == [first + 1, first + 1]


async def test_a_second_stream_to_one_process_is_another_epoch(presences: PresenceStore) -> None:
    """A process that claims twice knows its own old stream by the epoch (T23)."""
    bot_id = new_id()
    first = await presences.claim(claim(bot_id), LONG_MS)
    await presences.claim(claim(bot_id), LONG_MS)
    assert not await presences.renew(bot_id, "one", first, LONG_MS)


async def test_a_released_bot_is_absent(presences: PresenceStore) -> None:
    """Releasing ends the presence at once, and only once."""
    bot_id = new_id()
    epoch = await presences.claim(claim(bot_id), LONG_MS)
    assert await presences.release(bot_id, "one", epoch)
    assert not await presences.release(bot_id, "one", epoch)
    assert not await presences.renew(bot_id, "one", epoch, LONG_MS)
    assert await presences.get_many([bot_id]) == [None]


@pytest.mark.parametrize("passed_ms", [25_000, 3_600_000, -500_000])
async def test_no_outage_is_time_that_a_bot_was_away_for(
    pipe: Pipe, presences: PresenceStore, passed_ms: int
) -> None:
    """How long ago we sent it away goes on from where it was, through outages and jumps back (T6, T53)."""
    bot_id = new_id()
    epoch = await presences.claim(claim(bot_id), LONG_MS)
    await presences.release(bot_id, "one", epoch, left=False, ago_ms=3_000)
    # So much passes in which nothing runs: everything that was written is so much older than it was.
    await pipe.command("HINCRBY", keys.CLOCK[keys.partition_of(bot_id)], "last", -passed_ms)
    await pipe.command("HINCRBY", keys.bot(bot_id), "sent_ms", -passed_ms)
    (where,) = await presences.whereabouts([bot_id])
    assert isinstance(where.place, SentAway)
    assert 3_000 <= where.place.ago_ms < 6_000


async def test_epochs_grow_even_after_silence(presences: PresenceStore) -> None:
    """An owner that was forgotten never meets its own epoch again (T28)."""
    bot_id = new_id()
    first = await presences.claim(claim(bot_id), ttl_ms=1)
    async with asyncio.timeout(5):
        while await presences.get_many([bot_id]) != [None]:
            pass
    assert not await presences.renew(bot_id, "one", first, LONG_MS)
    assert await presences.claim(claim(bot_id), LONG_MS) > first


async def test_renewing_keeps_a_bot_present(pipe: Pipe, presences: PresenceStore) -> None:
    """The time to live begins again."""
    bot_id = new_id()
    epoch = await presences.claim(claim(bot_id), ttl_ms=5_000)
    assert await presences.renew(bot_id, "one", epoch, LONG_MS)
    stream = f"shoal:{{p{bot_id[:2]}}}:stream:{bot_id}"
    assert await pipe.command("PTTL", stream) > 5_000


async def test_a_claim_rings_the_owner_before(presences: PresenceStore, store_url: str) -> None:
    """The process that has lost the bot learns of it by the bot's bell (T23)."""
    bot_id = new_id()
    rung: asyncio.Queue[None] = asyncio.Queue()
    async with Bells(store_url) as bells, asyncio.timeout(5):
        await bells.subscribe(bot_bell(bot_id), lambda: rung.put_nowait(None))
        await rung.get()
        await presences.claim(replace(claim(bot_id), process="two"), LONG_MS)
        await rung.get()


async def test_a_claim_makes_no_bot(pipe: Pipe, presences: PresenceStore) -> None:
    """Counting epochs beside a bot's record does not make a record."""
    bot_id = new_id()
    await presences.claim(claim(bot_id), LONG_MS)
    assert await BotStore(pipe).get(bot_id) is None


async def test_an_offer_makes_a_bot_available_without_an_owner(presences: PresenceStore) -> None:
    """A bot that polls is there to be paired, and the next offer counts in place of the one before (T87)."""
    bot_id = new_id()
    assert await presences.offer(claim(bot_id, ""), LONG_MS)
    assert await presences.offer(replace(claim(bot_id, ""), max_matches=9), LONG_MS)
    (presence,) = await presences.get_many([bot_id])
    assert presence is not None
    assert (presence.process, presence.epoch, presence.max_matches) == ("", 0, 9)


async def test_an_offer_changes_nothing_of_a_claim(pipe: Pipe, presences: PresenceStore) -> None:
    """A stream that is open keeps its offer, its time and its right to renew and to release (T8, T23)."""
    bot_id = new_id()
    epoch = await presences.claim(claim(bot_id), ttl_ms=5_000)
    before = await presences.get_many([bot_id])
    assert not await presences.offer(replace(claim(bot_id, ""), max_matches=9), LONG_MS)
    assert await presences.get_many([bot_id]) == before
    assert await pipe.command("PTTL", f"shoal:{{p{bot_id[:2]}}}:stream:{bot_id}") <= 5_000
    assert await presences.renew(bot_id, "one", epoch, LONG_MS)
    assert await presences.release(bot_id, "one", epoch)


async def test_a_claim_takes_over_from_an_offer(presences: PresenceStore) -> None:
    """Whoever opens a stream has a newer epoch than any poll."""
    bot_id = new_id()
    await presences.offer(claim(bot_id, ""), LONG_MS)
    epoch = await presences.claim(replace(claim(bot_id), max_matches=7), LONG_MS)
    (presence,) = await presences.get_many([bot_id])
    assert presence is not None
    assert (presence.process, presence.epoch, presence.max_matches) == ("one", epoch, 7)
    assert epoch > 0


async def test_an_offer_runs_out(presences: PresenceStore) -> None:
    """A bot that polls no more is away (T28)."""
    bot_id = new_id()
    await presences.offer(claim(bot_id, ""), ttl_ms=1)
    async with asyncio.timeout(5):
        while await presences.get_many([bot_id]) != [None]:
            pass


async def test_only_news_of_an_offer_ring_the_ladders(
    pipe: Pipe, presences: PresenceStore, store_url: str
) -> None:
    """A bot that comes, or offers something else, is looked at, by its name; one that polls again is not."""
    bot_id = new_id()
    rung: asyncio.Queue[str | None] = asyncio.Queue()
    async with Bells(store_url) as bells, asyncio.timeout(5):
        await quiet(pipe, bells)
        await bells.listen(LADDER_BELL, rung.put_nowait)
        assert await rung.get() is None
        await presences.offer(claim(bot_id, ""), LONG_MS)
        assert await rung.get() == bot_id
        await presences.offer(claim(bot_id, ""), LONG_MS)
        await presences.offer(replace(claim(bot_id, ""), max_matches=9), LONG_MS)
        assert await rung.get() == bot_id
        await presences.offer(replace(claim(bot_id, ""), max_matches=9), LONG_MS)
        await presences.claim(claim(bot_id), LONG_MS)
        assert await rung.get() == bot_id
        assert rung.empty()
