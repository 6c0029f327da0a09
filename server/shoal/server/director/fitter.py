"""The process that makes tables, as the one who directs sees it: handed results, and asked for tables."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Final, final

import structlog

from shoal.competition.rulings import Rulings
from shoal.rating import Table
from shoal.server.store import competition_texts as texts
from shoal.server.store.competition_data import Result
from shoal.server.store.published import table_of
from shoal.server.store.releases import Releases, releases_text

_COMMAND: Final = (sys.executable, "-m", "shoal.server.director.fitting")

_PATIENCE: Final = 600.0
"""A table of a million results takes less than a tenth of that."""

_log = structlog.get_logger(__name__)


class FitterGone(Exception):
    """The process has ended; what it was handed is gone with it. The next one is started when it is asked."""


class NotMade(Exception):
    """It could not do what it was asked; the message says what it met."""


@final
class Fitter:
    """A process that is started when it is first asked. It ends with `close`, and when this process does.

    One thing is asked at a time, and waited for in a thread. One that does not answer for long is ended.
    Every method raises FitterGone and NotMade.
    """

    def __init__(self, patience: float = _PATIENCE) -> None:
        """Start nothing yet; wait for an answer for so many seconds at most."""
        self._patience = patience
        self._process: subprocess.Popen[bytes] | None = None
        self._turn = asyncio.Lock()

    @property
    def pid(self) -> int | None:
        """The process, None while there is none."""
        return None if self._process is None else self._process.pid

    async def add(self, competition_id: str, results: Sequence[Result]) -> int:
        """Hand results over, and return how many of this competition it has then; again is harmless."""
        lines = [[each.match_id, each.block_key, each.payload.decode()] for each in results]
        size = await self._ask("add", competition_id, lines)
        assert isinstance(size, int)
        return size

    async def table(
        self,
        competition_id: str,
        rulings: Rulings,
        known: Mapping[str, Releases],
        anchors: Mapping[str, float],
    ) -> Table:
        """Return the table of all that was handed over; see `fitting.table`."""
        releases = {bot: releases_text(each) for bot, each in known.items()}
        said = await self._ask(
            *("table", competition_id, texts.rulings_json(rulings), releases, dict(anchors))
        )
        assert isinstance(said, dict)
        return table_of(said)

    async def forget(self, competition_id: str) -> None:
        """Let it keep nothing more of a competition."""
        if self._process is not None:
            await self._ask("forget", competition_id)

    def close(self) -> None:
        """End the process, whatever it does."""
        if self._process is not None:
            process, self._process = self._process, None
            process.kill()
            process.communicate()

    async def _ask(self, *asked: object) -> object:
        async with self._turn:
            if self._process is None:
                self._process = subprocess.Popen(  # noqa: ASYNC220 - see `spawn`: this one forks no handlers
                    _COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
                )
            line = json.dumps(asked).encode() + b"\n"
            said = b""
            try:
                async with asyncio.timeout(self._patience):
                    said = await asyncio.to_thread(_exchange, self._process, line)
            except TimeoutError:
                _log.warning("fitter_silent", pid=self.pid, seconds=self._patience)
        if not said:
            self.close()
            raise FitterGone
        found: dict[str, object] = json.loads(said)
        if "error" in found:
            raise NotMade(found["error"])
        return found["answer"]


def _exchange(process: "subprocess.Popen[bytes]", line: bytes) -> bytes:
    """Send a line and wait for the answer, which is empty if there is none."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(line)
        process.stdin.flush()
        return process.stdout.readline()
    except (BrokenPipeError, ValueError):  # it is gone, or was ended meanwhile
        return b""
