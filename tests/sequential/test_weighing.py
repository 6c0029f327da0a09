"""How much luck is subtracted from the score of a block."""

from random import Random

import pytest

from shoal.sequential import Adjuster, BlockScore, Scale

SCALE = Scale(2, field=False)


def gap_and_luck(chance: Random, part: float) -> tuple[BlockScore, BlockScore]:
    """Return a block of equal bots of which this part of its luck shows in the result."""
    luck = chance.gauss(0, 0.4)
    gap = part * luck + chance.gauss(0, 0.3)
    return BlockScore(0.5 - gap / 2, 0.5 + gap / 2), BlockScore(-luck / 2, luck / 2)


def test_at_first_all_of_it_is() -> None:
    adjusted = Adjuster(SCALE).adjusted(BlockScore(0.25, 0.75), BlockScore(-0.25, 0.25))
    assert adjusted == BlockScore(0.5, 0.5)


@pytest.mark.parametrize("part", [0.0, 0.5, 1.0])
def test_the_part_is_found_that_suits(part: float) -> None:
    chance, adjuster = Random(1), Adjuster(SCALE)
    for _ in range(500):
        adjuster.adjusted(*gap_and_luck(chance, part))
    assert adjuster.weight == pytest.approx(part, abs=0.1)


def test_a_block_does_not_say_how_much_of_its_own_luck_is() -> None:
    """That would bend the mean: large luck that shows would be subtracted more than such that does not."""
    for part in (0.0, 2.0):
        chance, adjuster = Random(2), Adjuster(SCALE)
        for _ in range(20):
            weight = adjuster.weight
            score, luck = gap_and_luck(chance, part)
            assert adjuster.adjusted(score, luck).b == score.b - weight * luck.b
        assert 0 <= adjuster.weight <= 1.2


@pytest.mark.parametrize("blocks", [3, 30])
def test_the_mean_stays_what_it_is(blocks: int) -> None:
    """Of many short tests, whose first blocks say next to nothing of the part."""
    chance = Random(3)
    total = plain = 0.0
    tests = 20_000 // blocks
    for _ in range(tests):
        adjuster = Adjuster(SCALE)
        for _ in range(blocks):
            score, luck = gap_and_luck(chance, 0.3)
            total += adjuster.adjusted(score, luck).gap - score.gap
            plain += luck.gap
    assert abs(total) < 4 * 0.4 * (tests * blocks) ** 0.5
