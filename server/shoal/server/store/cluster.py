"""The way to a Redis Cluster: each call to the master of its slot, wherever that is by now."""

import asyncio
import time
from collections.abc import Iterator
from typing import Any, Final, final

from shoal.server.store.address import Address
from shoal.server.store.calls import Call
from shoal.server.store.errors import StoreError, StoreUnavailable
from shoal.server.store.link import delays
from shoal.server.store.node import CLOSED, Limits, Node
from shoal.server.store.places import Places
from shoal.server.store.slots import SLOTS, slot_of_command
from shoal.server.store.topology import Topology, read_place

_REDIRECTED: Final = frozenset({"MOVED", "ASK"})
_PASSING: Final = frozenset({"CLUSTERDOWN", "LOADING", "MASTERDOWN", "READONLY", "TRYAGAIN"})
"""Errors of a node that has done nothing and may serve the same call soon, or another node may."""

_MOST_HOPS: Final = 4
"""How often a call follows redirections at once; then it waits like one that nobody serves."""


@final
class Cluster:
    """The masters of a cluster, a map from slots to them, and the calls that none of them serves now.

    Somebody must run `keep` and call `end`. While a master is away, only calls of its slots wait, and
    after the patience are refused; the map is asked for again until some node serves them.
    """

    def __init__(self, places: Places, topology: Topology, limits: Limits) -> None:
        """Begin with this map; connections are opened by `keep`."""
        self._places = places
        self._limits = limits
        self._loop = asyncio.get_running_loop()
        self._nodes: dict[Address, Node] = {}
        self._keepers: dict[Address, asyncio.Task[None]] = {}
        self._tasks: asyncio.TaskGroup | None = None
        self._table: list[Node | None] = [None] * SLOTS
        self._masters: tuple[Node, ...] = ()
        self._held: list[Call] = []
        self._pauses: Iterator[float] | None = None
        self._map_is_old = asyncio.Event()
        self._trouble: str | None = None
        self._read(topology)

    @property
    def masters(self) -> tuple[Node, ...]:
        """All masters that serve slots, as far as is known."""
        return self._masters

    @property
    def available(self) -> bool:
        """Whether calls are accepted for any slot."""
        return self._trouble is None and any(node.available for node in self._masters)

    def take(self, call: Call) -> "asyncio.Future[Any]":
        """Send a call to the master of its slot, or fail it when there is no hope or no room."""
        if self._trouble is not None:
            call.fail(StoreUnavailable(self._trouble))
        else:
            self._route(call)
        return call.future

    def futures(self) -> "list[asyncio.Future[Any]]":
        """Return what the callers wait for."""
        of_nodes = [future for node in self._nodes.values() for future in node.futures()]
        return [*of_nodes, *(call.future for call in self._held)]

    def refuse(self, reason: str) -> None:
        """Refuse calls from now on; those that wait go on waiting."""
        self._trouble = reason

    async def keep(self) -> None:
        """Keep connections to all masters open for ever, and the map up to date."""
        async with asyncio.TaskGroup() as tasks:
            self._tasks = tasks
            for node in self._nodes.values():
                self._employ(node, tasks)
            while True:
                await self._map_is_old.wait()
                for delay in delays():
                    self._map_is_old.clear()
                    await self._look()
                    await asyncio.sleep(delay)
                    if self._settled() and not self._map_is_old.is_set():
                        break

    async def end(self) -> None:
        """End the connections, and fail what still waits."""
        self.refuse(CLOSED)
        held, self._held = self._held, []
        for call in held:
            call.fail(StoreUnavailable(CLOSED))
        for node in self._nodes.values():
            await node.end()

    def _route(self, call: Call) -> None:
        """Give a call to the master of its slot."""
        node = self._table[slot_of_command(call.parts)]
        if node is None:
            self._hold(call, "no node of the cluster serves the slot")
        else:
            node.take(call)

    def _elsewhere(self, node: Node, call: Call, text: str) -> bool:
        """Take over a call that a node would not serve; it has not been done there."""
        word, _, rest = text.partition(" ")
        redirected = word in _REDIRECTED
        if not redirected and word not in _PASSING:
            return False
        call.sendings -= 1
        call.asking = False
        if redirected and call.hops < _MOST_HOPS:
            slot, _, place = rest.partition(" ")
            target = self._node_at(read_place(place, node.address))
            call.hops += 1
            call.asking = word == "ASK"
            if not call.asking:
                self._table[int(slot)] = target
                self._map_is_old.set()
            target.take(call)
        else:
            self._hold(call, text)
        return True

    def _hold(self, call: Call, reason: str) -> None:
        """Let a call wait for a better time, within its patience."""
        late = time.monotonic() - call.born > self._limits.patience
        if late or len(self._held) >= self._limits.calls:
            call.fail(StoreUnavailable(reason))
            return
        call.hops = 0
        self._map_is_old.set()
        if not self._held:
            self._pauses = self._pauses or delays()
            self._loop.call_later(next(self._pauses), self._release)
        self._held.append(call)

    def _release(self) -> None:
        """Send what was held once more; the longer nothing helps, the longer it is held."""
        held, self._held = self._held, []
        for call in held:
            self._route(call)

    def _settled(self) -> bool:
        """Tell whether all is well: every node there and in use, and nothing held."""
        if self._held or not all(node.connected for node in self._masters):
            return False
        self._pauses = None
        return len(self._nodes) == len(self._masters)

    async def _look(self) -> None:
        """Ask any node for the map, and follow it; when none answers, nothing changes."""
        try:
            found = await self._places.find_once(self._limits.connect)
        except StoreError:
            return
        await found.link.end()
        if found.topology is None:
            return
        self._read(found.topology)
        for node in [node for node in self._nodes.values() if node not in self._masters]:
            # One that still answers may be taking over slots: what it was asked is let through.
            if not node.connected or node.slow or node.idle:
                await self._retire(node)
        for node in self._masters:
            if not node.connected:
                for call in node.take_all():
                    self._route(call)

    def _read(self, topology: Topology) -> None:
        """Let calls go where a map says."""
        table: list[Node | None] = [None] * SLOTS
        for first, last, address in topology.ranges:
            table[first : last + 1] = [self._node_at(address)] * (last + 1 - first)
        self._table = table
        self._masters = tuple(map(self._node_at, topology.masters))

    def _node_at(self, address: Address) -> Node:
        """Return the node at an address, a new one if we had nothing to do with it."""
        node = self._nodes.get(address)
        if node is None:
            node = self._nodes[address] = Node(
                address, self._limits, elsewhere=self._elsewhere, worried=self._map_is_old.set
            )
            if self._tasks is not None:
                self._employ(node, self._tasks)
        return node

    def _employ(self, node: Node, tasks: asyncio.TaskGroup) -> None:
        """Keep the connection to a node open until it is retired."""
        self._keepers[node.address] = tasks.create_task(node.keep(), name=f"node {node.address}")

    async def _retire(self, node: Node) -> None:
        """Leave a node that serves no slot any more; what it has not answered goes elsewhere."""
        del self._nodes[node.address]
        self._keepers.pop(node.address).cancel()
        for call in node.take_all():
            self._route(call)
        await node.end()
