"""What is started is also ended, whatever happens to whom."""

import asyncio
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from shoal.server.children import (
    ChildFailed,
    announcement,
    module_command,
    run_to_the_end,
    running,
    unless_one_ends,
)

SLEEPER = [sys.executable, "-c", "import time; time.sleep(60)"]
STUBBORN_CODE = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("{}", flush=True)
time.sleep(60)
"""
STUBBORN = [sys.executable, "-c", STUBBORN_CODE]


async def test_a_program_ends_with_its_context(tmp_path: Path) -> None:
    async with running("sleeper", SLEEPER, tmp_path) as child:
        assert psutil.pid_exists(child.process.pid)
    assert child.process.returncode == -signal.SIGTERM


async def test_a_program_that_does_not_want_to_end_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shoal.server.children.STOP_LIMIT", 0.2)
    async with running("stubborn", STUBBORN, tmp_path) as child:
        await announcement(child)
    assert child.process.returncode == -signal.SIGKILL


async def test_work_is_given_up_when_a_program_dies(tmp_path: Path) -> None:
    async with running("sleeper", SLEEPER, tmp_path) as child:
        child.process.kill()
        with pytest.raises(ChildFailed, match="sleeper was killed by signal 9"):
            await unless_one_ends(asyncio.sleep(60), [child])


async def test_a_program_that_dies_is_blamed_with_its_last_words(tmp_path: Path) -> None:
    code = "import sys; sys.exit('first\\nthe last words\\n')"
    async with running("talker", [sys.executable, "-c", code], tmp_path) as child:
        with pytest.raises(ChildFailed, match="talker ended with 1: the last words"):
            await unless_one_ends(asyncio.sleep(60), [child])


async def test_work_that_fails_fails_with_its_own_error(tmp_path: Path) -> None:
    async def work() -> None:
        raise LookupError("of the work")

    async with running("sleeper", SLEEPER, tmp_path) as child:
        with pytest.raises(LookupError, match="of the work"):
            await unless_one_ends(work(), [child])


async def test_a_program_that_announces_nothing_is_not_waited_for(tmp_path: Path) -> None:
    async with running("mute", module_command("this"), tmp_path) as child:
        with pytest.raises(ChildFailed, match="mute ended with 0"):
            await announcement(child)


async def test_settings_of_the_user_do_not_reach_a_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOAL_REDIS_URL", "redis://production")
    code = "import os; print('SHOAL_REDIS_URL' in os.environ)"
    async with running("reader", [sys.executable, "-c", code], tmp_path) as child:
        await child.process.wait()
    assert child.out.read_text() == "False\n"


def test_a_result_is_returned() -> None:
    async def main() -> int:
        return 7

    assert run_to_the_end(main()) == 7


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_second_signal_does_not_disturb_the_cleaning_up(number: signal.Signals) -> None:
    code = f"""
import asyncio, os
from shoal.server.children import run_to_the_end

async def main():
    try:
        os.kill(os.getpid(), {int(number)})
        await asyncio.sleep(60)
    finally:
        os.kill(os.getpid(), {int(number)})
        await asyncio.sleep(0.1)
        print("clean", flush=True)

try:
    run_to_the_end(main())
except KeyboardInterrupt:
    print("interrupted")
"""
    started = time.monotonic()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["clean", "interrupted"]
    assert time.monotonic() - started < 30
