"""Which blocks are rated, and what is refused as none."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from shoal.competition.rulings import Rulings, Uncounted
from shoal.rating import BadBlock, Block, Match, counting, gathered
from shoal.rating.table import rate
from tests.rating.making import block

WHOLE = block("k", ["a", "b", "c"], [[1, 2, 3]] * 3, ended_ms=5000)


def results(*blocks: Block) -> list[tuple[str, Match]]:
    return [(each.key, match) for each in blocks for match in each.matches]


def test_results_are_gathered_into_whole_blocks() -> None:
    """In whatever order they come; a block of which a match is missing is left out."""
    other = block("m", ["c", "d"], [[1, 2], [1, 1]])
    several = [
        *results(WHOLE, other)[::-1],
        ("open", block("open", ["a", "d"], [[1, 2]] * 2).matches[0]),
    ]
    assert gathered(several) == (WHOLE, other)


def test_a_block_that_went_on_from_before_a_loss_counts_once() -> None:
    """The store lost how far it was, so a rotation was played again: the first one is that of the block."""
    (first, *_) = WHOLE.matches
    again = replace(first, match_id="z", placements=(3, 2, 1))
    several = [("k", again), *results(WHOLE)]
    assert gathered(several) == gathered(several[::-1]) == (WHOLE,)


def test_a_block_in_which_a_bot_changed_its_version_is_none() -> None:
    """What the two releases have played is no whole block of either."""
    other = block("m", ["c", "d"], [[1, 2], [1, 1]])
    first, *rest = WHOLE.matches
    changed = replace(first, bots=tuple("b@1" if bot == "b" else bot for bot in first.bots))
    several = [("k", changed), *(("k", match) for match in rest), *results(other)]
    assert gathered(several) == (other,)


def test_a_match_that_does_not_count_takes_its_block_with_it() -> None:
    """It is said once why it does not count: by its id, by a bot in it, or by when it ended."""
    other = block("m", ["c", "d"], [[1, 2], [1, 1]], ended_ms=7000)
    both = [WHOLE, other]
    assert counting(both, Rulings()) == (WHOLE, other)
    assert counting(both, Rulings(voided={"k.1": "why"})) == (other,)
    assert counting(both, Rulings(uncounted=(Uncounted("d", 0, None),))) == (WHOLE,)
    assert counting(both, Rulings(uncounted=(Uncounted("c", 0, None),))) == ()
    assert counting(both, Rulings(uncounted=(Uncounted("", 5000, 7000),))) == (other,)


@pytest.mark.parametrize(
    ("matches", "said"),
    [
        (WHOLE.matches[:2], "2 matches of 3 bots"),
        ((), "0 matches"),
        (
            (WHOLE.matches[0], WHOLE.matches[1], replace(WHOLE.matches[0], match_id="x")),
            "seat twice",
        ),
        ((*WHOLE.matches[:2], replace(WHOLE.matches[2], bots=("a", "b", "d"))), "another table"),
        ((*WHOLE.matches[:2], replace(WHOLE.matches[2], placements=(1, 2))), "no placement"),
        ((*WHOLE.matches[:2], replace(WHOLE.matches[2], placements=(1, 2, 0))), "no placement"),
        ((WHOLE.matches[0],) * 3, "seat twice"),
    ],
    ids=["short", "empty", "rotation twice", "table", "places", "unplaced", "same match"],
)
def test_what_is_no_whole_block_is_refused(matches: Sequence[Match], said: str) -> None:
    with pytest.raises(BadBlock, match=said):
        rate([Block("k", tuple(matches))])


def test_a_match_that_was_counted_twice_is_refused() -> None:
    with pytest.raises(BadBlock, match=r"match k\.\d is there twice"):
        rate([WHOLE, replace(WHOLE, key="again")])
