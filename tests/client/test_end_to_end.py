"""The kit and the command against a real server with its private Redis."""

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Self

import pytest

from shoal.client import Bot, Client, ShoalError, Superseded, Tally, pb, run_bot
from shoal.client.backoff import Backoff
from shoal.client.bots import BASELINES, GreedyBot
from shoal.engine import RULESETS

SHOAL = [sys.executable, "-m", "shoal.cli"]


class Server:
    """A `shoal serve` that a test may kill and start again on the same port and data."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = 0
        self._process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"127.0.0.1:{self.port}"

    @property
    def admin(self) -> str:
        """The admin's token."""
        return (self.folder / "admin.token").read_text().strip()

    def start(self) -> Self:
        """Start it, and wait until it serves."""
        options = ["--port", str(self.port), "--data-dir", str(self.folder / "data")]
        if not self.port:
            options += ["--admin-token-file", str(self.folder / "admin.token")]
        with (self.folder / "server.log").open("a") as log:
            self._process = subprocess.Popen(
                [*SHOAL, "serve", "--no-director", "--announce", *options],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, (self.folder / "server.log").read_text()
        self.port = json.loads(line)["port"]
        return self

    def end(self, number: signal.Signals = signal.SIGTERM) -> None:
        """End it by a signal, and wait until it is gone."""
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(30)
            assert self._process.stdout is not None
            self._process.stdout.close()
            self._process = None


@pytest.fixture
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A running server, in a folder whose name is short enough for a socket."""
    server = Server(tmp_path_factory.mktemp("s")).start()
    yield server
    server.end()


def shoal(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the command to its end."""
    return subprocess.run(
        [*SHOAL, *arguments], cwd=cwd, capture_output=True, text=True, timeout=60, check=False
    )


class Slow(GreedyBot):
    """Takes a little time for each choice, so that a test can break something meanwhile."""

    def for_match(self, match: pb.Match) -> GreedyBot:  # noqa: ARG002
        return self

    def choose(self, observation: pb.Observation, decision: pb.Decision) -> pb.Option:
        time.sleep(0.02)
        return super().choose(observation, decision)


async def until(holds: Callable[[], bool]) -> None:
    """Wait until it holds."""
    async with asyncio.timeout(30):
        while not holds():  # noqa: ASYNC110 - only by asking
            await asyncio.sleep(0.02)


async def play(
    arena: Server, bots: Sequence[Bot], matches: int, rulesets: Sequence[str] = ("base",)
) -> tuple[asyncio.Task[list[Tally]], list[str], list[Tally]]:
    """Register bots, start them, create matches between them; return the run, the matches, and its tallies.

    The matches take their rulesets from the list, in turns.
    """
    tallies = [Tally() for _ in bots]
    async with Client(arena.address, arena.admin) as client:
        made = [await client.register_bot(f"bot-{number}") for number in range(len(bots))]
        ids = [one.bot.bot_id for one in made]
        created = [
            (await client.create_match(ids, ruleset=ruleset)).match_id
            for ruleset in islice(cycle(rulesets), matches)
        ]

    async def run() -> list[Tally]:
        runs = (
            run_bot(
                *(bot, arena.address, one.token),
                matches=matches,
                tally=tally,
                backoff=Backoff(most=0.5),
            )
            for bot, one, tally in zip(bots, made, tallies, strict=True)
        )
        return list(await asyncio.gather(*runs))

    return asyncio.create_task(run()), created, tallies


async def test_baselines_play_whole_matches(arena: Server) -> None:
    """Three baselines at one table play every ruleset to the end, without one refused move or default."""
    bots = [BASELINES[name](seed=1) for name in BASELINES]
    run, created, _ = await play(arena, bots, len(RULESETS), RULESETS)
    tallies = await run
    for tally in tallies:
        assert tally.matches == len(RULESETS)
        assert not tally.refused
        assert (tally.faults, tally.late, tally.connections) == (0, 0, 1)
    assert sum(tally.wins for tally in tallies) >= len(RULESETS)
    async with Client(arena.address) as client:
        for match_id, ruleset in zip(created, RULESETS, strict=True):
            record = await client.get_record(match_id)
            assert record.match.ruleset == ruleset
            moves = [entry for entry in record.entries if entry.kind == pb.LOG_ENTRY_KIND_MOVE]
            assert len(moves) == len(record.entries) - 3


async def test_matches_survive_the_death_of_the_server(arena: Server) -> None:
    """A server that is killed under live matches and started again costs nobody a move (T1, T21)."""
    run, created, playing = await play(arena, [Slow(), Slow()], 4)
    await until(lambda: all(each.moves for each in playing))
    arena.end(signal.SIGKILL)
    await asyncio.to_thread(arena.start)
    tallies = await run
    assert [tally.matches for tally in tallies] == [4, 4]
    assert all(tally.connections == 2 for tally in tallies)
    assert all(tally.faults == 0 for tally in tallies)
    async with Client(arena.address) as client:
        for match_id in created:
            record = await client.get_record(match_id)
            kinds = {entry.kind for entry in record.entries} - {pb.LOG_ENTRY_KIND_CREDIT}
            assert kinds == {pb.LOG_ENTRY_KIND_READY, pb.LOG_ENTRY_KIND_MOVE}


async def test_a_second_process_takes_over(arena: Server) -> None:
    """The newer of two processes of one bot plays on; the older one ends with a typed error (T23)."""
    async with Client(arena.address) as client:
        made = await client.register_bot("twins")
    first = Tally()
    older = asyncio.create_task(run_bot(Slow(), arena.address, made.token, tally=first))
    await until(lambda: first.connected)
    stop, tally = asyncio.Event(), Tally()
    newer = asyncio.create_task(run_bot(Slow(), arena.address, made.token, stop=stop, tally=tally))
    with pytest.raises(Superseded):
        await older
    await until(lambda: tally.connected)
    stop.set()
    await newer


async def test_refusals_are_typed(arena: Server) -> None:
    """What the server refuses has the reason that the protocol names."""
    async with Client(arena.address) as client:
        await client.register_bot("once")
        with pytest.raises(ShoalError) as twice:
            await client.register_bot("once")
        with pytest.raises(ShoalError) as nothing:
            await client.get_match("nothing")
    assert twice.value.reason == "NAME_TAKEN"
    assert nothing.value.reason == "NOT_FOUND"


def test_a_newcomer_registers_runs_and_looks(arena: Server) -> None:
    """Register, run, create, list, show: the commands of the README, as a user types them."""
    folder, where = arena.folder, ("--server", arena.address)
    ids: list[str] = []
    for name in ("one", "two"):
        token_file = folder / f"{name}.token"
        owner = ("--owner-token-file", "one.token") if ids else ()
        done = shoal(
            "bot",
            "register",
            name,
            *where,
            *owner,
            "--token-file",
            str(token_file),
            "--json",
            cwd=folder,
        )
        assert done.returncode == 0, done.stderr
        assert token_file.stat().st_mode & 0o777 == 0o600
        ids.append(json.loads(done.stdout)["bot"]["botId"])
    example = Path(__file__).parents[2] / "clients/python/examples/my_bot.py"
    runs = [
        subprocess.Popen(
            [*SHOAL, "bot", "run", spec, *where, "--token-file", f"{name}.token", "--json"],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name, spec in (("one", f"{example}:MyBot"), ("two", "greedy"))
    ]
    try:
        bots = ",".join(ids)
        made = shoal(
            "match", "create", "--bots", bots, *where, "--token-file", "one.token", cwd=folder
        )
        assert made.returncode == 0, made.stderr
        match_id = made.stdout.strip()
        for _ in range(40):
            listed = shoal("match", "list", *where, cwd=folder).stdout
            if "finished (" in listed:
                break
        assert match_id in listed
        shown = shoal("match", "show", match_id, *where, cwd=folder).stdout
        assert "round 1: seat" in shown
        assert "match over by" in shown.splitlines()[-1]
    finally:
        for run in runs:
            run.send_signal(signal.SIGINT)
    for run in runs:
        out, err = run.communicate(timeout=20)
        assert run.returncode == 0, err
        assert all(" finished, " in line for line in err.splitlines()), err
        assert json.loads(out)["matches"] == 1
