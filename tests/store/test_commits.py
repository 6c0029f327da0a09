"""Laws of the commit: exactly once, and all or nothing."""

import asyncio
import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from shoal.match import Asks
from shoal.server.store import (
    OUTBOX_BELL,
    Already,
    Bells,
    Commit,
    Committed,
    Conflict,
    Guard,
    MatchCondemned,
    MatchStore,
    Missing,
    Outbox,
    Pipe,
    PrivateRedis,
    StoreError,
    keys,
    match_bell,
    new_id,
)

from .proxy import proxied
from .quiet import quiet
from .steps import META, SECRET, last_step, make_match, reload, sha1hex, step, take

ON_ONE = pytest.mark.parametrize("store_url", ["single"], indirect=True)
"""For what needs a connection of its own to the one Redis."""


async def test_a_step_changes_state_log_and_rev_together(store: MatchStore) -> None:
    """The entry, its times and the running hash are what the design says."""
    match = await make_match(store)
    made = await take(store, step(match))
    after = await reload(store, match.match_id)
    (entry,) = await store.entries(match.match_id)

    times = f",{made.at_ms},{made.think_ms}"
    prefix = '["move",0,7,""'
    assert match.rev == sha1hex(META + SECRET)
    assert made.rev == sha1hex(f"{match.rev}{prefix}{times}]".encode())
    assert entry.decode() == f'{prefix}{times},"{made.rev}"]'
    assert json.loads(entry) == ["move", 0, 7, "", made.at_ms, made.think_ms, made.rev]
    assert made.decision_id == f"1.{made.rev[:12]}"
    assert after == replace(
        match,
        state=b"state 1",
        state_version=1,
        rev=made.rev,
        version=1,
        asked_ms=made.at_ms,
        decision_id=made.decision_id,
    )


async def test_the_log_is_a_chain_from_the_meta(store: MatchStore) -> None:
    """Whoever has meta and log can compute the rev of every version."""
    match = await make_match(store)
    for _ in range(5):
        await take(store, step(match))
        match = await reload(store, match.match_id)
    rev = sha1hex(META + SECRET)
    for entry in await store.entries(match.match_id):
        rev = sha1hex(rev.encode() + entry[: -len(f',"{rev}"]')] + b"]")
        assert json.loads(entry)[-1] == rev
    assert rev == match.rev


async def test_the_same_step_again_is_already_made(store: MatchStore) -> None:
    """A repeated commit changes nothing and is told the numbers of the first (T1)."""
    match = await make_match(store)
    made = await take(store, step(match))
    again = await store.submit_commit(step(match))
    assert again == Already(1, made.rev, made.at_ms, made.think_ms, made.decision_id)
    assert len(await store.entries(match.match_id)) == 1


async def test_the_same_step_much_later_is_already_made(store: MatchStore) -> None:
    """The log remembers every step of the match, not only the last (T1)."""
    match = await make_match(store)
    first = step(match)
    made = await take(store, first)
    for _ in range(3):
        await take(store, step(await reload(store, match.match_id)))
    again = await store.submit_commit(first)
    assert again == Already(1, made.rev, made.at_ms, made.think_ms, decision_id="")


async def test_an_old_middle_step_is_already_made(store: MatchStore) -> None:
    """A step in the middle of the log is known by its predecessor's rev too (T1)."""
    match = await make_match(store)
    await take(store, step(match))
    second = step(await reload(store, match.match_id))
    made = await take(store, second)
    await take(store, step(await reload(store, match.match_id)))
    again = await store.submit_commit(second)
    assert isinstance(again, Already)
    assert (again.version, again.rev) == (2, made.rev)


async def test_another_step_at_the_same_place_is_a_conflict(store: MatchStore) -> None:
    """Another option, or an option that only begins alike, is not the same step."""
    match = await make_match(store)
    made = await take(store, step(match, option=7))
    for option in (70, 8):
        outcome = await store.submit_commit(step(match, option=option))
        assert outcome == Conflict(1, made.rev)
    begins_alike = replace(step(match), prefix='["move",0,7')
    assert await store.submit_commit(begins_alike) == Conflict(1, made.rev)


