"""What `make` says while it installs: whoever runs it for the first time waits for minutes."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]

STEP = re.compile(r"^\$\(VENV\)/\.(\w+):.*\n((?:\t.*\n)+)", re.MULTILINE)
"""A rule that installs something, and its recipe."""

ANNOUNCED = re.compile(r'echo "(?:Making|Installing|Fetching) .*: .*(?:seconds|minutes?)"')


def test_every_step_of_an_installation_says_how_long_it_takes() -> None:
    """Before it begins, so that nobody takes a silence for a standstill."""
    steps = STEP.findall((ROOT / "Makefile").read_text())
    assert {name for name, _ in steps} == {"packages", "shoal", "redis"}
    for name, recipe in steps:
        begins = recipe.index("$(PIP)")
        assert ANNOUNCED.search(recipe[:begins]), name
        assert "-m venv" not in recipe or ANNOUNCED.search(recipe[: recipe.index("-m venv")])
