"""What a real Redis keeps of competitions, and what it refuses."""

import asyncio
from dataclasses import replace

import pytest

from shoal.competition.block import Attempt, Ending
from shoal.competition.plan import Entrant
from shoal.competition.rulings import Rulings
from shoal.competition.specification import RoundRobin, Specification
from shoal.server.director import MAIN
from shoal.server.store import keys
from shoal.server.store.calls import Call
from shoal.server.store.competition_errors import Stale, UnknownCompetition
from shoal.server.store.competition_nouns import Block, Competition, Ended, Score, State, Try
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.direction import Counted, Direction, Done, Recounted
from shoal.server.store.errors import Fenced
from shoal.server.store.leases import LeaseStore
from shoal.server.store.pipe import Pipe

from .arena import NOTE
from .reads import audit_of, ended_of, results_of
from .watched import watched

CUP = Specification("cup", RoundRobin())
ANN, BOB = Entrant("a", "ann"), Entrant("b", "bob")
BLOCK = Block("0.0.0", ("a", "b"), "base", rated=True, match_id="m1")
PLAYED = Try("m1", Attempt(0, Ending.PLAYED, (1, 2)))
SECOND = replace(BLOCK, tries=(PLAYED,), match_id="m2", rotation=1)
OVER = Ended(replace(SECOND, match_id=""), "complete", ((1, 2), (1, 2)))
SCORES = {"a": Score(26, 8, 1, 1, 1), "b": Score(24, 8, 1, 0, 2)}


@pytest.fixture
def leases(pipe: Pipe) -> LeaseStore:
    return LeaseStore(pipe)


@pytest.fixture
def direction(pipe: Pipe) -> Direction:
    return Direction(pipe, 1)


@pytest.fixture
async def main(competitions: CompetitionStore) -> Competition:
    return await competitions.create("main", MAIN, State.RUNNING, NOTE)


@pytest.fixture
async def cup(competitions: CompetitionStore) -> Competition:
    return await competitions.create(keys.new_id(), CUP, State.RUNNING, NOTE)


async def test_a_competition_that_exists_is_not_made_again(
    competitions: CompetitionStore, main: Competition
) -> None:
    """If there is one of the name or id, creating it changes nothing, and is not noted again."""
    assert await competitions.create("main", CUP, State.OPEN, NOTE) == main
    assert await competitions.some(await competitions.ids(ladders=True)) == [main]
    assert await competitions.active() == [main]
    assert await audit_of(competitions, "main") == [NOTE]


async def test_what_is_not_there_is_refused(
    competitions: CompetitionStore, main: Competition
) -> None:
    """If there is no such competition, reading and changing it raise."""
    unknown = replace(main, competition_id="x")
    for call in (
        competitions.get("x"),
        competitions.put_entrant(unknown, ANN, NOTE),
        competitions.turn(unknown, tuple(State), State.PAUSED, NOTE),
    ):
        with pytest.raises(UnknownCompetition):
            await call


async def test_entering_and_leaving_may_be_repeated(
    competitions: CompetitionStore, main: Competition
) -> None:
    """If a bot enters or leaves twice on what was read before, the second time changes nothing."""
    await competitions.put_entrant(main, ANN, NOTE)
    await competitions.put_entrant(main, ANN, NOTE)
    assert await competitions.entrants("main") == (ANN,)
    assert await competitions.take_part("main", ["a", "b"]) == {"a"}
    now = await competitions.get("main")
    await competitions.take_out(now, "a", NOTE)
    await competitions.take_out(now, "a", NOTE)
    assert await competitions.entrants("main") == ()
    assert len(await audit_of(competitions, "main")) == 3


async def test_entrants_are_seeded_in_the_order_in_which_they_entered(
    competitions: CompetitionStore, cup: Competition
) -> None:
    """However their ids sort, and whatever becomes of them later."""
    for entrant in (BOB, ANN, replace(BOB, gone_from=2)):
        await competitions.put_entrant(await competitions.get(cup.competition_id), entrant, NOTE)
    assert await competitions.entrants(cup.competition_id) == (replace(BOB, gone_from=2), ANN)


