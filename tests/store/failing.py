"""A cluster whose nodes fail, and players that go on committing to it meanwhile."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from shoal.server.chaos.redis_cluster import RedisCluster
from shoal.server.store import (
    Limits,
    MatchStore,
    Pipe,
    StoredMatch,
    StoreUnavailable,
    keys,
    new_id,
)
from shoal.server.store.commits import Already, Commit, Committed
from shoal.server.store.slots import PARTITION_SLOTS

from .steps import make_match, reload, step

SLOT = PARTITION_SLOTS[0]
PATIENT = Limits(patience=20)
"""Longer than any failover here takes."""

IMPATIENT = Limits(patience=0.4, connect=0.3)
LIMIT = 30.0


@pytest.fixture
async def shaken(cluster: RedisCluster) -> AsyncIterator[RedisCluster]:
    """The cluster, for a test that kills nodes; they are there again for the next one."""
    yield cluster
    await asyncio.to_thread(cluster.settle)


async def served(pipe: Pipe) -> None:
    """Wait until every partition is served."""
    async with asyncio.timeout(LIMIT):
        while True:
            try:
                await pipe.many(("GET", key) for key in keys.OUTBOX_CURSOR)
            except StoreUnavailable:
                await asyncio.sleep(0.02)
            else:
                return


class Player:
    """Commits to one match, step after step, and sends again what the store could not answer."""

    def __init__(self, store: MatchStore, match: StoredMatch) -> None:
        self.store = store
        self.match = match
        self.acknowledged: list[str] = []
        self.outages = 0

    async def play(self, enough: asyncio.Event) -> None:
        """Go on until it is enough."""
        while not enough.is_set():
            commit = step(self.match)
            made = await self._insist(commit)
            self.acknowledged.append(made.rev)
            self.match = await self._reload()

    async def _insist(self, commit: Commit) -> Committed | Already:
        while True:
            try:
                outcome = await self.store.submit_commit(commit)
            except StoreUnavailable:
                self.outages += 1
                await asyncio.sleep(0.05)
            else:
                assert isinstance(outcome, Committed | Already), outcome
                return outcome

    async def _reload(self) -> StoredMatch:
        while True:
            try:
                return await reload(self.store, self.match.match_id)
            except StoreUnavailable:
                await asyncio.sleep(0.05)

    async def check(self) -> None:
        """The log has exactly what was acknowledged, in this order."""
        entries = await self.store.entries(self.match.match_id)
        assert [entry[-42:-2].decode() for entry in entries] == self.acknowledged


async def players(store: MatchStore) -> list[Player]:
    """A match in every second partition."""
    made = []
    for partition in range(0, 64, 2):
        match_id = new_id(partition)
        made.append(Player(store, await make_match(store, match_id=match_id)))
    return made
