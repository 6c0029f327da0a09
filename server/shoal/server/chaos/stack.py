"""The private stack of a run: store, servers and a director as real processes."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final, NamedTuple, final

import psutil

from shoal.server.chaos.proxy import Ends
from shoal.server.chaos.stores import OwnStore, cluster_store, single_store
from shoal.server.children import Child, ChildFailed, announcement, running, shoal_command

DIRECTOR: Final = "director"
ATTEMPTS: Final = 4
POLL: Final = 0.05
CONNECTED: Final = '"event": "store"'
"""What a process logs when it has found the store."""


@final
class Footprint(NamedTuple):
    """What a process holds."""

    descriptors: int
    threads: int


def footprint_of(process: "Process") -> Footprint:
    """Return what a server or director holds now, its workers included."""
    family = process.family()
    return Footprint(
        sum(each.num_fds() for each in family), sum(each.num_threads() for each in family)
    )


@final
class Process:
    """A server or a director, which may be started again and again.

    `port` is where it listens now: 0 while it does not, and for ever for a director. `exits` are the codes
    with which it ended when it was asked to; `footprint` is what it held when it had just begun to work.
    `workers` processes serve in it, and up to `helpers` more work for it.
    """

    def __init__(
        self,
        name: str,
        store_url: str,
        folder: Path,
        *words: str,
        workers: int = 1,
        helpers: int = 0,
    ) -> None:
        """Prepare to run `shoal` with these words, on the store at a URL."""
        self.name = name
        self.workers = workers
        self.helpers = helpers
        self.port = 0
        self.exits: list[int] = []
        self.footprint = Footprint(0, 0)
        self._folder = folder
        self._words = (*words, "--json-logs", "--redis-url", store_url)
        self._numbers = itertools.count(1)
        self._child: Child
        self._life = AsyncExitStack()

    @property
    def pid(self) -> int:
        """The process that it is now."""
        return self._child.process.pid

    def family(self) -> list[psutil.Process]:
        """Return the process and what it has started."""
        process = psutil.Process(self.pid)
        return [process, *process.children(recursive=True)]

    def serving(self) -> list[psutil.Process]:
        """Return the processes that serve: its workers, or itself."""
        return self.family()[1:] if self.workers > 1 else self.family()[:1]

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
        command = shoal_command(*self._words)
        name = f"{self.name}.{next(self._numbers)}"
        self._child = await self._life.enter_async_context(running(name, command, self._folder))
        if "--announce" in self._words:
            self.port = (await announcement(self._child))["port"]
        else:
            await self._connected()
        self.footprint = footprint_of(self)

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

    def failure(self) -> Exception | None:
        """Return why it is gone although nobody ended it; None while it runs."""
        return self._child.failure() if self._child.process.returncode is not None else None


@final
class Stack:
    """All of it, running."""

    def __init__(self, store: OwnStore, servers: list[Process], director: Process) -> None:
        """Gather the parts."""
        self.store = store
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
    folder: Path, say: Callable[[str], None], *, servers: int, workers: int, cluster: bool
) -> AsyncIterator[tuple[Stack, str]]:
    """Run a stack in a folder until the context ends; the second value is the admin token.

    The first of the servers has so many workers.
    """
    names = [*(f"server-{number}" for number in range(1, servers + 1)), DIRECTOR]
    async with AsyncExitStack() as life:
        what = "Redis Cluster" if cluster else "Redis"
        say(f"{servers} servers, a director and a {what} of their own in {folder}")
        running_store = cluster_store(folder) if cluster else single_store(folder, names)
        store: OwnStore = await life.enter_async_context(running_store)
        token = folder / "admin.token"
        serve = ["serve", "--no-director", "--announce", "--port", "0"]
        serve += ["--admin-token-file", str(token)]
        processes = [Process(name, store.url_for(name), folder, *serve) for name in names[1:-1]]
        first, last = names[0], names[-1]
        by_workers = [*serve, "--workers", str(workers)]
        url = store.url_for(first)
        processes.insert(0, Process(first, url, folder, *by_workers, workers=workers))
        processes.append(Process(last, store.url_for(last), folder, "director", helpers=2))
        life.push_async_callback(_end_all, processes)
        await processes[0].start()  # alone: the first one of a store writes the token
        async with asyncio.TaskGroup() as tasks:
            for process in processes[1:]:
                tasks.create_task(process.start())
        yield Stack(store, processes[:-1], processes[-1]), token.read_text().strip()


async def _end_all(processes: list[Process]) -> None:
    """End what runs of these."""
    await asyncio.gather(*(process.end() for process in processes))
