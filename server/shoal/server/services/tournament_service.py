"""TournamentService on the wire."""

from typing import Any, TypeAlias

from grpc.aio import ServicerContext

from shoal.server.auth import current_caller
from shoal.server.explained import Asked
from shoal.server.explaining import Explaining
from shoal.server.page_tokens import next_token, read_number
from shoal.server.services.explanation_messages import explanation_message
from shoal.server.services.requests import (
    body_hash,
    page_size_of,
    request_id_of,
    specification_of,
    why_of,
)
from shoal.server.services.specification_paths import of_tournament
from shoal.server.services.tournament_messages import (
    block_message,
    standing_message,
    tournament_message,
)
from shoal.server.tournaments import Tournaments
from shoal.v1 import tournament_service_pb2 as pb
from shoal.v1 import tournament_service_pb2_grpc

Context: TypeAlias = ServicerContext[Any, Any]


class TournamentService(tournament_service_pb2_grpc.TournamentServiceServicer):
    """Play with a plan and an end."""

    def __init__(self, tournaments: Tournaments, explaining: Explaining) -> None:
        """Serve with these."""
        self._tournaments = tournaments
        self._explaining = explaining

    async def CreateTournament(  # noqa: N802
        self, request: pb.CreateTournamentRequest, _: Context
    ) -> pb.CreateTournamentResponse:
        """Create a tournament."""
        caller = current_caller().organizing()
        with of_tournament(request.specification):
            view = await self._tournaments.create(
                caller,
                specification_of(request.specification),
                request_id_of(request.request_id),
                body_hash(request),
            )
        return pb.CreateTournamentResponse(tournament=tournament_message(view))

    async def GetTournament(  # noqa: N802
        self, request: pb.GetTournamentRequest, _: Context
    ) -> pb.GetTournamentResponse:
        """Return a tournament."""
        view = await self._tournaments.get(request.tournament_id)
        return pb.GetTournamentResponse(tournament=tournament_message(view))

    async def ListTournaments(  # noqa: N802
        self, request: pb.ListTournamentsRequest, _: Context
    ) -> pb.ListTournamentsResponse:
        """List the tournaments."""
        views, token = await self._tournaments.list_tournaments(
            page_size_of(request.page_size), request.page_token
        )
        return pb.ListTournamentsResponse(
            tournaments=map(tournament_message, views), next_page_token=token
        )

    async def EnterTournament(  # noqa: N802
        self, request: pb.EnterTournamentRequest, _: Context
    ) -> pb.EnterTournamentResponse:
        """Enter a bot."""
        caller = current_caller()
        await self._tournaments.enter(caller, request.tournament_id, request.bot_id)
        return pb.EnterTournamentResponse()

    async def WithdrawFromTournament(  # noqa: N802
        self, request: pb.WithdrawFromTournamentRequest, _: Context
    ) -> pb.WithdrawFromTournamentResponse:
        """Take a bot out."""
        caller = current_caller()
        await self._tournaments.withdraw(caller, request.tournament_id, request.bot_id)
        return pb.WithdrawFromTournamentResponse()

    async def StartTournament(  # noqa: N802
        self, request: pb.StartTournamentRequest, _: Context
    ) -> pb.StartTournamentResponse:
        """Begin a tournament."""
        view = await self._tournaments.start(current_caller(), request.tournament_id)
        return pb.StartTournamentResponse(tournament=tournament_message(view))

    async def CancelTournament(  # noqa: N802
        self, request: pb.CancelTournamentRequest, _: Context
    ) -> pb.CancelTournamentResponse:
        """Call a tournament off."""
        view = await self._tournaments.cancel(
            current_caller(), request.tournament_id, why_of(request.why)
        )
        return pb.CancelTournamentResponse(tournament=tournament_message(view))

    async def ListTournamentStandings(  # noqa: N802
        self, request: pb.ListTournamentStandingsRequest, _: Context
    ) -> pb.ListTournamentStandingsResponse:
        """List the standings."""
        size, start = (
            page_size_of(request.page_size),
            read_number("placings", request.page_token),
        )
        lines, tiebreaks = await self._tournaments.standings(
            current_caller(), request.tournament_id
        )
        return pb.ListTournamentStandingsResponse(
            standings=map(standing_message, lines[start : start + size]),
            next_page_token=next_token("placings", start + size, len(lines)),
            tiebreak_names=tiebreaks,
        )

    async def ListBlocks(  # noqa: N802
        self, request: pb.ListBlocksRequest, _: Context
    ) -> pb.ListBlocksResponse:
        """List the blocks that have begun."""
        blocks, token = await self._tournaments.blocks(
            current_caller(),
            request.tournament_id,
            page_size_of(request.page_size),
            request.page_token,
        )
        return pb.ListBlocksResponse(blocks=map(block_message, blocks), next_page_token=token)

    async def ExplainPairing(  # noqa: N802
        self, request: pb.ExplainPairingRequest, _: Context
    ) -> pb.ExplainPairingResponse:
        """Say why, and what for bots wait."""
        size = page_size_of(request.page_size)
        view = await self._tournaments.get(request.tournament_id)
        page = await self._explaining.explain(
            current_caller(),
            view.competition,
            Asked(request.bot_id, request.match_id),
            size,
            request.page_token,
        )
        return pb.ExplainPairingResponse(
            explanations=map(explanation_message, page.explanations),
            next_page_token=page.next_token,
        )
