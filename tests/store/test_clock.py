"""Laws of the clock: what is thought is charged, and nothing else is."""

import time
from dataclasses import replace

import pytest

from shoal.match import Asks
from shoal.server.store import (
    Committed,
    Early,
    Expired,
    Guard,
    MatchStore,
    Pipe,
    StoredMatch,
    keys,
)

from .steps import last_step, make_match, reload, step, take


async def _turn_back(pipe: Pipe, match: StoredMatch, ms: int) -> None:
    """Make the open decision of a match so many ms older than it is."""
    await pipe.command("HINCRBY", keys.match(match.match_id), "asked_ms", -ms)


async def _shift_last(pipe: Pipe, match: StoredMatch, ms: int) -> None:
    """Pretend that the clock of a match's partition was last read so many ms later."""
    clock = keys.CLOCK[keys.partition_of(match.match_id)]
    await pipe.command("HINCRBY", clock, "last", ms)


async def test_the_clock_counts_from_asking_to_commit(pipe: Pipe, store: MatchStore) -> None:
    """Think time is what passed since the decision was asked, less what it waited in this process (T41)."""
    match = await make_match(store)
    await _turn_back(pipe, match, 3_000)
    made = await take(store, step(match))
    assert 3_000 <= made.think_ms <= made.at_ms - match.asked_ms + 3_000
    assert made.think_ms < 4_500


async def test_the_server_s_own_time_is_not_thought(pipe: Pipe, store: MatchStore) -> None:
    """What passes between receiving a move and sending it is taken off, never below 0 (T39)."""
    match = await make_match(store)
    await _turn_back(pipe, match, 3_000)
    made = await take(store, replace(step(match), received=time.monotonic() - 2))
    assert 1_000 <= made.think_ms < 2_500
    match = await reload(store, match.match_id)
    made = await take(store, replace(step(match), received=time.monotonic() - 60))
    assert made.think_ms == 0


async def test_a_move_that_comes_too_late_is_refused(pipe: Pipe, store: MatchStore) -> None:
    """Beyond limit and leeway nothing changes, and the answer has both numbers (T5, T50)."""
    match = await make_match(store, limit_ms=1_000)
    move = replace(step(match), guard=Guard.MOVE, leeway_ms=200)
    await _turn_back(pipe, match, 5_000)
    outcome = await store.submit_commit(move)
    assert isinstance(outcome, Expired)
    assert outcome.limit_ms == 1_000
    assert outcome.think_ms >= 5_000
    assert (await reload(store, match.match_id)).version == 0
    assert isinstance(await store.submit_commit(replace(move, leeway_ms=9_000)), Committed)


async def test_a_default_before_its_time_is_refused(pipe: Pipe, store: MatchStore) -> None:
    """The sweeper cannot act before the deadline, nor where there is none (T48)."""
    match = await make_match(store)
    sweep = replace(step(match), guard=Guard.DUE, asks=Asks.NONE)
    assert await store.submit_commit(sweep) == Early()
    partition = keys.partition_of(match.match_id)
    await pipe.command("ZADD", keys.DEADLINES[partition], 1, match.match_id)
    made = await take(store, sweep)
    assert made.decision_id == ""
    next_sweep = replace(step(await reload(store, match.match_id)), guard=Guard.DUE)
    assert await store.submit_commit(next_sweep) == Early()


async def test_an_entry_beside_an_open_decision_leaves_it_open(
    pipe: Pipe, store: MatchStore
) -> None:
    """The question, its start, its limit and its deadline stay as they were (T10)."""
    match = await make_match(store)
    await take(store, step(match))
    match = await reload(store, match.match_id)
    deadlines = keys.DEADLINES[keys.partition_of(match.match_id)]
    due = await pipe.command("ZSCORE", deadlines, match.match_id)
    beside = replace(step(match), asks=Asks.SAME, limit_ms=1, grace_ms=1)
    made = await take(store, beside)
    after = await reload(store, match.match_id)
    assert made.decision_id == match.decision_id
    assert after == replace(match, state=b"state 2", state_version=2, rev=made.rev, version=2)
    assert await pipe.command("ZSCORE", deadlines, match.match_id) == due


