"""A ladder among six bots for a short while, as a newcomer first sees Shoal: `shoal demo`.

Everything is real and everything is private: a server with its Redis in a temporary folder, a director,
and bots in processes of their own that speak gRPC. Nothing of it is left, however it ends.
"""

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.live import Live

from shoal.client import Client, ShoalError, pb
from shoal.server.children import (
    Child,
    ChildFailed,
    ServerChild,
    run_to_the_end,
    running,
    running_server,
    shoal_command,
    unless_one_ends,
)
from shoal.server.scoreboard import Line, Score, headline, print_json, print_score, view

BOTS: Final = tuple(
    f"{kind}-{number}" for kind in ("random", "greedy", "planner") for number in (1, 2)
)
LADDER: Final = "main"
MATCHES_AT_ONCE: Final = 4
SHOW_LIMIT: Final = 20.0
POLL: Final = 1.0
PLAIN_LINE_EVERY: Final = 5.0
PLAYED_OUT: Final = {pb.TERMINATION_TARGET, pb.TERMINATION_MERMAIDS}
STOPPED: Final = 130


def run_demo(seconds: float, console: Console, as_json: bool) -> int:  # noqa: FBT001
    """Play until so many seconds from now, show how it goes and how it ended; return the exit status."""
    try:
        score, match = run_to_the_end(
            _demo(seconds, Console(quiet=True) if as_json else console, as_json)
        )
    except KeyboardInterrupt:
        Console(stderr=True).print("stopped; nothing is left running")
        return STOPPED
    except (ChildFailed, ShoalError) as failure:
        Console(stderr=True).print(f"shoal demo: {failure}", markup=False, soft_wrap=True)
        return 2
    if as_json:
        print_json(score, match)
    else:
        print_score(score, match, console)
    return 0


async def _demo(seconds: float, console: Console, as_json: bool) -> tuple[Score, str]:  # noqa: FBT001
    """Return the final score, and one finished match as text or JSON."""
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory(prefix="shoal-demo-") as name:
        folder = Path(name)
        console.print("Starting a server with a Redis of its own ...")
        async with running_server(folder) as server:
            evening = _evening(server, folder, console, end, as_json)
            return await unless_one_ends(evening, [server.child])


async def _evening(
    server: ServerChild,
    folder: Path,
    console: Console,
    end: float,
    as_json: bool,  # noqa: FBT001
) -> tuple[Score, str]:
    """Return what _demo does, on a running server."""
    async with Client(server.address, server.admin_token) as client:
        async with _bots(server, client, folder) as bots:
            console.print(f"{len(bots)} bots play on the ladder {LADDER!r} of {server.address}")
            score, shortest = await unless_one_ends(_follow(client, console, end), bots)
        return score, await _show(server, shortest, folder, as_json)


@asynccontextmanager
async def _bots(server: ServerChild, client: Client, folder: Path) -> AsyncIterator[list[Child]]:
    """Register the bots and run them, each in a process, until the context ends."""
    async with AsyncExitStack() as stack:
        bots = []
        for name in BOTS:
            made = await client.register_bot(name, baseline=True)
            token = folder / f"{name}.token"
            token.touch(mode=0o600)
            token.write_text(made.token)
            kind = name.rpartition("-")[0]
            command = shoal_command(
                *("bot", "run", kind, "--server", server.address, "--token-file", str(token)),
                *("--ladder", LADDER, "--max-matches", str(MATCHES_AT_ONCE), "--with-parent"),
            )
            bots.append(await stack.enter_async_context(running(name, command, folder)))
        try:
            yield bots
        finally:
            for bot in bots:  # all at once; the stack then waits for each
                bot.ask_to_end()


async def _follow(client: Client, console: Console, end: float) -> tuple[Score, str]:
    """Show the score until the end; return the last one, and the id of the shortest finished match."""
    begin = time.monotonic()
    next_line = begin + PLAIN_LINE_EVERY
    with Live(console=console, transient=True, auto_refresh=False) as live:
        while (now := time.monotonic()) < end:
            score, _ = await _score(client, begin)
            if console.is_terminal:
                live.update(view(score), refresh=True)
            elif now >= next_line:
                console.print(headline(score))
                next_line += PLAIN_LINE_EVERY
            # Looking must not take much of what is looked at.
            await asyncio.sleep(max(POLL, 5 * (time.monotonic() - now)))
    return await _score(client, begin)


async def _score(client: Client, begin: float) -> tuple[Score, str]:
    """Return what was played since `begin`, and the id of the shortest match or ""."""
    matches = [
        each for each in await client.list_matches() if each.status == pb.MATCH_STATUS_FINISHED
    ]
    standings = [
        Line(
            rank,
            each.bot_name,
            round(each.rating, 1),
            round(each.interval, 1),
            each.match_count,
            each.wins,
            round(each.average_placement, 3),
        )
        for rank, each in enumerate(_ranked(await client.standings(LADDER)), start=1)
    ]
    played = (each for each in matches if each.result.termination in PLAYED_OUT)
    shortest = min(played, key=lambda each: each.version, default=pb.Match())
    moves = sum(each.version - len(each.seats) for each in matches)
    return Score(time.monotonic() - begin, len(matches), moves, standings), shortest.match_id


def _ranked(lines: Iterable[pb.Standing]) -> list[pb.Standing]:
    """Return them by the ratings that tables are made with: those of a table would come too late here."""
    return sorted(lines, key=lambda line: (-line.rating, line.interval, -line.wins, line.bot_id))


async def _show(server: ServerChild, match_id: str, folder: Path, as_json: bool) -> str:  # noqa: FBT001
    """Return what `shoal match show` says of a match."""
    if not match_id:
        raise ChildFailed("no match was finished in that time: give it more with --seconds")
    command = shoal_command("match", "show", match_id, "--server", server.address)
    if as_json:
        command.append("--json")
    async with running("match", command, folder) as child:
        async with asyncio.timeout(SHOW_LIMIT):
            await child.process.wait()
        if child.process.returncode:
            raise child.failure()
        return child.out.read_text()
