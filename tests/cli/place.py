"""A folder with files of all kinds beside a running server, and how commands are run in it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

SHOAL = [sys.executable, "-m", "shoal.cli"]


def environment(**more: str) -> dict[str, str]:
    """The process's own, without what would change a command, and with more."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SHOAL_")}
    return {**kept, **more}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with files of all kinds, and a server: its port is in the file `port`."""
    folder = tmp_path_factory.mktemp("place")
    words = [
        "serve",
        "--port",
        "0",
        "--announce",
        "--data-dir",
        "data",
        "--admin-token-file",
        "admin",
    ]
    with subprocess.Popen(
        [*SHOAL, *words],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdout is not None
        port = json.loads(server.stdout.readline())["port"]
        (folder / "port").write_text(str(port))
        register = f"bot register one --token-file token --server 127.0.0.1:{port}".split()
        subprocess.run([*SHOAL, *register], cwd=folder, check=True, capture_output=True)
        stale = (folder / "token").read_text().replace("_", "_00", 1)
        (folder / "stale").write_text(stale)
        (folder / "empty").write_text("\n")
        (folder / "binary").write_bytes(b"\xff\x00")
        (folder / "folder").mkdir()
        (folder / "cup.toml").write_text('name = "cup"\n[format]\nkind = "swiss"\n')
        (folder / "full.toml").write_text(
            'name = "full"\nentrants = ["random", "greedy"]\n[format]\nkind = "swiss"\n'
        )
        (folder / "lost.toml").write_text(
            'name = "lost"\nentrants = ["greedy", "mine=away.py:MyBot"]\n[format]\nkind = "knockout"\n'
        )
        (folder / "weekly.toml").write_text('name = "weekly"\n[format]\nkind = "ladder"\n')
        yield folder
        server.terminate()


def shoal(
    folder: Path, *words: str, stdout: Any = subprocess.PIPE, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        [*SHOAL, *words],
        cwd=folder,
        env=environment(**variables),
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )
