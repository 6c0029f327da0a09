"""Laws of the pairing: everybody who can be seated is, and nobody where it should not be."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.server.director.pairing import Candidate, Table, Terms, pair
from shoal.server.director.rating import Rating

LAW = settings(max_examples=60, deadline=None)
ALL_SIZES = frozenset({2, 3, 4})
BASE = Terms(ruleset="base", sizes=(2, 3, 4))
PATIENT = replace(BASE, hasty=False)
seeds = st.integers(0, 2**32)


def bot(bot_id: str, **more: object) -> Candidate:
    """Return a candidate that fits everywhere, but for what is given."""
    plain = Candidate(bot_id, 1, frozenset({"base"}), ALL_SIZES, Rating())
    return replace(plain, **more)  # type: ignore[arg-type]


@st.composite
def pools(draw: st.DrawFn, least: int = 0, most: int = 6) -> list[Candidate]:
    """A pool of unlike bots: rooms, sizes, rulesets, owners, histories."""
    ids = draw(st.lists(st.sampled_from("abcdefgh"), unique=True, min_size=least, max_size=most))
    return [
        Candidate(
            bot_id=bot_id,
            room=draw(st.integers(0, 3)),
            rulesets=draw(st.sampled_from([frozenset({"base"}), frozenset({"base", "x"}), frozenset({"x"})])),
            seats=draw(st.frozensets(st.sampled_from([2, 3, 4]))),
            rating=Rating(draw(st.floats(0, 50)), draw(st.floats(1, 9))),
            waiting_since=draw(st.floats(0, 100)),
            owner=draw(st.sampled_from(["", "ann", "bob"])),
            idle=draw(st.booleans()),
            met=tuple(draw(st.lists(st.frozensets(st.sampled_from(ids), max_size=3), max_size=2))),
        )
        for bot_id in ids
    ]  # fmt: skip


def left_over(pool: Sequence[Candidate], tables: Sequence[Table]) -> list[Candidate]:
    """Return the pool as it is after these tables."""
    seated = Counter(bot_id for table in tables for bot_id in table.bots)
    return [
        replace(who, room=who.room - seated[who.bot_id], idle=who.idle and not seated[who.bot_id])
        for who in pool
    ]


def fits(party: Sequence[Candidate], size: int) -> bool:
    """Tell whether these may sit together, owners aside."""
    return all(who.room > 0 and "base" in who.rulesets and size in who.seats for who in party)


def may_be_rated(party: Sequence[Candidate]) -> bool:
    """Tell whether no two bots have the same owner; an empty one is nobody's."""
    owners = [who.owner for who in party if who.owner]
    return len(owners) == len(set(owners))


@LAW
@given(pools(), seeds)
def test_no_table_that_could_be_filled_is_left_empty(pool: list[Candidate], seed: int) -> None:
    """If some bots with room could sit down together, one call seats them (T73, T75)."""
    rest = left_over(pool, pair(pool, BASE, seed))
    for size in BASE.sizes:
        for party in combinations(rest, size):
            if fits(party, size):
                assert not may_be_rated(party)
                assert not all(who.idle for who in party)


@LAW
@given(pools(), seeds)
def test_nobody_sits_where_it_should_not(pool: list[Candidate], seed: int) -> None:
    """Rulesets, table sizes and rooms are honored, and no bot meets itself (T77)."""
    by_id = {who.bot_id: who for who in pool}
    tables = pair(pool, BASE, seed)
    for table in tables:
        assert len(set(table.bots)) == len(table.bots)
        assert all("base" in by_id[one].rulesets for one in table.bots)
        assert all(len(table.bots) in by_id[one].seats for one in table.bots)
    assert all(who.room >= 0 for who in left_over(pool, tables))


@LAW
@given(pools(), seeds, st.sampled_from([BASE, PATIENT]))
def test_a_rated_table_never_has_two_bots_of_one_owner(
    pool: list[Candidate], seed: int, terms: Terms
) -> None:
    """A table is rated if and only if its owners are all different (T59)."""
    by_id = {who.bot_id: who for who in pool}
    for table in pair(pool, terms, seed):
        assert table.rated == may_be_rated([by_id[one] for one in table.bots])


