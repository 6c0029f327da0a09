"""Baselines that are always on: `shoal baselines run` registers them, enters them, and keeps them running.

They are bots as any other: each is a `shoal bot run` in a process of its own, with a token of its own.
"""

import asyncio
import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, final

import structlog
from rich.console import Console

from shoal.client import Client, ShoalError, Unreachable
from shoal.server.children import run_to_the_end, shoal_command
from shoal.server.files import named_by
from shoal.server.spawn import Program
from shoal.server.store.errors import FolderInUse
from shoal.server.store.folder import default_folder, hold_folder
from shoal.server.supervisor import keep

_log = structlog.get_logger(__name__)

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
    Console(stderr=True).print("stopped; none of the baselines is left running")
    return 0


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Keep others out of the folder: two runs of one bot would throw each other off for ever."""
    try:
        with hold_folder(folder):
            yield
    except FolderInUse:
        raise BaselinesFailed(
            f"another `shoal baselines run` uses {folder}: stop it, or give another --folder"
        ) from None


async def _run(plan: Plan, *, as_json: bool) -> None:
    ids = {name: await _ready(plan, name) for name in plan.names}
    where = f" on {', '.join(plan.ladders)}" if plan.ladders else ""
    if as_json:
        bots = [{"name": name, "bot_id": bot_id} for name, bot_id in ids.items()]
        print(json.dumps({"event": "running", "bots": bots}), flush=True)  # noqa: T201
    else:
        Console().print(f"{', '.join(ids)} play{where} at {plan.server}; Ctrl-C ends them")
    async with asyncio.TaskGroup() as tasks:
        for name in plan.names:
            start = partial(_start, plan, name)
            tasks.create_task(keep("baseline_died", start, STOP_SECONDS), name=name)


async def _ready(plan: Plan, name: str) -> str:
    """Register a baseline if it is not yet, enter it, and return its id; wait for the server."""
    said = False
    while True:
        try:
            token = _token_file(plan, name)
            if not token.exists():
                await _register(plan, name, token)
            return await _enter(plan, token.read_text().strip())
        except Unreachable:
            if not said:
                _log.warning("no_server_yet", server=plan.server)
            said = True
            await asyncio.sleep(LOOK_EVERY)
        except ShoalError as error:
            if error.transient:
                await asyncio.sleep(error.retry_after or LOOK_EVERY)
            elif error.reason in OLD_TOKEN and token.exists():
                # The server has a new store: the token was of the one before.
                _log.warning("token_of_another_store", bot=name)
                token.unlink()
            else:
                raise BaselinesFailed(_advice(error, plan, name)) from None


async def _register(plan: Plan, name: str, token: Path) -> None:
    async with Client(plan.server, plan.admin_token, tls=plan.tls) as client:
        made = await client.register_bot(name, baseline=True)
    descriptor = os.open(token, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(f"{made.token}\n")


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
        *("--max-matches", str(plan.max_matches), "--wait", "30"),
    )
    with (plan.folder / f"{name}.log").open("wb") as log:
        environment = {
            key: value for key, value in os.environ.items() if not key.startswith("SHOAL_")
        }
        return Program(command, stdout=log, stderr=log, environment=environment)


def _token_file(plan: Plan, name: str) -> Path:
    return plan.folder / f"{name}.token"


def _advice(error: ShoalError, plan: Plan, name: str) -> str:
    if error.reason == "NAME_TAKEN":
        return (
            f"a bot is called {name!r} already, and its token is not in {plan.folder}: put it there as "
            f"{name}.token, or name another, like {name.partition('-')[0]}-2"
        )
    if error.reason in {"NOT_ALLOWED", *OLD_TOKEN}:
        return f"{error.message}: --token-file names the file with an admin token of {plan.server}"
    return f"{error.message} ({error.reason or error.code.name})"
