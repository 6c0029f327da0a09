"""A private Redis Cluster: three masters, each with a replica; masters can be killed and slots moved.

For the fault kit and for tests; whoever has a cluster to play on runs it with tools of Redis.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any, Final, final

import hiredis

from shoal.server.chaos.redis_node import POLL, ClusterNode, launch_node
from shoal.server.store.link import Reply
from shoal.server.store.slots import SLOTS

MASTERS: Final = 3
NODES: Final = 2 * MASTERS
NODE_TIMEOUT_MS: Final = 1_000
"""After so long without an answer a node is taken for dead, and its replica stands for election."""

PATIENCE: Final = 30.0


class SlotUnserved(Exception):
    """A node knows nobody who serves a slot."""


@final
class RedisCluster:
    """All nodes: the first three begin as masters, and the others as their replicas."""

    def __init__(self, nodes: list[ClusterNode]) -> None:
        """Begin with these; usually with none, see `launch`."""
        self.nodes = nodes

    def launch(
        self, folder: Path, timeout_ms: int = NODE_TIMEOUT_MS, known_as: Sequence[int] = ()
    ) -> None:
        """Start the nodes, their files in a folder, and let them become one cluster; blocks meanwhile.

        `known_as` are the ports on which others look for them, where those are not their own. Raise
        NodeFailed or TimeoutError.
        """
        for number in range(NODES):
            home = folder / f"node-{number}"
            home.mkdir(parents=True)
            port = known_as[number] if known_as else 0
            self.nodes.append(launch_node(home, timeout_ms, port))
        self.form()

    def end(self) -> None:
        """Kill all nodes."""
        for node in self.nodes:
            node.kill()

    @property
    def url(self) -> str:
        """Where it is: all nodes."""
        return "redis://" + ",".join(f"127.0.0.1:{node.known_as}" for node in self.nodes) + "/"

    @property
    def living(self) -> list[ClusterNode]:
        """The nodes that run."""
        return [node for node in self.nodes if node.running]

    def node_at(self, port: int) -> ClusterNode:
        """Return the node that others look for on a port."""
        return next(node for node in self.nodes if node.known_as == port)

    def masters(self) -> list[ClusterNode]:
        """Return the masters that serve slots, as the first living node knows them."""
        slots = self.living[0].one("CLUSTER", "SLOTS")
        return [self.node_at(port) for port in dict.fromkeys(each[2][1] for each in slots)]

    def master_of(self, slot: int, told_by: ClusterNode | None = None) -> ClusterNode:
        """Return the master of a slot, as one node knows it; raise SlotUnserved."""
        slots = (told_by or self.living[0]).one("CLUSTER", "SLOTS")
        for first, last, (_, port, *_), *_ in slots:
            if first <= slot <= last:
                return self.node_at(port)
        raise SlotUnserved(f"nobody serves slot {slot}")

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
        try:
            yield master
        finally:
            await self.fail_over(slot, master)

    async def move_slot(
        self, slot: int, target: ClusterNode, *, pause: Callable[[], Any] | None = None
    ) -> None:
        """Move a slot to another master, key by key; `pause` is awaited between the steps."""
        source = self.master_of(slot)
        ids = {node: node.one("CLUSTER", "MYID") for node in (source, target)}

        async def step(node: ClusterNode, *command: str | int) -> Reply:
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
    """Return when it holds; a node that does not answer yet makes it false. Raise TimeoutError."""
    give_up = time.monotonic() + PATIENCE
    while True:
        with suppress(OSError, hiredis.ReplyError, SlotUnserved):
            if holds():
                return
        if time.monotonic() > give_up:
            raise TimeoutError("the cluster does not get there")
        time.sleep(POLL)


@contextmanager
def launch_cluster(folder: Path, timeout_ms: int = NODE_TIMEOUT_MS) -> Iterator[RedisCluster]:
    """Run a cluster whose files are in a folder until the context ends; blocks while it forms."""
    cluster = RedisCluster([])
    try:
        cluster.launch(folder, timeout_ms)
        yield cluster
    finally:
        cluster.end()
