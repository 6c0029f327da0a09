"""Matches whose end we missed: they are not in the snapshot of a new stream, and nobody told us."""

import asyncio
import logging
from typing import TYPE_CHECKING

import grpc

from shoal.client import pb
from shoal.client.desk import Desk
from shoal.client.errors import ShoalError
from shoal.v1.match_service_pb2_grpc import MatchServiceStub

if TYPE_CHECKING:
    from shoal.v1.match_service_pb2_grpc import MatchServiceAsyncStub

log = logging.getLogger("shoal.client")

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

    One that cannot be looked up, or goes on, is looked up again a little later, until the stream tells of
    it: the server may have been unable to read it, or has yet to find out that its bot's list lacks it.
    """
    stub = MatchServiceStub(channel)
    untold = {item for item in desk.since().items() if item[0] in missing}
    warned: set[str] = set()
    while untold := untold & desk.since().items():
        await asyncio.sleep(_PATIENCE)
        for match_id, _ in untold & desk.since().items():
            goes_on = await _goes_on(stub, metadata, desk, match_id)
            if goes_on and match_id not in warned:
                warned.add(match_id)
                log.warning("match %s: it goes on, and the server does not send it", match_id)


async def _goes_on(
    stub: "MatchServiceAsyncStub", metadata: tuple[tuple[str, str], ...], desk: Desk, match_id: str
) -> bool:
    """Look up a match, end it at the desk if it is over or gone, and tell whether it is known to go on."""
    try:
        request = pb.GetMatchRequest(match_id=match_id)
        found = (await stub.GetMatch(request, metadata=metadata, timeout=_PATIENCE)).match
    except grpc.aio.AioRpcError as error:
        # By its reason: the same code from a proxy says nothing of a match.
        if ShoalError.from_rpc(error).reason == _GONE:
            desk.lose(match_id)
        return False
    seat = desk.seats().get(match_id)  # the stream may have told of the end meanwhile
    if seat is not None and found.status == pb.MATCH_STATUS_FINISHED:
        end = pb.MatchFinished(
            match_id=match_id, version=found.version, seat=seat, result=found.result
        )
        desk.finish(end)
    return found.status != pb.MATCH_STATUS_FINISHED
