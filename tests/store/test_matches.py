"""Laws of matches: made once, found, listed and timed."""

import asyncio
from dataclasses import replace

import pytest

from shoal.server.store import (
    BadPageToken,
    Bells,
    BotStore,
    MatchStore,
    NewMatch,
    Pipe,
    bot_bell,
    keys,
    new_id,
)
from shoal.server.store.liveness import LivenessStore

from .steps import META, last_step, make_match, reload, sha1hex, step, take


async def test_a_match_is_made_once(store: MatchStore) -> None:
    """A second creation under the id changes nothing, whatever it says (T76)."""
    new = NewMatch(new_id(), META, b"seed", b"state 0", "ready", 10_000)
    assert await store.create(new)
    match = await reload(store, new.match_id)
    assert not await store.create(replace(new, meta=b"{}", state=b"other"))
    assert await reload(store, new.match_id) == match
    assert (match.meta, match.secret, match.state) == (META, b"seed", b"state 0")
    assert (match.status, match.version, match.limit_ms) == ("ready", 0, 10_000)
    assert (match.rev, match.decision_id) == (sha1hex(META + b"seed"), "")


async def test_of_many_simultaneous_creations_one_makes_it(store: MatchStore) -> None:
    """Whoever restarts a creation is told that it was done."""
    new = NewMatch(new_id(), META, b"", b"", "live", 1_000)
    assert sorted(await asyncio.gather(*(store.create(new) for _ in range(20)))).count(True) == 1


async def test_a_new_match_rings_the_bots(store: MatchStore, store_url: str) -> None:
    """The bells of a creation are heard."""
    rung: asyncio.Queue[None] = asyncio.Queue()
    bot_id = new_id()
    async with Bells(store_url) as bells, asyncio.timeout(5):
        await bells.subscribe(bot_bell(bot_id), lambda: rung.put_nowait(None))
        await rung.get()
        new = NewMatch(new_id(), META, b"", b"", "live", 1_000, bells=(bot_bell(bot_id),))
        await store.create(new)
        await rung.get()


async def test_bytes_come_back_as_they_were(store: MatchStore) -> None:
    """State and secret may hold any byte."""
    every = bytes(range(256)) + b"\r\n"
    new = NewMatch(new_id(), META, every, every, "live", 1_000)
    await store.create(new)
    match = await reload(store, new.match_id)
    assert match.state == match.secret == every
    await take(store, replace(step(match), state=every * 9))
    assert (await reload(store, new.match_id)).state == every * 9


async def test_what_is_not_there_is_none(store: MatchStore) -> None:
    """An unknown id loads as None, has no entries and no rev."""
    match = await make_match(store)
    unknown = new_id()
    assert await store.load(unknown) is None
    assert await store.entries(unknown) == []
    assert await store.revs([unknown, match.match_id, unknown]) == [None, match.rev, None]
    assert await store.revs([]) == []


@pytest.mark.parametrize("text", ["", "00", "nonsense", "00\r\nSHUTDOWN", "0" * 29 + "é"])
async def test_what_is_no_id_finds_nothing(pipe: Pipe, store: MatchStore, text: str) -> None:
    """Whatever a client takes for an id, the answer is that nothing is there."""
    assert await store.load(text) is None
    assert await store.entries(text) == []
    assert await BotStore(pipe).get(text) is None


async def test_entries_are_read_by_range(store: MatchStore) -> None:
    """The stop is excluded, and an empty range is empty."""
    match_id = (await make_match(store)).match_id
    for _ in range(4):
        await take(store, step(await reload(store, match_id)))
    every = await store.entries(match_id)
    assert len(every) == 4
    assert await store.entries(match_id, 1, 3) == every[1:3]
    assert await store.entries(match_id, 2) == every[2:]
    assert await store.entries(match_id, 2, 2) == await store.entries(match_id, 0, 0) == []
    assert await store.entries(match_id, 9) == []


