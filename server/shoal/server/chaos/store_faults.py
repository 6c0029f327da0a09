"""Faults of the store itself: killed, made to stand still, failed over; the undoing makes it whole again."""

import asyncio
import random
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from shoal.server.chaos.arena import Arena
from shoal.server.chaos.stores import ClusterStore, SingleStore
from shoal.server.store.keys import partition_of
from shoal.server.store.slots import PARTITION_SLOTS

ALL: frozenset[str] = frozenset()

ACKNOWLEDGES_WITHIN: Final = 8.0
"""Seconds in which a master that is cut off has acknowledged something, unless all stands still."""

LOOK_SECONDS: Final = 0.02


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
        slot = _slot(dice)
        # Asked before: the doomed master, which may be the one that is asked, lets nobody in any more.
        master = store.cluster.master_of(slot)
        slots = {each for each in PARTITION_SLOTS if store.cluster.master_of(each) is master}
        async with store.cluster.losing_writes(slot):
            begin = time.monotonic()
            yield ALL
            await _has_acknowledged(arena, slots, begin)
    finally:
        await store.settle()


async def _has_acknowledged(arena: Arena, slots: set[int], since: float) -> None:
    """Return when a move was acknowledged that is in one of these slots, or after a while."""
    journals = [member.journal for member in arena.crowd.members]
    while time.monotonic() - since < ACKNOWLEDGES_WITHIN:
        if any(
            at > since and PARTITION_SLOTS[partition_of(match_id)] in slots
            for journal in journals
            for match_id, at in journal.acknowledged.items()
        ):
            return
        await asyncio.sleep(LOOK_SECONDS)


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