@LAW
@given(pools(), seeds)
def test_an_unrated_table_is_for_bots_that_have_nothing_else(
    pool: list[Candidate], seed: int
) -> None:
    """If a table is not rated, all its bots were idle, and none gets a second table."""
    by_id = {who.bot_id: who for who in pool}
    tables = pair(pool, BASE, seed)
    seated = Counter(one for table in tables for one in table.bots)
    for table in tables:
        if not table.rated:
            assert all(by_id[one].idle for one in table.bots)
            assert seated[table.bots[0]] <= by_id[table.bots[0]].room


@LAW
@given(pools(), seeds)
def test_the_same_pool_and_seed_give_the_same_tables(pool: list[Candidate], seed: int) -> None:
    """Pairing has no chance but the seed."""
    assert pair(pool, BASE, seed) == pair(pool, BASE, seed)


@LAW
@given(pools(), seeds)
def test_the_patient_never_meet_those_of_their_last_table(pool: list[Candidate], seed: int) -> None:
    """If the call may wait for somebody, no two bots sit together twice in a row (T78)."""
    pool.append(bot("busy", room=0))
    last = {who.bot_id: who.met[0] if who.met else frozenset() for who in pool}
    for table in pair(pool, PATIENT, seed):
        for one, other in combinations(table.bots, 2):
            assert other not in last[one]
            assert one not in last[other]
        for one in table.bots:
            last[one] = frozenset(table.bots) - {one}


@LAW
@given(st.integers(2, 6), seeds)
def test_of_a_small_pool_at_most_one_bot_waits(size: int, seed: int) -> None:
    """If 2 to 6 bots with room for one match are free, all are seated at once (T79)."""
    pool = [bot(bot_id) for bot_id in "abcdef"[:size]]
    assert all(who.room == 0 for who in left_over(pool, pair(pool, BASE, seed)))


@LAW
@given(pools(least=2), seeds, st.data())
def test_whoever_comes_first_is_seated_when_the_second_comes(
    pool: list[Candidate], seed: int, data: st.DataObject
) -> None:
    """In whatever order bots come, after each arrival nobody waits who could play (T72)."""
    free: list[Candidate] = []
    for who in data.draw(st.permutations(pool)):
        free.append(who)
        free = left_over(free, pair(free, BASE, seed))
        for one, other in combinations(free, 2):
            assert not (fits((one, other), 2) and may_be_rated((one, other)))


def test_a_newcomer_chooses_before_a_veteran_that_waits_longer() -> None:
    """If only one table can be made, the most uncertain bot sits at it (T69)."""
    pool = [
        bot("old", rating=Rating(25, 1), waiting_since=1),
        bot("older", rating=Rating(25, 1), waiting_since=0),
        bot("new", rating=Rating(25, 8), waiting_since=9),
    ]
    for seed in range(20):
        (table,) = pair(pool, replace(BASE, sizes=(2,)), seed)
        assert "new" in table.bots


def test_among_equals_the_longest_wait_ends_first() -> None:
    """If all are equally uncertain, whoever has waited longest is seated."""
    pool = [bot(one, waiting_since=since) for one, since in (("a", 3), ("b", 1), ("c", 2))]
    for seed in range(20):
        (table,) = pair(pool, replace(BASE, sizes=(2,)), seed)
        assert "b" in table.bots


def test_near_strength_is_preferred() -> None:
    """If a bot may choose, it sits down with somebody of its own strength."""
    pool = [
        bot("a", rating=Rating(10, 1.1)),
        bot("b", rating=Rating(11, 1)),
        bot("y", rating=Rating(39, 1)),
        bot("z", rating=Rating(40, 1)),
    ]
    for seed in range(20):
        tables = pair(pool, replace(BASE, sizes=(2,)), seed)
        assert {frozenset(table.bots) for table in tables} == {frozenset("ab"), frozenset("yz")}


