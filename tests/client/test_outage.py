"""A run that has no server says so, for as long as it has none."""

import asyncio
import logging
from collections.abc import Callable

import grpc
import pytest

from shoal.client import Bot, ShoalError, Tally, pb, run_bot
from shoal.client import outage as outages
from shoal.client.backoff import Backoff
from shoal.client.channel import Address
from shoal.client.outage import Outage
from shoal.client.servers import Servers
from shoal.client.stream import Broken
from tests.client.conftest import Line, Scripted, match_update


class Clock:
    """A clock that a test turns on."""

    def __init__(self) -> None:
        self.now = 100.0
        self._due: list[asyncio.TimerHandle] = []

    def time(self) -> float:
        return self.now

    def call_later(self, delay: float, callback: Callable[[], None], /) -> asyncio.TimerHandle:
        loop = asyncio.get_running_loop()
        self._due.append(asyncio.TimerHandle(self.now + delay, callback, (), loop))
        return self._due[-1]

    def turn_on(self, seconds: float) -> None:
        """Let time pass, and whatever is due happen in it."""
        end = self.now + seconds
        while due := sorted(each for each in self._due if each.when() <= end):
            self._due.remove(due[0])
            self.now = due[0].when()
            if not due[0].cancelled():
                due[0]._run()
        self.now = end


def make(where: str, live: int) -> tuple[Outage, Clock]:
    """An outage of a run that has so many matches open."""
    clock = Clock()
    return Outage(Servers(Address.parse_all(where), Backoff()), Tally(live=live), clock), clock


async def test_it_is_said_after_five_seconds_and_every_minute(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Who looks at the log sees that the bot is cut off, and what it costs (T21)."""
    outage, clock = make("a,b", 3)
    outage.begin()
    outage.explain(Broken("it broke"), None, quiet=False)
    clock.turn_on(4.9)
    outage.begin()
    outage.explain(Broken("it broke again"), 0.5, quiet=False)
    assert caplog.messages == ["it broke; going on at a:7430"]
    clock.turn_on(130.0)
    stake = "3 matches are open and will be lost by silence when their time is up"
    assert caplog.messages[1:] == [
        f"no server at a:7430, b:7430 for {seconds} s, {stake}" for seconds in (5, 65, 125)
    ]
    outage.end()
    clock.turn_on(3600.0)
    assert caplog.messages[4:] == ["connected again, at a:7430"]


async def test_a_short_outage_is_not_said_twice(caplog: pytest.LogCaptureFixture) -> None:
    """The line of its beginning and the line of its end are enough."""
    outage, clock = make("a", 1)
    for _ in range(2):
        outage.begin()
        clock.turn_on(4.0)
        outage.end()
    assert caplog.messages == []


async def test_what_is_at_stake_is_said_as_it_is(caplog: pytest.LogCaptureFixture) -> None:
    """One match, or none; and a server that is there without its store charges nobody."""
    for live in (0, 1):
        outage, clock = make("a", live)
        outage.begin()
        clock.turn_on(5.0)
    away = ShoalError(grpc.StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE", {}, "no store")
    outage.explain(Broken("no store", None, away), 1.0, quiet=False)
    clock.turn_on(60.0)
    assert caplog.messages == [
        "no server at a:7430 for 5 s, no match is open",
        "no server at a:7430 for 5 s, 1 match is open and will be lost by silence when its time is up",
        "STORE_UNAVAILABLE at a:7430 for 65 s, 1 match is open",
    ]


class First(Bot):
    """Takes the first option."""

    async def choose(self, observation: pb.Observation, decision: pb.Decision) -> pb.Option:  # noqa: ARG002
        return decision.options[0]


class Ear(logging.Handler):
    """Hears a line."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.heard = asyncio.Event()
        self._text = text

    def emit(self, record: logging.LogRecord) -> None:
        if self._text in record.getMessage():
            self.heard.set()


async def test_a_run_that_is_cut_off_says_so_until_it_is_back(
    server: Scripted, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time counts from the end of the stream, however often another one was tried since."""
    monkeypatch.setattr(Outage.begin, "__defaults__", (0.05,))
    monkeypatch.setattr(outages, "EVERY", 0.05)
    ear = Ear("no server")
    monkeypatch.setattr(logging.getLogger("shoal.client"), "handlers", [ear])

    async def broken(line: Line) -> None:
        await line.snapshot(match_update())
        await line.hear_moves()

    async def silent(_: Line) -> None:
        await ear.heard.wait()

    async def back(line: Line) -> None:
        await line.snapshot(match_update())
        await line.hear_moves()
        await line.finish()
        await line.until_closed()

    server.scripts = [broken, silent, back]
    async with asyncio.timeout(30):
        await run_bot(First(), server.address, "secret", matches=1, silence=60.0)
    told = [each for each in caplog.messages if each.startswith(f"no server at {server.address}")]
    assert told[0].endswith("s, 1 match is open and will be lost by silence when its time is up")
    assert caplog.messages[-1] == "connected again"