async def test_who_has_looked_at_something_else_changes_nothing(
    competitions: CompetitionStore, cup: Competition
) -> None:
    """If somebody has entered meanwhile, another entry on what was read before is refused."""
    await competitions.put_entrant(cup, ANN, NOTE)
    with pytest.raises(Stale):
        await competitions.put_entrant(cup, BOB, NOTE)
    with pytest.raises(Stale):
        await competitions.turn(cup, [State.RUNNING], State.PAUSED, NOTE)
    assert await competitions.entrants(cup.competition_id) == (ANN,)


async def test_a_state_changes_from_those_that_it_may_change_from(
    competitions: CompetitionStore, cup: Competition
) -> None:
    """If it is in another, that is refused; if it is in the one that is asked for, that is a success."""
    with pytest.raises(Stale):
        await competitions.turn(cup, [State.OPEN], State.PAUSED, NOTE)
    await competitions.turn(cup, [State.RUNNING], State.FINISHED, NOTE, ended="no wish to go on")
    await competitions.turn(cup, [State.RUNNING], State.FINISHED, NOTE)
    now = await competitions.get(cup.competition_id)
    assert (now.state, now.ended) == (State.FINISHED, "no wish to go on")


async def test_of_two_holders_one_has_the_lease(leases: LeaseStore) -> None:
    """If a lease is held, another asks in vain and learns how long."""
    first = await leases.acquire("one", 60_000)
    second = await leases.acquire("two", 60_000)
    assert first.token > 0
    assert second.token == 0
    assert 0 < second.wait_ms <= 60_000


async def test_tokens_only_grow(leases: LeaseStore) -> None:
    """If a lease is taken again, by anybody, its token is a higher one."""
    first = await leases.acquire("one", 60_000)
    again = await leases.acquire("one", 0)
    other = await leases.acquire("two", 60_000)
    assert first.token < again.token < other.token


async def test_only_the_holder_keeps_the_lease(leases: LeaseStore) -> None:
    """If another took the lease, it cannot be renewed; if nobody did, it can, even late."""
    old = await leases.acquire("one", 0)
    assert await leases.renew("one", 0, old.token)
    new = await leases.acquire("two", 60_000)
    assert not await leases.renew("one", 60_000, old.token)
    assert await leases.renew("two", 60_000, new.token)


async def test_a_lease_that_is_given_up_is_free(leases: LeaseStore) -> None:
    """If the holder renews for no time, another gets the lease at once."""
    lease = await leases.acquire("one", 60_000)
    await leases.renew("one", 0, lease.token)
    assert (await leases.acquire("two", 60_000)).token > lease.token


async def test_an_old_token_writes_nothing(
    pipe: Pipe, competitions: CompetitionStore, cup: Competition
) -> None:
    """If a newer director has written, every write with an older token is refused (T76)."""
    name = cup.competition_id
    await Direction(pipe, 2).reserve(cup, [BLOCK])
    old = Direction(pipe, 1)
    for write in (
        old.shut_out(name),
        old.reserve(cup, [replace(BLOCK, key="0.1.0", match_id="m2")]),
        old.drop(name, BLOCK.key, "m1"),
        old.end(cup, OVER, BLOCK),
        old.turn(cup, State.PAUSED, NOTE),
        old.count(cup, "m1", b"{}", Counted(SCORES, ended=OVER)),
    ):
        with pytest.raises(Fenced):
            await write
    assert await competitions.blocks(name) == {"0.0.0": BLOCK}
    assert (await competitions.roster(name)).scores == {}
    assert await results_of(competitions, name) == {}
    assert await ended_of(competitions, name) == {}
    assert (await competitions.get(name)).state is State.RUNNING


async def test_to_shut_out_is_enough(pipe: Pipe, main: Competition) -> None:
    """If a director only announces itself, the one before it can write no more."""
    await Direction(pipe, 2).shut_out("main")
    with pytest.raises(Fenced):
        await Direction(pipe, 1).reserve(main, [BLOCK])


