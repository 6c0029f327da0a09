"""`shoal serve --workers`: several processes on one port are one server, also when one of them dies."""

import asyncio
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import grpc
import psutil
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from shoal.client import Client, Tally, pb, run_bot
from shoal.client.backoff import Backoff
from shoal.client.bots import RandomBot
from shoal.server.app import Ports, PortTaken
from shoal.server.children import ServerChild, running_server, shoal_command
from shoal.server.ports import reserve_port
from shoal.server.settings import Settings
from shoal.server.workers import WorkerFailed, keep_worker, make_workers

PATIENCE = 60.0
BOTS = 8
MATCHES = 6
"""Of each bot; 8 bots at 4 tables of two."""


@dataclass(frozen=True)
class Arena:
    """A running `shoal serve --workers 2`, as its processes are."""

    server: ServerChild

    @property
    def parent(self) -> psutil.Process:
        return psutil.Process(self.server.pid)

    def children(self, word: str) -> list[psutil.Process]:
        """Return the parent's children with this word in their command line."""
        found = []
        for child in self.parent.children():
            with suppress(psutil.Error):
                if word in child.cmdline():
                    found.append(child)
        return found

    @property
    def workers(self) -> list[psutil.Process]:
        return self.children("serve")

    async def replaced(self, dead: psutil.Process) -> None:
        """Wait until another worker listens in the place of one that is dead."""
        async with asyncio.timeout(PATIENCE):
            while True:
                workers = [each for each in self.workers if each.pid != dead.pid]
                with suppress(psutil.Error):
                    if len(workers) == 2 and all(map(listens, workers)):
                        return
                await asyncio.sleep(0.05)


def listens(process: psutil.Process) -> bool:
    """Tell whether a process listens on any port."""
    return any(each.status == psutil.CONN_LISTEN for each in process.net_connections("tcp"))


def streams(process: psutil.Process) -> int:
    """Count the connections that came to a worker."""
    return sum(each.status == psutil.CONN_ESTABLISHED for each in process.net_connections("tcp"))


@asynccontextmanager
async def serving(folder: Path, *words: str) -> AsyncIterator[Arena]:
    """Run a server of two workers, and see at the end that nothing of it is left."""
    async with running_server(folder, "--workers", "2", *words) as server:
        family = [*psutil.Process(server.pid).children(recursive=True)]
        arena = Arena(server)
        yield arena
        family += [*arena.parent.children(recursive=True)]
        server.child.process.terminate()
        assert await asyncio.wait_for(server.child.process.wait(), PATIENCE) == 0
    assert not [each for each in family if each.is_running()]


async def tables(arena: Arena) -> tuple[list[str], list[str]]:
    """Register the bots, and create matches of two of them each; return the tokens and the matches."""
    async with Client(arena.server.address, arena.server.admin_token) as client:
        made = [await client.register_bot(f"bot-{number}") for number in range(BOTS)]
        ids = [one.bot.bot_id for one in made]
        created = [
            (await client.create_match(ids[at : at + 2])).match_id
            for at in range(0, BOTS, 2)
            for _ in range(MATCHES)
        ]
    return [one.token for one in made], created


async def play(arena: Arena, tokens: list[str], tallies: list[Tally]) -> None:
    """Let all bots play what was created; each has a connection of its own."""
    await asyncio.gather(
        *(
            run_bot(
                RandomBot(seed=seed),
                arena.server.address,
                token,
                matches=MATCHES,
                tally=tally,
                backoff=Backoff(most=0.5),
            )
            for seed, (token, tally) in enumerate(zip(tokens, tallies, strict=True))
        )
    )


async def fair(arena: Arena, match_ids: list[str]) -> None:
    """All matches were finished by moves alone, be it with time given back: no default, nobody left."""
    async with Client(arena.server.address) as client:
        for match_id in match_ids:
            record = await client.get_record(match_id)
            kinds = {entry.kind for entry in record.entries}
            played = {pb.LOG_ENTRY_KIND_READY, pb.LOG_ENTRY_KIND_MOVE}
            assert kinds - {pb.LOG_ENTRY_KIND_CREDIT} == played


async def test_two_workers_play_matches_through(tmp_path: Path) -> None:
    """Bots on either worker meet at one table; there is one director, and one Redis."""
    async with serving(tmp_path) as arena:
        assert len(arena.workers) == 2
        assert len(arena.children("director")) == 1
        tokens, created = await tables(arena)
        tallies = [Tally() for _ in tokens]
        await asyncio.wait_for(play(arena, tokens, tallies), PATIENCE)
        assert all((each.matches, each.faults) == (MATCHES, 0) for each in tallies)
        await fair(arena, created)


