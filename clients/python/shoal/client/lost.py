"""Matches whose end we missed: they are not in the snapshot of a new stream, and nobody told us."""

import asyncio
import contextlib

import grpc

from shoal.client import pb
from shoal.client.desk import Desk
from shoal.v1.match_service_pb2_grpc import MatchServiceStub

_PATIENCE = 2.0
"""Seconds in which the server tells of an end by itself, unless the match is archived."""


async def find_lost(
    channel: grpc.aio.Channel,
    metadata: tuple[tuple[str, str], ...],
    desk: Desk,
    missing: set[str],
) -> None:
    """Look up each missing match, and finish it at the desk if it is over.

    One that cannot be looked up stays: the next stream's snapshot brings it here again.
    """
    if not missing:
        return
    await asyncio.sleep(_PATIENCE)
    stub = MatchServiceStub(channel)
    for match_id in missing & desk.seats().keys():
        with contextlib.suppress(grpc.aio.AioRpcError):
            request = pb.GetMatchRequest(match_id=match_id)
            found = (await stub.GetMatch(request, metadata=metadata, timeout=_PATIENCE)).match
            seat = desk.seats().get(match_id)  # the stream may have told of the end meanwhile
            if seat is not None and found.status == pb.MATCH_STATUS_FINISHED:
                end = pb.MatchFinished(
                    match_id=match_id, version=found.version, seat=seat, result=found.result
                )
                desk.finish(end)