async def test_the_same_words_in_another_past_are_a_conflict(store: MatchStore) -> None:
    """After a failover the same version may name another timeline; the rev tells them apart."""
    match = await make_match(store)
    lost = replace(step(match), rev="0" * 40)
    assert await store.submit_commit(lost) == Conflict(0, match.rev)
    made = await take(store, step(match))
    assert await store.submit_commit(lost) == Conflict(1, made.rev)


async def test_a_match_that_is_not_there_is_missing(store: MatchStore) -> None:
    """No commit makes a match."""
    match = await make_match(store)
    elsewhere = new_id()
    assert await store.submit_commit(replace(step(match), match_id=elsewhere)) == Missing()
    assert await store.load(elsewhere) is None


async def test_of_fifty_simultaneous_steps_exactly_one_wins(
    store: MatchStore, store_url: str
) -> None:
    """Two processes send fifty different steps from one position: one is made (T9)."""
    match = await make_match(store)
    async with Pipe(store_url) as other_pipe:
        other = MatchStore(other_pipe)
        outcomes = await asyncio.gather(
            *(
                (store if option % 2 else other).submit_commit(step(match, option))
                for option in range(50)
            )
        )
    assert [type(outcome) for outcome in outcomes].count(Committed) == 1
    assert [type(outcome) for outcome in outcomes].count(Conflict) == 49
    assert len(await store.entries(match.match_id)) == 1


async def test_of_fifty_equal_steps_one_is_made_and_all_succeed(
    store: MatchStore, store_url: str
) -> None:
    """Two processes send the same step fifty times: one entry, one answer (T1, T9)."""
    match = await make_match(store)
    async with Pipe(store_url) as other_pipe:
        other = MatchStore(other_pipe)
        outcomes = await asyncio.gather(
            *((store if i % 2 else other).submit_commit(step(match)) for i in range(50))
        )
    assert [type(outcome) for outcome in outcomes].count(Committed) == 1
    assert [type(outcome) for outcome in outcomes].count(Already) == 49
    assert len({outcome.rev for outcome in outcomes if isinstance(outcome, Already)}) == 1


@ON_ONE
async def test_a_lost_reply_does_not_make_a_step_twice(
    store: MatchStore, redis: PrivateRedis, tmp_path: Path
) -> None:
    """The reply is lost after the commit; the repetition finds it in the log (T1)."""
    match = await make_match(store)
    await take(store, step(match))  # Redis knows the script now, and replies with what it did
    match = await reload(store, match.match_id)
    async with proxied(redis.url, tmp_path) as proxy, Pipe(proxy.url) as pipe:
        proxy.lose_replies()
        outcome = await MatchStore(pipe).submit_commit(step(match))
        assert proxy.lost.is_set()
    after = await reload(store, match.match_id)
    assert isinstance(outcome, Already)
    assert (outcome.version, outcome.rev) == (2, after.rev)
    assert outcome.decision_id == after.decision_id
    assert len(await store.entries(match.match_id)) == 2


@ON_ONE
async def test_replies_lost_inside_a_pipeline_make_no_step_twice(
    store: MatchStore, redis: PrivateRedis, tmp_path: Path
) -> None:
    """Of twenty steps in one pipeline some replies arrive and some do not (T1)."""
    matches = [await make_match(store) for _ in range(20)]
    async with proxied(redis.url, tmp_path) as proxy, Pipe(proxy.url) as pipe:
        proxied_store = MatchStore(pipe)
        await take(proxied_store, step(await make_match(store)))  # Redis knows the script now
        proxy.lose_replies(after_bytes=500)
        outcomes = await asyncio.gather(
            *(proxied_store.submit_commit(step(match)) for match in matches)
        )
        assert proxy.lost.is_set()
    assert {type(outcome) for outcome in outcomes} == {Committed, Already}
    for match in matches:
        assert len(await store.entries(match.match_id)) == 1


