"""A failover of a cluster that loses acknowledged moves: noticed, told to the seats, and rated by nobody."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress

import grpc
import pytest
from structlog.typing import EventDict

from shoal.match import EntryKind, parse_entry
from shoal.server.chaos.redis_cluster import RedisCluster, launch_cluster
from shoal.server.store import partition_of
from shoal.server.store.errors import StoreUnavailable
from shoal.server.store.slots import PARTITION_SLOTS
from shoal.v1 import match_pb2
from shoal.v1 import play_service_pb2 as pb
from tests.server.reading import reader_of
from tests.server.streams import Ended
from tests.server.support import Bot, Server, serving, until

LIMIT = 60.0


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisCluster]:
    """A running cluster of our own."""
    with launch_cluster(tmp_path_factory.mktemp("cluster")) as running:
        yield running


async def play_by_turns(server: Server, bots: list[Bot], match_id: str, moves: int) -> int:
    """Answer what is asked so many times; return the version of the last receipt."""
    version = 0
    while moves:
        for bot in bots:
            update = await server.position(bot, match_id)
            if update.HasField("decision"):
                version = (await server.play(bot, update)).version
                moves -= 1
                break
    return version


async def end_of(server: Server, bot: Bot, match_id: str, seen: int) -> pb.MatchFinished:
    """Come back until there is a stream again, as bots do, and hear how a match ended."""
    while True:
        try:
            async with server.stream(bot, since={match_id: seen}) as stream:
                return await stream.hear("match_finished", match_id)
        except Ended as ended:
            assert ended.args[0] is grpc.StatusCode.UNAVAILABLE  # noqa: PT017 - while it fails over


async def test_a_match_whose_moves_a_failover_lost_is_void(
    cluster: RedisCluster, logs: list[EventDict]
) -> None:
    """Moves that were acknowledged are gone with a master: the seats are told VOID, and why (T6)."""
    async with asyncio.timeout(LIMIT), serving(cluster.url) as server:
        bots = await server.team(2)
        match_id = await server.deal(*bots)
        slot = PARTITION_SLOTS[partition_of(match_id)]
        await play_by_turns(server, bots, match_id, 4)
        async with cluster.losing_writes(slot):
            told = await play_by_turns(server, bots, match_id, 3)
        finished = await end_of(server, bots[0], match_id, told)
        assert finished.result.termination == match_pb2.TERMINATION_VOID
        assert finished.result.void_reason == match_pb2.VOID_REASON_LOST_MOVES
        assert {seat.placement for seat in finished.result.seats} == {0}
        entries = (await server.record(match_id)).entries
        assert len(entries) < told
    await asyncio.to_thread(cluster.settle)
    logs[:] = [line for line in logs if line["event"] != "timeline_changed"]


async def test_an_end_that_a_failover_lost_is_noticed_without_anybody_asking(
    cluster: RedisCluster, logs: list[EventDict]
) -> None:
    """The match would go on in the store, with nobody at it: it is void long before its clock runs out.

    Who was told the end is told that it is void after all.
    """
    async with asyncio.timeout(LIMIT), serving(cluster.url) as server:
        bots = await server.team(2)
        match_id = await server.deal(*bots)
        slot = PARTITION_SLOTS[partition_of(match_id)]
        async with server.stream(bots[0]) as told:
            async with cluster.losing_writes(slot):
                request = pb.ResignRequest(match_id=match_id)
                await server.plays.Resign(request, metadata=bots[1].metadata)
                finished = await told.hear("match_finished", match_id)
            assert finished.result.termination == match_pb2.TERMINATION_LAST_SEAT

            async def is_void() -> bool:
                with suppress(StoreUnavailable):
                    last = (await server.stores.matches.entries(match_id))[-1]
                    return parse_entry(last).entry.kind is EntryKind.VOID
                return False

            await until(is_void)
            await reader_of(server.stores).read()
            finished = await told.hear("match_finished", match_id)
            assert finished.result.void_reason == match_pb2.VOID_REASON_LOST_MOVES
    await asyncio.to_thread(cluster.settle)
    logs[:] = [line for line in logs if line["event"] != "timeline_changed"]
