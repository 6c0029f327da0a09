"""A Redis Cluster of plain processes: three masters, each with a replica, that can be killed and moved."""

import asyncio
import random
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import hiredis

from shoal.server.store.binary import find_binary
from shoal.server.store.slots import SLOTS

MASTERS = 3
NODE_TIMEOUT_MS = 1_000
"""After so long without an answer a node is taken for dead, and its replica stands for election."""

PATIENCE = 30.0
POLL = 0.02
BUS = 10_000
"""How far above its port a node of Redis 6 has that for the other nodes."""


class ClusterNode:
    """One process of the cluster; `ask` uses a connection of its own each time."""

    def __init__(self, folder: Path, port: int, timeout_ms: int) -> None:
        self.port = port
        self._folder = folder
        self._timeout_ms = timeout_ms
        self._child: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start it, or start it again where it was."""
        words = {
            "port": self.port,
            "bind": "127.0.0.1",
            "dir": self._folder,
            "cluster-enabled": "yes",
            "cluster-node-timeout": self._timeout_ms,
            "repl-diskless-sync-delay": 0,
            "save": "",
        }
        command = [word for name, value in words.items() for word in (f"--{name}", str(value))]
        self._child = subprocess.Popen([find_binary(), *command], stdout=subprocess.DEVNULL)

    @property
    def pid(self) -> int:
        assert self._child is not None
        return self._child.pid

    @property
    def running(self) -> bool:
        return self._child is not None and self._child.poll() is None

    def kill(self) -> None:
        """End it as `kill -9` does."""
        if self._child is not None:
            self._child.kill()
            self._child.wait()

    def ask(self, *commands: tuple[str | int, ...]) -> list[Any]:
        """Return the replies to commands on one connection; raise hiredis.ReplyError or OSError."""
        reader = hiredis.Reader(encoding="utf-8")
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as channel:
            channel.sendall(b"".join(hiredis.pack_command(command) for command in commands))
            replies = []
            while len(replies) < len(commands):
                while (reply := reader.gets()) is False:
                    data = channel.recv(65536)
                    if not data:
                        raise ConnectionResetError
                    reader.feed(data)
                if isinstance(reply, hiredis.ReplyError):
                    raise reply
                replies.append(reply)
        return replies

    def one(self, *command: str | int) -> Any:
        """Return the reply to one command."""
        return self.ask(command)[0]

    def info(self, *command: str) -> dict[str, str]:
        """Return the fields of an answer such as that of CLUSTER INFO."""
        lines = self.one(*command).splitlines()
        return dict(line.split(":", 1) for line in lines if ":" in line)


class RedisCluster:
    """All nodes: the first three begin as masters, and the others as their replicas."""

    def __init__(self, nodes: list[ClusterNode]) -> None:
        self.nodes = nodes

    @property
    def url(self) -> str:
        """Where it is: all nodes."""
        return "redis://" + ",".join(f"127.0.0.1:{node.port}" for node in self.nodes) + "/"

    @property
    def living(self) -> list[ClusterNode]:
        return [node for node in self.nodes if node.running]

    def node_at(self, port: int) -> ClusterNode:
        return next(node for node in self.nodes if node.port == port)

    def masters(self) -> list[ClusterNode]:
        """Return the masters that serve slots, as the first living node knows them."""
        slots = self.living[0].one("CLUSTER", "SLOTS")
        return [self.node_at(port) for port in dict.fromkeys(each[2][1] for each in slots)]

    def master_of(self, slot: int, told_by: ClusterNode | None = None) -> ClusterNode:
        """Return the master of a slot, as one node knows it."""
        slots = (told_by or self.living[0]).one("CLUSTER", "SLOTS")
        for first, last, (_, port, *_), *_ in slots:
            if first <= slot <= last:
                return self.node_at(port)
        raise AssertionError(f"nobody serves {slot}")

    def form(self) -> None:
        """Let new nodes become one cluster."""
        masters, replicas = self.nodes[:MASTERS], self.nodes[MASTERS:]
        share = -(-SLOTS // MASTERS)
        for at, master in enumerate(masters):
            slots = range(at * share, min((at + 1) * share, SLOTS))
            master.ask(("CLUSTER", "SET-CONFIG-EPOCH", at + 1), ("CLUSTER", "ADDSLOTS", *slots))
        for node in self.nodes[1:]:
            node.one("CLUSTER", "MEET", "127.0.0.1", self.nodes[0].port)
        wait_until(lambda: all(self._knows_all(node) for node in self.nodes))
        for master, replica in zip(masters, replicas, strict=True):
            replica.one("CLUSTER", "REPLICATE", master.one("CLUSTER", "MYID"))
        self.settle()

    def settle(self) -> None:
        """Return when all nodes run, agree, and every master has a replica that follows it."""
        for node in self.nodes:
            if not node.running:
                node.start()
        wait_until(self._is_whole)

    def _knows_all(self, node: ClusterNode) -> bool:
        return int(node.info("CLUSTER", "INFO")["cluster_known_nodes"]) == len(self.nodes)

    def _is_whole(self) -> bool:
        views = []
        for node in self.nodes:
            if node.info("CLUSTER", "INFO")["cluster_state"] != "ok":
                return False
            if node.info("INFO", "replication").get("master_link_status", "up") != "up":
                return False
            slots = node.one("CLUSTER", "SLOTS")
            views.append(sorted((each[0], each[1], each[2][1]) for each in slots))
            if not all(len(each) > 3 for each in slots):
                return False
        return all(view == views[0] for view in views)

    async def fail_over(self, slot: int, old: ClusterNode | None = None) -> ClusterNode:
        """Kill the master of a slot, and return the replica that takes over, when all agree that it has."""
        old = old or self.master_of(slot)
        old.kill()
        await asyncio.to_thread(wait_until, lambda: self._has_left(slot, old))
        return self.master_of(slot)

    def _has_left(self, slot: int, old: ClusterNode) -> bool:
        return all(
            self.master_of(slot, told_by=node) is not old
            and node.info("CLUSTER", "INFO")["cluster_state"] == "ok"
            for node in self.living
        )

    @asynccontextmanager
    async def losing_writes(self, slot: int) -> AsyncIterator[ClusterNode]:
        """Lose what is written to a slot inside this context, although it is acknowledged.

        The replicas of its master are cut off and cannot log in again; at the end the master is killed
        and one of them takes over. Only connections that were open before can write meanwhile. Gives
        the doomed master; `settle` makes the cluster whole again.
        """
        master = self.master_of(slot)
        master.ask(
            ("CONFIG", "SET", "requirepass", "only-for-those-inside"),
            ("CLIENT", "KILL", "TYPE", "replica"),
        )
        yield master
        await self.fail_over(slot, master)

    async def move_slot(
        self, slot: int, target: ClusterNode, *, pause: Callable[[], Any] | None = None
    ) -> None:
        """Move a slot to another master, key by key; `pause` is awaited between the steps."""
        source = self.master_of(slot)
        ids = {node: node.one("CLUSTER", "MYID") for node in (source, target)}

        async def step(node: ClusterNode, *command: str | int) -> Any:
            reply = await asyncio.to_thread(node.one, *command)
            if pause is not None:
                await pause()
            return reply

        await step(target, "CLUSTER", "SETSLOT", slot, "IMPORTING", ids[source])
        await step(source, "CLUSTER", "SETSLOT", slot, "MIGRATING", ids[target])
        while keys := await step(source, "CLUSTER", "GETKEYSINSLOT", slot, 1):
            where = ("127.0.0.1", target.port, "", 0, 5_000)
            await step(source, "MIGRATE", *where, "KEYS", *keys)
        for node in (target, source):
            await step(node, "CLUSTER", "SETSLOT", slot, "NODE", ids[target])
        await asyncio.to_thread(
            wait_until,
            lambda: all(self.master_of(slot, told_by=node) is target for node in self.living),
        )


def wait_until(holds: Callable[[], bool]) -> None:
    """Return when it holds; a node that does not answer yet makes it false."""
    give_up = time.monotonic() + PATIENCE
    while True:
        with suppress(OSError, hiredis.ReplyError, AssertionError):
            if holds():
                return
        if time.monotonic() > give_up:
            raise TimeoutError("the cluster does not get there")
        time.sleep(POLL)


@contextmanager
def launch_cluster(folder: Path, timeout_ms: int = NODE_TIMEOUT_MS) -> Iterator[RedisCluster]:
    """Run a cluster whose files are in a folder until the context ends; blocks while it forms."""
    with ExitStack() as stack:
        nodes = []
        for number in range(2 * MASTERS):
            home = folder / f"node-{number}"
            home.mkdir()
            nodes.append(_launch_node(home, timeout_ms))
            stack.callback(nodes[-1].kill)
        cluster = RedisCluster(nodes)
        cluster.form()
        yield cluster


def _launch_node(home: Path, timeout_ms: int) -> ClusterNode:
    """Start a node on ports that are free; somebody may be faster, so try again."""
    for _ in range(20):
        node = ClusterNode(home, free_port(), timeout_ms)
        give_up = time.monotonic() + PATIENCE
        while node.running and time.monotonic() < give_up:
            with suppress(OSError, hiredis.ReplyError):
                if node.info("INFO", "server")["process_id"] == str(node.pid):
                    return node
            time.sleep(POLL)
        node.kill()
    raise AssertionError("no node could be started")


def free_port() -> int:
    """Return a port that is free, as is that of its bus; both are below those that the system gives out."""
    while True:
        port = random.randrange(11_000, 21_000)
        with suppress(OSError), socket.socket() as one, socket.socket() as bus:
            one.bind(("127.0.0.1", port))
            bus.bind(("127.0.0.1", port + BUS))
            return port
