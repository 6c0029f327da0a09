"""What of blocks is rated, and what is refused as none."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from shoal.competition.rulings import Rulings, Uncounted
from shoal.rating import BadBlock, Block, Match, counting, gathered
from shoal.rating.table import rate
from tests.rating.making import block, by_bot

WHOLE = block("k", ["a", "b", "c"], [[1, 2, 3]] * 3, ended_ms=5000)


def results(*blocks: Block) -> list[tuple[str, Match]]:
    return [(each.key, match) for each in blocks for match in each.matches]


def test_results_are_gathered_into_blocks() -> None:
    """In whatever order they come; of one that was cut short, or is in play, it is what was played."""
    other = block("m", ["c", "d"], [[1, 2], [1, 1]])
    begun = Block("open", block("open", ["a", "d"], [[1, 2]] * 2).matches[:1])
    several = results(WHOLE, other, begun)
    assert gathered(several) == gathered(several[::-1]) == (WHOLE, other, begun)


def test_all_counts_of_a_block_that_went_on_from_before_a_loss() -> None:
    """The store lost how far it was, so a rotation was played again: both were told as counting."""
    (first, *_) = WHOLE.matches
    again = replace(first, match_id="z", placements=(3, 2, 1))
    several = [("k", again), *results(WHOLE)]
    longer = Block("k", (*WHOLE.matches, again))
    assert gathered(several) == gathered(several[::-1]) == (longer,)
    rows = by_bot(rate(gathered(several)))
    assert [(row.blocks, row.matches) for row in rows.values()] == [(1, 4)] * 3


def test_of_a_block_in_which_a_bot_changed_its_version_each_has_what_it_played() -> None:
    """The releases are two bots: of each it is a smaller block, and nothing is lost to the others."""
    first, *rest = WHOLE.matches
    changed = replace(first, bots=tuple("b@1" if bot == "b" else bot for bot in first.bots))
    several = [("k", changed), *(("k", match) for match in rest)]
    assert gathered(several) == (Block("k", tuple(rest)), Block("k", (changed,)))
    rows = by_bot(rate(gathered(several)))
    assert {name: row.matches for name, row in rows.items()} == {"a": 3, "b": 2, "b@1": 1, "c": 3}


def test_a_match_whose_block_is_not_known_is_one_for_itself() -> None:
    """It was told as counting, and rates the same."""
    one, other, _ = WHOLE.matches
    assert gathered([("", other), ("", one)]) == (Block("k.0", (one,)), Block("k.1", (other,)))


def test_a_match_that_does_not_count_leaves_the_others_of_its_block() -> None:
    """It is said once why it does not count: by its id, by a bot in it, or by when it ended."""
    other = block("m", ["c", "d"], [[1, 2], [1, 1]], ended_ms=7000)
    both = [WHOLE, other]
    assert counting(both, Rulings()) == (WHOLE, other)
    left = replace(WHOLE, matches=(WHOLE.matches[0], WHOLE.matches[2]))
    assert counting(both, Rulings(voided={"k.1": "why"})) == (left, other)
    assert counting(both, Rulings(uncounted=(Uncounted("d", 0, None),))) == (WHOLE,)
    assert counting(both, Rulings(uncounted=(Uncounted("c", 0, None),))) == ()
    assert counting(both, Rulings(uncounted=(Uncounted("", 5000, 7000),))) == (other,)


@pytest.mark.parametrize(
    ("matches", "said"),
    [
        ((), "0 matches"),
        ((replace(WHOLE.matches[0], bots=("a",), placements=(1,)),), "1 bots"),
        ((replace(WHOLE.matches[0], bots=("a", "b", "b")),), "another table"),
        ((*WHOLE.matches[:2], replace(WHOLE.matches[2], bots=("a", "b", "d"))), "another table"),
        ((*WHOLE.matches[:2], replace(WHOLE.matches[2], placements=(1, 2))), "no placement"),
        ((*WHOLE.matches[:2], replace(WHOLE.matches[2], placements=(1, 2, 0))), "no placement"),
        ((WHOLE.matches[0],) * 3, "there twice"),
    ],
    ids=["empty", "alone", "itself", "table", "places", "unplaced", "same match"],
)
def test_what_is_no_block_is_refused(matches: Sequence[Match], said: str) -> None:
    with pytest.raises(BadBlock, match=said):
        rate([Block("k", tuple(matches))])


def test_a_match_that_was_counted_twice_is_refused() -> None:
    with pytest.raises(BadBlock, match=r"match k\.\d is there twice"):
        rate([WHOLE, replace(WHOLE, key="again")])
