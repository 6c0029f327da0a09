"""`shoal play`: whole games with a scripted person, as a process and at a terminal."""

import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from shoal.cli.main import run

PLAY = [sys.executable, "-m", "shoal.cli", "play"]
ONES = "1\n" * 3000
"""Answers enough for a match of somebody who always takes the first option."""

BOTS = """
import time
from shoal.client import Bot

class Broken(Bot):
    def choose(self, observation, decision):
        raise ValueError("no idea")

class Cheat(Bot):
    name = "cheat"

    async def choose(self, observation, decision):
        return "stop"

class Stuck(Bot):
    def choose(self, observation, decision):
        print("thinking", flush=True)
        time.sleep(60)

class Salty(Bot):
    rulesets = ("salt",)
    table_sizes = (4,)

    def choose(self, observation, decision):
        return decision.options[0]

class Named(Bot):
    name = "Ren\xe9 whose name is as long as a name can be, and longer"

    def choose(self, observation, decision):
        return decision.options[0]

class Small(Bot):
    table_sizes = (2,)

    def choose(self, observation, decision):
        return decision.options[0]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with bots, which is the current one."""
    (tmp_path / "bots.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def played(script: str, *options: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """A game in which a person types these lines."""
    return subprocess.run(
        [*PLAY, *options],
        input=script,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


@pytest.fixture(scope="module")
def whole() -> str:
    """The text of a whole match among four."""
    done = played(ONES, "--against", "greedy,planner,random", "--seed", "11", "--seat", "2")
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_a_whole_match_ends_with_standings_and_the_way_to_play_it_again(whole: str) -> None:
    """The last lines say who won, everybody's total, and the command that deals it again."""
    assert "You sit at seat 2: greedy, planner, you, random." in whole
    end = whole.partition("The match is over")[2]
    for name in ("greedy", "planner", "you", "random"):
        assert re.search(rf"^  [1-4]\.  {name} +\d+$", end, re.MULTILINE), name
    command = "shoal play --against=greedy,planner,random --ruleset=base --seed=11 --seat=2"
    assert end.endswith(f"The same deal again:\n  {command}\n")


def test_without_a_terminal_the_text_is_plain_and_80_columns_wide(whole: str) -> None:
    """ASCII without colors, nothing that trails, and no name of a card torn apart."""
    assert whole.isascii()
    assert whole.isprintable() is False  # the line ends
    assert whole.replace("\n", "").isprintable()
    lines = whole.splitlines()[:-1]
    assert max(map(len, lines)) <= 80
    assert not [line for line in lines if line != line.rstrip() and line.strip() != ">"]
    assert not re.search(r"(crab|boat|shark|mermaid)$", whole, re.MULTILINE)


def test_the_same_seed_and_answers_make_the_same_match(whole: str) -> None:
    """Deal and baselines follow from the seed."""
    again = played(ONES, "--against", "greedy,planner,random", "--seed", "11", "--seat", "2")
    assert again.stdout == whole


def test_the_end_of_a_round_shows_everybodys_cards_and_reasons(whole: str) -> None:
    """Whoever loses can see to what."""
    rounds = re.findall(r"(?ms)^Round \d+ is over -+\n(.*?)(?=^  Round|^The match)", whole)
    assert rounds
    for text in rounds:
        if "nobody scores" in text:
            continue
        assert "STOP" in text or "LAST CHANCE" in text
        assert len(re.findall(r"^  .+  table  ", text, re.MULTILINE)) == 4
        assert len(re.findall(r"^ +hand  ", text, re.MULTILINE)) == 4
        assert len(re.findall(r"^ +worth  ", text, re.MULTILINE)) == 4


@pytest.mark.parametrize("script", ["", "q\n", "1\nQUIT\n"])
def test_who_leaves_is_told_where_it_stood(script: str) -> None:
    """q and the end of input end the game cleanly, with points and the same deal to take up again."""
    done = played(script, "--seed", "5")
    assert (done.returncode, done.stderr) == (0, "")
    assert "You have left the table.\n  Round 1; points so far: you 0, greedy 0." in done.stdout
    assert done.stdout.endswith("shoal play --against=greedy --ruleset=base --seed=5 --seat=0\n")


def test_event_cards_are_awarded_after_the_round_and_revealed_in_the_next() -> None:
    told = played(ONES, "--against", "greedy", "--ruleset", "pepper", "--seed", "2").stdout
    lines = [
        re.sub(r"\d+", "", match[0])
        for match in re.finditer(
            r"Round \d+ (is over|begins)|event \w+ (goes to|for everybody)", told
        )
    ]
    order = ["over", "goes to", "begins", "everybody"]
    said = [next(word for word in order if word in line) for line in lines]
    assert said.count("over") > 1
    assert said[:2] == ["begins", "everybody"]
    assert said[2:] == (order * len(said))[: len(said) - 2]


def test_without_a_seed_there_is_one_all_the_same() -> None:
    """Every game can be dealt again, and two of them differ."""
    seeds = {re.findall(r"--seed=(\d+)", played("").stdout)[0] for _ in range(3)}
    assert len(seeds) > 1


def test_ctrl_c_at_the_prompt_leaves() -> None:
    """It is as good as q."""
    with subprocess.Popen(
        [*PLAY, "--seed", "5"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        text = ""
        while not text.endswith("\n  > "):
            text += child.stdout.read(1)
        # Python loses a signal that comes after the prompt, but before it waits for the answer.
        while psutil.Process(child.pid).status() != psutil.STATUS_SLEEPING:
            pass
        child.send_signal(signal.SIGINT)
        assert "You have left the table." in child.stdout.read()
        assert child.stderr.read() == ""
        assert child.wait(20) == 0


def test_ctrl_c_leaves_though_a_bot_is_stuck(folder: Path) -> None:
    """A bot that thinks for ever holds nobody."""
    with subprocess.Popen(
        [*PLAY, "--seed", "7", "--against", "bots.py:Stuck"],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(ONES[:200])
        child.stdin.flush()
        while child.stdout.readline() != "thinking\n":
            pass
        child.send_signal(signal.SIGINT)
        assert "You have left the table." in child.stdout.read()
        assert child.wait(20) == 0


def test_a_bot_that_fails_gets_its_default_and_a_line_says_so(folder: Path) -> None:  # noqa: ARG001
    """An exception and an answer that is no option end nothing."""
    done = played(ONES[:60], "--against", "bots.py:Broken,bots.py:Cheat", "--seed", "7")
    assert done.returncode == 0
    text = " ".join(done.stdout.split())
    assert "Broken: choose() failed, playing the default (" in text
    # A long path is broken where the line ends.
    assert "bots.py:7:ValueError:noidea)" in text.replace(" ", "")
    assert "cheat: choose() returned none of the options, playing the default ('stop')" in text
    assert re.search(r"^  Broken  takes 2 cards from the deck", done.stdout, re.MULTILINE)


def test_a_narrow_terminal_that_knows_ascii_alone_loses_nothing(folder: Path) -> None:  # noqa: ARG001
    """What does not fit goes on in the next line; what cannot be written is a question mark."""
    narrow = {"COLUMNS": "40", "PYTHONIOENCODING": "ascii"}
    done = played("1\n1\nt\n\xe9\n", "--against", "bots.py:Named", "--seed", "5", **narrow)
    assert (done.returncode, done.stderr) == (0, "")
    assert max(map(len, done.stdout.splitlines()[:-1])) <= 40
    text = re.sub(r"\s", "", done.stdout)
    assert "Ren?whosenameisaslongasanamecanbe,andlonger" in text
    assert "takepile0" in text
    assert "discardto1" in text


def test_bots_of_one_name_are_told_apart() -> None:
    """Two of a kind are numbered."""
    assert "you, greedy 1, greedy 2." in played("", "--against", "greedy, greedy").stdout


def test_a_terminal_sees_colors_unless_it_wants_none() -> None:
    """Cards are written in their colors; NO_COLOR is heard."""
    for wish, colored in (("", True), ("1", False)):
        ours, theirs = pty.openpty()
        environment = os.environ | {"TERM": "xterm-256color", "NO_COLOR": wish}
        with subprocess.Popen(
            [*PLAY, "--seed", "5"], stdin=theirs, stdout=theirs, stderr=theirs, env=environment
        ) as child:
            os.close(theirs)
            text = b""
            while b"\n  > " not in text:
                text += os.read(ours, 4096)
            os.write(ours, b"q\n")
            assert child.wait(20) == 0
        os.close(ours)
        assert (b"\x1b[94mshark dark_blue\x1b[0m" in text) == colored
        assert (b"shark dark_blue" in text) or colored


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("--against nobody", "'nobody' names no bot"),
        ("--against ,", "one to three bots"),
        ("--against random,random,random,random", "one to three bots"),
        ("--against greedy --seat 2", "this table has the seats 0 to 1"),
        ("--ruleset pfeffer", "unknown ruleset 'pfeffer', known are: base"),
        ("--against bots.py:Nobody", "bots.py has no Nobody; bots in it: Broken"),
        ("--against bots.py:Salty", "bots.py:Salty does not play 'base'; it plays salt"),
        ("--against bots.py:Small,greedy", "bots.py:Small does not play at a table of 3"),
        ("--seed -1", "--seed"),
    ],
)
def test_what_cannot_be_played_is_said_in_one_line(
    options: str,
    says: str,
    folder: Path,  # noqa: ARG001
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Before anything is dealt."""
    assert run(["play", *options.split()]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("shoal: ")
    assert says in said.err
    assert said.err.count("\n") == 1
