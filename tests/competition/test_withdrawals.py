"""Who leaves a round robin or a gauntlet gains nothing by it, and takes nothing from others."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.competition.block import State
from shoal.competition.crosstable import crosstable
from shoal.competition.plan import BlockKey, Entrant, Finished, Planned
from shoal.competition.score import Score
from shoal.competition.specification import Format, Gauntlet, RoundRobin, Specification, Swiss
from shoal.competition.standings import Standing
from shoal.competition.tournament import due, ranking, settled
from tests.competition.making import by_strength, entrants

LAW = settings(max_examples=60, deadline=None)
ROBIN = Specification("all", RoundRobin())
PLAY = by_strength(lambda bot: -ord(bot))
"""The one that comes first in the alphabet wins."""


def left(field: Sequence[Entrant], *names: str) -> tuple[Entrant, ...]:
    return tuple(replace(one, gone_from=0) if one.bot_id in names else one for one in field)


def of(bot: str, plan: Sequence[Planned]) -> list[Planned]:
    return [block for block in plan if bot in block.bots]


def line_of(bot: str, lines: Sequence[Standing]) -> Standing:
    return next(line for line in lines if line.bot_id == bot)


def test_who_wins_once_and_leaves_is_last_and_counts_for_nobody() -> None:
    field = entrants("abcd")
    first = of("a", due(ROBIN, field, ()))[0]
    (loser,) = set(first.bots) - {"a"}
    lines = ranking(ROBIN, left(field, "a"), [PLAY(first)])
    assert [line.rank for line in lines] == [1, 1, 1, 4]
    assert lines[-1] == Standing(4, "a", Score(2.0, 2.0), (0.0, 0.0, 0.0), counts=False)
    assert line_of(loser, lines).score == Score()


def test_who_has_played_half_forfeits_the_rest() -> None:
    """It has the last place of each match and its opponents the first; for tie-breaks it is not played."""
    field = entrants("abcde")
    over = [PLAY(block) for block in of("a", due(ROBIN, field, ()))[:2]]
    lines = ranking(ROBIN, left(field, "a"), over)
    assert line_of("a", lines).score == Score(4.0, 8.0)
    beaten = {bot for block in over for bot in block.bots} - {"a"}
    for bot in "bcde":
        assert line_of(bot, lines).score == Score(0.0 if bot in beaten else 2.0, 2.0)
        assert line_of(bot, lines).tiebreaks[-1] == 0.0
    assert len(due(ROBIN, left(field, "a"), over)) == 6


@LAW
@given(
    st.integers(2, 7),
    st.sampled_from([(2,), (3,), (2, 4)]),
    st.integers(),
    st.sampled_from([RoundRobin(), Gauntlet(("a", "b"))]),
)
def test_nobody_is_better_off_for_having_left(
    number: int, seats: tuple[int, ...], seed: int, form: Format
) -> None:
    """Whatever was played before: to stay and lose all that is left gives at least the same share."""
    chance = Random(seed)
    spec, field = Specification("x", form, seats=seats), entrants("abcdefg"[:number])
    bot = chance.choice(field).bot_id
    lose = by_strength(lambda other: 0.0 if other == bot else 1.0)
    over = [
        by_strength(lambda _: chance.random())(block)
        for block in due(spec, field, ())
        if chance.random() < 0.5
    ]
    lines = ranking(spec, left(field, bot), over)
    stays = [*over, *map(lose, due(spec, field, over))]
    mine, other = line_of(bot, lines), line_of(bot, ranking(spec, field, stays))
    if mine.counts:
        assert mine.score == other.score
    else:
        assert mine == lines[-1]


@LAW
@given(st.integers(3, 7), st.integers())
def test_of_others_who_leaves_early_leaves_no_trace(number: int, seed: int) -> None:
    """Their scores and tie-breaks are those of a tournament in which it was not."""
    chance, field = Random(seed), entrants("abcdefg"[:number])
    plan = due(ROBIN, field, ())
    few = of("a", plan)[: (number - 1) // 2 - (1 - number % 2)]
    over = [
        by_strength(lambda _: chance.random())(block)
        for block in plan
        if "a" not in block.bots or block in few
    ]
    lines = ranking(ROBIN, left(field, "a"), over)
    if 2 * len(few) < number - 1:
        without = [block for block in over if "a" not in block.bots]
        assert lines[:-1] == ranking(ROBIN, field[1:], without)


def test_at_a_larger_table_the_others_keep_what_they_did_against_each_other() -> None:
    spec = replace(ROBIN, seats=(4,), format=RoundRobin(cycles=3))
    field = entrants("abcd")
    (first, *_) = due(spec, field, ())
    assert len(of("a", due(spec, field, ()))) == 3
    lines = ranking(spec, left(field, "a"), [PLAY(first)])
    assert {line.bot_id: line.score for line in lines} == {
        "b": Score(8.0, 8.0),
        "c": Score(4.0, 8.0),
        "d": Score(0.0, 8.0),
        "a": Score(12.0, 12.0),
    }


def test_what_nobody_stays_to_win_is_no_forfeit() -> None:
    """Two that have both left after half of their blocks: it is void, as when both do not come."""
    field = entrants("ab")
    spec = replace(ROBIN, format=RoundRobin(cycles=2))
    over = [PLAY(due(spec, field, ())[0])]
    assert settled(spec, left(field, "a", "b"), over).forfeits == ()


def test_a_block_that_one_did_not_come_to_is_not_played() -> None:
    """A bot that stays away, and then leaves, has played nothing."""
    field = entrants("abc")
    forfeits = [
        Finished(block.key, block.bots, State.FORFEIT, ((2, 1) if block.bots[0] == "a" else (1, 2),) * 2)
        for block in of("a", due(ROBIN, field, ()))
    ]  # fmt: skip
    assert settled(ROBIN, left(field, "a"), forfeits).uncounted == {"a"}
    assert [line.score for line in ranking(ROBIN, left(field, "a"), forfeits)[:2]] == [Score()] * 2


@LAW
@given(
    st.integers(2, 7),
    st.sampled_from([(2,), (3,), (2, 4)]),
    st.sets(st.sampled_from("abcdefg")),
    st.integers(),
)
def test_a_crosstable_with_forfeits_says_the_same_as_the_standings(
    number: int, seats: tuple[int, ...], gone: set[str], seed: int
) -> None:
    chance, spec = Random(seed), replace(ROBIN, seats=seats)
    field = left(entrants("abcdefg"[:number]), *gone)
    over = [
        by_strength(lambda _: chance.random())(block)
        for block in due(spec, entrants("abcdefg"[:number]), ())
        if chance.random() < 0.6
    ]
    lines = ranking(spec, field, over)
    found = settled(spec, field, over)
    rows = crosstable([line.bot_id for line in lines], [*over, *found.forfeits], found.uncounted)
    assert [row.total for row in rows if row.bot_id not in found.uncounted] == [
        line.score for line in lines if line.counts
    ]


@pytest.mark.parametrize("gone", ["", "a"])
def test_where_no_plan_was_made_or_nobody_left_nothing_is_settled(gone: str) -> None:
    spec = ROBIN if not gone else replace(ROBIN, format=Swiss(2))
    assert settled(spec, left(entrants("abc"), gone), ()).forfeits == ()
    assert settled(spec, left(entrants("abc"), gone), ()).uncounted == frozenset()


def test_what_is_forfeited_has_the_key_of_its_block() -> None:
    field = entrants("abc")
    plan = due(ROBIN, field, ())
    over = [PLAY(of("a", plan)[0])]
    (forfeit,) = settled(ROBIN, left(field, "a"), over).forfeits
    assert forfeit.key == of("a", plan)[1].key != BlockKey(9, 9, 9)
    assert forfeit.state is State.FORFEIT
