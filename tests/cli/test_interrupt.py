"""Ctrl-C while a command is only being imported, which takes most of a second."""

import os
import signal
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

SHOAL = [str(Path(sysconfig.get_path("scripts"), "shoal"))]
MODULE = [sys.executable, "-m", "shoal.cli"]

STANDS = """
import os, signal
os.write(1, b"importing\\n")
signal.pause()
"""


def start(
    folder: Path, command: list[str], module: str, *, ignored: bool = False
) -> subprocess.Popen[str]:
    """Start a command whose import of a module does not come to an end, and wait until it is there."""
    (folder / f"{module}.py").write_text(STANDS)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN) if ignored else None
    try:
        process = subprocess.Popen(
            command,
            env={**os.environ, "PYTHONPATH": str(folder)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    finally:
        if ignored:
            signal.signal(signal.SIGINT, before)
    assert process.stdout is not None
    assert process.stdout.readline() == "importing\n"
    return process


@pytest.mark.parametrize(
    ("command", "module"),
    [
        ([*SHOAL, "--version"], "typer"),
        ([*MODULE, "--version"], "typer"),
        ([*SHOAL, "play"], "grpc"),
        ([*SHOAL, "serve"], "structlog"),
        ([*SHOAL, "demo"], "uvloop"),
    ],
)
def test_ctrl_c_during_imports_is_quiet(tmp_path: Path, command: list[str], module: str) -> None:
    """Whoever mistyped a command is not shown where Python was."""
    with start(tmp_path, command, module) as process:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, "", "")


def test_a_command_that_ignores_ctrl_c_goes_on_ignoring_it(tmp_path: Path) -> None:
    """Scripts start commands in the background so."""
    with start(tmp_path, [*SHOAL, "--version"], "typer", ignored=True) as process:
        process.send_signal(signal.SIGINT)
        process.terminate()
        process.communicate(timeout=20)
    assert process.returncode == -signal.SIGTERM
