"""The calls about what a competition has come to."""

from collections.abc import AsyncGenerator, Sequence

import grpc

from shoal.client import pb
from shoal.client.calls import Calls, all_pages
from shoal.client.errors import ShoalError
from shoal.v1.export_service_pb2_grpc import ExportServiceStub

_ROWS = 150
"""How many rows are asked for at a time: with 500 columns such a message is well below what may be sent."""


class Exports:
    """Results, pairings and ratings of ladders and tournaments. Every call may raise ShoalError."""

    def __init__(
        self,
        channel: grpc.aio.Channel,
        calls: Calls,
        metadata: tuple[tuple[str, str], ...] | None,
    ) -> None:
        """Call through this channel."""
        self._stub = ExportServiceStub(channel)
        self._calls = calls
        self._metadata = metadata

    async def lines(
        self, competition_id: str, since: str = ""
    ) -> AsyncGenerator[pb.ExportLine, None]:
        """Yield all lines, or those since the end of an earlier export."""
        request = pb.ExportCompetitionRequest(competition_id=competition_id, since=since)
        call = self._stub.ExportCompetition(request, metadata=self._metadata)
        try:
            # By `read`: who stops listening in the middle lets go of the connection.
            while isinstance(response := await call.read(), pb.ExportCompetitionResponse):
                for line in response.lines:
                    yield line
        except grpc.aio.AioRpcError as error:
            raise ShoalError.from_rpc(error) from None
        finally:
            call.cancel()

    async def crosstable(self, competition_id: str) -> list[pb.CrosstableRow]:
        """Return a row for each bot; rows and columns are best first."""

        async def page(token: str) -> tuple[Sequence[pb.CrosstableRow], str]:
            request = pb.ListCrosstableRequest(
                competition_id=competition_id, page_token=token, page_size=_ROWS
            )
            response = await self._calls.call(self._stub.ListCrosstable, request)
            return response.rows, response.next_page_token

        return await all_pages(page, None)

    async def head_to_head(
        self, competition_id: str, bot_id: str, other_id: str
    ) -> pb.GetHeadToHeadResponse:
        """Return what two bots have done against each other, as the first sees it."""
        request = pb.GetHeadToHeadRequest(
            competition_id=competition_id, bot_id=bot_id, other_id=other_id
        )
        return await self._calls.call(self._stub.GetHeadToHead, request)
