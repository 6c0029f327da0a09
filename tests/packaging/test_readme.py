"""The README keeps its promises: its bot is the example, and its commands exist."""

import re
from pathlib import Path

import pytest

from tests.packaging.commands import shoal_lines, understand
from tests.syntax import parsed

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
EXAMPLE = ROOT / "clients" / "python" / "examples" / "my_bot.py"
CUP = EXAMPLE.with_name("cup.toml")
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "loadtest").glob("*.md")]


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of a language; "" for those that name none."""
    fences = re.split(r"^```(.*)\n", text, flags=re.MULTILINE)
    # Text, language, block, "", text, language, block, "", ...
    return [
        block for name, block in zip(fences[1::4], fences[2::4], strict=True) if name == language
    ]


def test_the_bot_of_the_readme_is_the_example() -> None:
    [shown] = blocks(README, "python")
    assert shown == EXAMPLE.read_text()


def test_the_tournament_of_the_readme_is_the_example() -> None:
    [shown] = blocks(README, "toml")
    assert shown == CUP.read_text()


def test_the_bot_is_short() -> None:
    [shown] = blocks(README, "python")
    assert len(shown.splitlines()) < 40
    parsed(shown)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_command_in_a_block_of_its_own_exists(document: Path) -> None:
    for block in blocks(document.read_text(), ""):
        for words in shoal_lines(block):
            understand(words)


def test_the_readme_shows_how_to_register_run_and_look() -> None:
    shown = [" ".join(words[:2]) for block in blocks(README, "") for words in shoal_lines(block)]
    pair = ["bot register", "bot run"]
    assert shown == [*pair, *pair, "ladder standings", "tournament run"]
