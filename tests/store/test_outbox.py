"""Laws of the outbox: in order, at least once, and nothing before its cursor."""

from shoal.server.store import PARTITIONS, MatchStore, NewMatch, Outbox, Pipe, keys, new_id

from .steps import META, last_step, reload


async def finish(store: MatchStore, partition: int) -> str:
    """Play a match of a partition to its end and return its id."""
    match_id = new_id(partition)
    await store.create(NewMatch(match_id, META, b"", b"", "live", 60_000))
    await last_step(store, await reload(store, match_id))
    return match_id


async def test_finished_matches_come_in_order(pipe: Pipe, store: MatchStore) -> None:
    """The outbox has each finished match with its result, the first first."""
    outbox = Outbox(pipe)
    finished = [await finish(store, 3) for _ in range(5)]
    entries = await outbox.read(3, "", 10)
    assert [entry.match_id for entry in entries] == finished
    assert {entry.payload for entry in entries} == {b"result"}
    assert await outbox.read(3, entries[1].position, 2) == entries[2:4]
    assert await outbox.read(3, entries[-1].position, 10) == []


async def test_what_was_applied_is_not_read_again(pipe: Pipe, store: MatchStore) -> None:
    """A reader that restarts at the cursor meets only what follows; the rest is kept for a while (T84)."""
    outbox = Outbox(pipe)
    assert await outbox.cursor(3) == ""
    finished = [await finish(store, 3) for _ in range(5)]
    entries = await outbox.read(3, await outbox.cursor(3), 3)
    assert [
        entry.match_id for entry in await outbox.read(3, await outbox.cursor(3), 3)
    ] == finished[:3]
    await outbox.advance({3: entries[-1].position})
    await outbox.advance({3: entries[-1].position})
    rest = await outbox.read(3, await outbox.cursor(3), 10)
    assert [entry.match_id for entry in rest] == finished[3:]
    assert [entry.match_id for entry in await outbox.read(3, "", 10)] == finished


async def test_what_was_applied_long_ago_is_dropped(pipe: Pipe, store: MatchStore) -> None:
    """The outbox does not grow for ever: what ended ten minutes before the cursor's match is gone."""
    outbox = Outbox(pipe)
    for position in ("1000-0", "1001-0"):
        await pipe.command("XADD", keys.OUTBOX[3], position, "match", "m", "result", "result")
    await outbox.advance({3: "1001-0"})
    assert await pipe.command("XLEN", keys.OUTBOX[3]) == 2
    last = await finish(store, 3)
    (entry,) = await outbox.read(3, await outbox.cursor(3), 10)
    await outbox.advance({3: entry.position})
    assert [each.match_id for each in await outbox.read(3, "", 10)] == [last]


async def test_all_partitions_are_read_at_once(pipe: Pipe, store: MatchStore) -> None:
    """One call reads every partition, each behind its own cursor."""
    outbox = Outbox(pipe)
    finished = {partition: await finish(store, partition) for partition in (0, 17, 63)}
    cursors = dict(enumerate(await outbox.cursors()))
    assert len(cursors) == PARTITIONS
    entries = await outbox.read_many(cursors, 10)
    assert {entry.partition: entry.match_id for entry in entries} == finished
    await outbox.advance({entry.partition: entry.position for entry in entries})
    assert await outbox.read_many(dict(enumerate(await outbox.cursors())), 10) == []


async def test_a_repeated_last_step_is_in_the_outbox_once(pipe: Pipe, store: MatchStore) -> None:
    """A match that ended is counted once, however often its end is sent (T76)."""
    match_id = new_id(5)
    await store.create(NewMatch(match_id, META, b"", b"", "live", 60_000))
    match = await reload(store, match_id)
    await last_step(store, match)
    try:
        await last_step(store, match)
    except AssertionError:
        pass  # already made
    else:
        raise AssertionError("made twice")
    assert len(await Outbox(pipe).read(5, "", 10)) == 1
