"""LadderService on the wire."""

from typing import Any, TypeAlias

from grpc.aio import ServicerContext

from shoal.server.auth import current_caller
from shoal.server.ladders import Ladders
from shoal.server.services.requests import page_size_of
from shoal.v1 import ladder_service_pb2 as pb
from shoal.v1 import ladder_service_pb2_grpc

Context: TypeAlias = ServicerContext[Any, Any]


class LadderService(ladder_service_pb2_grpc.LadderServiceServicer):
    """Rated play that runs by itself."""

    def __init__(self, ladders: Ladders) -> None:
        """Serve with these."""
        self._ladders = ladders

    async def ListLadders(  # noqa: N802
        self, request: pb.ListLaddersRequest, _: Context
    ) -> pb.ListLaddersResponse:
        """List the ladders."""
        found, token = await self._ladders.list_ladders(
            page_size_of(request.page_size), request.page_token
        )
        return pb.ListLaddersResponse(
            ladders=[
                pb.Ladder(
                    ladder_id=each.competition_id,
                    ruleset=each.specification.rulesets[0],
                    table_sizes=each.specification.seats,
                    rulesets=each.specification.rulesets,
                )
                for each in found
            ],
            next_page_token=token,
        )

    async def JoinLadder(  # noqa: N802
        self, request: pb.JoinLadderRequest, _: Context
    ) -> pb.JoinLadderResponse:
        """Enter the caller's bot."""
        await self._ladders.join(request.ladder_id, current_caller().playing())
        return pb.JoinLadderResponse()

    async def LeaveLadder(  # noqa: N802
        self, request: pb.LeaveLadderRequest, _: Context
    ) -> pb.LeaveLadderResponse:
        """Take the caller's bot out."""
        await self._ladders.leave(request.ladder_id, current_caller().playing())
        return pb.LeaveLadderResponse()

    async def ListStandings(  # noqa: N802
        self, request: pb.ListStandingsRequest, _: Context
    ) -> pb.ListStandingsResponse:
        """List the standings."""
        page = await self._ladders.standings(
            request.ladder_id, page_size_of(request.page_size), request.page_token
        )
        return pb.ListStandingsResponse(
            standings=[
                pb.Standing(
                    rank=each.rank,
                    bot_id=each.bot_id,
                    bot_name=name,
                    rating=each.rating,
                    interval=each.interval,
                    match_count=each.matches,
                    wins=each.wins,
                    average_placement=each.average_placement,
                    joined=each.joined,
                )
                for each, name in page.rows
            ],
            next_page_token=page.next_token,
            match_count=page.matches,
        )