async def test_blocks_begin_only_on_what_is_so(
    competitions: CompetitionStore, direction: Direction, cup: Competition, main: Competition
) -> None:
    """If the entrants or the state of a tournament have changed, no block of the plan before begins."""
    await competitions.put_entrant(cup, ANN, NOTE)
    with pytest.raises(Stale):
        await direction.reserve(cup, [BLOCK])
    await competitions.put_entrant(main, ANN, NOTE)
    await direction.reserve(main, [BLOCK])
    now = await competitions.get("main")
    await competitions.turn(now, [State.RUNNING], State.PAUSED, NOTE)
    with pytest.raises(Stale):
        await direction.reserve(main, [replace(BLOCK, key="other", match_id="m9")])
    assert await competitions.blocks("main") == {BLOCK.key: BLOCK}


async def test_a_block_is_in_play_until_it_is_over(
    competitions: CompetitionStore, direction: Direction, cup: Competition
) -> None:
    """Each result and what it makes of its block are written as one, and found by the match."""
    name = cup.competition_id
    await direction.reserve(cup, [BLOCK])
    await direction.reserve(cup, [BLOCK])
    assert await competitions.block_of(name, "m1") == BLOCK
    done = await direction.count(cup, "m1", b"{}", Counted(SCORES, block=SECOND))
    assert done == Done(cup.rev, 1)
    assert await competitions.block_of(name, "m1") == SECOND
    assert await competitions.block_of(name, "m2") == SECOND
    done = await direction.count(cup, "m2", b"{}", Counted(SCORES, ended=OVER))
    assert done == Done(cup.rev + 1, 2)
    assert await competitions.blocks(name) == {}
    assert await competitions.block_of(name, "m2") is None
    assert await ended_of(competitions, name) == {"0.0.0": OVER}


async def test_a_block_never_comes_back(
    competitions: CompetitionStore, direction: Direction, main: Competition
) -> None:
    """If what reserved it runs again after its result, nothing is in play again (T76)."""
    await direction.reserve(main, [BLOCK])
    await direction.count(main, "m1", b"{}", Counted({}, block=SECOND))
    with pytest.raises(Stale):
        await direction.reserve(main, [BLOCK])
    assert await competitions.blocks("main") == {BLOCK.key: SECOND}
    await direction.count(main, "m2", b"{}", Counted({}, ended=OVER))
    for again in (([BLOCK], []), ([], [SECOND])):
        with pytest.raises(Stale):
            await direction.reserve(main, *again)
    assert await competitions.blocks("main") == {}


async def test_a_block_that_waits_goes_on_as_it_is(
    competitions: CompetitionStore, direction: Direction, main: Competition
) -> None:
    """If a recount has changed it since it was read, it neither goes on nor ends as it was."""
    going, other = replace(SECOND, match_id="m3"), replace(BLOCK, key="other", match_id="m4")
    await direction.reserve(main, [SECOND])
    await direction.drop("main", SECOND.key, "m2")
    waits = replace(SECOND, match_id="")
    voided = replace(waits, tries=(Try("m1", Attempt(0, Ending.VOID)),), rotation=0)
    await competitions.rule(main, Rulings(voided={"m1": "a bug"}, number=1), NOTE)
    found = await competitions.get("main")
    await direction.recount(found, Recounted({}, 0, (), [(waits, voided)]), NOTE)
    with pytest.raises(Stale):
        await direction.reserve(main, [other], [going])
    with pytest.raises(Stale):
        await direction.end(main, OVER, waits)
    assert await competitions.blocks("main") == {BLOCK.key: voided}
    goes_on = replace(voided, match_id="m3")
    for _ in range(2):
        await direction.reserve(main, [other], [goes_on])
    assert await competitions.blocks("main") == {BLOCK.key: goes_on, "other": other}


async def test_what_cannot_be_made_leaves_its_block_as_it_is(
    competitions: CompetitionStore, direction: Direction, main: Competition
) -> None:
    """If a recount has changed it while its match was tried to be made, that stays."""
    await direction.reserve(main, [SECOND])
    voided = replace(SECOND, tries=(Try("m1", Attempt(0, Ending.VOID)),))
    await competitions.rule(main, Rulings(voided={"m1": "a bug"}, number=1), NOTE)
    found = await competitions.get("main")
    await direction.recount(found, Recounted({}, 0, (), [(SECOND, voided)]), NOTE)
    await direction.drop("main", SECOND.key, "m2")
    assert await competitions.blocks("main") == {BLOCK.key: replace(voided, match_id="")}


