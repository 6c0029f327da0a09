"""The calls about ladders that organizers make, and those who ask why."""

from collections.abc import Sequence

import grpc

from shoal.client import pb
from shoal.client.calls import Calls, all_pages, new_request_id
from shoal.v1.ladder_service_pb2_grpc import LadderServiceStub

_PAGE = 500


class Ladders:
    """Ladders on a server; organizing needs an admin token. Every call may raise ShoalError."""

    def __init__(self, channel: grpc.aio.Channel, calls: Calls) -> None:
        """Call through this channel."""
        self._stub = LadderServiceStub(channel)
        self._calls = calls

    async def create(self, specification: pb.LadderSpecification) -> pb.Ladder:
        """Create a ladder; what is wrong with it is in the violations of the error."""
        request = pb.CreateLadderRequest(specification=specification, request_id=new_request_id())
        return (await self._calls.call(self._stub.CreateLadder, request)).ladder

    async def get(self, ladder_id: str) -> pb.Ladder:
        """Return one ladder."""
        request = pb.GetLadderRequest(ladder_id=ladder_id)
        return (await self._calls.call(self._stub.GetLadder, request)).ladder

    async def end(self, ladder_id: str, why: str = "") -> pb.Ladder:
        """End a ladder, as an organizer; tables in play are played to their end."""
        request = pb.EndLadderRequest(ladder_id=ladder_id, why=why)
        return (await self._calls.call(self._stub.EndLadder, request)).ladder

    async def explain(
        self, ladder_id: str, bot_id: str = "", match_id: str = ""
    ) -> list[pb.Explanation]:
        """Return why there are tables and what a bot, or everybody, waits for; or why there is one match."""

        async def page(token: str) -> tuple[Sequence[pb.Explanation], str]:
            request = pb.ExplainLadderPairingRequest(
                ladder_id=ladder_id, page_token=token, page_size=_PAGE
            )
            if match_id:
                request.match_id = match_id
            elif bot_id:
                request.bot_id = bot_id
            response = await self._calls.call(self._stub.ExplainLadderPairing, request)
            return response.explanations, response.next_page_token

        return await all_pages(page, None)
