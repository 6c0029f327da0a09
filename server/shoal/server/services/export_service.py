"""ExportService on the wire."""

from collections.abc import AsyncIterator
from typing import Any, TypeAlias

from grpc.aio import ServicerContext

from shoal.server.auth import current_caller
from shoal.server.comparing import Comparing
from shoal.server.exporting import Exporting
from shoal.server.services.export_messages import line_message
from shoal.server.services.requests import page_size_of
from shoal.server.services.tournament_messages import cell_message
from shoal.v1 import export_service_pb2 as pb
from shoal.v1 import export_service_pb2_grpc, tournament_pb2

Context: TypeAlias = ServicerContext[Any, Any]


class ExportService(export_service_pb2_grpc.ExportServiceServicer):
    """What a competition has come to."""

    def __init__(self, exporting: Exporting, comparing: Comparing) -> None:
        """Serve with these."""
        self._exporting = exporting
        self._comparing = comparing

    async def ExportCompetition(  # noqa: N802
        self, request: pb.ExportCompetitionRequest, _: Context
    ) -> AsyncIterator[pb.ExportCompetitionResponse]:
        """Send all lines."""
        lines_of = self._exporting.export(current_caller(), request.competition_id, request.since)
        async for lines in lines_of:
            yield pb.ExportCompetitionResponse(lines=map(line_message, lines))

    async def ListCrosstable(  # noqa: N802
        self, request: pb.ListCrosstableRequest, _: Context
    ) -> pb.ListCrosstableResponse:
        """Return everybody against everybody."""
        table = await self._comparing.crosstable(
            request.competition_id, page_size_of(request.page_size), request.page_token
        )
        return pb.ListCrosstableResponse(
            rows=[
                tournament_pb2.CrosstableRow(
                    bot_id=row.bot_id,
                    bot_name=name,
                    cells=map(cell_message, row.cells),
                    total=cell_message(row.total),
                )
                for row, name in table.rows
            ],
            bot_ids=table.order,
            next_page_token=table.next_token,
        )

    async def GetHeadToHead(  # noqa: N802
        self, request: pb.GetHeadToHeadRequest, _: Context
    ) -> pb.GetHeadToHeadResponse:
        """Return what two bots have done."""
        meeting = await self._comparing.head_to_head(
            request.competition_id, request.bot_id, request.other_id
        )
        result, (name, other) = meeting.result, meeting.names
        return pb.GetHeadToHeadResponse(
            bot_name=name,
            other_name=other,
            won=result.won,
            drawn=result.drawn,
            lost=result.lost,
            score=cell_message(result.score),
            block_count=len(result.blocks),
        )
