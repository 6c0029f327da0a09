"""Faults of the store itself: killed, made to stand still, failed over; the undoing makes it whole again."""

import asyncio
import random
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from shoal.server.chaos.arena import Arena, NothingToTouch
from shoal.server.chaos.stores import ClusterStore, SingleStore
from shoal.server.chaos.timeline import Takeover
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
    slot = _slot(dice)
    async with _noted(arena, slot):
        master = store.cluster.master_of(slot)
        master.pause()
        try:
            yield ALL
        finally:
            master.resume()
            # Until it knows that it is none any more, it acknowledges what nobody will have.
            await store.settle()


@asynccontextmanager
async def cluster_failover(arena: Arena, dice: random.Random) -> AsyncIterator[frozenset[str]]:
    """Kill a master; its replica takes over, and the old one comes back as a replica."""
    store = _cluster(arena)
    slot = _slot(dice)
    try:
        async with _noted(arena, slot):
            await store.cluster.fail_over(slot)
        yield ALL
    finally:
        await store.settle()


@asynccontextmanager
async def cluster_failover_loses(
    arena: Arena, dice: random.Random
) -> AsyncIterator[frozenset[str]]:
    """The same with a master that acknowledged things which no replica has (T6).

    Raise NothingToTouch on leaving when it has acknowledged none.
    """
    store = _cluster(arena)
    slot = _slot(dice)
    try:
        async with _noted(arena, slot) as partitions, store.cluster.losing_writes(slot):
            begin = time.monotonic()
            yield ALL
            await _has_acknowledged(arena, partitions, begin)
    finally:
        await store.settle()


@asynccontextmanager
async def _noted(arena: Arena, slot: int) -> AsyncIterator[frozenset[int]]:
    """Note a takeover when the slot has another master at the end; gives the partitions of the first one.

    They are asked for before: a master that is doomed lets nobody in any more.
    """
    cluster = _cluster(arena).cluster
    begin = time.monotonic()
    master = cluster.master_of(slot)
    partitions = frozenset(
        partition
        for partition, each in enumerate(PARTITION_SLOTS)
        if cluster.master_of(each) is master
    )
    try:
        yield partitions
    finally:
        if cluster.master_of(slot) is not master:
            arena.timeline.takeovers.append(Takeover(begin, time.monotonic(), partitions))


async def _has_acknowledged(arena: Arena, partitions: frozenset[int], since: float) -> None:
    """Return when a move was acknowledged in one of these partitions; raise NothingToTouch after a while."""
    journals = [member.journal for member in arena.crowd.members]
    while time.monotonic() - since < ACKNOWLEDGES_WITHIN:
        if any(
            at > since and partition_of(match_id) in partitions
            for journal in journals
            for match_id, at in journal.acknowledged.items()
        ):
            return
        await asyncio.sleep(LOOK_SECONDS)
    raise NothingToTouch


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
