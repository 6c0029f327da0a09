"""Tables are made in a process of its own, so that nobody waits who directs."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from structlog.testing import capture_logs

from shoal.competition.rulings import Rulings
from shoal.rating.table import rate
from shoal.server.calibration.cost import at_random
from shoal.server.director.fitter import Fitter
from shoal.server.director.helper import HelperGone, NotDone
from shoal.server.store.competition_data import Result

BLOCKS = at_random(20, 200, 1)


@pytest.fixture
def fitter() -> Iterator[Fitter]:
    fitter = Fitter()
    yield fitter
    fitter.close()


def results() -> list[Result]:
    """The results of some blocks, as they are counted."""
    return [
        Result(match.match_id, block.key, payload)
        for block in BLOCKS
        for match in block.matches
        for payload in [
            json.dumps(
                {
                    "match": match.match_id,
                    "ladder": "main",
                    "rated": True,
                    "bots": match.bots,
                    "placements": match.placements,
                    "termination": "target",
                    "left": [""] * len(match.bots),
                }
            ).encode()
        ]
    ]


async def test_the_one_who_asks_goes_on_meanwhile(fitter: Fitter) -> None:
    """It takes no part in it: it turns as often as it likes while the table takes as long as it likes."""
    every = results()
    assert await fitter.add("main", every[:100]) == 100
    assert await fitter.add("main", every) == len(every)
    assert fitter.pid is not None
    os.kill(fitter.pid, signal.SIGSTOP)
    asked = asyncio.create_task(fitter.table("main", Rulings(), {}, {}))
    for _ in range(100):
        await asyncio.sleep(0)
    assert not asked.done()
    os.kill(fitter.pid, signal.SIGCONT)
    assert await asked == rate(BLOCKS)


def test_who_directs_or_serves_has_no_arrays() -> None:
    """They take tens of MB and half a second, in each of its processes."""
    code = "import sys, shoal.server.cli; print('numpy' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert said.stdout == "False\n"


async def test_one_that_died_is_said_and_the_next_begins_with_nothing(fitter: Fitter) -> None:
    await fitter.add("main", results())
    assert fitter.pid is not None
    os.kill(fitter.pid, 9)
    with pytest.raises(HelperGone):
        await fitter.table("main", Rulings(), {}, {})
    assert await fitter.table("main", Rulings(), {}, {}) == rate([])


async def test_one_that_does_not_answer_is_ended(fitter: Fitter) -> None:
    """If somebody has stopped it, say: else nothing would be published any more."""
    await fitter.add("main", [])
    stuck = fitter.pid
    assert stuck is not None
    os.kill(stuck, signal.SIGSTOP)
    fitter._helper._patience = 0.1
    with capture_logs() as logs, pytest.raises(HelperGone):
        await fitter.table("main", Rulings(), {}, {})
    assert [(line["event"], line["pid"]) for line in logs] == [("helper_silent", stuck)]
    with pytest.raises(ProcessLookupError):
        os.kill(stuck, 0)
    assert fitter.pid is None  # the next one is started when it is asked


async def test_what_cannot_be_rated_is_said_and_others_can(fitter: Fitter) -> None:
    """Nothing else suffers from it."""
    await fitter.add("other", results())
    with pytest.raises(NotDone, match="JSONDecodeError"):
        await fitter.add("main", [Result("m", "k", b"no result")])
    assert await fitter.table("other", Rulings(), {}, {}) == rate(BLOCKS)
    await fitter.forget("other")
    assert await fitter.table("other", Rulings(), {}, {}) == rate([])


def test_one_whose_director_was_killed_while_it_worked_ends_without_a_word() -> None:
    """It finds nobody to answer, which is no error of ours (T76)."""
    command = (sys.executable, "-m", "shoal.server.director.fitting")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(json.dumps(["table", "main", "{}", {}, {}]).encode() + b"\n")
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0
