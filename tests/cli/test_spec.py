"""Finding the bot that a user means."""

from pathlib import Path

import pytest

from shoal.cli.output import Failed
from shoal.cli.spec import find_bot, load_bot
from shoal.client import Bot
from shoal.client.bots import BASELINES

GOOD = """
from shoal.client import Bot
from beside import VALUE

class Mine(Bot):
    value = VALUE

    def choose(self, observation, decision):
        return decision.options[0]

class Mute(Bot):
    def chose(self, observation, decision):
        return decision.options[0]

class Club(Bot):
    def for_match(self, match):
        return Mine()

class Needy(Bot):
    def __init__(self, something):
        pass

class Stranger:
    pass
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with bots, which is the current one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "mine.py").write_text(GOOD)
    (tmp_path / "beside.py").write_text("VALUE = 5\n")
    (tmp_path / "wrong.py").write_text("x = 1\nclass Mine(:\n")
    (tmp_path / "broken.py").write_text("x = 1\n\nx.y\n")
    return tmp_path


@pytest.mark.parametrize("name", BASELINES)
def test_a_baseline_is_found_by_its_name(name: str) -> None:
    """A plain name is a baseline."""
    assert find_bot(name) is BASELINES[name]


def test_a_class_in_a_file_is_found(folder: Path) -> None:
    """A path with a class is run as Python would run it: imports beside it work."""
    bot = load_bot(f"{folder}/mine.py:Mine")
    assert isinstance(bot, Bot)
    assert bot.value == 5  # type: ignore[attr-defined]


def test_a_bot_may_leave_choosing_to_the_players_that_it_makes(folder: Path) -> None:
    """A class without `choose` is good enough where it has a `for_match`."""
    assert isinstance(load_bot(f"{folder}/mine.py:Club"), Bot)


def test_a_class_in_a_module_is_found(folder: Path) -> None:  # noqa: ARG001
    """A module in the current folder can be named as one imports it."""
    assert find_bot("shoal.client.bots.greedy:GreedyBot") is BASELINES["greedy"]


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("nobody", "'nobody' names no bot"),
        ("mine.py:", "names no bot"),
        ("mine.py:no-name", "names no bot"),
        ("nowhere.py:Mine", "nowhere.py: no such file"),
        ("mine.py", "use mine.py:Mine; bots in it: Mine, Mute, Club, Needy"),
        ("mine.py:Other", "mine.py has no Other; bots in it: Mine, Mute, Club, Needy"),
        ("mine.py:Stranger", "not a subclass"),
        ("mine.py:Mute", "Mute has no choose()"),
        ("mine.py:Needy", "Needy() failed"),
        ("wrong.py:Mine", "wrong.py:2: SyntaxError"),
        ("broken.py:Mine", "broken.py:3: AttributeError"),
        ("no.such.module:Mine", "cannot import no.such.module"),
    ],
)
def test_a_bad_spec_is_said_in_one_line(folder: Path, spec: str, says: str) -> None:  # noqa: ARG001
    """Whatever is wrong with it, one line says so, with file and line where there is one."""
    with pytest.raises(Failed) as caught:
        load_bot(spec)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
