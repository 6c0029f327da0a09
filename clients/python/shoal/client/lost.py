"""Matches whose end we missed: they are not in the snapshot of a new stream, and nobody told us."""

import asyncio
from typing import TYPE_CHECKING

import grpc

from shoal.client import pb
from shoal.client.desk import Desk
from shoal.client.errors import ShoalError
from shoal.v1.match_service_pb2_grpc import MatchServiceStub

if TYPE_CHECKING:
    from shoal.v1.match_service_pb2_grpc import MatchServiceAsyncStub

_PATIENCE = 2.0
"""Seconds in which the server tells of an end by itself, unless the match is archived."""

_GONE = "NOT_FOUND"
"""The reason with which the server refuses a match that its store does not have."""


async def find_lost(
    channel: grpc.aio.Channel,
    metadata: tuple[tuple[str, str], ...],
    desk: Desk,
    missing: set[str],
) -> None:
    """Look up each missing match, and finish it at the desk if it is over, or not there any more.

    One that cannot be looked up is looked up again, a little later. One that goes on stays: the server
    finds out that it has lost it from the bot's list, and sends it.
    """
    stub = MatchServiceStub(channel)
    while missing := missing & desk.seats().keys():
        await asyncio.sleep(_PATIENCE)
        for match_id in missing & desk.seats().keys():
            if await _is_told(stub, metadata, desk, match_id):
                missing.discard(match_id)


async def _is_told(
    stub: "MatchServiceAsyncStub", metadata: tuple[tuple[str, str], ...], desk: Desk, match_id: str
) -> bool:
    """Look up a match, and tell whether the server said something of it."""
    try:
        request = pb.GetMatchRequest(match_id=match_id)
        found = (await stub.GetMatch(request, metadata=metadata, timeout=_PATIENCE)).match
    except grpc.aio.AioRpcError as error:
        # By its reason: the same code from a proxy says nothing of a match.
        if ShoalError.from_rpc(error).reason != _GONE:
            return False
        desk.lose(match_id)
        return True
    seat = desk.seats().get(match_id)  # the stream may have told of the end meanwhile
    if seat is not None and found.status == pb.MATCH_STATUS_FINISHED:
        end = pb.MatchFinished(
            match_id=match_id, version=found.version, seat=seat, result=found.result
        )
        desk.finish(end)
    return True
