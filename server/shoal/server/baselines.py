"""Baselines that are always on: `shoal baselines run` registers them, enters them, and keeps them running.

They are bots as any other: each is a `shoal bot run` in a process of its own, with a token of its own.
"""

import asyncio
import json
import os
import re
import subprocess
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, TextIO, TypeVar, final

import structlog
from rich.console import Console

from shoal.client import Client, ShoalError, pb
from shoal.server.children import run_to_the_end, shoal_command
from shoal.server.files import named_by
from shoal.server.spawn import Program
from shoal.server.store.errors import FolderInUse
from shoal.server.store.folder import default_folder, hold_folder
from shoal.server.supervisor import keep
from shoal.server.together import together

_log = structlog.get_logger(__name__)

T = TypeVar("T")

DEFAULT: Final = ("random", "greedy", "planner")
LOOK_EVERY: Final = 1.0
"""Seconds between two looks for a server that is not there."""

STOP_SECONDS: Final = 10.0
OLD_TOKEN: Final = {"TOKEN_INVALID", "TOKEN_REVOKED"}

_KIND: Final = re.compile(r"(random|greedy|planner)(-[0-9]{1,6})?")


class BaselinesFailed(Exception):
    """The baselines cannot be run; the message is one line that says what to do."""


@final
@dataclass(frozen=True, slots=True)
class Plan:
    """What is to run, and where; `admin_token` registers those that have no token yet."""

    names: tuple[str, ...]
    server: str
    tls: bool
    admin_token: str
    ladders: tuple[str, ...]
    folder: Path
    max_matches: int


def names_of(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the baselines; raise BaselinesFailed for one that is none, or is there twice."""
    for name in names:
        if not _KIND.fullmatch(name):
            raise BaselinesFailed(
                f"{name!r} is none of {', '.join(DEFAULT)}, also with a number (random-2)"
            )
        if names.count(name) > 1:
            raise BaselinesFailed(f"{name!r} is there twice: number them, like {name}-2")
    return tuple(names) or DEFAULT


def folder_of(given: Path | None) -> Path:
    """Return where the tokens are kept."""
    return given or default_folder() / "baselines"


def run_baselines(plan: Plan, *, as_json: bool) -> int:
    """Keep baselines running until Ctrl-C or SIGTERM; return the exit status."""
    with named_by("--folder", plan.folder), _held(plan.folder), suppress(KeyboardInterrupt):
        run_to_the_end(_run(plan, as_json=as_json))
    Console(stderr=True).print(
        "stopped; none of the baselines is left running. Matches that they had open are lost by silence "
        "when their time is up: run them again to play on",
        soft_wrap=True,
    )
    return 0


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Keep others out of the folder: two runs of one bot would throw each other off for ever."""
    try:
        with hold_folder(folder):
            yield
    except FolderInUse:
        raise BaselinesFailed(
            f"another `shoal baselines run` uses {folder}: stop it, or give another --folder. For a further "
            f"ladder `shoal ladder join --ladder NAME --token-file {folder}/random.token` is enough, and the "
            "same for each that runs"
        ) from None


async def _run(plan: Plan, *, as_json: bool) -> None:
    try:
        Client(plan.server, tls=plan.tls)
    except ValueError as error:
        raise BaselinesFailed(str(error)) from None
    await _check_ladders(plan)
    ids = {name: await _ready(plan, name) for name in plan.names}
    where = f" on {', '.join(plan.ladders)}" if plan.ladders else ""
    if as_json:
        bots = [{"name": name, "bot_id": bot_id} for name, bot_id in ids.items()]
        print(json.dumps({"event": "running", "bots": bots}), flush=True)  # noqa: T201
    else:
        Console().print(f"{', '.join(ids)} play{where} at {plan.server}; Ctrl-C ends them")
    await together(
        *(keep("baseline_died", partial(_start, plan, name), STOP_SECONDS) for name in plan.names)
    )


async def _check_ladders(plan: Plan) -> None:
    """Raise BaselinesFailed for a ladder that is not there, before anybody is registered."""

    async def ask() -> list[pb.Ladder]:
        async with Client(plan.server, tls=plan.tls) as client:
            return await client.list_ladders()

    known = {each.ladder_id for each in await _patiently(plan, ask)}
    for name in plan.ladders:
        if name not in known:
            raise BaselinesFailed(
                f"there is no ladder {name!r}: `shoal ladder list` shows those that there are"
            )


async def _ready(plan: Plan, name: str) -> str:
    """Register a baseline if it is not yet, enter it, and return its id."""
    token = _token_file(plan, name)
    while True:
        try:
            if not token.exists() or not token.read_text().strip():
                await _patiently(plan, partial(_register, plan, name, token))
            return await _patiently(plan, partial(_enter, plan, token.read_text().strip()))
        except ShoalError as error:
            if error.reason not in OLD_TOKEN or not token.exists():
                raise BaselinesFailed(_advice(error, plan, name)) from None
            # The server has a new store: the token was of the one before.
            _log.warning("token_of_another_store", bot=name)
            token.unlink()


async def _patiently(plan: Plan, work: Callable[[], Awaitable[T]]) -> T:
    """Return what a call to the server returns, as soon as there is a server."""
    said = False
    while True:
        try:
            return await work()
        except ShoalError as error:
            if not error.transient:
                raise
            if not said:
                _log.warning("no_server_yet", server=plan.server, why=str(error))
            said = True
            await asyncio.sleep(error.retry_after or LOOK_EVERY)


async def _register(plan: Plan, name: str, token: Path) -> None:
    with _new_file(token) as file:
        async with Client(plan.server, plan.admin_token, tls=plan.tls) as client:
            made = await client.register_bot(name, baseline=True)
        file.write(f"{made.token}\n")


@contextmanager
def _new_file(path: Path) -> Iterator[TextIO]:
    """Open a file for a token before there is one, so that none is lost for want of a place."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "w") as file:
            yield file
    except ShoalError:
        path.unlink()
        raise


async def _enter(plan: Plan, token: str) -> str:
    async with Client(plan.server, token, tls=plan.tls) as client:
        status = await client.get_bot_status()
        for ladder in plan.ladders:
            await client.join_ladder(ladder)
    return status.bot.bot_id


def _start(plan: Plan, name: str) -> Program:
    """Start a bot; what it says goes to a file that holds its last run."""
    kind = name.partition("-")[0]
    command = shoal_command(
        *("bot", "run", kind, "--server", plan.server, *(("--tls",) if plan.tls else ())),
        *("--token-file", str(_token_file(plan, name)), "--quiet"),
        *("--max-matches", str(plan.max_matches), "--wait", "30", "--with-parent"),
    )
    with (plan.folder / f"{name}.log").open("wb") as log:
        environment = {
            key: value for key, value in os.environ.items() if not key.startswith("SHOAL_")
        }
        return Program(
            command, stdin=subprocess.PIPE, stdout=log, stderr=log, environment=environment
        )


def _token_file(plan: Plan, name: str) -> Path:
    return plan.folder / f"{name}.token"


def _advice(error: ShoalError, plan: Plan, name: str) -> str:
    if error.reason == "NAME_TAKEN":
        return (
            f"a bot is called {name!r} already, and its token is not in {plan.folder}: put it there as "
            f"{name}.token, or name another, like {name.partition('-')[0]}-2; one that runs already enters "
            f"a further ladder with `shoal ladder join --ladder NAME --token-file {name}.token`"
        )
    if error.reason in {"NOT_ALLOWED", *OLD_TOKEN}:
        return f"{error.message}: --token-file names the file with an admin token of {plan.server}"
    return f"{error.message} ({error.reason or error.code.name})"
