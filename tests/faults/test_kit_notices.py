"""The kit notices a service that lies: each runs on a copy of the server with one thing made wrong."""

import shutil
from pathlib import Path

import pytest

from tests.faults.running import ROOT, chaos

QUICK = ("--at-least", "1", "--patience", "3", "--matches", "8", "--servers", "1")


def mutant(folder: Path, file: str, right: str, wrong: str) -> Path:
    """A copy of the server tree in which the text `right`, which is there once, is `wrong`."""
    tree = folder / "server"
    shutil.copytree(ROOT / "server", tree, ignore=shutil.ignore_patterns("__pycache__"))
    path = tree / "shoal" / "server" / file
    text = path.read_text()
    assert text.count(right) == 1, f"{file} has changed: say anew what is to be made wrong"
    path.write_text(text.replace(right, wrong))
    return tree


@pytest.mark.timeout(180)
def test_a_store_that_takes_a_step_twice_is_noticed(tmp_path: Path) -> None:
    tree = mutant(tmp_path, "store/commit.lua", "if known[1] ~= rev then", "if false then")
    faults = ("--minutes", "0.05", "--faults", "store-reply-drop")
    code, figures, said = chaos(tmp_path / "run", *QUICK, *faults, tree=tree)
    assert code == 1, said
    assert figures["doubled"] > 0, figures


@pytest.mark.timeout(180)
def test_a_server_that_answers_before_the_store_did_is_noticed(tmp_path: Path) -> None:
    right = """\
            sent.outcome.add_done_callback(partial(self._moved, move, received, sent))
"""
    wrong = """\
            version = self._session.tables[move.match_id].match.version + 1
            receipt = Receipt(move.option_id, version, 0, sent.limit_ms, 0, 0, repeated=False)
            self._answer(move, receipt)
"""
    tree = mutant(tmp_path, "services/play_stream.py", right, wrong)
    faults = ("--minutes", "0.05", "--faults", "redis-kill", "--seed", "35")
    code, figures, said = chaos(tmp_path / "run", *QUICK, *faults, tree=tree)
    assert code == 1, said
    assert figures["lost"] > 0, figures
    assert figures["bugs_logged"] == 0, figures


@pytest.mark.timeout(180)
def test_a_clock_that_runs_on_while_the_store_is_away_is_noticed(tmp_path: Path) -> None:
    tree = mutant(tmp_path, "store/clock.lua", "if gap > 2000 or gap < 0 then", "if false then")
    faults = ("--minutes", "0.05", "--faults", "redis-outage")
    code, figures, said = chaos(tmp_path / "run", *QUICK, *faults, tree=tree)
    assert code == 1, said
    assert figures["charged_for_infrastructure"] > 0, figures