async def test_a_tick_names_the_overdue_first(pipe: Pipe, store: MatchStore) -> None:
    """Due matches come longest overdue first, at most so many, and undue ones never (T48)."""
    partition = 9
    due = [new_id(partition) for _ in range(3)]
    for at, match_id in enumerate(due):
        await store.create(NewMatch(match_id, META, b"", b"", "live", 60_000))
        await pipe.command("ZADD", keys.DEADLINES[partition], 100 - at, match_id)
    await store.create(NewMatch(new_id(partition), META, b"", b"", "live", 60_000))
    tick = await store.submit_tick(partition)
    assert tick.partition == partition
    assert list(tick.due) == due[::-1]
    assert (await store.submit_tick(partition, limit=1)).due == (due[2],)
    assert (await store.submit_tick(8)).due == ()


async def test_a_tick_is_a_sign_of_life_in_its_partition_alone(
    pipe: Pipe, store: MatchStore
) -> None:
    """Who ticks one partition is silent in every other (T6)."""
    liveness = LivenessStore(pipe)
    await store.submit_tick(9, process="one")
    assert set((await liveness.signs(9)).silences) == {"one"}
    assert (await liveness.signs(8)).silences == {}
    await store.submit_tick(9)
    assert set((await liveness.signs(9)).silences) == {"one"}


async def test_what_is_due_comes_with_who_was_silent_before(pipe: Pipe, store: MatchStore) -> None:
    """A process hears its own silence too, up to this tick; of who was silent for an hour nobody hears."""
    await pipe.command("ZADD", keys.DEADLINES[9], 1, new_id(9))
    for process in ("one", "two", "dead"):
        await store.submit_tick(9, process=process)
    await pipe.command("HINCRBY", keys.PROCESSES[9], "one", -1_500)
    await pipe.command("HINCRBY", keys.PROCESSES[9], "dead", -3_600_001)
    tick = await store.submit_tick(9, process="one")
    assert set(tick.silences) == {"one", "two"}
    assert tick.silences["one"] >= 1_500
    assert tick.silences["two"] < tick.silences["one"]
    assert (await store.submit_tick(9, process="one")).silences["one"] < tick.silences["one"]
    assert set(await pipe.command("HKEYS", keys.PROCESSES[9])) == {b"one", b"two"}
    assert (await store.submit_tick(8, process="one")).silences == {}


async def test_all_partitions_tick_in_one_turn(store: MatchStore) -> None:
    """Sixty-four ticks are one pipeline, and each knows whose it is."""
    ticks = await asyncio.gather(*map(store.submit_tick, range(64)))
    assert [tick.partition for tick in ticks] == list(range(64))


async def test_paging_reaches_every_match_once(store: MatchStore) -> None:
    """Pages of any size end, and together are the whole list, the newest first."""
    made = [(await make_match(store)).match_id for _ in range(30)]
    # Of one moment, of one partition, and both: no order is too close, and no partition too full.
    made += [f"{partition:02x}{made[7][2:]}" for partition in (0, 17, 63)]
    made += [new_id(5) for _ in range(40)]
    for match_id in made[30:]:
        await store.create(NewMatch(match_id, META, b"", b"", "live", 60_000))
    made = sorted(set(made), key=keys.by_time, reverse=True)
    for page_size in (1, 7, len(made) - 1, len(made), len(made) + 1, 1_000):
        seen: list[str] = []
        token = ""
        while True:
            page = await store.list_matches(page_size, token)
            assert len(page.ids) <= page_size
            seen += page.ids
            token = page.next_token
            if not token:
                break
        assert seen == made


async def test_an_empty_list_is_one_empty_page(store: MatchStore) -> None:
    """No match, no token."""
    page = await store.list_matches(10)
    assert (page.ids, page.next_token) == ((), "")


@pytest.mark.parametrize("token", ["x", "=", "é", "AAAA", "bWF0Y2g6", "Ym90OjAw" + "MDA" * 9])
async def test_a_token_that_no_page_gave_is_refused(store: MatchStore, token: str) -> None:
    """Whatever a client makes up is its own fault and nothing worse."""
    with pytest.raises(BadPageToken):
        await store.list_matches(10, token)


async def test_the_state_of_the_end_stays(store: MatchStore) -> None:
    """A finished match is loaded like any other, with no decision open (T4)."""
    match = await make_match(store)
    made = await last_step(store, match)
    after = await reload(store, match.match_id)
    assert (after.status, after.decision_id, after.rev) == ("over", "", made.rev)
