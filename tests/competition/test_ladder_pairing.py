"""Laws of a ladder's pairing: everybody who can be seated is, and nobody where it should not be."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.competition.fair_share import more_share
from shoal.competition.guests import FADE, Party, hall_of, seat
from shoal.competition.ladder_pairing import pair
from shoal.competition.pool import Candidate, Past, Table, Terms, Turn

LAW = settings(max_examples=80, deadline=None)
MIX = Terms(("base", "salt"), (2, 3, 4))
DUELS = Terms()
seeds = st.integers(0, 2**32)


def bot(bot_id: str, **more: object) -> Candidate:
    """Return a candidate that fits everywhere, but for what is given."""
    plain = Candidate(bot_id, 1, frozenset({"base", "salt"}), frozenset({2, 3, 4}), blocks=9)
    return replace(plain, **more)  # type: ignore[arg-type]


def busy(bot_id: str, **more: object) -> Candidate:
    return bot(bot_id, room=0, idle=False, **more)


@st.composite
def pools(draw: st.DrawFn, most: int = 7) -> list[Candidate]:
    """A pool of unlike bots: rooms, sizes, rulesets, owners, histories, waits."""
    ids = draw(st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=most))
    past = st.builds(
        Past, st.frozensets(st.sampled_from("abcdefgh"), min_size=1, max_size=3), st.just("base")
    )
    return [
        Candidate(
            bot_id=bot_id,
            room=draw(st.integers(0, 3)),
            rulesets=draw(st.frozensets(st.sampled_from(["base", "salt", "pepper"]))),
            seats=draw(st.frozensets(st.sampled_from([2, 3, 4]))),
            mu=draw(st.floats(0, 50)),
            sigma=draw(st.floats(0.1, 9)),
            owner=draw(st.sampled_from(["", "ann", "bob"])),
            at_once=draw(st.integers(1, 3)),
            idle=draw(st.booleans()),
            blocks=draw(st.integers(0, 5)),
            waited_ms=draw(st.floats(0, 1e6)),
            ticks=draw(st.integers(0, 2)),
            share=draw(st.floats(0, 3)),
            recent=tuple(draw(st.lists(past, max_size=3))),
        )
        for bot_id in ids
    ]


def left_over(pool: Sequence[Candidate], tables: Sequence[Table]) -> list[Candidate]:
    """The pool after these tables; who got one has not waited for the next."""
    seated = Counter(bot_id for table in tables for bot_id in table.bots)
    return [
        replace(
            who,
            room=who.room - seated[who.bot_id],
            idle=who.idle and not seated[who.bot_id],
            ticks=0 if seated[who.bot_id] else who.ticks,
            waited_ms=0 if seated[who.bot_id] else who.waited_ms,
        )
        for who in pool
    ]


def fits(party: Sequence[Candidate], terms: Terms) -> bool:
    """Tell whether these may sit together, owners aside."""
    return any(
        all(who.room > 0 and ruleset in who.rulesets and len(party) in who.seats for who in party)
        for ruleset in terms.rulesets
    )


def may_be_rated(party: Sequence[Candidate]) -> bool:
    owners = [who.owner for who in party if who.owner]
    return len(owners) == len(set(owners))


def parties(pool: Sequence[Candidate], terms: Terms) -> list[tuple[Candidate, ...]]:
    """All that could sit together at a rated table."""
    return [
        party
        for size in terms.sizes
        for party in combinations(pool, size)
        if fits(party, terms) and may_be_rated(party)
    ]


def have_just_met(party: Sequence[Candidate]) -> bool:
    """Tell whether one of the last tables of one of them was with another of them."""
    ids = {who.bot_id for who in party}
    return any(past.opponents & ids for who in party for past in who.recent[: who.at_once])


def with_a_tick(pool: Sequence[Candidate]) -> list[Candidate]:
    """The pool at the next tick."""
    return [replace(who, ticks=who.ticks + 1) if who.room > 0 else who for who in pool]


@LAW
@given(pools(), seeds)
def test_a_pool_that_can_be_paired_is_paired_within_two_ticks(
    pool: list[Candidate], seed: int
) -> None:
    """Whatever it looks like: nobody is left after them who could play another than it just met (T73)."""
    first = with_a_tick([replace(who, ticks=0) for who in pool])
    rest = left_over(first, pair(first, MIX, seed))
    second = with_a_tick(rest)
    later = left_over(second, pair(second, MIX, seed + 1))
    twice = {who.bot_id for who in later if who.ticks >= 2}
    assert not [
        party
        for party in parties(later, MIX)
        if twice & {who.bot_id for who in party} and not have_just_met(party)
    ]


@LAW
@given(pools(), seeds)
def test_after_one_match_length_any_company_will_do(pool: list[Candidate], seed: int) -> None:
    """Nobody waits for others than it has just met for longer than that (T72, T73, T79)."""
    late = [
        replace(who, ticks=max(2, who.ticks), waited_ms=max(who.match_ms, who.waited_ms))
        for who in pool
    ]
    rest = left_over(late, pair(late, MIX, seed))
    assert not [party for party in parties(rest, MIX) if any(who.ticks for who in party)]


@LAW
@given(pools(), seeds)
def test_nothing_is_left_if_nobody_is_busy(pool: list[Candidate], seed: int) -> None:
    """There is nobody to be patient for, so small pools are seated at once (T79)."""
    free = [replace(who, room=max(1, who.room)) for who in pool]
    rest = left_over(free, pair(free, MIX, seed))
    assert not parties(rest, MIX)
    idle = [who for who in rest if who.idle]
    for size in MIX.sizes:
        assert not any(fits(party, MIX) for party in combinations(idle, size))


@LAW
@given(pools(), seeds)
def test_tables_hold_what_is_allowed(pool: list[Candidate], seed: int) -> None:
    """Rooms, sizes and rulesets are honoured (T77), and a rated table has no two of one owner (T59)."""
    tables = pair(pool, MIX, seed)
    by_id = {who.bot_id: who for who in pool}
    seated = Counter(bot_id for table in tables for bot_id in table.bots)
    assert all(seated[bot_id] <= by_id[bot_id].room for bot_id in seated)
    for table in tables:
        party = [by_id[bot_id] for bot_id in table.bots]
        assert len(set(table.bots)) == len(table.bots)
        assert len(party) in MIX.sizes
        assert table.ruleset in MIX.rulesets
        assert all(len(party) in who.seats and table.ruleset in who.rulesets for who in party)
        assert table.rated == may_be_rated(party)
        assert table.rated or all(who.idle for who in party)
        assert {table.first, *(company.bot_id for company in table.company)} == set(table.bots)


@LAW
@given(pools(), seeds, st.randoms())
def test_the_order_in_which_bots_came_changes_nothing(
    pool: list[Candidate], seed: int, chance: Random
) -> None:
    """Neither does it starve who came first, nor who came last (T72)."""
    shuffled = chance.sample(pool, len(pool))
    assert pair(pool, MIX, seed) == pair(shuffled, MIX, seed)


@pytest.mark.parametrize("first", ["a", "z"])
def test_who_came_before_anybody_else_is_seated_when_the_second_comes(first: str) -> None:
    """An early bot is not forgotten (T72)."""
    early = bot(first, waited_ms=1e6, ticks=99)
    assert pair([early], DUELS, 0) == ()
    (table,) = pair([early, bot("m")], DUELS, 0)
    assert set(table.bots) == {first, "m"}


@pytest.mark.parametrize("number", range(2, 7))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_small_pools_are_never_idle(number: int, seats: int) -> None:
    """As many sit down as can, and short-handed rather than not at all (T79, T75)."""
    terms = Terms(sizes=tuple(range(2, seats + 1)))
    for seed in range(20):
        tables = pair([bot(name) for name in "abcdef"[:number]], terms, seed)
        assert sum(len(table.bots) for table in tables) >= number - (1 if seats == 2 else 0) * (
            number % 2
        )


def test_a_table_is_short_handed_rather_than_empty() -> None:
    """Three sit down as three where a fourth is missing (T75)."""
    terms = Terms(sizes=(4, 3, 2))
    (table,) = pair([bot(name) for name in "abc"], terms, 1)
    assert len(table.bots) == 3
    rest = [bot("a", ticks=2), bot("b", ticks=2), busy("c"), busy("d")]
    (table,) = pair(rest, terms, 1)
    assert set(table.bots) == {"a", "b"}


def test_newcomers_come_first() -> None:
    """Little is known of them, and they should not wait behind a queue (T69)."""
    old = [bot(name, share=0.1) for name in "bcdef"]
    new = bot("z", blocks=0, sigma=8.0, share=0.9)
    tables = pair([*old, new], replace(DUELS, at_most=1), 3)
    assert [(table.first, table.turn) for table in tables] == [("z", Turn.NEWCOMER)]


def test_who_waits_too_long_comes_before_newcomers() -> None:
    """A stream of newcomers starves nobody (T69, T72)."""
    late = bot("b", waited_ms=130_000, match_ms=60_000)
    tables = pair([bot("a", blocks=0), late, bot("c", blocks=0)], replace(DUELS, at_most=1), 3)
    assert [(table.first, table.turn) for table in tables] == [("b", Turn.OVERDUE)]


def test_who_has_had_the_least_time_comes_first() -> None:
    """Time at tables is shared out, not matches (T80)."""
    pool = [bot("a", share=0.9, blocks=5), bot("b", share=0.2, blocks=500), bot("c", share=0.8)]
    (table,) = pair(pool, replace(DUELS, at_most=1), 3)
    assert (table.first, table.turn) == ("b", Turn.SHARE)


def met(*opponents: str) -> tuple[Past, ...]:
    return tuple(Past(frozenset(opponent), "base") for opponent in opponents)


@pytest.mark.parametrize("seed", range(20))
def test_the_last_opponent_is_met_again_only_if_there_is_no_other(seed: int) -> None:
    """Immediate rematches are what people complain of first (T78)."""
    pool = [
        bot("a", recent=met("b"), share=0.0),
        bot("b", recent=met("a"), share=0.5),
        bot("c", share=0.5),
        bot("d", share=0.5),
    ]
    assert {"a", "b"} not in [set(table.bots) for table in pair(pool, DUELS, seed)]
    (table,) = pair(pool[:2], DUELS, seed)
    assert set(table.bots) == {"a", "b"}


def test_two_that_come_free_together_wait_for_others_but_not_for_long() -> None:
    """Else they would meet each other for ever (T64, T78); after a while they play all the same (T73)."""
    others = [busy(name) for name in "cdefgh"]
    for times, enough in ((1, 15_000), (2, 30_000), (4, 60_000), (9, 60_000)):
        again = [bot(name, recent=met(*[rival] * times)) for name, rival in ("ab", "ba")]
        early = [replace(who, ticks=9, waited_ms=enough - 1) for who in again]
        assert pair([*early, *others], DUELS, 1) == ()
        late = [replace(who, ticks=9, waited_ms=enough) for who in again]
        (table,) = pair([*late, *others], DUELS, 1)
        assert set(table.bots) == {"a", "b"}
        (table,) = pair([*early, bot("c"), *others[1:]], DUELS, 1)
        assert set(table.bots) != {"a", "b"}


def of_four(*bots: Candidate) -> tuple[Candidate, ...]:
    """These have played tables of two only, and it is the turn of a larger one."""
    return tuple(replace(who, seats=frozenset({2, 4}), ticks=1) for who in bots)


def test_at_a_large_table_one_may_meet_one_again_whom_it_has_met_once() -> None:
    """Bots come free in couples: without it large tables would hardly ever be made (T64, T75)."""
    others = [busy(name) for name in "efghij"]
    terms = Terms(sizes=(2, 4))
    couples = of_four(*(bot(name, recent=met(rival)) for name, rival in ("ab", "ba", "cd", "dc")))
    for seed in range(10):
        (table,) = pair([*couples, *others], terms, seed)
        assert set(table.bots) == set("abcd")


def test_but_nobody_meets_two_of_them_and_none_whom_it_has_met_twice_in_a_row() -> None:
    """Else those of a table would stay together (T78)."""
    others = [busy(name) for name in "efghij"]
    terms = Terms(sizes=(2, 4))
    three = [bot(name, recent=met("abc".replace(name, ""))) for name in "abc"]
    twice = [bot(name, recent=met(rival, rival)) for name, rival in ("ab", "ba")]
    strangers = [bot("c"), bot("d")]
    for seed in range(10):
        for pool in ([*three, bot("d")], [*twice, *strangers]):
            tables = pair([*of_four(*pool), *others], terms, seed)
            assert all(len(table.bots) == 2 for table in tables)
            assert {"a", "b"} not in [set(table.bots) for table in tables]


def test_strangers_come_to_a_large_table_before_those_who_have_met() -> None:
    """However little a match with them tells."""
    others = [busy(name) for name in "ghij"]
    pool = [
        bot("a", share=-1.0, recent=met("b")),
        bot("b", recent=met("a"), mu=25.0),
        *(bot(name, mu=60.0, sigma=1.0) for name in "cde"),
    ]
    for seed in range(10):
        table, *_ = pair([*of_four(*pool), *others], Terms(sizes=(2, 4)), seed)
        assert set(table.bots) == set("acde")


def test_in_a_small_pool_two_meet_again_at_once_but_not_for_ever() -> None:
    """It is not to idle (T79), and still its graph is not to fall apart (T64)."""
    others = [busy(name) for name in "cd"]
    for times, waited, tables in ((1, 0, 1), (2, 0, 1), (3, 14_999, 0), (3, 15_000, 1)):
        again = [
            bot(name, ticks=2, waited_ms=waited, recent=met(*[rival] * times))
            for name, rival in ("ab", "ba")
        ]
        assert len(pair([*again, *others], DUELS, 1)) == tables
        assert pair([*(replace(who, ticks=1) for who in again), *others], DUELS, 1) == ()


def test_of_a_bot_at_several_tables_the_last_ones_count_as_one() -> None:
    """Which of them began last says nothing of who has just been left (T64)."""
    others = [busy(name) for name in "cdefgh"]
    recent = {"a": met("c", "b", "d"), "b": met("e", "f", "a")}
    for at_once, tables in ((3, 0), (1, 1)):
        pool = [bot(name, ticks=2, at_once=at_once, recent=recent[name]) for name in "ab"]
        assert len(pair([*pool, *others], DUELS, 1)) == tables


def test_near_strength_is_preferred_and_uncertainty_more() -> None:
    """A match is made where it is expected to tell most."""
    near, far = bot("b", mu=26.0, sigma=1.0), bot("c", mu=45.0, sigma=1.0)
    a = bot("a", share=-1.0, sigma=1.0)
    (table, *_) = pair([a, near, far], DUELS, 1)
    assert set(table.bots) == {"a", "b"}
    uncertain = bot("d", mu=28.0, sigma=8.0)
    (table, *_) = pair([a, near, uncertain], DUELS, 1)
    assert set(table.bots) == {"a", "d"}


def test_bots_of_one_owner_meet_unrated_if_they_have_nobody_else() -> None:
    """Two bots of one owner are alone: they play, and nothing is counted (T59, T79)."""
    pair_of_ann = [bot("a", owner="ann"), bot("b", owner="ann")]
    (table,) = pair(pair_of_ann, DUELS, 1)
    assert not table.rated
    assert pair([replace(who, idle=False) for who in pair_of_ann], DUELS, 1) == ()
    with_others = [*pair_of_ann, bot("c", owner="bob"), bot("d")]
    for seed in range(20):
        assert all(table.rated for table in pair(with_others, DUELS, seed))


def test_a_casual_ladder_seats_owners_as_they_come() -> None:
    (table,) = pair(
        [bot("a", owner="ann", idle=False), bot("b", owner="ann")], replace(DUELS, rated=False), 1
    )
    assert not table.rated


def test_sizes_and_rulesets_take_turns() -> None:
    """What a bot has played least of late comes next."""
    past = (
        Past(frozenset("b"), "base"),
        Past(frozenset("bc"), "salt"),
        Past(frozenset("b"), "salt"),
    )
    a = bot("a", share=-1.0, recent=past)
    for seed in range(10):
        first, *_ = pair(
            [a, *(bot(name) for name in "bcdefg")], Terms(("base", "salt"), (2, 3)), seed
        )
        assert (len(first.bots), first.ruleset) == (3, "base")


def test_no_more_tables_than_asked_for() -> None:
    pool = [bot(f"b{number:02}", room=3) for number in range(20)]
    assert len(pair(pool, replace(DUELS, at_most=7), 1)) == 7
    assert pair(pool, replace(DUELS, at_most=0), 1) == ()
    assert pair([], DUELS, 1) == ()


def test_nobody_has_a_second_table_before_all_had_a_first_turn() -> None:
    pool = [bot("a", share=-9.0, room=9), bot("b"), bot("c"), bot("d")]
    tables = pair(pool, DUELS, 1)
    assert tables[0].first == "a"
    assert "a" not in [table.first for table in tables[1:]]


def test_a_table_leaves_its_bots_with_less_room_and_more_share() -> None:
    """Within a call it counts like those before it, for time (T80) and for repeats (T78)."""
    hall = hall_of([bot("a", recent=met("z")), bot("b", room=2, match_ms=90_000)], DUELS, 1)
    a, b = hall.open
    seat(Party((2, "base"), [a, b], []), hall, patient=False)
    assert a.share == b.share == more_share(2, 90_000)
    assert a.repeats == {"z": FADE, "b": 1.0}
    assert (a.room, b.room, hall.open) == (0, 1, [b])
    assert a.played[2, "base"] == 2
