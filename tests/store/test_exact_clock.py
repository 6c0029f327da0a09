"""The commit script on a clock that the tests set, with no millisecond of margin (T37, T38)."""

import time
from dataclasses import replace

import pytest

from shoal.match import Asks, TimeControl, bank_after
from shoal.server.store import (
    Already,
    Committed,
    Early,
    Expired,
    Guard,
    MatchStore,
    Pipe,
    StoredMatch,
    keys,
    scripts,
)
from shoal.server.store.commits import Banks, Commit
from shoal.server.store.matches import NewMatch
from shoal.server.store.scripts import Script

from .steps import META, reload, step, take

MOVE_MS, LEEWAY_MS, GRACE_MS = 1_000, 250, 600
START = 1_000_000_000_000


@pytest.fixture
async def clock(pipe: Pipe, monkeypatch: pytest.MonkeyPatch) -> "Clock":
    """The store's clock, which stands still unless it is set."""
    asks = "redis.call('TIME')"
    now = "redis.call('GET', clock .. ':now')"
    reads = f"{{math.floor({now} / 1000), {now} % 1000 * 1000}}"
    for name in ("CREATE", "COMMIT", "TICK"):
        real: Script = getattr(scripts, name)
        assert real.source.count(asks) == 1
        monkeypatch.setattr(
            scripts, name, Script.of(name.lower(), real.source.replace(asks, reads))
        )
    running = Clock(pipe)
    await running.set(0)
    return running


