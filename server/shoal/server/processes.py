"""What `shoal serve` and `shoal director` run: processes, their private Redis, and their ends."""

import asyncio
import gc
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from types import FrameType
from typing import NoReturn

import structlog
import uvloop

from shoal.competition import document
from shoal.competition.specification import Specification
from shoal.match import TimeControl
from shoal.server.admin import show_admin_token
from shoal.server.app import App, Ports
from shoal.server.director import Director, Pairing, ladder
from shoal.server.director import Settings as DirectorSettings
from shoal.server.director import Stores as DirectorStores
from shoal.server.files import folder_named_by, named_by
from shoal.server.play.creation import Creation
from shoal.server.ports import check_address, reserve_port
from shoal.server.settings import Settings
from shoal.server.store.competition_nouns import Note, State
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.keys import now_ms
from shoal.server.store.launcher import PrivateRedis, launch_redis
from shoal.server.stores import open_stores
from shoal.server.supervisor import keep_director
from shoal.server.together import together
from shoal.server.workers import keep_worker, make_workers

HTTP_PORT = "--http-port"
GC_THRESHOLDS = (20_000, 20, 100)
ENDING_SIGNALS = (signal.SIGTERM, signal.SIGHUP)
LOOK_AT_REDIS_SECONDS = 1.0

log = structlog.get_logger()


def run_server(
    settings: Settings,
    *,
    director: bool,
    announce: bool,
    admin_token_file: Path | None,
    worker: bool,
    with_parent: bool,
) -> None:
    """Run a server until SIGINT or SIGTERM; with `director`, a director process beside it.

    `announce` prints one JSON line on standard output once calls are served. A `worker` shares its port with
    others. `with_parent`, it ends when standard input is closed.
    """
    for number in ENDING_SIGNALS:
        signal.signal(number, _leave)  # until the event loop has its own: what was started is ended
    with ExitStack() as stack:
        redis = None
        if not worker:
            check_address(settings.host, settings.port)
            if settings.http:
                check_address(settings.host, settings.port_for_http, HTTP_PORT)
        if director:
            _make_archive(settings)
        if not settings.redis_url:
            with folder_named_by("--data-dir", settings.data_dir):
                redis = stack.enter_context(launch_redis(settings.data_dir))
            log.info("private_redis", folder=str(settings.data_dir), adopted=redis.adopted)
        if worker:
            structlog.contextvars.bind_contextvars(pid=os.getpid())
            _run(_work(settings, announce=announce, with_parent=with_parent))
        else:
            serve = _serve if settings.workers == 1 else _serve_by_workers
            _run(
                serve(
                    settings,
                    redis,
                    director=director,
                    announce=announce,
                    admin_token_file=admin_token_file,
                    with_parent=with_parent,
                )
            )


def _leave(number: int, _frame: FrameType | None) -> NoReturn:
    """End the process as a signal asks, and on the way whatever it has started."""
    raise SystemExit(128 + number)


def run_director(settings: Settings, *, with_parent: bool) -> None:
    """Run a director until SIGINT or SIGTERM, or, `with_parent`, until standard input is closed."""
    _make_archive(settings)
    _run(_direct(settings, with_parent=with_parent))


def _make_archive(settings: Settings) -> None:
    """Make the folder of the archive, if there is to be one: a director must be able to write there."""
    if settings.archive is not None:
        with folder_named_by("SHOAL_ARCHIVE_DIR", settings.archive_dir):
            settings.archive.prepare()


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
    with_parent: bool,
) -> None:
    """Serve until a signal, or, `with_parent`, until our parent is gone."""
    url = settings.redis_url if redis is None else redis.url
    async with open_stores(url, settings.archive) as stores:
        await _make_ladders(stores.competitions, settings)
        async with (
            _signals(with_parent=with_parent) as stop,
            App(settings, stores).serve() as ports,
            asyncio.TaskGroup() as tasks,
        ):
            await show_admin_token(stores.tokens, admin_token_file)
            keepers = _keepers(tasks, settings, redis, url if director else "")
            _say_serving(settings, ports)
            if announce:
                _announce(ports, url, redis)
            await stop.wait()
            for keeper in keepers:
                keeper.cancel()
    log.info("stopped")


async def _serve_by_workers(
    settings: Settings,
    redis: PrivateRedis | None,
    *,
    director: bool,
    announce: bool,
    admin_token_file: Path | None,
    with_parent: bool,
) -> None:
    """Let several processes serve, ended as `_serve` is; this one holds their port, and serves nothing."""
    url = settings.redis_url if redis is None else redis.url
    with _reserved(settings) as ports:
        async with open_stores(url) as stores:
            await _make_ladders(stores.competitions, settings)
            await show_admin_token(stores.tokens, admin_token_file)
        async with (
            _signals(with_parent=with_parent) as stop,
            asyncio.TaskGroup() as tasks,
        ):
            workers = make_workers(settings, url, ports)
            keepers = _keepers(tasks, settings, redis, url if director else "")
            for worker in workers:
                keepers.append(tasks.create_task(keep_worker(worker, settings.grace_seconds)))

            async def tell() -> None:
                for worker in workers:
                    await worker.serving.wait()
                _say_serving(settings, ports, workers=len(workers))
                if announce:
                    _announce(ports, url, redis, workers=[worker.pid for worker in workers])

            keepers.append(tasks.create_task(tell()))
            await stop.wait()
            log.info("draining")
            for keeper in keepers:
                keeper.cancel()
    log.info("stopped")


