"""The calls about tournaments."""

from collections.abc import Sequence
from dataclasses import dataclass

import grpc

from shoal.client import pb
from shoal.client.calls import Calls, all_pages, new_request_id
from shoal.v1.tournament_service_pb2_grpc import TournamentServiceStub

_PAGE = 500


@dataclass(frozen=True, slots=True)
class Placings:
    """The standings of a tournament, best first, and the names of the tie-breaks in their order."""

    lines: Sequence[pb.TournamentStanding]
    tiebreak_names: Sequence[str]


class Tournaments:
    """Tournaments on a server; organizing needs an admin token. Every call may raise ShoalError."""

    def __init__(self, channel: grpc.aio.Channel, calls: Calls) -> None:
        """Call through this channel."""
        self._stub = TournamentServiceStub(channel)
        self._calls = calls

    async def create(self, specification: pb.TournamentSpecification) -> pb.Tournament:
        """Create a tournament; what is wrong with it is in the violations of the error."""
        request = pb.CreateTournamentRequest(
            specification=specification, request_id=new_request_id()
        )
        return (await self._calls.call(self._stub.CreateTournament, request)).tournament

    async def get(self, tournament_id: str) -> pb.Tournament:
        """Return one tournament."""
        request = pb.GetTournamentRequest(tournament_id=tournament_id)
        return (await self._calls.call(self._stub.GetTournament, request)).tournament

    async def list_all(self) -> list[pb.Tournament]:
        """Return the tournaments of the server."""

        async def page(token: str) -> tuple[Sequence[pb.Tournament], str]:
            request = pb.ListTournamentsRequest(page_token=token, page_size=_PAGE)
            response = await self._calls.call(self._stub.ListTournaments, request)
            return response.tournaments, response.next_page_token

        return await all_pages(page, None)

    async def enter(self, tournament_id: str, bot_id: str = "") -> None:
        """Enter a bot, that of the token if none is named."""
        request = pb.EnterTournamentRequest(tournament_id=tournament_id, bot_id=bot_id)
        await self._calls.call(self._stub.EnterTournament, request)

    async def withdraw(self, tournament_id: str, bot_id: str = "") -> None:
        """Take a bot out, that of the token if none is named."""
        request = pb.WithdrawFromTournamentRequest(tournament_id=tournament_id, bot_id=bot_id)
        await self._calls.call(self._stub.WithdrawFromTournament, request)

    async def start(self, tournament_id: str) -> pb.Tournament:
        """Begin a tournament, as an organizer."""
        request = pb.StartTournamentRequest(tournament_id=tournament_id)
        return (await self._calls.call(self._stub.StartTournament, request)).tournament

    async def cancel(self, tournament_id: str, why: str = "") -> pb.Tournament:
        """Call a tournament off, as an organizer."""
        request = pb.CancelTournamentRequest(tournament_id=tournament_id, why=why)
        return (await self._calls.call(self._stub.CancelTournament, request)).tournament

    async def standings(self, tournament_id: str) -> Placings:
        """Return the standings."""
        names: Sequence[str] = ()

        async def page(token: str) -> tuple[Sequence[pb.TournamentStanding], str]:
            nonlocal names
            request = pb.ListTournamentStandingsRequest(
                tournament_id=tournament_id, page_token=token, page_size=_PAGE
            )
            response = await self._calls.call(self._stub.ListTournamentStandings, request)
            names = response.tiebreak_names
            return response.standings, response.next_page_token

        return Placings(await all_pages(page, None), names)

    async def blocks(self, tournament_id: str) -> list[pb.TournamentBlock]:
        """Return the blocks that have begun, by round, table and number."""

        async def page(token: str) -> tuple[Sequence[pb.TournamentBlock], str]:
            request = pb.ListBlocksRequest(
                tournament_id=tournament_id, page_token=token, page_size=_PAGE
            )
            response = await self._calls.call(self._stub.ListBlocks, request)
            return response.blocks, response.next_page_token

        return await all_pages(page, None)

    async def explain(
        self, tournament_id: str, bot_id: str = "", match_id: str = ""
    ) -> list[pb.Explanation]:
        """Return why there are tables and what a bot, or everybody, waits for; or why there is one match."""

        async def page(token: str) -> tuple[Sequence[pb.Explanation], str]:
            request = pb.ExplainPairingRequest(
                tournament_id=tournament_id, page_token=token, page_size=_PAGE
            )
            if match_id:
                request.match_id = match_id
            elif bot_id:
                request.bot_id = bot_id
            response = await self._calls.call(self._stub.ExplainPairing, request)
            return response.explanations, response.next_page_token

        return await all_pages(page, None)