class Clock:
    """Milliseconds since the start of a test, in every partition."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe

    async def set(self, ms: int) -> None:
        """Let it be so late."""
        for key in keys.CLOCK:
            await self._pipe.command("SET", f"{key}:now", START + ms)


async def new_match(store: MatchStore, *, match_ms: int = 0) -> StoredMatch:
    """Make a match whose first decision was asked at 0."""
    new = NewMatch(keys.new_id(), META, b"seed", b"", "live", 60_000, match_ms=match_ms)
    assert await store.create(new)
    await take(store, asking(await reload(store, new.match_id)))
    return await reload(store, new.match_id)


def asking(match: StoredMatch) -> Commit:
    """Return a step after which a decision of `MOVE_MS` is open; its way here takes no time, ever."""
    return replace(
        step(match),
        limit_ms=MOVE_MS,
        leeway_ms=LEEWAY_MS,
        grace_ms=GRACE_MS,
        guard=Guard.NONE,
        received=time.monotonic() + 3600,
    )


def moving(match: StoredMatch) -> Commit:
    """Return a move that must be in time."""
    return replace(asking(match), guard=Guard.MOVE)


@pytest.mark.parametrize("late", [-1, 0])
async def test_a_move_counts_up_to_the_last_millisecond(
    store: MatchStore, clock: "Clock", late: int
) -> None:
    """At limit and leeway exactly it counts; what it took is told as it is (T39, T42)."""
    match = await new_match(store)
    await clock.set(MOVE_MS + LEEWAY_MS + late)
    made = await take(store, moving(match))
    assert made.think_ms == MOVE_MS + LEEWAY_MS + late


async def test_a_millisecond_later_it_does_not(store: MatchStore, clock: "Clock") -> None:
    """One millisecond beyond limit and leeway the move is refused, with both numbers (T5, T50)."""
    match = await new_match(store)
    await clock.set(MOVE_MS + LEEWAY_MS + 1)
    refused = await store.submit_commit(moving(match))
    assert refused == Expired(think_ms=MOVE_MS + LEEWAY_MS + 1, limit_ms=MOVE_MS)


async def test_a_move_that_was_held_up_counts_though_it_was_sent_again_too_late(
    store: MatchStore, clock: "Clock"
) -> None:
    """A refusal closes nothing: the move may have come to another server in time (T5, T39)."""
    match = await new_match(store)
    await clock.set(MOVE_MS + LEEWAY_MS + 1)
    again = moving(match)
    assert isinstance(await store.submit_commit(again), Expired)
    made = await take(store, replace(again, at_hand_ms=MOVE_MS))
    assert made.think_ms == MOVE_MS
    assert isinstance(await store.submit_commit(again), Already)


async def test_leeway_is_never_saved_up(store: MatchStore, clock: "Clock") -> None:
    """However much of it one move took, the next has the same limit and the same leeway (T38)."""
    match = await new_match(store)
    for number in range(1, 6):
        await clock.set(number * (MOVE_MS + LEEWAY_MS))
        made = await take(store, moving(match))
        assert made.think_ms == MOVE_MS + LEEWAY_MS
        match = await reload(store, match.match_id)
        assert match.limit_ms == MOVE_MS
    await clock.set(6 * (MOVE_MS + LEEWAY_MS) + 1)
    assert isinstance(await store.submit_commit(moving(match)), Expired)


async def test_the_sweeper_may_act_from_the_deadline_on(store: MatchStore, clock: "Clock") -> None:
    """A default before limit and grace is early; then it is not, to the millisecond (T48)."""
    match = await new_match(store)
    partition = keys.partition_of(match.match_id)
    sweep = replace(asking(match), guard=Guard.DUE)
    await clock.set(MOVE_MS + GRACE_MS - 1)
    assert (await store.submit_tick(partition)).due == ()
    assert await store.submit_commit(sweep) == Early()
    await clock.set(MOVE_MS + GRACE_MS)
    assert (await store.submit_tick(partition)).due == (match.match_id,)
    assert isinstance(await store.submit_commit(sweep), Committed)


async def test_a_gap_of_two_seconds_is_time_and_more_is_an_outage(
    store: MatchStore, clock: "Clock"
) -> None:
    """2000 ms without a look at the clock count, 2001 do not (T6, T37)."""
    match = await new_match(store)
    partition = keys.partition_of(match.match_id)
    await clock.set(2_000)
    assert (await store.submit_tick(partition)).now_ms == START + 2_000
    await clock.set(4_001)
    assert (await store.submit_tick(partition)).now_ms == START + 2_000
    assert (await take(store, asking(match))).think_ms == 2_000


async def test_what_is_credited_was_never_thought(store: MatchStore, clock: "Clock") -> None:
    """A credit moves the asking and the deadline by as much, and nothing else of the decision."""
    match = await new_match(store)
    credit = replace(asking(match), asks=Asks.LONGER, limit_ms=300)
    await take(store, credit)
    later = await reload(store, match.match_id)
    assert later.asked_ms == match.asked_ms + 300
    assert (later.decision_id, later.limit_ms) == (match.decision_id, match.limit_ms)
    await clock.set(MOVE_MS + LEEWAY_MS + 300)
    made = await take(store, replace(moving(later), asks=Asks.SAME))
    assert made.think_ms == MOVE_MS + LEEWAY_MS
    partition = keys.partition_of(match.match_id)
    await clock.set(MOVE_MS + GRACE_MS + 299)
    assert (await store.submit_tick(partition)).due == ()
    await clock.set(MOVE_MS + GRACE_MS + 300)
    assert (await store.submit_tick(partition)).due == (match.match_id,)


@pytest.mark.parametrize("asked", [-1, 0, 1])
async def test_a_credit_gives_what_it_says_and_no_bank(
    store: MatchStore, clock: "Clock", asked: int
) -> None:
    """In a match with banks, too, asking and deadline move by the credit; each credit is as much (T36)."""
    match = await new_match(store)
    first = Banks([200, 400], seat=-1, next=0, floor=MOVE_MS, increment=0)
    await take(store, replace(asking(match), banks=first))
    match = await reload(store, match.match_id)
    credited = replace(first, next=asked)
    for given in (50, 100):
        credit = replace(asking(match), asks=Asks.LONGER, limit_ms=50, banks=credited)
        await take(store, replace(credit, rev=match.rev, version=match.version))
        later = await reload(store, match.match_id)
        assert later.asked_ms == START + given
        assert (later.limit_ms, later.banks) == (MOVE_MS + 200, (200, 400))
        match = later
    partition = keys.partition_of(match.match_id)
    await clock.set(MOVE_MS + 200 + GRACE_MS + 99)
    assert (await store.submit_tick(partition)).due == ()
    await clock.set(MOVE_MS + 200 + GRACE_MS + 100)
    assert (await store.submit_tick(partition)).due == (match.match_id,)


@pytest.mark.parametrize("think_ms", [0, 1, 999, 1_000, 1_001, 1_500, 1_749])
@pytest.mark.parametrize("increment_ms", [0, 100])
async def test_a_bank_pays_for_what_is_beyond_the_move_s_own_time(
    store: MatchStore, clock: "Clock", think_ms: int, increment_ms: int
) -> None:
    """Script and replay agree on every bank, and so on the limit of the next decision (T36)."""
    control = TimeControl(MOVE_MS, 3, 1_000, bank_ms=750, increment_ms=increment_ms)
    for asked in (0, 1):
        begin = asked * 60_000  # never back: the second match may be in the same partition
        await clock.set(begin)
        match = await new_match(store)
        await clock.set(begin + think_ms)
        banks = Banks([750, 500], seat=0, next=asked, floor=MOVE_MS, increment=increment_ms)
        made = await take(store, replace(asking(match), banks=banks))
        assert made.think_ms == think_ms
        left = bank_after(control, 750, think_ms, moved=True)
        after = await reload(store, match.match_id)
        assert after.banks == (left, 500)
        assert after.limit_ms == MOVE_MS + (left if asked == 0 else 500)


async def test_a_limit_has_the_bank_in_it(store: MatchStore, clock: "Clock") -> None:
    """With a bank of 500 ms a move counts at 1750 ms and not at 1751; so does its deadline wait."""
    match = await new_match(store)
    banks = Banks([500, 500], seat=-1, next=1, floor=MOVE_MS, increment=0)
    await take(store, replace(asking(match), banks=banks))
    match = await reload(store, match.match_id)
    assert match.banks == (500, 500)
    await clock.set(MOVE_MS + 500 + LEEWAY_MS)
    await take(store, replace(moving(match), asks=Asks.SAME))
    match = await reload(store, match.match_id)
    await clock.set(MOVE_MS + 500 + LEEWAY_MS + 1)
    assert isinstance(await store.submit_commit(moving(match)), Expired)


async def test_no_deadline_is_later_than_the_end_of_the_match(
    store: MatchStore, clock: "Clock"
) -> None:
    """A match that may last 1500 ms is due then, though its decision has time (T82)."""
    match = await new_match(store, match_ms=1_500)
    assert (await store.bounds(match.match_id)).ends_ms == START + 1_500
    await take(store, replace(asking(match), asks=Asks.LONGER, limit_ms=5_000))
    partition = keys.partition_of(match.match_id)
    await clock.set(1_499)
    assert (await store.submit_tick(partition)).due == ()
    await clock.set(1_500)
    assert (await store.submit_tick(partition)).due == (match.match_id,)
