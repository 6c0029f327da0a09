"""A server that is cut off from one master of a cluster, and reaches the others (T6)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import grpc
import pytest

from shoal.server.chaos.proxy import Door
from shoal.server.chaos.stores import ClusterStore, cluster_store
from shoal.server.hub.table import Table
from shoal.server.store import partition_of
from shoal.server.store.slots import PARTITION_SLOTS
from shoal.server.streams.resume import read_token
from shoal.v1 import play_service_pb2 as pb
from tests.server.polling import poll
from tests.server.streams import Stream
from tests.server.support import Bot, Server, serving, until
from tests.server.test_credits import kinds

LIMIT = 60.0
MOVE_MS = 700
"""Over, with the grace on top, before a call without an answer is given up."""


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[ClusterStore]:
    """A cluster with a door before each of its nodes."""
    async with cluster_store(tmp_path) as running:
        yield running


def door_to(store: ClusterStore, id_: str) -> Door:
    """Return the door to the master of what has this id."""
    port = store.cluster.master_of(PARTITION_SLOTS[partition_of(id_)]).known_as
    return next(each for each in store.doors if each.port == port)


async def bots_elsewhere(server: Server, store: ClusterStore, door: Door) -> list[Bot]:
    """Register two bots of one owner that are not behind a door."""
    bots: list[Bot] = []
    while len(bots) < 2:
        bot = await server.register(metadata=bots[0].metadata if bots else ())
        if door_to(store, bot.bot_id) is not door:
            bots.append(bot)
    return bots


async def insist(stream: Stream, update: pb.MatchUpdate) -> pb.MoveReceipt:
    """Send a move again for as long as the server cannot reach the store, as the kit does."""
    while True:
        result = await stream.move(update)
        if result.HasField("receipt"):
            return result.receipt
        assert result.error.code == 14, result  # UNAVAILABLE
        await asyncio.sleep(0.1)


async def test_a_seat_does_not_pay_for_a_link_to_one_master(store: ClusterStore) -> None:
    """Its server is alive for all other masters, and cannot bring its move to that of the match (T6)."""
    door = store.doors[0]
    async with asyncio.timeout(LIMIT), serving(store.url) as two:
        bots = await bots_elsewhere(two, store, door)
        of_others = set(door.wires)
        async with serving(store.url) as one:
            while True:
                async with one.asking(*bots, move_ms=MOVE_MS, max_strikes=1) as question:
                    if door_to(store, question.match_id) is not door:
                        continue
                    for wire in door.wires - of_others:
                        wire.is_silent = True
                    receipt = await insist(question.stream, question.update)
                    assert receipt.think_ms <= MOVE_MS
                    break
            door.end_silence()
            await two.resign(bots[0], question.match_id)
        told = await kinds(two, question.match_id)
    assert "CREDIT" in told
    assert not {"DEFAULT", "ABANDON"} & set(told)


async def test_a_poll_brings_what_the_other_masters_have(
    store: ClusterStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot answers there meanwhile: their clocks run. It is told the rest when its master is back (T6).

    Nobody waits twice for what is away: what the others ask is told only then, and is charged.
    """
    door = store.doors[0]
    async with asyncio.timeout(LIMIT), serving(store.url) as server:
        bots = await bots_elsewhere(server, store, door)
        behind, elsewhere = set[str](), set[str]()
        while not (behind and elsewhere):
            match_id = await server.create_waiting(*bots, ready_ms=600_000)
            (behind if door_to(store, match_id) is door else elsewhere).add(match_id)
        before = await poll(server, bots[0])
        assert asked_of(before) == behind | elsewhere
        looked: list[str] = []
        look = server.app._hub.table

        async def noted(match_id: str) -> Table | None:
            looked.append(match_id)
            return await look(match_id)

        monkeypatch.setattr(server.app._hub, "table", noted)
        door.slow(LIMIT)
        during = await poll(server, bots[0], resume_token=before.resume_token)
        assert asked_of(during) == elsewhere
        assert sorted(each for each in looked if each in behind) == sorted(behind)
        kept = read_token(during.resume_token)
        assert kept is not None
        assert behind <= kept.keys()
        door.slow(0)
        door.cut()

        async def is_told_all() -> bool:
            with suppress(grpc.aio.AioRpcError):
                after = await poll(server, bots[0], resume_token=during.resume_token)
                return asked_of(after) == behind | elsewhere
            return False

        await until(is_told_all)


def asked_of(response: pb.ListDecisionsResponse) -> set[str]:
    """Return the matches that ask something of a bot."""
    return {each.match_id for each in response.matches}
