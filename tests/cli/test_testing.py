"""`shoal test`: whole tests of two bots on the engine, as a process where it must be one."""

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psutil
import pytest

from shoal.cli.comparison.block import Chair, Tables
from shoal.cli.comparison.plan import Plan
from shoal.cli.comparison.scoring import scored
from shoal.cli.main import run
from shoal.engine import ruleset
from shoal.sequential import Adjuster, BlockScore, Scale

SHOAL = [sys.executable, "-m", "shoal.cli"]

BOTS = """
import random
import sys
import time
from shoal.client import Bot
from shoal.client.bots import GreedyBot

class Plain(Bot):
    def choose(self, observation, decision):
        return random.choice(decision.options)

class Keen(Bot):
    def for_match(self, match):
        return GreedyBot(match.match_id)

class Late(Bot):
    async def choose(self, observation, decision):
        return decision.options[0]

class Broken(Bot):
    def choose(self, observation, decision):
        raise ValueError("no idea")

class Stuck(Bot):
    def choose(self, observation, decision):
        print("thinking", flush=True)
        time.sleep(100)

class Slow(Bot):
    matches = 0

    def on_match_start(self, match):
        self.matches += 1
        print("match", self.matches, flush=True)

    def choose(self, observation, decision):
        return random.choice(decision.options)

class Gone(Bot):
    def choose(self, observation, decision):
        import os
        os._exit(3)

class Salty(Bot):
    rulesets = ("salt",)
    table_sizes = (2, 4)

    def choose(self, observation, decision):
        return decision.options[0]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with bots, which is the current one."""
    (tmp_path / "bots.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found_by(capsys: pytest.CaptureFixture[str], *words: str) -> Mapping[str, Any]:
    """What a test found, as JSON; nothing went wrong."""
    one = [] if "--workers" in words else ["--workers", "1"]
    assert run(["test", *words, *one, "--json"]) == 0
    found: Mapping[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_a_better_bot_is_found_and_the_test_ends_by_itself(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = found_by(capsys, "random", "greedy", "--seed", "1", "--elo1", "100")
    assert found["decision"] == "H1"
    assert found["log_ratio"] >= found["upper"]
    assert found["matches"] == 2 * found["blocks"]
    assert found["score_a"] == pytest.approx(1 - found["score_b"])
    assert found["elo_low"] > 0


def test_the_same_bot_twice_differs_in_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """A and B get the same deals, dice and opponents, so only what they decide tells them apart (T56)."""
    words = ["--against", "random", "--seats", "3", "--seed", "1", "--elo1", "700"]
    found = found_by(capsys, "greedy", "greedy", *words)
    assert found["decision"] == "H0"
    assert found["score_a"] == found["score_b"]
    assert found["elo"] == 0
    assert found["matches"] == 6 * found["blocks"]


def test_every_process_finds_the_same(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """What is found follows from the seed, however many play and however they share the blocks."""
    del folder
    words = ("bots.py:Plain", "greedy", "--seed", "5", "--blocks", "5", "--against", "random")
    one, three = (found_by(capsys, *words, "--workers", number) for number in ("1", "3"))
    assert one == three


def test_a_test_that_goes_on_finds_what_one_in_a_piece_does(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    """The seed is that of the file; a line that is not whole is cut off, and its block played again."""
    words = ("random", "bots.py:Keen", "--blocks", "6", "--state", "kept")
    whole = found_by(capsys, *words, "--seed", "7")
    kept = folder / "kept"
    lines = kept.read_bytes().splitlines(keepends=True)
    assert len(lines) == 7
    kept.write_bytes(b"".join(lines[:4]) + lines[4][:-9])
    assert found_by(capsys, *words) == whole
    assert sorted(kept.read_bytes().splitlines(keepends=True)) == sorted(lines)
    assert found_by(capsys, *words) == whole
    assert sorted(kept.read_bytes().splitlines(keepends=True)) == sorted(lines)


def test_more_blocks_than_before_go_on_too(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    """The number is no part of what a test is; a cap of a test is none either."""
    del folder
    words = ("random", "greedy", "--state", "kept", "--blocks")
    found_by(capsys, *words, "3", "--seed", "4")
    more = found_by(capsys, *words, "5")
    assert more == {**found_by(capsys, *words[:2], "--seed", "4", "--blocks", "5"), "state": "kept"}


def start(folder: Path, *words: str) -> "subprocess.Popen[str]":
    """A test as a process of its own."""
    return subprocess.Popen(
        [*SHOAL, "test", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_test_that_is_killed_goes_on_and_nothing_of_it_plays_on(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    """T84 for a test: kill -9 between any two blocks costs those in play."""
    words = ("bots.py:Slow", "random", "--blocks", "8", "--workers", "2", "--state", "kept")
    with start(folder, *words, "--seed", "3") as process:
        assert process.stderr is not None
        while process.stderr.readline() != "match 4\n":
            pass
        workers = psutil.Process(process.pid).children()
        process.kill()
        process.communicate(timeout=20)
    assert len(workers) == 2
    _, alive = psutil.wait_procs(workers, timeout=20)
    assert alive == []
    assert 2 <= len((folder / "kept").read_bytes().splitlines()) < 9
    found = found_by(capsys, *words)
    unbroken = found_by(capsys, *words[:-2], "--seed", "3")
    assert found == {**unbroken, "state": "kept"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["int", "term"])
def test_an_interrupt_says_what_was_found_and_how_to_go_on(
    folder: Path, number: signal.Signals
) -> None:
    """Also while a bot thinks that never stops."""
    words = (
        "random",
        "bots.py:Stuck",
        "--state",
        "kept",
        "--workers",
        "1",
        "--seed",
        "2",
        "--plain",
    )
    with start(folder, *words) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "thinking\n"
        [worker] = psutil.Process(process.pid).children()
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert not worker.is_running()
    assert out.startswith("Undecided between +0 and +50 Elo.\n")
    again = (
        "shoal test random bots.py:Stuck --ruleset=base --seats=2 "
        "--elo0=0 --elo1=50 --alpha=0.05 --beta=0.05 --plain --state=kept"
    )
    assert err == f"interrupted; it goes on with: {again}\n"


def test_without_a_file_an_interrupt_says_that_nothing_was_kept(folder: Path) -> None:
    with start(folder, "random", "bots.py:Stuck", "--workers", "1", "--json") as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "thinking\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert json.loads(out)["interrupted"] is True
    assert err == "interrupted, and not kept: with --state FILE a test goes on where it was\n"


def test_a_bot_that_fails_is_told_once_and_counted(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    del folder
    assert run(["test", "bots.py:Broken", "random", "--blocks", "3", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["faults"]["A"] > 10
    assert err.count("no idea") == 1
    assert err.startswith("A, bots.py:Broken: choose() failed: ")


def test_bots_of_all_kinds_play(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """Coroutines, and objects of their own for a match; no default is played for them."""
    del folder
    words = ("bots.py:Late", "bots.py:Keen", "--against", "random,bots.py:Plain")
    found = found_by(capsys, *words, "--seats", "4", "--blocks", "3", "--seed", "1")
    assert found["faults"] == {}
    assert found["score_b"] > found["score_a"]


def test_a_process_that_a_bot_ends_ends_the_test_in_one_line(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    del folder
    assert run(["test", "random", "bots.py:Gone", "--workers", "1"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "exit code 3" in err


def test_a_cap_that_mostly_comes_first_is_warned_of(capsys: pytest.CaptureFixture[str]) -> None:
    """T57: and the end says that nothing was decided."""
    words = ["test", "greedy", "greedy", "--against", "random", "--max-blocks", "22"]
    assert run([*words, "--seed", "1"]) == 0
    out, err = capsys.readouterr()
    assert "--max-blocks 22 will often end it undecided: on average it takes about 180 " in err
    assert out.startswith("Undecided between +0 and +50 Elo.\n")


def test_hypotheses_that_nearly_say_the_same_are_warned_of(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    """T57: before hours of play show it."""
    del folder
    words = ["test", "random", "bots.py:Gone", "--elo1", "2", "--workers", "1", "--plain"]
    assert run(words) == 2
    assert "this takes about 79973 blocks on average, 159946 matches" in capsys.readouterr().err


def test_a_bot_that_has_changed_is_another_one(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    """Its blocks are not put together with those of the one before."""
    words = ("random", "bots.py:Plain", "--blocks", "3", "--state", "kept")
    found_by(capsys, *words)
    (folder / "bots.py").write_text(BOTS + "\n# better now\n")
    assert run(["test", *words]) == 2
    assert "bots.py:Plain has changed since" in capsys.readouterr().err


VERSION = """
from helper import chosen
from shoal.client import Bot

class MyBot(Bot):
    def choose(self, observation, decision):
        return chosen(decision)
"""


def test_two_folders_with_the_same_names_are_two_bots(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    """The usual way to have two versions: the second must not be given the helpers of the first."""
    for version, helper in (
        ("old", "def chosen(decision):\n    raise ValueError('old')\n"),
        ("new", "def chosen(decision):\n    return decision.options[-1]\n"),
    ):
        (folder / version).mkdir()
        (folder / version / "my_bot.py").write_text(VERSION)
        (folder / version / "helper.py").write_text(helper)
    words = ("old/my_bot.py:MyBot", "new/my_bot.py:MyBot", "--against", "random")
    found = found_by(capsys, *words, "--blocks", "3", "--state", "kept")
    assert set(found["faults"]) == {"A"}
    # And a helper is part of what a bot is.
    (folder / "new" / "helper.py").write_text("def chosen(decision):\n    return None\n")
    assert run(["test", *words, "--blocks", "3", "--state", "kept"]) == 2
    assert "new/my_bot.py:MyBot has changed since" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("hello\n", "not the file of a test"),
        ("[1]\n", "not the file of a test"),
        ('{"shoal_test": 9}\n', "of format 9, and this shoal knows 2"),
        ('{"shoal_test": 1}\n', "its first line is damaged"),
        ("{first}\nhello\n", "line 2 is damaged"),
        ('{first}\n{"block": 1}\n', "line 2 is damaged"),
        ('{first}\n{"block": 1, "a": 0.5, "b": 0.5, "faults": {}}\n', "line 2 is damaged"),
    ],
    ids=["text", "list", "format", "header", "line", "row", "luck"],
)
def test_a_file_that_is_no_test_is_left_alone(
    content: str, words: str, capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    if "{first}" in content:
        found_by(capsys, "random", "random", "--blocks", "3", "--state", "first")
        first = (folder / "first").read_text().splitlines()[0]
        content = content.replace("{first}", first)
    (folder / "kept").write_text(content)
    assert run(["test", "random", "random", "--blocks", "3", "--state", "kept"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert words in err
    assert (folder / "kept").read_text() == content


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("random random --blocks 3 --seed 9", "with seed 8, and not 9"),
        ("random greedy --blocks 3", "with b random, and not greedy"),
        ("random random --blocks 3 --ruleset salt", "with ruleset base, and not salt"),
        ("random random --blocks 3 --against greedy", "with against nobody, and not greedy"),
        ("random random", "with rule of a fixed size, and not elo0 0, elo1 50, alpha 0.05"),
        ("random random --blocks 3 --plain", "with scores luck-1, and not plain"),
    ],
    ids=["seed", "bot", "ruleset", "field", "rule", "scores"],
)
def test_a_file_of_another_test_is_named(
    words: str, said: str, capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    del folder
    found_by(capsys, "random", "random", "--blocks", "3", "--state", "kept", "--seed", "8")
    assert run(["test", *words.split(), "--state", "kept"]) == 2
    assert said in capsys.readouterr().err


def test_what_was_won_and_what_of_it_was_luck_are_both_said(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    """Whichever decides: in two seats that is the adjusted score, unless the plain one is asked for."""
    words = ("random", "bots.py:Plain", "--blocks", "6", "--seed", "2")
    fair = found_by(capsys, *words, "--state", "fair")
    plain = found_by(capsys, *words, "--plain")
    assert (fair["scores"], plain["scores"]) == ("luck-1", "plain")
    assert fair["plain"] == plain["plain"]
    assert fair["adjusted"] == plain["adjusted"]
    assert fair["elo"] == fair["adjusted"]["elo"] != plain["elo"] == plain["plain"]["elo"]
    assert fair["adjusted"]["score_a"] + fair["adjusted"]["score_b"] == pytest.approx(1)
    assert fair["plain"]["score_b"] != fair["adjusted"]["score_b"]
    kept = [json.loads(line) for line in (folder / "fair").read_text().splitlines()[1:]]
    adjuster = Adjuster(Scale(2, field=False))
    each = [
        adjuster.adjusted(BlockScore(row["a"], row["b"]), BlockScore(*row["luck"])) for row in kept
    ]
    mean = sum(score.b for score in each) / len(each)
    assert fair["adjusted"]["score_b"] == pytest.approx(mean)
    assert run(["test", *words]) == 0
    out = capsys.readouterr().out
    assert out.count("% without luck") == 2
    assert out.count("95 % interval, without luck") == 1
    assert out.count(", as it was played") == 1


def test_with_a_field_both_have_luck_of_their_own_and_at_larger_tables_there_is_none(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    words = ("random", "greedy", "--blocks", "3", "--seed", "2", "--against", "random")
    found_by(capsys, *words, "--state", "two")
    for line in (folder / "two").read_text().splitlines()[1:]:
        a, b = json.loads(line)["luck"]
        assert abs(a + b) > 1e-6
    three = found_by(capsys, *words, "--seats", "3", "--state", "three")
    assert (three["scores"], three["adjusted"]) == ("plain", None)
    assert all(
        json.loads(line)["luck"] is None for line in (folder / "three").read_text().splitlines()[1:]
    )
    assert run(["test", *words, "--seats", "3"]) == 0
    assert "luck" not in capsys.readouterr().out


def test_a_match_that_was_broken_off_has_its_luck_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it, that of the matches which came to an end would have another mean than zero."""
    monkeypatch.setattr("shoal.cli.comparison.block.LONGEST", 20)
    plan = Plan("random", "random", ("random",), "base", 2, 3)
    with asyncio.Runner() as runner:
        chairs = [Chair(side, "random", None) for side in ("A", "B", "the field")]
        row, said = Tables(plan, ruleset("base"), chairs, scored, runner).play(0)
    assert "broken off after 20 decisions" in said["A"]
    assert row.score == (0.5, 0.5)
    assert row.luck is not None
    assert all(row.luck)


def test_a_file_of_the_time_when_nothing_was_said_of_luck_goes_on_with_plain_scores(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    words = ("random", "greedy", "--blocks", "4", "--state", "kept")
    whole = found_by(capsys, *words, "--seed", "6", "--plain")
    kept = folder / "kept"
    first, *lines = [json.loads(line) for line in kept.read_text().splitlines()]
    old = [{**first, "shoal_test": 1}, *lines[:2]]
    for row in old:
        row.pop("scores", None)
        row.pop("luck", None)
    kept.write_text("".join(json.dumps(row) + "\n" for row in old))
    assert found_by(capsys, *words, "--plain") == {**whole, "adjusted": None}
    assert run(["test", *words]) == 2
    assert "with scores plain, and not luck-1" in capsys.readouterr().err


def test_the_rates_of_errors_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """As a table; as JSON they are tested in tests/sequential."""
    assert run(["bench", "test", "--tests", "10", "--elo1", "300"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 9
    assert lines[0].split()[:3] == ["setting", "scores", "B"]


def test_the_rates_of_errors_are_measured_on_blocks_that_were_played_too(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    """Of a file that a test kept: here one whose blocks are all that there are."""
    found_by(capsys, "random", "greedy", "--blocks", "3", "--seed", "1", "--state", "kept")
    with (folder / "kept").open("a") as kept:
        for block in range(3, 150):
            a = (block % 5) / 4
            luck = 0.8 * (a - 0.5) + (block % 3 - 1) / 10
            row = {"block": block, "a": a, "b": 1 - a, "luck": [luck, -luck], "faults": {}}
            kept.write(json.dumps(row) + "\n")
    words = ["bench", "test", "--state", "kept", "--tests", "100", "--elo1", "200", "--json"]
    assert run(words) == 0
    found = json.loads(capsys.readouterr().out)
    assert [each["scores"] for each in found] == ["plain", "adjusted"] * 2
    for plain, fair in zip(found[::2], found[1::2], strict=True):
        assert plain["setting"] == fair["setting"] == "random, greedy"
        assert plain["wrong"] < 0.1
        assert fair["wrong"] < 0.1
        assert plain["saved"] is None
        assert fair["saved"] == pytest.approx(1 - fair["blocks"] / plain["blocks"], abs=0.01)
        assert fair["saved"] > 0.1
    head, *rows = (folder / "kept").read_text().splitlines(keepends=True)
    even = json.dumps({**json.loads(rows[-1]), "a": 0.5, "b": 0.5}) + "\n"
    (folder / "kept").write_text(head + 150 * even)
    assert run(words) == 2
    assert "no weights make B of these blocks as good as that" in capsys.readouterr().err


def test_what_a_bot_prints_is_not_the_result(folder: Path) -> None:
    with start(folder, "bots.py:Slow", "random", "--blocks", "3", "--json") as process:
        out, err = process.communicate(timeout=60)
    assert json.loads(out)["blocks"] == 3
    assert "match 1\n" in err
    assert [each.name for each in folder.glob("kept*")] == []
