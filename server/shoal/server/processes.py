"""What `shoal serve` and `shoal director` run: processes, their private Redis, and their ends."""

import asyncio
import gc
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Coroutine
from contextlib import ExitStack, asynccontextmanager
from importlib.metadata import version
from pathlib import Path
from types import FrameType
from typing import NoReturn

import structlog
import uvloop

from shoal.server.admin import show_admin_token
from shoal.server.app import App
from shoal.server.director import MAIN, Director
from shoal.server.director import Stores as DirectorStores
from shoal.server.director.together import together
from shoal.server.play.creation import Creation
from shoal.server.settings import Settings
from shoal.server.store.errors import LadderDiffers
from shoal.server.store.ladders import Ladder, LadderStore, Pairing
from shoal.server.store.launcher import PrivateRedis, launch_redis
from shoal.server.stores import open_stores
from shoal.server.supervisor import keep_director

GC_THRESHOLDS = (20_000, 20, 100)
ENDING_SIGNALS = (signal.SIGTERM, signal.SIGHUP)
LOOK_AT_REDIS_SECONDS = 1.0

log = structlog.get_logger()


def run_server(
    settings: Settings, *, director: bool, announce: bool, admin_token_file: Path | None
) -> None:
    """Run a server until SIGINT or SIGTERM; with `director`, a director process beside it.

    `announce` prints one JSON line on standard output once calls are served.
    """
    for number in ENDING_SIGNALS:
        signal.signal(number, _leave)  # until the event loop has its own: what was started is ended
    with ExitStack() as stack:
        redis = None
        if not settings.redis_url:
            redis = stack.enter_context(launch_redis(settings.data_dir))
            log.info("private_redis", folder=str(settings.data_dir), adopted=redis.adopted)
        _run(
            _serve(
                settings,
                redis,
                director=director,
                announce=announce,
                admin_token_file=admin_token_file,
            )
        )


def _leave(number: int, _frame: FrameType | None) -> NoReturn:
    """End the process as a signal asks, and on the way whatever it has started."""
    raise SystemExit(128 + number)


def run_director(settings: Settings, *, with_parent: bool) -> None:
    """Run a director until SIGINT or SIGTERM, or, `with_parent`, until standard input is closed."""
    _run(_direct(settings.redis_url, with_parent=with_parent))


def _run(main: Coroutine[object, object, None]) -> None:
    """Run the main coroutine of a process, on the fastest event loop there is."""
    # A move makes a few dozen objects and no cycle. At the default of 700 the collector takes an
    # eighth of the time of a move, most of it looking again at tables that never change.
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main)


async def _serve(
    settings: Settings,
    redis: PrivateRedis | None,
    *,
    director: bool,
    announce: bool,
    admin_token_file: Path | None,
) -> None:
    """Serve until a signal."""
    url = settings.redis_url if redis is None else redis.url
    async with open_stores(url) as stores:
        await _make_ladders(stores.ladders, settings)
        async with (
            _signals() as stop,
            App(settings, stores).serve() as port,
            asyncio.TaskGroup() as tasks,
        ):
            await show_admin_token(stores.tokens, admin_token_file)
            keepers = []
            if redis is not None:
                keepers.append(tasks.create_task(_keep_redis(redis), name="private redis"))
            if director:
                json_logs = settings.log_format == "json"
                keepers.append(tasks.create_task(keep_director(url, json_logs=json_logs)))
            log.info("serving", host=settings.host, port=port)
            if announce:
                line = {"event": "serving", "port": port, "pid": os.getpid(), "redis_url": url}
                line["redis_pid"] = None if redis is None else redis.pid
                sys.stdout.write(json.dumps(line) + "\n")
                sys.stdout.flush()
            await stop.wait()
            for keeper in keepers:
                keeper.cancel()
    log.info("stopped")


async def _make_ladders(ladders: LadderStore, settings: Settings) -> None:
    """Make the ladders that are not there; raise LadderDiffers for one that is, with other rules."""
    for name, ruleset in settings.ladder_rulesets.items():
        there = await ladders.create(Ladder(name, ruleset, MAIN.seats))
        if there.ruleset != ruleset:
            raise LadderDiffers(name, there.ruleset, ruleset)


async def _keep_redis(redis: PrivateRedis) -> None:
    """For ever: start the private Redis again when somebody has killed it, on the same data."""
    while True:
        await asyncio.sleep(LOOK_AT_REDIS_SECONDS)
        if not redis.is_running():
            log.error("private_redis_died", pid=redis.pid)
            await asyncio.to_thread(redis.revive)
            log.info("private_redis_revived", pid=redis.pid)


async def _direct(url: str, *, with_parent: bool) -> None:
    """Direct until a signal, or until the process that holds our standard input is gone."""
    async with open_stores(url) as stores, _signals() as stop:
        if with_parent:
            asyncio.get_running_loop().add_reader(sys.stdin.fileno(), stop.set)
        creation = Creation(stores.matches, stores.bots, version("shoal"))

        async def create(pairing: Pairing) -> None:
            await creation.create_rated(
                pairing.match_id,
                pairing.bots,
                ruleset_name=pairing.ruleset,
                ladder=pairing.ladder_id,
                rated=pairing.rated,
            )

        parts = DirectorStores(
            stores.ladders, stores.bots, stores.presences, stores.outbox, stores.bells
        )
        await together(Director(parts, create).run(), _wait(stop))


async def _wait(event: asyncio.Event) -> None:
    """Wait for an event."""
    await event.wait()


@asynccontextmanager
async def _signals() -> AsyncIterator[asyncio.Event]:
    """Give the event that the signals to end set."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, *ENDING_SIGNALS):
        loop.add_signal_handler(number, stop.set)
    yield stop