async def test_a_ladder_that_runs_out_takes_no_new_table(
    competitions: CompetitionStore, direction: Direction, main: Competition
) -> None:
    """If it drains, tables that have begun go on, and no other begins, whoever has read it before."""
    await direction.reserve(main, [SECOND])
    await direction.drop("main", SECOND.key, "m2")
    await competitions.turn(main, [State.RUNNING], State.DRAINING, NOTE)
    with pytest.raises(Stale):
        await direction.reserve(main, [replace(BLOCK, key="new", match_id="m3")])
    going = replace(SECOND, match_id="m4")
    await direction.reserve(main, [], [going])
    assert await competitions.blocks("main") == {BLOCK.key: going}


async def test_what_does_not_count_is_not_read_by_who_only_looks(
    competitions: CompetitionStore, direction: Direction, cup: Competition, pipe: Pipe
) -> None:
    """The keys of thousands of blocks are beside what every look reads; another recount replaces them."""
    name = cup.competition_id
    assert await competitions.uncounted(cup) == frozenset()
    for number, blocks in enumerate(({f"{n}.0.0" for n in range(1000)}, {"7.0.0"}), start=1):
        rulings = replace(cup.rulings, number=number)
        ruled = replace(await competitions.get(name), rulings=rulings)
        await direction.recount(ruled, Recounted({}, 0, blocks, ()), NOTE)
        found = await competitions.get(name)
        assert found.recounted == number
        assert await competitions.uncounted(found) == blocks
        head = await pipe.command("HVALS", keys.competition(name))
        assert sum(map(len, head)) < 2000


async def test_a_match_that_cannot_be_made_takes_its_block_back(
    competitions: CompetitionStore, direction: Direction, main: Competition
) -> None:
    """If nothing of it was played it is forgotten, else it waits; a second time changes nothing."""
    await direction.reserve(main, [BLOCK])
    await direction.drop("main", BLOCK.key, "m1")
    assert await competitions.blocks("main") == {}
    await direction.reserve(main, [SECOND])
    await direction.drop("main", SECOND.key, "m2")
    third = replace(SECOND, match_id="m3")
    await direction.reserve(main, [], [third])
    await direction.drop("main", SECOND.key, "m2")
    assert await competitions.blocks("main") == {BLOCK.key: third}


async def test_a_match_that_was_played_is_not_taken_back(
    competitions: CompetitionStore, direction: Direction, main: Competition
) -> None:
    """If its block has gone on, who could not make it is told so; what was taken back may be so again."""
    await direction.reserve(main, [BLOCK])
    await direction.count(main, "m1", b"first", Counted({}, block=SECOND))
    assert not await direction.drop("main", BLOCK.key, "m1")
    assert await competitions.blocks("main") == {BLOCK.key: SECOND}
    for _ in range(2):
        assert await direction.drop("main", SECOND.key, "m2")


async def test_a_block_without_a_match_can_be_ended(
    competitions: CompetitionStore, direction: Direction, cup: Competition
) -> None:
    """Once, and what is due depends on it."""
    await direction.reserve(cup, [BLOCK])
    with pytest.raises(Stale):
        await direction.end(cup, OVER, None)
    for rev in (cup.rev + 1, 0):
        assert await direction.end(cup, OVER, BLOCK) == rev
    assert await direction.end(cup, OVER, None) == 0
    assert await ended_of(competitions, cup.competition_id) == {"0.0.0": OVER}
    unbegun = replace(OVER, block=replace(OVER.block, key="1.0.0"))
    for rev in (cup.rev + 2, 0):
        assert await direction.end(cup, unbegun, None) == rev


async def test_a_result_is_counted_once(
    competitions: CompetitionStore, direction: Direction, main: Competition
) -> None:
    """If a result is counted twice, the second time says so and changes nothing (T76)."""
    assert (await direction.count(main, "m1", b"first", Counted(SCORES))).rev
    assert await competitions.counted("main", ["m1", "m2"]) == {"m1": b"first", "m2": None}
    assert await competitions.sizes(["main", "other"]) == [1, 0]
    again = Counted({"a": Score(0, 1, 9, 9, 9)}, block=SECOND)
    assert await direction.count(main, "m1", b"second", again) == Done(0, 1)
    assert await results_of(competitions, "main") == {"m1": b"first"}
    assert (await competitions.roster("main")).scores == SCORES
    assert (await competitions.get("main")).rated == 1
    assert await competitions.blocks("main") == {}


