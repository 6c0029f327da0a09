"""What is said to be saved is saved, and a bench of a few matches says all that it should."""

import json
from pathlib import Path
from random import Random

import pytest

from shoal.server.bench.luck import bench_luck
from shoal.server.bench.savings import Score, mean_and_error, savings, spread
from shoal.server.bench.tables import blocks


def scores(number: int, part: float) -> list[Score]:
    """Return blocks of two matches of which luck explains this part of the variance, or nearly."""
    dice = Random(1)
    found = []
    for _ in range(number):
        luck = [dice.gauss(0, part**0.5) for _ in range(2)]
        shares = [each + dice.gauss(0, (1 - part) ** 0.5) for each in luck]
        found.append(Score(("a", "a", "b"), shares, luck, [10 * share for share in shares]))
    return found


@pytest.mark.parametrize("part", [0.0, 0.3, 0.6])
def test_the_saving_is_the_part_of_the_variance_that_luck_explains(part: float) -> None:
    found = savings(scores(4000, part))
    for name in ("saving_adjusted", "saving_both", "saving_margin_both"):
        assert abs(found[name] - part) < 0.04
    assert abs(found["saving_blocks"]) < 0.05


def test_what_differs_between_tables_is_no_noise() -> None:
    strong = [[1.0, 0.9], [0.9, 1.0], [1.0, 0.9]]
    weak = [[0.1, 0.0], [0.0, 0.1], [0.1, 0.0]]
    apart = spread([strong, weak])
    assert apart.alone < 0.004
    assert apart.in_blocks < 1e-9


def test_the_error_of_a_mean_is_that_of_independent_numbers() -> None:
    mean, error = mean_and_error([1.0, 2.0, 3.0, 4.0])
    assert mean == 2.5
    assert abs(error - (5 / 3 / 4) ** 0.5) < 1e-12
    assert mean_and_error([1.0]) == (1.0, 0.0)


def test_the_same_seed_plays_the_same_blocks_and_a_folder_goes_on_where_it_was_cut(
    tmp_path: Path,
) -> None:
    whole = list(blocks("base", 2, 3, 5, tmp_path))
    place = tmp_path / "base-2-5.jsonl"
    written = place.read_bytes()
    place.write_bytes(written[:-10])
    assert list(blocks("base", 2, 3, 5, tmp_path)) == whole
    assert place.read_bytes() == written
    assert list(blocks("base", 2, 3, 5)) == whole
    assert all(match.entrants in ((0, 1), (1, 0)) for block in whole for match in block.matches)


def test_a_bench_says_what_it_should(tmp_path: Path) -> None:
    said: list[str] = []
    found = bench_luck(8, 0, 1, tmp_path, said.append)
    json.dumps(found)
    assert {"saving_blocks", "saving_adjusted", "saving_both", "detail"} == set(found)
    (detail,) = found["detail"]  # type: ignore[misc]
    assert (detail["ruleset"], detail["seats"], detail["matches"]) == ("base", 2, 8)
    assert said[-1] == "base, 2 seats: done"
