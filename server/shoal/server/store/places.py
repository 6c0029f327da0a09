"""Finding a store: the places that its URL names, and those that were learned from a cluster since."""

import asyncio
import random
import time
from dataclasses import dataclass
from typing import Final, final

import hiredis

from shoal.server.store.address import Address, parse_seeds
from shoal.server.store.errors import StoreError, StoreRefused, StoreUnavailable
from shoal.server.store.link import Link, converse, delays, open_link, said_by
from shoal.server.store.topology import Topology, read_topology

_NOT_READY: Final = "the cluster at {} has no slots yet: see `redis-cli --cluster check`"


@dataclass(frozen=True, slots=True)
class Found:
    """A Redis that answered, on a link that is to be adopted or ended."""

    link: Link
    address: Address
    topology: Topology | None
    """What the cluster looks like to it; None when it is no node of a cluster."""


@final
class Places:
    """All places where a node of the store may be."""

    def __init__(self, url: str) -> None:
        """Begin with those of the URL; raise StoreRefused when it is no URL."""
        self._seeds = parse_seeds(url)
        self._learned: tuple[Address, ...] = ()

    def __str__(self) -> str:
        """Say the places that the URL names, without a password."""
        return ", ".join(map(str, self._seeds))

    def learn(self, topology: Topology) -> None:
        """Remember the nodes of a cluster, so that it is found when the seeds are gone."""
        self._learned = topology.nodes

    async def find(self, limit: float, *, patience: float) -> Found:
        """Return the first Redis that answers, each within `limit` seconds; try until `patience` ends.

        Raises StoreUnavailable when there is none, StoreRefused when the last one bars us.
        """
        began = time.monotonic()
        for delay in delays():
            try:
                return await self.find_once(limit)
            except StoreUnavailable:
                if time.monotonic() - began > patience:
                    raise
            await asyncio.sleep(delay)
        raise AssertionError("delays never end")

    async def find_once(self, limit: float) -> Found:
        """Return the first Redis that answers when each place is tried once.

        In any order, since one that is cut off from the others has an old map; but learned ones first,
        since seeds may be gone.
        """
        learned, seeds = list(self._learned), list(self._seeds)
        random.shuffle(learned)
        random.shuffle(seeds)
        failure: StoreError = StoreUnavailable("the store has no place")
        for address in dict.fromkeys((*learned, *seeds)):
            try:
                return await self._look(address, limit)
            except StoreError as error:
                failure = error
        raise failure

    async def _look(self, address: Address, limit: float) -> Found:
        """Connect to one place, and ask what it is."""
        link = await open_link(address, limit)
        try:
            async with asyncio.timeout(limit):
                topology = await _topology(link, address)
            if topology is not None:
                self.learn(topology)
            elif len(self._seeds) > 1:
                msg = (
                    f"Redis at {address} is not a node of a cluster: "
                    "a URL with several hosts is for a cluster"
                )
                raise StoreRefused(msg)
        except (OSError, TimeoutError) as error:
            link.abort()
            msg = f"no connection to Redis at {address}: {said_by(error)}"
            raise StoreUnavailable(msg) from error
        except BaseException:
            link.abort()
            raise
        return Found(link, address, topology)


async def _topology(link: Link, address: Address) -> Topology | None:
    """Ask a Redis whether it is a node of a cluster, and of which."""
    (info,) = await converse(link, ("INFO", "cluster"))
    if isinstance(info, hiredis.ReplyError) or b"cluster_enabled:1" not in info:
        return None
    (slots,) = await converse(link, ("CLUSTER", "SLOTS"))
    if isinstance(slots, hiredis.ReplyError):
        msg = f"Redis at {address} does not tell its cluster: {slots}"
        raise StoreUnavailable(msg)
    topology = read_topology(slots, address)
    if not topology.ranges:
        raise StoreUnavailable(_NOT_READY.format(address))
    return topology