async def test_an_unrated_result_is_kept_and_not_counted_as_rated(
    competitions: CompetitionStore, direction: Direction, main: Competition
) -> None:
    """If a match is not rated, its result is kept and the number of rated matches stays."""
    assert (await direction.count(main, "m1", b"{}", Counted({}))).rev
    assert set(await results_of(competitions, "main")) == {"m1"}
    assert (await competitions.get("main")).rated == 0
    assert await competitions.scores("main", ["a", "b"]) == [None, None]


async def test_a_result_takes_the_place_of_the_one_that_was_counted(
    competitions: CompetitionStore, direction: Direction, main: Competition
) -> None:
    """Once, and only while its block has the match in play that was read."""
    await direction.reserve(main, [BLOCK])
    await direction.count(main, "m1", b"first", Counted(SCORES, block=SECOND))
    less = {bot: replace(score, matches=0) for bot, score in SCORES.items()}
    voided = replace(SECOND, tries=(Try("m1", Attempt(0, Ending.VOID)),))
    behind = Counted(less, block=replace(voided, match_id="m0"), instead_of=b"first")
    with pytest.raises(Stale):
        await direction.count(main, "m1", b"void", behind)
    instead = Counted(less, block=voided, instead_of=b"first")
    assert await direction.count(main, "m1", b"void", instead) == Done(main.rev, 1)
    assert await direction.count(main, "m1", b"void", instead) == Done(0, 1)
    assert await results_of(competitions, "main") == {"m1": b"void"}
    assert await competitions.blocks("main") == {BLOCK.key: voided}
    assert (await competitions.roster("main")).scores == less
    assert (await competitions.get("main")).rated == 0


async def test_all_of_a_competition_is_in_one_slot(
    competitions: CompetitionStore, direction: Direction, pipe: Pipe
) -> None:
    """Every key of it has the hash tag of its id, or of its name."""
    cup_id = keys.new_id()
    for name, partition in (
        ("main", keys.partition_of_name("main")),
        (cup_id, keys.partition_of(cup_id)),
    ):
        found = await competitions.create(name, CUP, State.RUNNING, NOTE)
        await competitions.put_entrant(found, ANN, NOTE)
        found = await competitions.get(name)
        await direction.reserve(found, [BLOCK, replace(BLOCK, key="0.1.0", match_id="m3")])
        await direction.count(found, "m1", b"{}", Counted(SCORES, ended=OVER))
        tag = keys.CLOCK[partition].removesuffix("clock")
        made = {
            key.decode()
            for master in pipe.masters
            for key in await master.command("KEYS", f"*:competition:{name}*")
        }
        assert len(made) == 9
        assert all(key.startswith(tag) for key in made)


@pytest.mark.parametrize("turn", range(4))
async def test_what_is_decided_when_all_is_over_is_heeded(
    pipe: Pipe, competitions: CompetitionStore, direction: Direction, cup: Competition, turn: int
) -> None:
    """If a director stops looking at a competition at any step of a ruling, somebody looks at it again."""
    await competitions.turn(cup, [State.RUNNING], State.FINISHED, NOTE)
    found = await competitions.get(cup.competition_id)
    steps = 0

    def watch(_: Call) -> asyncio.Event:
        nonlocal steps
        reached[steps].set()
        steps += 1
        return gates[steps - 1]

    reached = [asyncio.Event() for _ in range(3)]
    gates = [asyncio.Event() for _ in range(3)]
    organizers = CompetitionStore(watched(pipe, watch))
    rulings = Rulings(voided={"m1": "a bug"}, number=1)
    ruling = asyncio.create_task(organizers.rule(found, rulings, NOTE))
    for step in range(3):
        async with asyncio.timeout(10):
            await reached[step].wait()
        if step == turn:
            await direction.retire(cup.competition_id)
        gates[step].set()
    await ruling
    if turn == 3:
        await direction.retire(cup.competition_id)
    (active,) = await competitions.active()
    assert active.is_recounting
