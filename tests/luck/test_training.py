"""Training: the numbers that made the results are found again, and a model of a few matches can be read."""

from pathlib import Path
from random import Random

from shoal.luck import model_of
from shoal.server.bench.tables import blocks
from shoal.server.training.fitting import fitted
from shoal.server.training.least_squares import LeastSquares


def test_numbers_that_made_the_results_are_found_again() -> None:
    dice = Random(3)
    truth = {"a": 2.0, "b": -1.0, "c": 0.5}
    sums = LeastSquares()
    for _ in range(400):
        row = {name: dice.uniform(-1, 1) for name in dice.sample(sorted(truth), 2)}
        result = sum(truth[name] * number for name, number in row.items())
        sums.add(row, result + dice.gauss(0, 0.01), dice.uniform(0.5, 1))
    found = sums.solved(1e-6)
    assert all(abs(found[name] - number) < 0.01 for name, number in truth.items())
    assert all(abs(number) < 2.0 for number in sums.solved(1e9).values())


def test_a_model_can_be_made_of_a_few_matches(tmp_path: Path) -> None:
    fields, rows = fitted("salt", blocks("salt", 2, 4, 9, tmp_path), "tried")
    made = model_of(fields)
    assert rows > 50
    assert made.name == "tried"
    assert made.point[0] + made.point[1] > 0