async def test_a_killed_worker_is_replaced_and_its_bots_go_on(tmp_path: Path) -> None:
    """kill -9 of the worker with more streams: they come back, finish, and nothing is charged (T21)."""
    async with serving(tmp_path, "--no-director") as arena:
        tokens, created = await tables(arena)
        tallies = [Tally() for _ in tokens]
        playing = asyncio.create_task(play(arena, tokens, tallies))
        async with asyncio.timeout(PATIENCE):
            while not all(each.connected for each in tallies):  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.02)
        doomed = max(arena.workers, key=streams)
        doomed.kill()
        await arena.replaced(doomed)
        await asyncio.wait_for(playing, PATIENCE)
        assert max(each.connections for each in tallies) > 1
        assert all((each.matches, each.faults) == (MATCHES, 0) for each in tallies)
        await fair(arena, created)


async def test_a_call_may_reach_another_worker_than_the_stream(tmp_path: Path) -> None:
    """Connections are spread over both, each has a health, and what one writes the other knows."""
    async with serving(tmp_path, "--no-director") as arena:
        async with Client(arena.server.address, arena.server.admin_token) as client:
            bot = (await client.register_bot("somebody")).bot
        reached: set[int] = set()
        async with asyncio.timeout(PATIENCE):
            while len(reached) < 2:
                before = {each.pid: streams(each) for each in arena.workers}
                async with Client(arena.server.address) as client:
                    assert (await client.get_bot(bot.bot_id)).name == "somebody"
                    reached |= {
                        each.pid for each in arena.workers if streams(each) > before[each.pid]
                    }
                assert await healthy(arena)


async def healthy(arena: Arena) -> bool:
    """Ask for health on a new connection: whichever worker it reaches."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    async with grpc.aio.insecure_channel(arena.server.address, options=options) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        answer = await stub.Check(health_pb2.HealthCheckRequest())
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
async def test_nothing_is_left_when_the_parent_ends(tmp_path: Path, number: signal.Signals) -> None:
    """Asked to end or killed: workers, director and, if it can, Redis end with it."""
    async with running_server(tmp_path, "--workers", "2") as server:
        arena = Arena(server)
        family = [*arena.workers, *arena.children("director")]
        assert len(family) == 3
        if number != signal.SIGKILL:
            family.append(psutil.Process(server.redis_pid))
        server.child.process.send_signal(number)
        code = await asyncio.wait_for(server.child.process.wait(), PATIENCE)
        assert code == (-number if number == signal.SIGKILL else 0)
        _, alive = await asyncio.to_thread(psutil.wait_procs, family, PATIENCE)
        assert not alive


async def test_a_port_of_others_is_refused_in_one_line(tmp_path: Path) -> None:
    """Also one that they would share: two servers of workers never mix silently."""
    async with serving(tmp_path, "--no-director") as arena:
        for workers in ("1", "2"):
            words = ("serve", "--no-director", "--workers", workers)
            place = ("--port", str(arena.server.port), "--data-dir", str(tmp_path / "other"))
            refused = await asyncio.create_subprocess_exec(
                *shoal_command(*words, *place), stderr=asyncio.subprocess.PIPE
            )
            _, said = await asyncio.wait_for(refused.communicate(), PATIENCE)
            assert refused.returncode == 2
            assert b"another program listens there" in said.splitlines()[-1]
        assert await healthy(arena)


def test_a_reserved_port_is_shared_by_those_who_know_only() -> None:
    """Nobody else gets it, not even before anybody listens, nor by asking for it in the same way."""
    with reserve_port("127.0.0.1", 0) as port:
        with pytest.raises(PortTaken, match="another program"), reserve_port("127.0.0.1", port):
            pass
        with socket.socket() as worker:
            worker.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            worker.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            worker.bind(("127.0.0.1", port))
            worker.listen()
            with pytest.raises(PortTaken), reserve_port("127.0.0.1", port):
                pass
    with reserve_port("127.0.0.1", port) as again:
        assert again == port


async def test_a_worker_that_cannot_start_is_no_reason_to_try_for_ever() -> None:
    """One that ends before it ever served ends the server too, which says so."""
    settings = Settings(workers=1, host="127.0.0.1")
    (worker,) = make_workers(settings, "redis://127.0.0.1:1/0", Ports(0, 0))
    with pytest.raises(WorkerFailed, match="ended with 2 before it served"):
        await asyncio.wait_for(keep_worker(worker, 1.0), PATIENCE)
