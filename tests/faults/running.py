"""`shoal chaos` as a program, on a server tree of one's choice."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).resolve().parents[2]


def chaos(
    folder: Path, *arguments: str, tree: Path | None = None
) -> tuple[int, dict[str, Any], str]:
    """Run it in a folder; return the exit code, the figures and what was said beside them."""
    command = [sys.executable, "-m", "shoal.cli", "chaos", "--json", "--folder", str(folder)]
    environment = {**os.environ}
    if tree is not None:
        environment["PYTHONPATH"] = str(tree)
    done = subprocess.run(
        [*command, *arguments], capture_output=True, text=True, check=False, env=environment
    )
    figures = json.loads(done.stdout) if done.stdout else {}
    return done.returncode, figures, done.stderr


def users_of(folder: Path) -> list[list[str]]:
    """The command lines of the processes that name the folder, or work in it."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []
        if any(str(folder) in word for word in words):
            found.append(words)
    return found