def test_a_new_face_is_preferred() -> None:
    """If a bot may choose between equals, it does not meet its last opponent again (T78)."""
    pool = [
        bot("a", met=(frozenset("b"),)),
        bot("b", met=(frozenset("a"),)),
        bot("c", met=(frozenset("d"),)),
        bot("d", met=(frozenset("c"),)),
    ]
    for seed in range(20):
        tables = pair(pool, replace(BASE, sizes=(2,)), seed)
        assert not {frozenset(table.bots) for table in tables} & {frozenset("ab"), frozenset("cd")}


def test_two_bots_alone_meet_again() -> None:
    """If there is no choice, a hasty call seats the same two again, a patient one waits."""
    pool = [bot("a", met=(frozenset("b"),)), bot("b", met=(frozenset("a"),)), bot("c", room=0)]
    assert len(pair(pool, BASE, 1)) == 1
    assert pair(pool, PATIENT, 1) == ()
    assert len(pair(pool[:2], PATIENT, 1)) == 1


def test_bots_of_one_owner_play_unrated_when_they_are_alone() -> None:
    """If all bots have one owner, an idle pair plays for practice, and only one match each."""
    pool = [bot("a", owner="ann", room=5), bot("b", owner="ann", room=5)]
    (table,) = pair(pool, BASE, 1)
    assert not table.rated
    assert pair([*pool, bot("c", room=0)], PATIENT, 1) == ()


@pytest.mark.parametrize("room", [2, 3, 8])
def test_all_table_sizes_are_played(room: int) -> None:
    """If four bots have room for several matches, there are tables of 2, 3 and 4."""
    pool = [bot(one, room=room) for one in "abcd"]
    sizes = {len(t.bots) for seed in range(20) for t in pair(pool, BASE, seed)}
    assert sizes == ALL_SIZES


def test_bots_that_come_free_one_table_at_a_time_still_play_all_sizes() -> None:
    """If four bots with room for one match go on and on, no size takes over (T64, T75)."""
    met: dict[str, tuple[frozenset[str], ...]] = dict.fromkeys("abcd", ())
    busy: list[Table] = []
    sizes: Counter[int] = Counter()
    for turn in range(400):
        seated = {one for table in busy for one in table.bots}
        pool = [bot(one, room=int(one not in seated), met=met[one]) for one in met]
        for table in pair(pool, replace(BASE, hasty=turn % 4 == 0), turn):
            sizes[len(table.bots)] += 1
            busy.append(table)
            for one in table.bots:
                met[one] = (frozenset(table.bots) - {one}, *met[one])[:12]
        if turn % 2 and busy:
            busy.pop(0)
    assert min(sizes.values()) > sum(sizes.values()) / 6
    assert set(sizes) == ALL_SIZES


def test_seats_are_drawn() -> None:
    """If a bot plays often, it sits everywhere about equally often."""
    pool = [bot("a", rating=Rating(25, 9)), bot("b"), bot("c")]
    terms = replace(BASE, sizes=(3,))
    seats = Counter(pair(pool, terms, seed)[0].bots.index("a") for seed in range(600))
    assert all(140 < seats[seat] < 260 for seat in range(3))


def test_in_a_large_pool_nobody_is_forgotten() -> None:
    """If tables are limited per call, repeated calls still seat everybody (T73)."""
    pool = [bot(f"b{n}", room=2) for n in range(300)]
    calls = 0
    while tables := pair(pool, BASE, calls):
        assert len(tables) <= BASE.at_most
        pool = left_over(pool, tables)
        calls += 1
    assert sum(who.room for who in pool) <= 1


@LAW
@given(seeds)
def test_with_many_rooms_the_seats_are_spread(seed: int) -> None:
    """If everybody has room, nobody gets a second table before all had one."""
    pool = [bot(one, room=4) for one in "abcdef"]
    tables = pair(pool, replace(BASE, at_most=3, sizes=(2,)), seed)
    assert len({one for table in tables for one in table.bots}) >= 5
