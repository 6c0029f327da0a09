"""`shoal bot run` as a process: how it ends."""

import asyncio
import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from shoal.client import pb
from tests.client.conftest import Line, Scripted, match_update, server

__all__ = ["server"]

BOTS = """
import time
from shoal.client import Bot

class Stuck(Bot):
    def choose(self, observation, decision):
        print("thinking", flush=True)
        time.sleep(60)

class First(Bot):
    def choose(self, observation, decision):
        return decision.options[0]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a token and bots."""
    (tmp_path / "bot.token").write_text("secret\n")
    (tmp_path / "bots.py").write_text(BOTS)
    return tmp_path


def start(folder: Path, address: str, spec: str, *more: str) -> subprocess.Popen[str]:
    """Start the command."""
    command = [
        sys.executable,
        "-m",
        "shoal.cli",
        "bot",
        "run",
        spec,
        "--server",
        address,
        *more,
    ]
    return subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


async def asks(line: Line) -> None:
    """A match with a decision that is never answered."""
    await line.snapshot(match_update())
    await line.until_closed()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_ends_with_the_summary_though_choose_is_stuck(
    server: Scripted, folder: Path, number: signal.Signals
) -> None:
    """Ctrl-C and SIGTERM end cleanly with exit code 0, whatever the bot is doing."""
    server.scripts = [asks]
    with start(folder, server.address, "bots.py:Stuck") as process:
        assert process.stdout is not None
        assert await asyncio.to_thread(process.stdout.readline) == "thinking\n"
        process.send_signal(number)
        out, err = await asyncio.to_thread(process.communicate, None, 20)
    assert process.returncode == 0
    assert out.startswith("tester: 0 matches, 0 won, 0 moves in")
    assert err == (
        "1 match is still open on the server, and will be lost by silence when its time is up: "
        "run the bot again to play on\n"
    )


async def test_without_a_terminal_a_line_says_that_matches_have_finished(
    server: Scripted, folder: Path
) -> None:
    """A run of hours in a log is not silent, and the last word is the summary's."""
    told = asyncio.Event()

    async def script(line: Line) -> None:
        await line.snapshot(match_update("m1"), match_update("m2", decision_id="d2"))
        for move in await line.hear_moves(2):
            await line.accept(move)
        await line.finish("m1")
        await told.wait()
        await line.finish("m2", placement=2)
        await line.until_closed()

    server.scripts = [script]
    with start(folder, server.address, "bots.py:First", "--matches", "2") as process:
        assert process.stderr is not None
        line = await asyncio.to_thread(process.stderr.readline)
        assert line == "tester: playing, 1 open, 1 finished, 1 won, 2 moves\n"
        told.set()
        out, _ = await asyncio.to_thread(process.communicate, None, 20)
    assert process.returncode == 0
    assert out.startswith("tester: 2 matches, 1 won, average placement 1.50, 2 moves in")


async def test_a_bot_that_nobody_plays_with_says_that_it_waits(
    server: Scripted, folder: Path
) -> None:
    """Whoever forgot to join a ladder learns that the connection is not what is missing."""

    async def script(line: Line) -> None:
        await line.snapshot()
        await line.until_closed()

    server.scripts = [script]
    with start(folder, server.address, "bots.py:First") as process:
        assert process.stderr is not None
        line = await asyncio.to_thread(process.stderr.readline)
        assert line == "tester: waiting for a match, 0 open, 0 finished, 0 won, 0 moves\n"
        process.send_signal(signal.SIGTERM)
        await asyncio.to_thread(process.communicate, None, 20)
    assert process.returncode == 0


async def test_a_second_signal_ends_at_once(server: Scripted, folder: Path) -> None:
    """Who presses Ctrl-C again does not wait for the server's goodbye."""

    async def deaf(line: Line) -> None:
        await line.snapshot(match_update())
        await asyncio.sleep(30)

    server.scripts = [deaf]
    with start(folder, server.address, "bots.py:Stuck") as process:
        assert process.stdout is not None
        await asyncio.to_thread(process.stdout.readline)
        process.send_signal(signal.SIGINT)
        await asyncio.sleep(0.3)
        process.send_signal(signal.SIGINT)
        await asyncio.to_thread(process.wait, 1)
    assert process.returncode == 130


async def test_being_superseded_is_one_line_after_the_summary(
    server: Scripted, folder: Path
) -> None:
    """A process that another one takes over from says so, and exits with 2 (T23)."""

    async def superseded(line: Line) -> None:
        await line.snapshot()
        end = pb.StreamEnd(reason=pb.STREAM_END_REASON_SUPERSEDED)
        await line.say(stream_end=end)

    server.scripts = [superseded]
    with start(folder, server.address, "random", "--json") as process:
        out, err = await asyncio.to_thread(process.communicate, None, 20)
    assert process.returncode == 2
    assert json.loads(out)["connections"] == 1
    assert err == "shoal: another process plays as this bot now (SUPERSEDED)\n"
