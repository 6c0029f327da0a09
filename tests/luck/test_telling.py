"""`shoal match luck`: the uses of chance of a record, line by line, and as JSON."""

import json
from pathlib import Path

import pytest

from shoal.cli.main import run
from shoal.luck import NotAdjustable, UnknownModel, adjusted_record, model
from shoal.record import from_json

GOLDEN = Path(__file__).parents[1] / "records" / "golden"


@pytest.mark.parametrize("name", ["base-2", "salt-pepper-4"])
def test_the_lines_are_the_uses_and_the_sums(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    place = GOLDEN / f"{name}.json"
    assert run(["match", "luck", "--record", str(place)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert run(["match", "luck", "--record", str(place), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    numbers = [line.split()[-len(found["shares"]) :] for line in lines if line.strip()]
    uses = lines.index(next(line for line in lines if line.startswith("round  what came"))) + 1
    assert len([line for line in lines[uses:] if line]) == len(found["uses"]) + 3
    assert [float(number) for number in numbers[-1]] == pytest.approx(found["adjusted"], abs=6e-4)
    for share, luck, adjusted in zip(
        found["shares"], found["luck"], found["adjusted"], strict=True
    ):
        assert share - luck == pytest.approx(adjusted)
    assert sum(found["adjusted"]) == pytest.approx(1)


def test_only_the_largest_are_shown_where_that_is_asked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["match", "luck", "--record", str(GOLDEN / "base-2.json"), "--most", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum(line[:5].strip().isdigit() for line in lines) == 3


def test_a_match_without_a_result_that_counts_has_no_luck() -> None:
    ended = {}
    for place in sorted(GOLDEN.glob("*.json")):
        record = from_json(place.read_text())
        ended[record.result.termination.value] = record
    for name, record in ended.items():
        if name in ("target", "mermaids", "last_seat"):
            assert adjusted_record(record).model == "luck-1"
        else:
            with pytest.raises(NotAdjustable):
                adjusted_record(record)


def test_what_was_to_be_expected_makes_the_luck_of_an_unequal_match_small() -> None:
    record = from_json((GOLDEN / "base-2.json").read_text())
    equal, unequal = (
        sum(abs(use.luck[0]) for use in adjusted_record(record, expected).uses)
        for expected in (None, (0.001, 0.999))
    )
    assert unequal < equal / 4


def test_a_model_that_is_not_there_is_named() -> None:
    with pytest.raises(UnknownModel, match="luck-0"):
        model("luck-0")
