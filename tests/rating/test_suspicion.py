"""What is asked of blocks, and what is found (T60): by laws, and where releases differ."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from shoal.rating import BadBlock
from shoal.rating.suspicion import Facts, Kind, suspect
from shoal.rating.suspicion.discovery import chances, false_shares, without_doubt, without_skew
from shoal.rating.suspicion.orders import moments
from shoal.rating.tally import pairs
from tests.rating.making import block, drawn


def test_moments_are_those_of_the_orders_of_a_table() -> None:
    """Of one pair those of a coin; of all pairs of one among three equals 1/4 + 1/4 + 2/12."""
    even = np.zeros((1, 3))
    first, _ = pairs(3)
    variance, third = moments(even, (first == 0)[None, :] * 1.0)
    assert variance[0] == pytest.approx(2 / 3)
    assert third[0] == pytest.approx(0.0)
    for seats in (2, 3, 4):
        strengths = np.array([[0.3, -1.2, 0.9, 2.0][:seats]])
        one = np.zeros((1, len(pairs(seats)[0])))
        one[0, 0] = 1.0
        ahead = 1 / (1 + np.exp(-1.5))
        variance, third = moments(strengths, one)
        assert variance[0] == pytest.approx(ahead * (1 - ahead))
        assert third[0] == pytest.approx(ahead * (1 - ahead) * (1 - 2 * ahead))


def test_a_long_tail_makes_sums_less_sure_and_a_short_one_does_not_make_them_surer() -> None:
    """Thirteen where four come is as rare as 3.5 standard deviations, not as 4.5."""
    z = np.array([4.5, 4.5, -4.5, 0.1])
    found = without_skew(z, np.array([0.5, -0.5, 0.0, 0.5]))
    assert found[0] == pytest.approx(3.5, abs=0.1)
    assert (found[1], found[2]) == (4.5, -4.5)
    assert abs(found[3]) <= 0.1
    assert without_doubt(np.array([4.0]), np.array([50.0]))[0] == pytest.approx(3.7, abs=0.1)


def test_of_many_rare_things_a_few_are_to_be_expected() -> None:
    """The shares are those of Benjamini and Hochberg, whatever the order in which they are asked."""
    odds = np.array([0.9, 0.001, 0.02, 0.021])
    assert false_shares(odds).tolist() == pytest.approx([0.9, 0.004, 0.028, 0.028])
    assert chances(np.array([1.959964, -1.959964]), two_sided=False).tolist() == pytest.approx(
        [0.025, 0.975]
    )
    assert chances(np.array([-1.959964]), two_sided=True)[0] == pytest.approx(0.05)


def test_nothing_is_asked_of_nothing_and_what_is_no_block_is_refused() -> None:
    assert suspect([]).asked == ()
    few = [block(f"k{n}", ["a", "b"], [[1, 2], [2, 1]]) for n in range(3)]
    assert suspect(few).asked == ()
    with pytest.raises(BadBlock):
        suspect([replace(few[0], matches=())])


def test_the_same_blocks_in_any_order_give_the_same_report() -> None:
    chance = Random(4)
    blocks = drawn({f"b{n}": chance.gauss(0, 1) for n in range(6)}, 120, chance)
    shuffled = chance.sample(blocks, len(blocks))
    assert suspect(blocks, rate=0.5) == suspect(shuffled, rate=0.5)


def test_releases_have_strengths_of_their_own_and_one_name() -> None:
    """A bot whose release is far better is no finding; without the releases its days do not fit."""
    chance = Random(3)
    field = {f"b{n}": chance.gauss(0, 0.5) for n in range(6)}
    day = 86_400_000
    blocks = []
    for number, (new, strength) in enumerate([(False, -3.0), (True, 3.0)]):
        name = "a@2" if new else "a@1"
        for each in drawn({**field, name: strength}, 150, chance, (2,)):
            matches = tuple(
                replace(m, match_id=f"{number}{m.match_id}", ended_ms=number * day)
                for m in each.matches
            )
            blocks.append(replace(each, key=f"{number}{each.key}", matches=matches))
    known = Facts(bots={"a@1": "a", "a@2": "a"})
    assert "a" not in {found.subject for found in suspect(blocks, known).findings}
    one = [
        replace(
            each,
            matches=tuple(
                replace(m, bots=tuple(bot.partition("@")[0] for bot in m.bots))
                for m in each.matches
            ),
        )
        for each in blocks
    ]
    found = [each for each in suspect(one).findings if each.kind is Kind.BOT_PERIOD]
    assert {(each.subject, each.from_ms, each.points > 0) for each in found} >= {
        ("a", 0, False),
        ("a", day, True),
    }
