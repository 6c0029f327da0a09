"""The store of a run, which the kit alone owns: one Redis, or a cluster; and the doors on the ways to it."""

import asyncio
import itertools
import os
import random
import signal
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Final, final

import psutil

from shoal.server.chaos.proxy import Door, Ends
from shoal.server.chaos.redis_cluster import NODES, RedisCluster
from shoal.server.store.address import Address
from shoal.server.store.launcher import PrivateRedis, launch_redis

CONNECT_SECONDS: Final = 1.0


class OwnStore(ABC):
    """A running store. `url` is where the kit itself looks into it, when no fault happens."""

    url: str

    @abstractmethod
    def url_for(self, process: str) -> str:
        """Return where a process of this name finds it."""

    @abstractmethod
    def way(self, dice: random.Random) -> Door | None:
        """Return a door between processes and store for a fault to be laid on; None when none is in use."""


@final
class SingleStore(OwnStore):
    """One Redis, and a door for each process."""

    def __init__(self, redis: PrivateRedis, doors: dict[str, Door]) -> None:
        """Own a running one; `doors` are by the name of the process."""
        self.url = redis.url
        self._redis = redis
        self._doors = doors
        servers = [door for name, door in doors.items() if name.startswith("server")]
        others = [door for door in doors.values() if door not in servers]
        self._turns = itertools.cycle([*servers, *servers, *others])

    def url_for(self, process: str) -> str:
        """Return the door of a process."""
        return f"redis://127.0.0.1:{self._doors[process].port}"

    def way(self, _dice: random.Random) -> Door:
        """Return one door after the other, those of servers first and twice: there is more to break."""
        return next(self._turns)

    async def kill(self) -> None:
        """Kill it with signal 9, and return when it is gone."""
        process = psutil.Process(self._redis.pid)
        process.kill()
        await asyncio.to_thread(process.wait)

    async def revive(self) -> None:
        """Start it again on its data."""
        await _to_the_end(self._redis.revive)

    def pause(self) -> None:
        """Let it stand still."""
        os.kill(self._redis.pid, signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        os.kill(self._redis.pid, signal.SIGCONT)


@final
class ClusterStore(OwnStore):
    """A cluster, and a door for each node, which is what all others know of it: also the other nodes."""

    def __init__(self, cluster: RedisCluster, doors: Sequence[Door]) -> None:
        """Own a running one; `doors` are in the order of its nodes."""
        self.url = cluster.url
        self.cluster = cluster
        self.doors = doors

    def url_for(self, _process: str) -> str:
        """Return all doors: the nodes themselves tell who is behind which."""
        return self.url

    def way(self, dice: random.Random) -> Door | None:
        """Return a door that is in use: one of a master, or now and then another, for its bells."""
        used = [door for door in self.doors if door.wires]
        return dice.choice(used) if used else None

    async def settle(self) -> None:
        """Start again what was killed, and return when every master has a replica that follows it."""
        await _to_the_end(self.cluster.settle)


@asynccontextmanager
async def single_store(folder: Path, processes: Sequence[str]) -> AsyncIterator[SingleStore]:
    """Run one Redis until the context ends, with a door for each of these processes."""
    async with AsyncExitStack() as life:
        redis = life.enter_context(launch_redis(folder / "redis"))
        path = Address.parse(redis.url).path
        assert path is not None

        async def connect() -> Ends:
            async with asyncio.timeout(CONNECT_SECONDS):
                return await asyncio.open_unix_connection(path)

        doors = {name: await life.enter_async_context(Door(name, connect)) for name in processes}
        yield SingleStore(redis, doors)


@asynccontextmanager
async def cluster_store(folder: Path) -> AsyncIterator[ClusterStore]:
    """Run a cluster until the context ends, with a door for each of its nodes."""
    cluster = RedisCluster([])

    async def connect(number: int) -> Ends:
        if number >= len(cluster.nodes):
            raise ConnectionRefusedError
        async with asyncio.timeout(CONNECT_SECONDS):
            return await asyncio.open_connection("127.0.0.1", cluster.nodes[number].port)

    async with AsyncExitStack() as life:
        doors = [
            await life.enter_async_context(Door(f"node-{number}", partial(connect, number)))
            for number in range(NODES)
        ]
        life.callback(cluster.end)
        known_as = [door.port for door in doors]
        await _to_the_end(partial(cluster.launch, folder / "cluster", known_as=known_as))
        yield ClusterStore(cluster, doors)


async def _to_the_end(work: Callable[[], None]) -> None:
    """Do blocking work beside the event loop; nothing interrupts it, so that nothing of it stays behind."""
    working: Awaitable[None] = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        await asyncio.shield(working)
    except asyncio.CancelledError:
        await working
        raise
