"""Faults of the store itself: killed, made to stand still, failed over; the undoing makes it whole again."""

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from shoal.server.chaos.arena import Arena
from shoal.server.chaos.stores import ClusterStore, SingleStore
from shoal.server.store.slots import PARTITION_SLOTS

ALL: frozenset[str] = frozenset()


@asynccontextmanager
async def redis_kill(arena: Arena, _dice: random.Random) -> AsyncIterator[frozenset[str]]:
    """Kill the one Redis; the append-only file brings back what it had."""
    redis = _single(arena)
    await redis.kill()
    try:
        yield ALL
    finally:
        await redis.revive()


@asynccontextmanager
async def redis_pause(arena: Arena, _dice: random.Random) -> AsyncIterator[frozenset[str]]:
    """Let the one Redis stand still."""
    redis = _single(arena)
    redis.pause()
    try:
        yield ALL
    finally:
        redis.resume()


@asynccontextmanager
async def cluster_pause(arena: Arena, dice: random.Random) -> AsyncIterator[frozenset[str]]:
    """Let a master stand still: when that lasts, its replica takes over, and then it goes on."""
    store = _cluster(arena)
    master = store.cluster.master_of(_slot(dice))
    master.pause()
    try:
        yield ALL
    finally:
        master.resume()
        await store.settle()


@asynccontextmanager
async def cluster_failover(arena: Arena, dice: random.Random) -> AsyncIterator[frozenset[str]]:
    """Kill a master; its replica takes over, and the old one comes back as a replica."""
    store = _cluster(arena)
    try:
        await store.cluster.fail_over(_slot(dice))
        yield ALL
    finally:
        await store.settle()


@asynccontextmanager
async def cluster_failover_loses(
    arena: Arena, dice: random.Random
) -> AsyncIterator[frozenset[str]]:
    """The same with a master that acknowledged things which no replica has (T6)."""
    store = _cluster(arena)
    try:
        async with store.cluster.losing_writes(_slot(dice)):
            yield ALL
    finally:
        await store.settle()


def _slot(dice: random.Random) -> int:
    """Return a slot that is in use: its master has a third of all partitions."""
    return dice.choice(PARTITION_SLOTS)


def _single(arena: Arena) -> SingleStore:
    """Return the one Redis of the run."""
    assert isinstance(arena.stack.store, SingleStore)
    return arena.stack.store


def _cluster(arena: Arena) -> ClusterStore:
    """Return the cluster of the run."""
    assert isinstance(arena.stack.store, ClusterStore)
    return arena.stack.store
