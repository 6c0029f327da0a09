"""Whatever the format: a tournament ends, and ends the same however often its director was replaced."""

from collections.abc import Iterable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.competition.block import State
from shoal.competition.plan import BlockKey, Entrant, Finished, Planned
from shoal.competition.specification import (
    Format,
    Gauntlet,
    Knockout,
    Ladder,
    RoundRobin,
    Specification,
    Swiss,
)
from shoal.competition.tournament import can_begin, due, ranking
from shoal.competition.validation import check

FORMATS: tuple[Format, ...] = (
    RoundRobin(),
    RoundRobin(2, 2),
    Gauntlet(("a", "b")),
    Swiss(4),
    Swiss(3, 2),
    Knockout(),
    Knockout(3, 1),
)


def outcome(block: Planned, seed: int) -> Finished:
    """The result of a block, which depends on the block alone, as with seeded bots."""
    chance = Random(f"{seed} {block.key} {block.bots}")
    state = chance.choices(list(State)[1:], [8, 1, 1])[0]
    number = len(block.bots)
    matches = tuple(tuple(chance.randint(1, number) for _ in range(number)) for _ in range(number))
    if state is State.FORFEIT:
        matches = ((2, *[1] * (number - 1)),) * number
    return Finished(block.key, block.bots, state, () if state is State.VOID else matches)


def specification_of(form: Format, sizes: Iterable[int]) -> Specification:
    seats = (2,) if isinstance(form, Swiss | Knockout) else tuple(sizes)
    specification = Specification("x", form, rulesets=("base", "salt"), seats=seats)
    assert check(specification) == ()
    return specification


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(FORMATS),
    st.sampled_from([(2,), (3,), (2, 4)]),
    st.integers(0, 7),
    st.integers(0, 2**16),
    st.randoms(),
)
def test_who_takes_over_at_any_moment_comes_to_the_same_standings(
    form: Format, sizes: tuple[int, ...], number: int, seed: int, chance: Random
) -> None:
    """Blocks in play are found again by their keys, whatever order results came in (T76, T84)."""
    specification = specification_of(form, sizes)
    field = [Entrant(name, chance.choice(["", "ann"])) for name in "abcdefg"[:number]]

    undisturbed: list[Finished] = []
    while plan := due(specification, field, undisturbed):
        undisturbed.extend(outcome(block, seed) for block in plan)

    started: dict[BlockKey, Planned] = {}
    over: list[Finished] = []
    while plan := due(specification, field, chance.sample(over, len(over))):
        for block in plan:
            assert started.setdefault(block.key, block) == block
        over.append(outcome(chance.choice(plan), seed))

    assert {block.key: block for block in over} == {block.key: block for block in undisturbed}
    assert ranking(specification, field, over) == ranking(specification, field, undisturbed)
    assert sorted(line.bot_id for line in ranking(specification, field, over)) == [
        one.bot_id for one in field
    ]


@pytest.mark.parametrize("form", FORMATS, ids=repr)
@pytest.mark.parametrize("names", ["", "a", "ab", "ac", "cd", "abc"])
def test_it_can_begin_if_anything_is_due(form: Format, names: str) -> None:
    specification, field = specification_of(form, (2, 3)), [Entrant(name) for name in names]
    assert can_begin(specification, field) == bool(due(specification, field, ()))


def test_a_ladder_is_no_tournament() -> None:
    ladder = Specification("x", Ladder())
    with pytest.raises(ValueError, match="no plan"):
        due(ladder, (), ())
    with pytest.raises(ValueError, match="ratings"):
        ranking(ladder, (), ())
