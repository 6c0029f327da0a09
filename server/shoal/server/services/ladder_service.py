"""LadderService on the wire."""

from typing import Any, TypeAlias

from grpc.aio import ServicerContext

from shoal.server.auth import current_caller
from shoal.server.catalog import Catalog
from shoal.server.explained import Asked
from shoal.server.ladder_explaining import LadderExplaining
from shoal.server.ladders import Ladders
from shoal.server.services.explanation_messages import explanation_message
from shoal.server.services.ladder_messages import ladder_message, standing_message
from shoal.server.services.requests import body_hash, bot_of, page_size_of, request_id_of, why_of
from shoal.server.services.specification_paths import of_ladder
from shoal.v1 import ladder_service_pb2 as pb
from shoal.v1 import ladder_service_pb2_grpc
from shoal.wire.ladders import ladder_specification_of

Context: TypeAlias = ServicerContext[Any, Any]


class LadderService(ladder_service_pb2_grpc.LadderServiceServicer):
    """Play that runs by itself."""

    def __init__(self, ladders: Ladders, explaining: LadderExplaining, catalog: Catalog) -> None:
        """Serve with these."""
        self._catalog = catalog
        self._ladders = ladders
        self._explaining = explaining

    async def CreateLadder(  # noqa: N802
        self, request: pb.CreateLadderRequest, _: Context
    ) -> pb.CreateLadderResponse:
        """Create a ladder."""
        with of_ladder():
            view = await self._ladders.create(
                current_caller().organizing(),
                ladder_specification_of(request.specification),
                request_id_of(request.request_id),
                body_hash(request),
            )
        return pb.CreateLadderResponse(ladder=ladder_message(view))

    async def GetLadder(  # noqa: N802
        self, request: pb.GetLadderRequest, _: Context
    ) -> pb.GetLadderResponse:
        """Return a ladder."""
        view = await self._ladders.get(request.ladder_id)
        return pb.GetLadderResponse(ladder=ladder_message(view))

    async def ListLadders(  # noqa: N802
        self, request: pb.ListLaddersRequest, _: Context
    ) -> pb.ListLaddersResponse:
        """List the ladders."""
        found, token = await self._ladders.list_ladders(
            page_size_of(request.page_size), request.page_token
        )
        return pb.ListLaddersResponse(ladders=map(ladder_message, found), next_page_token=token)

    async def EndLadder(  # noqa: N802
        self, request: pb.EndLadderRequest, _: Context
    ) -> pb.EndLadderResponse:
        """End a ladder."""
        view = await self._ladders.end(
            current_caller().organizing(), request.ladder_id, why_of(request.why)
        )
        return pb.EndLadderResponse(ladder=ladder_message(view))

    async def JoinLadder(  # noqa: N802
        self, request: pb.JoinLadderRequest, _: Context
    ) -> pb.JoinLadderResponse:
        """Enter a bot."""
        caller = current_caller()
        bot = await self._catalog.own_bot(caller, bot_of(request.bot_id))
        await self._ladders.join(caller, request.ladder_id, bot.bot_id)
        return pb.JoinLadderResponse()

    async def LeaveLadder(  # noqa: N802
        self, request: pb.LeaveLadderRequest, _: Context
    ) -> pb.LeaveLadderResponse:
        """Take a bot out."""
        caller = current_caller()
        bot = await self._catalog.own_bot(caller, bot_of(request.bot_id))
        await self._ladders.leave(caller, request.ladder_id, bot.bot_id)
        return pb.LeaveLadderResponse()

    async def ListStandings(  # noqa: N802
        self, request: pb.ListStandingsRequest, _: Context
    ) -> pb.ListStandingsResponse:
        """List the standings."""
        page = await self._ladders.standings(
            current_caller(),
            request.ladder_id,
            page_size_of(request.page_size),
            request.page_token,
        )
        return pb.ListStandingsResponse(
            standings=[standing_message(line, page.published_ms) for line in page.lines],
            next_page_token=page.next_token,
            match_count=page.matches,
        )

    async def ExplainLadderPairing(  # noqa: N802
        self, request: pb.ExplainLadderPairingRequest, _: Context
    ) -> pb.ExplainLadderPairingResponse:
        """Say why there are these tables, and what for bots wait."""
        size = page_size_of(request.page_size)
        view = await self._ladders.get(request.ladder_id)
        page = await self._explaining.explain(
            current_caller(),
            view.competition,
            Asked(request.bot_id, request.match_id),
            size,
            request.page_token,
        )
        return pb.ExplainLadderPairingResponse(
            explanations=map(explanation_message, page.explanations),
            next_page_token=page.next_token,
        )
