"""What `shoal serve` and `shoal director` run: processes, their private Redis, and their ends."""

import asyncio
import gc
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Coroutine
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

import structlog
import uvloop

from shoal.server.app import App
from shoal.server.director import MAIN, Director
from shoal.server.director import Stores as DirectorStores
from shoal.server.director.together import together
from shoal.server.play.creation import Creation
from shoal.server.settings import Settings
from shoal.server.store.ladders import Pairing
from shoal.server.store.launcher import launch_redis
from shoal.server.stores import Stores, open_stores
from shoal.server.supervisor import keep_director

GC_THRESHOLDS = (20_000, 20, 100)

log = structlog.get_logger()


def run_server(
    settings: Settings, *, director: bool, announce: bool, admin_token_file: Path | None
) -> None:
    """Run a server until SIGINT or SIGTERM; with `director`, a director process beside it.

    `announce` prints one JSON line on standard output once calls are served.
    """
    with ExitStack() as stack:
        redis_pid = None
        url = settings.redis_url
        if not url:
            redis = stack.enter_context(launch_redis(settings.data_dir))
            url, redis_pid = redis.url, redis.pid
            log.info("private_redis", folder=str(settings.data_dir), adopted=redis.adopted)
        line: dict[str, object] = {"pid": os.getpid(), "redis_pid": redis_pid, "redis_url": url}
        _run(
            _serve(
                settings,
                url,
                director=director,
                line=line if announce else None,
                admin_token_file=admin_token_file,
            )
        )


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
    url: str,
    *,
    director: bool,
    line: dict[str, object] | None,
    admin_token_file: Path | None,
) -> None:
    """Serve until a signal."""
    async with (
        open_stores(url) as stores,
        _signals() as stop,
        App(settings, stores).serve() as port,
        asyncio.TaskGroup() as tasks,
    ):
        keeper = None
        if director:
            keeper = tasks.create_task(keep_director(url, json_logs=settings.log_format == "json"))
        await stores.ladders.create(MAIN)
        await _show_admin_token(stores, admin_token_file)
        log.info("serving", host=settings.host, port=port)
        if line is not None:
            sys.stdout.write(json.dumps({"event": "serving", "port": port, **line}) + "\n")
            sys.stdout.flush()
        await stop.wait()
        if keeper is not None:
            keeper.cancel()


async def _direct(url: str, *, with_parent: bool) -> None:
    """Direct until a signal, or until the process that holds our standard input is gone."""
    async with open_stores(url) as stores, _signals() as stop:
        if with_parent:
            asyncio.get_running_loop().add_reader(sys.stdin.fileno(), stop.set)
        creation = Creation(stores.matches, stores.bots)

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
    """Give the event that SIGINT and SIGTERM set."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    yield stop


async def _show_admin_token(stores: Stores, file: Path | None) -> None:
    """Make the first admin token of a new store, and show it this once, or write it to a file."""
    token = await stores.tokens.first_admin()
    if token is None:
        return
    if file is not None:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
            out.write(token + "\n")
        sys.stderr.write(f"The admin token of this new store is in {file}.\n")
    else:
        sys.stderr.write(
            f"The admin token of this new store, shown this once, kept only as a hash:\n{token}\n"
        )
    sys.stderr.flush()
