"""Servers that stop, and bots that go: what is told by every way in."""

from contextlib import AsyncExitStack

import grpc
import pytest

from shoal.server.play import sweeper
from shoal.v1 import match_pb2
from shoal.v1 import play_service_pb2 as pb
from tests.server.support import Server, connected, make_app, until
from tests.server.ways import ANY_WAY, STREAMS, Way, asked, asked_of


@ANY_WAY
async def test_a_server_that_stops_ends_every_way_in(other: Server, way: Way) -> None:
    """Whoever is connected is told when to come back, and the decision is open elsewhere (T29)."""
    leaving = make_app(other.stores)
    async with AsyncExitStack() as opened:
        async with leaving.serve() as ports:
            server = await opened.enter_async_context(connected(leaving, other.stores, ports))
            match_id, bot, waiter = await asked(server, *await server.team(2))
            stream = await opened.enter_async_context(way(server, bot))
            question = await asked_of(stream, match_id)
            idle = await opened.enter_async_context(way(server, waiter))
        for each in (stream, idle):
            kinds = await each.rest()
            if way in STREAMS.values():
                assert kinds[-2:] == ["draining", "stream_end"]
                assert each.heard_of("draining")[0].reconnect_after.ToMilliseconds() > 0
                assert await each.call.code() == grpc.StatusCode.OK
            else:
                # A poll that meets the stop itself is cut off by gRPC.
                cut_off = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED}
                assert await each.call.code() in cut_off
        async with way(other, bot) as stream:
            again = await asked_of(stream, match_id)
            assert again.decision.decision_id == question.decision.decision_id
            assert (await stream.move(question)).HasField("receipt")


@ANY_WAY
async def test_a_match_whose_seats_are_all_gone_ends_by_its_clocks(
    server: Server, way: Way, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is there, the clocks run, and whoever comes back is told the end (T33)."""
    monkeypatch.setattr(sweeper, "SWEEP_SECONDS", 0.05)
    bots = await server.team(2)
    match_id = await server.create(*bots, move_ms=100, max_strikes=2)
    async with way(server, bots[0]) as hers, way(server, bots[1]) as his:
        for stream in (hers, his):
            await stream.say(ready=[pb.ReadySignal(match_id=match_id)])

        async def live() -> bool:
            return (await server.match(match_id)).status != match_pb2.MATCH_STATUS_WAITING

        await until(live)

    async def over() -> bool:
        return (await server.match(match_id)).status == match_pb2.MATCH_STATUS_FINISHED

    await until(over)
    async with way(server, bots[0]) as stream:
        kinds = await stream.finish()
        assert kinds.count("match_finished") == 1
        (finished,) = stream.heard_of("match_finished")
        assert finished.result.termination == match_pb2.TERMINATION_LAST_SEAT
