"""The crosstable and the head to head say the same as the standings."""

from itertools import combinations
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.competition.block import State
from shoal.competition.crosstable import crosstable
from shoal.competition.head_to_head import head_to_head
from shoal.competition.plan import BlockKey, Finished
from shoal.competition.score import Score, totals
from tests.competition.making import duel

BLOCKS = (
    duel(BlockKey(1, 0, 0), "ab", 1.5),
    duel(BlockKey(0, 0, 0), "ba", 0.0),
    Finished(BlockKey(2, 0, 0), ("c", "a", "b"), State.COMPLETE, ((1, 2, 3), (2, 1, 2), (3, 2, 1))),
    Finished(BlockKey(3, 0, 0), ("a", "c"), State.FORFEIT, ((1, 2), (1, 2))),
    Finished(BlockKey(4, 0, 0), ("a", "b"), State.VOID, ()),
)


def test_a_head_to_head_counts_matches_that_were_played() -> None:
    both = head_to_head("a", "b", BLOCKS)
    assert (both.won, both.drawn, both.lost) == (5, 1, 1)
    assert both.score == Score(5.5, 7)
    assert list(map(str, both.blocks)) == ["0.0.0", "1.0.0", "2.0.0"]
    assert head_to_head("a", "c", BLOCKS[3:]).blocks == ()


def test_a_crosstable_of_three() -> None:
    a, b, c = crosstable("abc", BLOCKS)
    assert a.cells == (None, Score(5.5, 7), Score(4.0, 5))
    assert b.cells == (Score(1.5, 7), None, Score(1.5, 3))
    assert c.cells == (Score(1.0, 5), Score(1.5, 3), None)
    assert a.total == Score(9.5, 12)


@st.composite
def seasons(draw: st.DrawFn) -> list[Finished]:
    chance = Random(draw(st.integers()))
    blocks = []
    for number in range(draw(st.integers(0, 12))):
        bots = tuple(chance.sample("abcde", chance.choice([2, 3, 4])))
        matches = tuple(tuple(chance.randint(1, len(bots)) for _ in bots) for _ in range(len(bots)))
        blocks.append(Finished(BlockKey(number, 0, 0), bots, State.COMPLETE, matches))
    return blocks


@settings(max_examples=100, deadline=None)
@given(seasons(), st.randoms())
def test_rows_cells_standings_and_head_to_heads_agree(
    blocks: list[Finished], chance: Random
) -> None:
    rows = crosstable("abcde", blocks)
    assert rows == crosstable("abcde", chance.sample(blocks, len(blocks)))
    scores = totals("abcde", blocks)
    for row in rows:
        assert row.total == scores[row.bot_id]
        assert sum(cell.points for cell in row.cells if cell) == row.total.points
        assert sum(cell.possible for cell in row.cells if cell) == row.total.possible
    for one, other in combinations(range(5), 2):
        both = head_to_head("abcde"[one], "abcde"[other], blocks)
        assert (rows[one].cells[other] or Score()) == both.score
        assert both.won + both.drawn / 2 == both.score.points
        assert both.won + both.drawn + both.lost == both.score.possible
