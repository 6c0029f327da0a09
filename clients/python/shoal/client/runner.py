"""Running a bot: streams to a server, one after the other, until told to stop."""

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

import grpc

from shoal.client import pb
from shoal.client.backoff import Backoff
from shoal.client.bot import Bot
from shoal.client.channel import Address, open_channel
from shoal.client.desk import Desk
from shoal.client.errors import ShoalError, StreamRefused, Unreachable
from shoal.client.outage import EVERY, FIRST, Outage
from shoal.client.player import Crew
from shoal.client.servers import Servers
from shoal.client.stream import Broken, Stream
from shoal.client.tally import Tally

SILENCE = 9.0
"""Two missed heartbeats of 4 s and a little: a stream that is silent for longer is dead. Less than what a
decision usually has, so that a connection that broke unnoticed costs none."""

THREAD_NAME = "choose"
"""What the names of the threads that run plain functions of bots begin with."""

MOST_MATCHES = 1000
"""What a server lets one bot play at a time."""

_HOPELESS = {
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.UNIMPLEMENTED,
}
"""Codes that will not change, when the very first stream is answered with them."""


async def run_bot(  # noqa: PLR0913
    bot: Bot,
    server: str,
    token: str,
    *,
    max_matches: int | None = None,
    matches: int | None = None,
    stop: asyncio.Event | None = None,
    tls: bool = False,
    tally: Tally | None = None,
    patience: float | None = None,
    silence: float = SILENCE,
    backoff: Backoff | None = None,
) -> Tally:
    """Play as the bot of `token` until `stop` is set, or `matches` matches are over and none is open.

    A stream says once how many matches the bot plays at a time. So when `matches` are over and others are
    still open, another stream says one, which leaves no room for more: then these are played to their end.
    `server` is one address, or several with commas between: a stream that ends, or cannot be opened, is
    opened at the next of them at once, and waiting begins when all were tried.
    Connections that break are opened again, for ever; only when not even the first succeeds within
    `patience` seconds (None: for ever) Unreachable is raised. Raises StreamRefused (Superseded,
    TokenRefused) when the server does not want this process, and ValueError for a bad address or number.
    `max_matches` takes the place of the bot's own. `tally` is kept current, and returned.
    """
    servers = Servers(Address.parse_all(server, tls=tls), backoff or Backoff())
    most = bot.max_matches if max_matches is None else max_matches
    if not 1 <= most <= MOST_MATCHES:
        raise ValueError(f"max_matches is 1 to {MOST_MATCHES}, not {most}")
    tally = Tally() if tally is None else tally
    ending, last = asyncio.Event(), asyncio.Event()
    pool = ThreadPoolExecutor(most, thread_name_prefix=THREAD_NAME)

    def check() -> None:
        if matches is not None and tally.matches >= matches:
            last.set()
            if desk.idle:
                ending.set()

    try:
        async with asyncio.TaskGroup() as group:
            outage = Outage(servers, tally, asyncio.get_running_loop())
            crew = Crew(pool, asyncio.Semaphore(most))
            desk = Desk(bot, crew, group, tally, check, outage.end)
            relay = group.create_task(_relay(stop, ending, last))
            hello = _hello(bot, most if matches is None else min(most, max(1, matches)))
            run = _Run(servers, outage, token, desk, hello, silence)
            try:
                failure = await run.play(ending, last, patience)
            finally:
                outage.close()
            relay.cancel()
            desk.close()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    if failure is not None:
        raise failure
    return tally


class _Run:
    """What stays the same from one stream of a run to the next."""

    def __init__(
        self,
        servers: Servers,
        outage: Outage,
        token: str,
        desk: Desk,
        hello: pb.Hello,
        silence: float,
    ) -> None:
        self._servers = servers
        self._outage = outage
        self._token = token
        self._desk = desk
        self._hello = hello
        self._silence = silence
        # How the latest stream to each of the servers ended.
        self._ends: dict[Address, Broken] = {}

    async def play(
        self, stop: asyncio.Event, last: asyncio.Event, patience: float | None
    ) -> ShoalError | None:
        """Open streams until `stop`; return the error that makes another one useless.

        After `last`, which is set at the latest with `stop`, streams have no room for another match.
        """
        clock = asyncio.get_running_loop().time
        begin = clock()
        # Who has little patience has an error instead.
        self._outage.begin(FIRST if patience is None else EVERY)
        while not stop.is_set():
            since = clock()
            turn = last
            if last.is_set():
                self._hello.max_matches, turn = 1, stop
            try:
                broken = await self._stream(turn)
            except StreamRefused as refusal:
                return refusal
            if broken is None:
                continue
            self._ends[self._servers.current] = broken
            delay = self._servers.turn(clock() - since, broken.after)
            if delay is not None and not self._desk.tally.connections:
                failure = _first_failure(self._ends, clock() - begin, patience)
                if failure is not None:
                    return failure
            quiet = patience is not None and not self._desk.tally.connections
            self._outage.explain(broken, delay, quiet=quiet)
            if delay is not None:
                await _sleep(delay, turn)
        return None

    async def _stream(self, stop: asyncio.Event) -> Broken | None:
        """Open one stream, on a connection of its own, and play until it ends."""
        tally = self._desk.tally
        self._hello.since.clear()
        self._hello.since.update(self._desk.since())
        self._desk.outbox.open()
        async with open_channel(self._servers.current) as channel:
            elsewhere = self._servers.several
            stream = Stream(channel, self._token, self._desk, self._silence, elsewhere=elsewhere)
            try:
                return await stream.run(self._hello, stop)
            finally:
                tally.connected = False
                self._outage.begin()


def _hello(bot: Bot, max_matches: int) -> pb.Hello:
    return pb.Hello(
        max_matches=max_matches,
        rulesets=bot.rulesets,
        table_sizes=bot.table_sizes,
        bot_version=bot.version,
    )


def _first_failure(
    ends: Mapping[Address, Broken], waited: float, patience: float | None
) -> ShoalError | None:
    """Return the error to give up with when no stream has been opened yet; None to try again.

    `ends` are how the streams to the servers ended, one for each of them. A refusal that will not change
    counts whichever of them sent it: that another one is not there says nothing against it.
    """
    for broken in ends.values():
        if broken.error is not None and broken.error.code in _HOPELESS:
            return broken.error
    if patience is None or waited < patience:
        return None
    tried = "; at ".join(f"{address.target}: {broken.why}" for address, broken in ends.items())
    return Unreachable(grpc.StatusCode.UNAVAILABLE, "", {}, f"no server at {tried}")


async def _relay(stop: asyncio.Event | None, *events: asyncio.Event) -> None:
    """Set these events when the run shall stop."""
    if stop is not None:
        await stop.wait()
        for event in events:
            event.set()


async def _sleep(seconds: float, stop: asyncio.Event) -> None:
    """Sleep, but not beyond `stop`."""
    try:
        async with asyncio.timeout(seconds):
            await stop.wait()
    except TimeoutError:
        pass
