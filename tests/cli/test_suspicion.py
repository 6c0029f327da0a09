"""`shoal ladder suspicion`, on a file as `shoal ladder export --out` makes it.

What it finds comes with the commands that mark results, and delete none (T60, T62).
"""

import json
from pathlib import Path
from typing import Any

import pytest

from shoal.cli.main import run
from shoal.server.calibration.staged import DAY_MS, Stage, Staged, Wrong, staged
from shoal.server.simulation.outcomes import ModelOutcomes
from tests.rating.exporting import Lines, exported, written


def lines_of(ladder: Staged) -> Lines:
    """The lines of a ladder, with names and owners of its bots."""
    ratings = [
        {"bot_id": bot, "bot_name": bot.upper(), "owner_id": owner}
        for bot, owner in ladder.facts.owners.items()
    ]
    return exported(ladder.blocks, ratings)


def asked(path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    assert run(["ladder", "suspicion", str(path), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_who_helps_is_named_with_the_command_that_lets_its_results_not_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As JSON and for people; what is taken out of the count is asked about no more."""
    ladder = staged(Stage(8, 120, (3, 4), wrong=Wrong.SUPPORT), ModelOutcomes(), "seed")
    lines = lines_of(ladder)
    path = written(tmp_path, lines)
    report = asked(path, capsys)
    (found,) = [each for each in report["findings"] if each["kind"] == "transfer"]
    assert (found["subject"], found["other"]) == (ladder.favourite, ladder.culprit)
    assert ladder.culprit.upper() in found["text"]
    (command,) = found["commands"]
    assert command.startswith(f"shoal competition exclude main {ladder.culprit} --uncounted 1970-")
    assert run(["ladder", "suspicion", str(path)]) == 0
    assert f"  {command}\n" in capsys.readouterr().out
    for line in lines:
        if ladder.culprit in line.get("bots", ()):
            line["unrated"] = "taken_back"
    after = asked(written(tmp_path, lines), capsys)
    assert after["blocks"] < report["blocks"]
    assert "transfer" not in {each["kind"] for each in after["findings"]}


def test_a_day_is_taken_out_of_the_count_and_the_bot_let_in_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ladder = staged(Stage(8, 80, (4,), wrong=Wrong.BROKEN), ModelOutcomes(), "seed")
    report = asked(written(tmp_path, lines_of(ladder)), capsys)
    (found,) = [each for each in report["findings"] if each["kind"] == "bot_period"]
    assert (found["subject"], found["from_ms"]) == (ladder.culprit, 2 * DAY_MS)
    time = "1970-01-03T00:00:00+00:00/1970-01-04T00:00:00+00:00"
    exclude, readmit = found["commands"]
    assert f"exclude main {ladder.culprit} --uncounted {time} --why" in exclude
    assert readmit.startswith(f"shoal competition readmit main {ladder.culprit} ")


def test_a_file_that_is_not_whole_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ladder = staged(Stage(8, 10, (2,)), ModelOutcomes(), "seed")
    lines = lines_of(ladder)
    assert run(["ladder", "suspicion", str(written(tmp_path, lines[:-1]))]) == 2
    assert "not one whole export" in capsys.readouterr().err
    assert run(["ladder", "suspicion", str(written(tmp_path, lines[1:]))]) == 2
    assert "not one whole export" in capsys.readouterr().err
    (tmp_path / "main.jsonl").write_text("[]\n")
    assert run(["ladder", "suspicion", str(tmp_path / "main.jsonl")]) == 2
    assert "not those of an export" in capsys.readouterr().err