@ON_ONE
async def test_a_failing_bell_leaves_the_step(
    pipe: Pipe, store: MatchStore, redis: PrivateRedis
) -> None:
    """A caller that may not publish still commits, whole, and is told so."""
    match = await make_match(store)
    await pipe.command(
        *("ACL", "SETUSER", "mute", "reset", "on", ">secret", "~*", "+@all", "resetchannels")
    )
    async with Pipe(redis.url.replace("unix://", "unix://mute:secret@")) as mute:
        with pytest.raises(StoreError, match="NOPERM"):
            await mute.command("PUBLISH", match_bell(match.match_id), "")
        ending = replace(
            step(match),
            asks=Asks.NONE,
            payload=b"result",
            bells=(match_bell(match.match_id),),
        )
        made = await take(MatchStore(mute), ending)
    assert (await reload(store, match.match_id)).rev == made.rev
    partition = keys.partition_of(match.match_id)
    assert [f.match_id for f in await Outbox(pipe).read(partition, "", 9)] == [match.match_id]


async def test_a_step_rings_its_bells_and_the_outbox(
    pipe: Pipe, store: MatchStore, store_url: str
) -> None:
    """The channels of the commit ring, and the outbox's own when there is a result."""
    match = await make_match(store)
    heard: list[str] = []
    all_heard = asyncio.Event()

    def ring(channel: str) -> None:
        heard.append(channel)
        if len(heard) == 4:
            all_heard.set()

    async with Bells(store_url) as bells, asyncio.timeout(5):
        await quiet(pipe, bells)
        for channel in (match_bell(match.match_id), OUTBOX_BELL):
            await bells.subscribe(channel, partial(ring, channel))
        await take(store, replace(step(match), bells=(match_bell(match.match_id),)))
        await last_step(store, await reload(store, match.match_id))
        await all_heard.wait()
    # Each channel once for its confirmation, then the step, then the result.
    assert heard == [match_bell(match.match_id), OUTBOX_BELL] * 2


async def test_a_cancelled_caller_does_not_recall_his_step(store: MatchStore) -> None:
    """Past the enqueueing the step is made, whoever goes away."""
    match = await make_match(store)
    await take(store, step(match))  # Redis knows the script now: else the step is sent twice
    match = await reload(store, match.match_id)

    async def caller(commit: Commit) -> None:
        await store.submit_commit(commit)

    task = asyncio.create_task(caller(step(match)))
    await asyncio.sleep(0)  # it has asked and waits
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await reload(store, match.match_id)).version == 2


async def test_a_step_without_a_state_leaves_the_state_of_an_earlier_version(
    store: MatchStore,
) -> None:
    """The log leads on from it: the entries from its version to the match's are just those in between."""
    match = await make_match(store)
    await take(store, step(match))
    later = await reload(store, match.match_id)
    await take(store, replace(step(later), state=b""))
    now = await reload(store, match.match_id)
    assert (now.state, now.state_version, now.version) == (b"state 1", 1, 2)
    assert len(await store.entries(match.match_id, now.state_version, now.version)) == 1


async def test_a_condemned_match_takes_nothing_but_its_void(store: MatchStore) -> None:
    """Whoever has the right rev is refused, but for the void; what was made before stays made (T6)."""
    match = await make_match(store)
    first = step(match)
    made = await take(store, first)
    match = await reload(store, match.match_id)
    assert await store.condemn(match.match_id, "lost_moves")
    assert await store.condemn(match.match_id, "fault")
    with pytest.raises(MatchCondemned) as refused:
        await store.submit_commit(step(match))
    assert refused.value.reason == "lost_moves"
    assert isinstance(await store.submit_commit(first), Already)
    assert await reload(store, match.match_id) == match
    partition = keys.partition_of(match.match_id)
    assert (await store.submit_tick(partition)).due == (match.match_id,)
    ended = await take(
        store,
        replace(
            step(match),
            prefix='["void",-1,"lost_moves",""',
            status="finished",
            asks=Asks.NONE,
            guard=Guard.DUE,
        ),
    )
    assert ended.version == made.version + 1
    assert (await store.submit_tick(partition)).due == ()


async def test_what_is_over_or_gone_is_not_condemned(store: MatchStore) -> None:
    match = await make_match(store)
    await take(store, replace(step(match), status="finished", asks=Asks.NONE))
    assert not await store.condemn(match.match_id, "lost_moves")
    assert (await store.bounds(match.match_id)).condemned is None
    assert not await store.condemn(new_id(), "lost_moves")