async def test_a_new_decision_has_a_deadline_behind_its_limit(
    pipe: Pipe, store: MatchStore
) -> None:
    """The deadline is asking plus limit plus grace; the end of the match has none."""
    match = await make_match(store)
    made = await take(store, step(match))
    deadlines = keys.DEADLINES[keys.partition_of(match.match_id)]
    assert int(await pipe.command("ZSCORE", deadlines, match.match_id)) == made.at_ms + 60_500
    await last_step(store, await reload(store, match.match_id))
    assert await pipe.command("ZSCORE", deadlines, match.match_id) is None


@pytest.mark.parametrize("first", ["commit", "tick"])
async def test_an_outage_charges_nobody(pipe: Pipe, store: MatchStore, first: str) -> None:
    """Whatever runs first after an hour of silence, the hour does not count (T6, T44)."""
    match = await make_match(store)
    partition = keys.partition_of(match.match_id)
    # An hour passes: everything that was written is an hour older than it was.
    hour = 3_600_000
    await _shift_last(pipe, match, -hour)
    await _turn_back(pipe, match, hour)
    await pipe.command("ZINCRBY", keys.DEADLINES[partition], -hour, match.match_id)
    if first == "tick":
        assert (await store.submit_tick(partition)).due == ()
    made = await take(store, replace(step(match), guard=Guard.MOVE))
    assert made.think_ms < 1_500


async def test_a_short_silence_is_charged(pipe: Pipe, store: MatchStore) -> None:
    """A gap of up to two seconds is ordinary time."""
    match = await make_match(store)
    await _shift_last(pipe, match, -1_000)
    await _turn_back(pipe, match, 1_000)
    assert 1_000 <= (await take(store, step(match))).think_ms < 2_000


async def test_a_clock_that_jumps_back_gives_and_takes_nothing(
    pipe: Pipe, store: MatchStore
) -> None:
    """Partition time goes on from where it was (T53)."""
    match = await make_match(store)
    partition = keys.partition_of(match.match_id)
    before = (await store.submit_tick(partition)).now_ms
    await _shift_last(pipe, match, 500_000)  # the last reading was 500 s ahead of what comes
    after = (await store.submit_tick(partition)).now_ms
    assert 500_000 <= after - before < 501_500
    later = (await store.submit_tick(partition)).now_ms
    assert after <= later < after + 1_500


async def test_partition_time_goes_on_from_its_last_reading(pipe: Pipe, store: MatchStore) -> None:
    """Through gaps and jumps in any order nothing over two seconds is added or taken (T53)."""
    match = await make_match(store)
    partition = keys.partition_of(match.match_id)
    await store.submit_tick(partition)
    for ms in (0, -10_000, 30_000, -2_000, 1, -100_000, 7_000):
        await _shift_last(pipe, match, ms)
        last, paused = await pipe.command("HMGET", keys.CLOCK[partition], "last", "paused")
        before = int(last) - int(paused or 0)
        assert before <= (await store.submit_tick(partition)).now_ms <= before + 2_000


async def test_a_store_that_stood_still_charges_nobody(pipe: Pipe, store: MatchStore) -> None:
    """What the server measured up to receiving the move is the most that is charged (T6)."""
    match = await make_match(store)
    await take(store, step(match))
    match = await reload(store, match.match_id)
    asked = match.asked_ms - match.limit_ms - 10_000
    await pipe.command("HSET", keys.match(match.match_id), "asked_ms", asked)
    late = replace(step(match), guard=Guard.MOVE)
    assert isinstance(await store.submit_commit(late), Expired)
    made = await take(store, replace(late, at_hand_ms=7))
    assert made.think_ms == 7
