"""Round robins and gauntlets: what is played, what is due, and that it is always the same."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.competition import gauntlet, round_robin
from shoal.competition.plan import Entrant, Planned
from shoal.competition.schedule import due
from shoal.competition.specification import Gauntlet, RoundRobin, Specification
from tests.competition.making import by_strength, entrants

LAW = settings(max_examples=60, deadline=None)
ROBIN = Specification("all", RoundRobin())
PLAY = by_strength(ord)


def meetings(blocks: tuple[Planned, ...]) -> Counter[tuple[str, str]]:
    return Counter((a, b) for block in blocks for a, b in combinations(sorted(block.bots), 2))


@pytest.mark.parametrize(("cycles", "blocks", "each"), [(1, 1, 1), (2, 1, 2), (1, 3, 3), (2, 2, 4)])
def test_every_pair_meets_in_each_cycle(cycles: int, blocks: int, each: int) -> None:
    form = RoundRobin(cycles, blocks)
    met = meetings(round_robin.schedule(replace(ROBIN, format=form), entrants("abcdefg")))
    assert met == dict.fromkeys(combinations("abcdefg", 2), each)


def test_each_pairing_is_played_with_each_ruleset() -> None:
    blocks = round_robin.schedule(replace(ROBIN, rulesets=("base", "salt")), entrants("abcd"))
    assert Counter((*block.bots, block.ruleset) for block in blocks).total() == 12
    assert len({(frozenset(block.bots), block.ruleset) for block in blocks}) == 12


def test_a_mix_of_sizes_has_a_whole_design_of_each() -> None:
    blocks = round_robin.schedule(replace(ROBIN, seats=(2, 3, 4)), entrants("abcdefg"))
    assert Counter(len(block.bots) for block in blocks) == {2: 21, 3: 7, 4: 7}


@pytest.mark.parametrize("number", range(6))
def test_a_table_that_cannot_be_filled_is_smaller(number: int) -> None:
    """Four or nothing starves a small field (T75)."""
    blocks = round_robin.schedule(replace(ROBIN, seats=(4,)), entrants("abcdef"[:number]))
    assert bool(blocks) == (number > 1)
    assert {len(block.bots) for block in blocks} <= {min(4, number)}


def test_bots_of_one_owner_meet_in_an_unrated_block() -> None:
    """They must meet, everybody does; but not for ratings (T59)."""
    field = (Entrant("a", "ann"), Entrant("b", "ann"), Entrant("c", "bob"))
    rated = {frozenset(block.bots): block.rated for block in round_robin.schedule(ROBIN, field)}
    assert [pair for pair, counts in rated.items() if not counts] == [{"a", "b"}]


@LAW
@given(st.integers(0, 9), st.sampled_from([(2,), (3,), (2, 3, 4)]), st.randoms())
def test_a_director_that_resumes_has_the_same_plan(
    number: int, seats: tuple[int, ...], chance: Random
) -> None:
    """Whatever is finished, in whatever order it is told: the rest is due, in its order (T84)."""
    field = entrants("abcdefghi"[:number])
    plan = round_robin.schedule(replace(ROBIN, seats=seats), field)
    assert plan == round_robin.schedule(replace(ROBIN, seats=seats), field)
    assert len({block.key for block in plan}) == len(plan)
    over = [PLAY(block) for block in chance.sample(plan, len(plan) // 2)]
    rest = due(plan, field, over)
    assert rest == due(plan, field, reversed(over))
    assert [block.key for block in rest] == sorted(
        {block.key for block in plan} - {block.key for block in over}
    )


def test_all_blocks_are_due_at_once_so_that_a_slow_bot_holds_up_nobody_else() -> None:
    """There is no round to wait for (T67)."""
    field = entrants("abcdef")
    plan = round_robin.schedule(ROBIN, field)
    quick = [PLAY(block) for block in plan if "a" not in block.bots]
    assert {frozenset("a") < set(block.bots) for block in due(plan, field, quick)} == {True}


def test_the_blocks_of_a_bot_that_is_gone_are_dropped() -> None:
    field = (*entrants("abc"), Entrant("d", gone_from=0))
    plan = round_robin.schedule(ROBIN, field)
    assert all("d" not in block.bots for block in due(plan, field, ()))
    assert len(due(plan, field, ())) == 3


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("challengers", [1, 2, 3])
@pytest.mark.parametrize("field", range(1, 9))
def test_a_challenger_meets_all_of_the_field_equally_often(
    field: int, challengers: int, size: int
) -> None:
    names = "xyz"[:challengers]
    form = Gauntlet(tuple(names))
    specification = Specification("g", form, seats=(size,))
    blocks = gauntlet.schedule(specification, entrants(names + "abcdefgh"[:field]))
    met = Counter((block.bots[0], other) for block in blocks for other in block.bots[1:])
    assert set(met) == {(one, other) for one in names for other in "abcdefgh"[:field]}
    assert len(set(met.values())) == 1
    assert {len(block.bots) for block in blocks} == {min(size, field + 1)}
    assert len({block.key for block in blocks}) == len(blocks)


def test_a_gauntlet_in_pairs_is_challenger_after_challenger() -> None:
    specification = Specification("g", Gauntlet(("x", "y"), 1), rulesets=("base", "salt"))
    blocks = gauntlet.schedule(specification, entrants("axby"))
    assert [(*block.bots, block.ruleset, str(block.key)) for block in blocks] == [
        ("x", "a", "base", "0.0.0"),
        ("x", "a", "salt", "0.0.1"),
        ("y", "a", "base", "1.0.0"),
        ("y", "a", "salt", "1.0.1"),
        ("x", "b", "base", "2.0.0"),
        ("x", "b", "salt", "2.0.1"),
        ("y", "b", "base", "3.0.0"),
        ("y", "b", "salt", "3.0.1"),
    ]


def test_a_challenger_that_has_not_entered_plays_nothing() -> None:
    specification = Specification("g", Gauntlet(("x", "y")))
    assert len(gauntlet.schedule(specification, entrants("abx"))) == 2
    assert gauntlet.schedule(specification, entrants("ab")) == ()
    assert gauntlet.schedule(specification, entrants("xy")) == ()


def test_a_schedule_is_for_its_own_format() -> None:
    with pytest.raises(ValueError, match="round robin"):
        round_robin.schedule(Specification("g", Gauntlet(("x",))), ())
    with pytest.raises(ValueError, match="gauntlet"):
        gauntlet.schedule(ROBIN, ())


def test_challengers_meet_the_field_in_different_company() -> None:
    blocks = gauntlet.schedule(
        Specification("g", Gauntlet(("x", "y")), seats=(3,)), entrants("xyabcdefg")
    )
    company = [{frozenset(b.bots[1:]) for b in blocks if b.bots[0] == name} for name in "xy"]
    assert company[0].isdisjoint(company[1])
