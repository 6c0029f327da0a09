"""Leaving a match: asked for until the service says that it is so."""

import asyncio
from typing import Final

import grpc

from shoal.client import pb
from shoal.client.channel import Address, metadata, open_channel
from shoal.client.errors import ShoalError
from shoal.server.chaos.journal import Journal
from shoal.v1.play_service_pb2_grpc import PlayServiceStub

ONE_CALL: Final = 3.0
PAUSE: Final = 0.3


async def resign(address: str, token: str, journal: Journal, match_id: str) -> None:
    """Leave a match, unless it is over before the service has answered."""
    request = pb.ResignRequest(match_id=match_id)
    journal.resigns(match_id, told=False)
    async with open_channel(Address.parse(address)) as channel:
        while match_id not in journal.ends:
            try:
                await PlayServiceStub(channel).Resign(
                    request, metadata=metadata(token), timeout=ONE_CALL
                )
            except grpc.aio.AioRpcError as error:
                if not ShoalError.from_rpc(error).transient:
                    return  # it is over: whoever waits here may have to go on before it can hear of that
                await asyncio.sleep(PAUSE)
            else:
                journal.resigns(match_id, told=True)
                return
