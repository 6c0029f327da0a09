"""The private stack of a run: Redis, servers and a director as real processes, and the doors between."""

import asyncio
import itertools
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final, NamedTuple, final

import psutil

from shoal.server.chaos.proxy import Door, Ends
from shoal.server.children import Child, ChildFailed, announcement, running, shoal_command
from shoal.server.store.address import Address
from shoal.server.store.launcher import PrivateRedis, launch_redis

CONNECT_SECONDS: Final = 1.0
ATTEMPTS: Final = 4
POLL: Final = 0.05
CONNECTED: Final = '"event": "store"'
"""What a process logs when it has found the store."""


@final
class Footprint(NamedTuple):
    """What a process holds."""

    descriptors: int
    threads: int


def footprint_of(pid: int) -> Footprint:
    """Return what a process holds now."""
    process = psutil.Process(pid)
    return Footprint(process.num_fds(), process.num_threads())


@final
class Redis:
    """The Redis of the run. The kit alone owns it: nobody else starts it again."""

    def __init__(self, redis: PrivateRedis) -> None:
        """Own a running one."""
        self.url = redis.url
        self._redis = redis

    async def connect(self) -> Ends:
        """Open a connection; raise OSError when it is not there."""
        async with asyncio.timeout(CONNECT_SECONDS):
            return await asyncio.open_unix_connection(Address.parse(self.url).path)

    async def kill(self) -> None:
        """Kill it with signal 9, and return when it is gone."""
        process = psutil.Process(self._redis.pid)
        process.kill()
        await asyncio.to_thread(process.wait)

    async def revive(self) -> None:
        """Start it again on its data; nothing interrupts that, so that nothing of it stays behind."""
        starting = asyncio.create_task(asyncio.to_thread(self._redis.revive))
        try:
            await asyncio.shield(starting)
        except asyncio.CancelledError:
            await starting
            raise

    def pause(self) -> None:
        """Let it stand still."""
        os.kill(self._redis.pid, signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        os.kill(self._redis.pid, signal.SIGCONT)


@final
class Process:
    """A server or a director, which may be started again and again. Its way to the store is `door`.

    `port` is where it listens now: 0 while it does not, and for ever for a director. `exits` are the codes
    with which it ended when it was asked to; `footprint` is a server's when it had just begun to serve.
    """

    def __init__(self, name: str, door: Door, folder: Path, *words: str) -> None:
        """Prepare to run `shoal` with these words."""
        self.name = name
        self.door = door
        self.port = 0
        self.exits: list[int] = []
        self.footprint = Footprint(0, 0)
        self._folder = folder
        self._words = words
        self._numbers = itertools.count(1)
        self._child: Child
        self._life = AsyncExitStack()

    @property
    def pid(self) -> int:
        """The process that it is now."""
        return self._child.process.pid

    async def start(self) -> None:
        """Start it; return when it has work. What fails is tried again, as a process manager does.

        Raise ChildFailed when it still does not start.
        """
        for left in reversed(range(ATTEMPTS)):
            try:
                await self._start()
            except ChildFailed:
                await self._life.aclose()
                if not left:
                    raise
            else:
                return

    async def _start(self) -> None:
        """Start it once."""
        command = shoal_command(
            *self._words, "--json-logs", "--redis-url", f"redis://127.0.0.1:{self.door.port}"
        )
        name = f"{self.name}.{next(self._numbers)}"
        self._child = await self._life.enter_async_context(running(name, command, self._folder))
        if "--announce" in self._words:
            self.port = (await announcement(self._child))["port"]
            self.footprint = footprint_of(self.pid)
        else:
            await self._connected()

    async def _connected(self) -> None:
        """Return when it has found the store; raise ChildFailed when it ends."""
        while CONNECTED not in self._child.log.read_text():
            if self._child.process.returncode is not None:
                raise self._child.failure()
            await asyncio.sleep(POLL)

    async def kill(self) -> None:
        """Kill it with signal 9, and return when it is gone."""
        self.port = 0
        self._child.process.kill()
        await self._life.aclose()

    async def stop(self) -> None:
        """Ask it to end, as an operator does, and return when it is gone."""
        self.port = 0
        await self._life.aclose()
        self.exits.append(self._child.process.returncode or 0)

    async def end(self) -> None:
        """End it, if it runs."""
        await self._life.aclose()

    def pause(self) -> None:
        """Let it stand still."""
        self._child.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        self._child.process.send_signal(signal.SIGCONT)

    def failure(self) -> Exception | None:
        """Return why it is gone although nobody ended it; None while it runs."""
        return self._child.failure() if self._child.process.returncode is not None else None


@final
class Stack:
    """All of it, running."""

    def __init__(self, redis: Redis, servers: list[Process], director: Process) -> None:
        """Gather the parts."""
        self.redis = redis
        self.servers = servers
        self.director = director
        self._turn = itertools.count()

    @property
    def processes(self) -> list[Process]:
        """Servers and director."""
        return [*self.servers, self.director]

    @property
    def address(self) -> str:
        """Where a server can be asked that is not behind a door."""
        return f"127.0.0.1:{self.servers[0].port}"

    async def connect(self) -> Ends:
        """Open a connection to the next server that listens; raise OSError when none does."""
        first = next(self._turn)
        for step in range(len(self.servers)):
            port = self.servers[(first + step) % len(self.servers)].port
            if port:
                try:
                    return await asyncio.open_connection("127.0.0.1", port)
                except OSError:
                    continue
        raise ConnectionRefusedError


@asynccontextmanager
async def running_stack(
    folder: Path, servers: int, say: Callable[[str], None]
) -> AsyncIterator[tuple[Stack, str]]:
    """Run a stack in a folder until the context ends; the second value is the admin token."""
    async with AsyncExitStack() as life:
        redis = life.enter_context(launch_redis(folder / "redis"))
        own = Redis(redis)
        say(f"{servers} servers, a director and a Redis of their own in {folder}")
        token = folder / "admin.token"
        serve = ["serve", "--no-director", "--announce", "--port", "0"]
        serve += ["--admin-token-file", str(token)]
        names = [f"server-{number}" for number in range(1, servers + 1)]
        processes = []
        for name in (*names, "director"):
            door = await life.enter_async_context(Door(name, own.connect))
            words = ["director"] if name == "director" else serve
            processes.append(Process(name, door, folder, *words))
        life.push_async_callback(_end_all, processes)
        await processes[0].start()  # alone: the first one of a store writes the token
        async with asyncio.TaskGroup() as tasks:
            for process in processes[1:]:
                tasks.create_task(process.start())
        yield Stack(own, processes[:-1], processes[-1]), token.read_text().strip()


async def _end_all(processes: list[Process]) -> None:
    """End what runs of these."""
    await asyncio.gather(*(process.end() for process in processes))
