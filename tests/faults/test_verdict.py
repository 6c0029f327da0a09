"""A run whose faults are over does not end without a verdict, since the store is away for a moment."""

from typing import Final

import grpc
import pytest

from shoal.client import Client, ShoalError, pb
from shoal.server.chaos import verdict
from shoal.server.chaos.verdict import counted
from shoal.v1.ladder_service_pb2_grpc import (
    LadderServiceServicer,
    add_LadderServiceServicer_to_server,
)
from tests.faults.cases import BOT

PASSING: Final = grpc.StatusCode.RESOURCE_EXHAUSTED
"""Passes as UNAVAILABLE does, and gRPC does not ask again by itself."""


class Ladder(LadderServiceServicer):
    """Refuses as often as it is told to, and then has nobody who has played."""

    def __init__(self, refusals: list[grpc.StatusCode]) -> None:
        self.refusals = refusals

    async def ListStandings(  # noqa: N802 - gRPC's name
        self, _request: object, context: grpc.aio.ServicerContext
    ) -> pb.ListStandingsResponse:
        if self.refusals:
            await context.abort(self.refusals.pop(0), "not now")
        return pb.ListStandingsResponse(standings=[pb.Standing(bot_id=BOT)])


@pytest.mark.parametrize(
    ("refusals", "is_told"),
    [([], True), ([PASSING] * 3, True), ([grpc.StatusCode.INVALID_ARGUMENT], False)],
    ids=["at once", "later", "never"],
)
async def test_the_standings_are_asked_for_until_the_store_tells_them(
    monkeypatch: pytest.MonkeyPatch, refusals: list[grpc.StatusCode], *, is_told: bool
) -> None:
    monkeypatch.setattr(verdict, "LOOK_SECONDS", 0.01)
    server = grpc.aio.server()
    add_LadderServiceServicer_to_server(Ladder([*refusals]), server)  # type: ignore[no-untyped-call]
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        async with Client(f"127.0.0.1:{port}") as client:
            if is_told:
                assert await counted(client, [], 0) == []
            else:
                with pytest.raises(ShoalError):
                    await counted(client, [], 0)
    finally:
        await server.stop(None)