async def _work(settings: Settings, *, announce: bool, with_parent: bool) -> None:
    """Serve on a port that others share, ended as `_serve` is."""
    async with (
        open_stores(settings.redis_url, settings.archive) as stores,
        _signals(with_parent=with_parent) as stop,
        App(settings, stores, shared_port=True).serve() as ports,
    ):
        _say_serving(settings, ports)
        if announce:
            _announce(ports, settings.redis_url, None)
        await stop.wait()
    log.info("stopped")


async def _make_ladders(competitions: CompetitionStore, settings: Settings) -> None:
    """Make the ladders that are not there; of one that is otherwise a line says in what."""
    for name, ruleset in settings.ladder_rulesets.items():
        note = Note(now_ms(), "server", "create")
        asked = ladder(name, ruleset)
        there = (await competitions.create(name, asked, State.RUNNING, note)).specification
        if there != asked:
            log.warning("ladder_differs", ladder=name, differs=_differences(there, asked))


def _differences(there: Specification, asked: Specification) -> str:
    """Return in which fields a ladder is otherwise than the settings ask for."""
    old, new = document.write(there), document.write(asked)
    return "; ".join(
        f"{field} is {old.get(field)}, not {new.get(field)}"
        for field in {**old, **new}
        if old.get(field) != new.get(field)
    )


def _keepers(
    tasks: asyncio.TaskGroup, settings: Settings, redis: PrivateRedis | None, director_url: str
) -> list[asyncio.Task[None]]:
    """Keep the private Redis, if there is one, and a director, if it has a store."""
    keepers = []
    if redis is not None:
        keepers.append(tasks.create_task(_keep_redis(redis), name="private redis"))
    if director_url:
        json_logs = settings.log_format == "json"
        keepers.append(tasks.create_task(keep_director(director_url, json_logs=json_logs)))
    return keepers


@contextmanager
def _reserved(settings: Settings) -> Iterator[Ports]:
    """Hold the ports that the workers share; raise PortTaken."""
    with ExitStack() as stack:
        port = stack.enter_context(reserve_port(settings.host, settings.port))
        http = 0
        if settings.http:
            place = reserve_port(settings.host, settings.port_for_http, HTTP_PORT)
            http = stack.enter_context(place)
        yield Ports(port, http)


def _say_serving(settings: Settings, ports: Ports, **more: int) -> None:
    """Log that calls are served, and where."""
    http = {"http_port": ports.http} if settings.http else {}
    log.info("serving", host=settings.host, port=ports.grpc, **http, **more)


def _announce(ports: Ports, url: str, redis: PrivateRedis | None, **more: list[int]) -> None:
    """Say in one line of JSON that calls are served."""
    line = {"event": "serving", "port": ports.grpc, "pid": os.getpid(), "redis_url": url}
    line["http_port"] = ports.http or None
    line["redis_pid"] = None if redis is None else redis.pid
    with named_by("--announce", "standard output"):
        sys.stdout.write(json.dumps({**line, **more}) + "\n")
        sys.stdout.flush()


async def _keep_redis(redis: PrivateRedis) -> None:
    """For ever: start the private Redis again when somebody has killed it, on the same data."""
    while True:
        await asyncio.sleep(LOOK_AT_REDIS_SECONDS)
        if not redis.is_running():
            log.error("private_redis_died", pid=redis.pid)
            await asyncio.to_thread(redis.revive)
            log.info("private_redis_revived", pid=redis.pid)


async def _direct(settings: Settings, *, with_parent: bool) -> None:
    """Direct until a signal, or until the process that holds our standard input is gone."""
    archive = settings.archive
    async with (
        open_stores(settings.redis_url, archive) as stores,
        _signals(with_parent=with_parent) as stop,
    ):
        creation = Creation(stores.matches, stores.bots, stores.competitions, version("shoal"))

        async def create(pairing: Pairing) -> None:
            await creation.create_for_competition(
                pairing.match_id,
                pairing.bots,
                ruleset_name=pairing.ruleset,
                competition=pairing.competition_id,
                rated=pairing.rated,
                time=TimeControl(ready_ms=0, **asdict(pairing.time_control)),
                names_hidden=pairing.names_hidden,
            )

        parts = DirectorStores(
            pipe=stores.pipe,
            leases=stores.leases,
            competitions=stores.competitions,
            bots=stores.bots,
            matches=stores.matches,
            presences=stores.presences,
            outbox=stores.outbox,
            bells=stores.bells,
            archive=archive,
        )
        tuned = DirectorSettings(
            retention=settings.retention_seconds, publish=settings.publish_seconds
        )
        await together(Director(parts, create, tuned).run(), stop.wait())


@asynccontextmanager
async def _signals(*, with_parent: bool = False) -> AsyncIterator[asyncio.Event]:
    """Give the event that the signals to end set, and with it the end of our parent."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, *ENDING_SIGNALS):
        loop.add_signal_handler(number, stop.set)
    if with_parent:
        loop.add_reader(sys.stdin.fileno(), stop.set)
    yield stop
