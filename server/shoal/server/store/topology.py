"""What a Redis Cluster looks like: which node serves which slots, as one of its nodes tells it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from shoal.server.store.address import Address
from shoal.server.store.link import Reply

_UNKNOWN_HOSTS: Final = frozenset({b"", b"?", None})
"""What a node says that does not know under which name it is reached: that is the one we used."""


@dataclass(frozen=True, slots=True)
class Topology:
    """A map of the cluster; it may be out of date the moment it is read."""

    ranges: tuple[tuple[int, int, Address], ...]
    """First slot, last slot, and the master that serves them."""

    replicas: tuple[Address, ...]

    @property
    def masters(self) -> tuple[Address, ...]:
        """The masters that serve any slot, each once, by their first slot."""
        return tuple(dict.fromkeys(master for _, _, master in self.ranges))

    @property
    def nodes(self) -> tuple[Address, ...]:
        """All nodes, the masters first."""
        return tuple(dict.fromkeys((*self.masters, *self.replicas)))


def read_topology(slots: Reply, told_by: Address) -> Topology:
    """Read the answer to CLUSTER SLOTS."""
    ranges = []
    replicas: list[Address] = []
    for first, last, *nodes in sorted(slots, key=lambda each: int(each[0])):
        master, *others = _addresses(nodes, told_by)
        ranges.append((first, last, master))
        replicas += others
    return Topology(tuple(ranges), tuple(dict.fromkeys(replicas)))


def read_place(place: str, told_by: Address) -> Address:
    """Read the place that a redirection names: `host:port`, the host may be left out."""
    host, _, port = place.rpartition(":")
    return told_by.at(host or told_by.host, int(port))


def _addresses(nodes: Reply, told_by: Address) -> Iterator[Address]:
    for host, port, *_ in nodes:
        known = told_by.host if host in _UNKNOWN_HOSTS else host.decode()
        yield told_by.at(known, port)
