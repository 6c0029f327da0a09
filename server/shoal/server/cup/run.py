"""Playing a tournament to its end, and showing how it goes."""

import asyncio
import json
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import grpc
from rich.console import Console
from rich.live import Live

from shoal.client import Client, ShoalError, pb
from shoal.competition.specification import Specification
from shoal.server.children import ChildFailed, run_to_the_end, running_server, unless_one_ends
from shoal.server.cup.bots import BadEntrant, Entrant, register, running_bots
from shoal.server.cup.kept import Kept, keeping, kept_for
from shoal.server.cup.place import Place
from shoal.server.cup.view import Now, headline, look, plain, show, view
from shoal.wire.paths import written
from shoal.wire.tournaments import specification_message, with_ids

STOPPED: Final = 130
FAILED: Final = 2
LOOK_EVERY: Final = 0.5
PLAIN_LINE_EVERY: Final = 20
"""How many looks apart a line is printed where there is no terminal."""

PATIENCE: Final = 60.0
"""For how many seconds a server may not answer, before the run is given up."""

_NO_ADMIN: Final = {"NOT_ALLOWED", "TOKEN_INVALID", "TOKEN_REVOKED"}
"""Why a server does not take a token for that of an organizer."""

_AWAY: Final = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}


def run_cup(
    specification: Specification,
    entrants: Sequence[Entrant],
    console: Console,
    *,
    place: Place | None,
    max_matches: int,
    as_json: bool,
) -> int:
    """Play a tournament, show how it goes and how it ended; return the exit status.

    Without a place, on a server of its own.
    """
    quiet = Console(quiet=True) if as_json else console
    try:
        end = run_to_the_end(_cup(specification, entrants, quiet, place, max_matches))
    except KeyboardInterrupt:
        _note(
            "stopped; nothing is left running" if place is None else "stopped; no bot runs on here"
        )
        return STOPPED
    except ShoalError as failure:
        _note(f"shoal: {_told(failure, place)}")
        return FAILED
    except (ChildFailed, BadEntrant) as failure:
        _note(f"shoal: {failure}")
        return FAILED
    if as_json:
        print(json.dumps(plain(end)))  # noqa: T201 - a program reads it
    else:
        show(end, console)
    return 0


async def _cup(
    specification: Specification,
    entrants: Sequence[Entrant],
    console: Console,
    place: Place | None,
    max_matches: int,
) -> Now:
    with tempfile.TemporaryDirectory(prefix="shoal-tournament-") as name:
        folder = Path(name)
        if place is not None:
            with keeping(kept_for(place.address)) as kept:
                return await _play(
                    place, folder, kept, specification, entrants, console, max_matches=max_matches
                )
        console.print("Starting a server with a Redis of its own ...")
        async with running_server(folder) as server:
            private = Place(server.address, server.admin_token, given=False)
            with keeping(folder) as kept:
                work = _play(
                    private, folder, kept, specification, entrants, console, max_matches=max_matches
                )
                return await unless_one_ends(work, [server.child])


async def _play(
    place: Place,
    folder: Path,
    kept: Kept,
    specification: Specification,
    entrants: Sequence[Entrant],
    console: Console,
    *,
    max_matches: int,
) -> Now:
    async with Client(place.address, place.token, tls=place.tls) as client:
        await _call_off_abandoned(client, kept)
        made = await register(client, entrants, place, kept)
        message = specification_message(with_ids(specification, made.ids))
        cup = (await client.tournaments.create(message)).tournament_id
        kept.begin(cup)
        if place.given:
            console.print(f"Playing {cup} on {place.address}")
        async with (
            running_bots(place, folder, entrants, made, max_matches) as children,
            _called_off_unless_over(client, cup, place, kept),
        ):
            for each in entrants:  # in the order of the file: that is the seeding
                await client.tournaments.enter(cup, made.ids[each.name])
            await client.tournaments.start(cup)
            return await unless_one_ends(_follow(client, cup, console), children)


async def _call_off_abandoned(client: Client, kept: Kept) -> None:
    """Call off the tournaments whose runs were killed: our bots would play on in them."""
    for cup in kept.abandoned():
        try:
            await client.tournaments.cancel(cup, "its run was killed")
            _note(f"called off the tournament {cup}, whose run was killed")
        except ShoalError as error:
            if error.reason not in {"WRONG_STATE", "NOT_FOUND"}:
                raise
        kept.over(cup)


@asynccontextmanager
async def _called_off_unless_over(
    client: Client, cup: str, place: Place, kept: Kept
) -> AsyncIterator[None]:
    """Call a tournament off that is not played to its end, and say so; a private one goes with its server."""
    over = False
    try:
        yield
        over = True
    finally:
        if place.given and not over:
            try:
                await client.tournaments.cancel(cup, "its run was stopped")
                _note(f"called off the tournament {cup}")
                over = True
            except ShoalError as error:
                _note(f"the tournament {cup} could not be called off: {error}")
        if over:
            kept.over(cup)


async def _follow(client: Client, cup: str, console: Console) -> Now:
    """Show the standings until the tournament is over, and return the last ones."""
    looks = 0
    answered = time.monotonic()
    with Live(console=console, transient=True, auto_refresh=False) as live:
        while True:
            try:
                now = await look(client, cup)
                answered = time.monotonic()
            except ShoalError as error:
                if error.code not in _AWAY or time.monotonic() - answered > PATIENCE:
                    raise
                await asyncio.sleep(LOOK_EVERY)
                continue
            if now.tournament.state == pb.TOURNAMENT_STATE_FINISHED:
                return now
            if console.is_terminal:
                live.update(view(now, console), refresh=True)
            elif looks % PLAIN_LINE_EVERY == 0:
                console.print(headline(now))
            looks += 1
            await asyncio.sleep(LOOK_EVERY)


def _told(failure: ShoalError, place: Place | None) -> str:
    """Return why it is not played; what is wrong with its file by the fields of that."""
    problems = [f"{field}: {problem}" for field, problem in written(failure.violations)]
    if problems:
        return "; ".join(problems)
    return str(failure) if place is None else said(failure, place)


def said(error: ShoalError, place: Place) -> str:
    """Return what a given server answered, or that there is none, with what to do."""
    if error.code in _AWAY and not error.reason:
        return (
            f"no server at {place.address}: {error.message}: check --server, or start one with "
            "`shoal serve`"
        )
    if error.reason in _NO_ADMIN:
        return (
            f"{error.message} ({error.reason}): --token-file names the file with an admin token of "
            f"{place.address}"
        )
    return f"{error.message} ({error.reason or error.code.name})"


def _note(text: str) -> None:
    """Say something beside the result."""
    Console(stderr=True).print(text, markup=False, soft_wrap=True, highlight=False)
