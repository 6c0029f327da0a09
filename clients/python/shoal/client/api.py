"""The unary calls as a small typed client: everything but playing, which is `run_bot`."""

from collections.abc import AsyncGenerator, Sequence
from types import TracebackType
from typing import Self

import grpc

from shoal.client import pb
from shoal.client.calls import Calls, all_pages, new_request_id, page_size
from shoal.client.challenges import Challenges
from shoal.client.channel import DEFAULT_SERVER, Address, metadata
from shoal.client.competitions import Competitions
from shoal.client.errors import ShoalError
from shoal.client.exports import Exports
from shoal.client.ladders import Ladders
from shoal.client.servers import open_first
from shoal.client.tournaments import Tournaments
from shoal.v1.bot_service_pb2_grpc import BotServiceStub
from shoal.v1.ladder_service_pb2_grpc import LadderServiceStub
from shoal.v1.match_service_pb2_grpc import MatchServiceStub


class Client:
    """A connection to a server, with a token or without. Every call may raise ShoalError.

    Of several addresses, with commas between, it is to the first that answers when it is opened.

    async with Client("localhost:7430", token) as client:
        await client.join_ladder("main")
    """

    def __init__(
        self, server: str = DEFAULT_SERVER, token: str | None = None, *, tls: bool = False
    ) -> None:
        """Prepare to call `server`; raise ValueError when that is no address."""
        self._addresses = Address.parse_all(server, tls=tls)
        self._metadata = metadata(token)
        self._calls = Calls(self._metadata)
        self._channel: grpc.aio.Channel
        self.ladders: Ladders
        """The calls about ladders for organizers, and for those who ask why."""
        self.tournaments: Tournaments
        """All calls about tournaments."""
        self.competitions: Competitions
        """All calls of organizers about ladders and tournaments that run."""
        self.challenges: Challenges
        """All calls about challenges."""
        self.exports: Exports
        """All calls about what ladders and tournaments have come to."""

    async def __aenter__(self) -> Self:
        """Open the channel; whether a server is there at all shows with the first call."""
        self._channel = await open_first(self._addresses)
        self._bots = BotServiceStub(self._channel)
        self._matches = MatchServiceStub(self._channel)
        self._ladders = LadderServiceStub(self._channel)
        self.ladders = Ladders(self._channel, self._calls)
        self.tournaments = Tournaments(self._channel, self._calls)
        self.competitions = Competitions(self._channel, self._calls)
        self.challenges = Challenges(self._channel, self._calls)
        self.exports = Exports(self._channel, self._calls, self._metadata)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the channel."""
        await self._channel.close()

    async def register_bot(self, name: str, *, baseline: bool = False) -> pb.RegisterBotResponse:
        """Register a bot; the response holds its token, which is shown this once."""
        request = pb.RegisterBotRequest(name=name, baseline=baseline, request_id=new_request_id())
        return await self._calls.call(self._bots.RegisterBot, request)

    async def get_bot(self, bot_id: str) -> pb.Bot:
        """Return one bot."""
        return (await self._calls.call(self._bots.GetBot, pb.GetBotRequest(bot_id=bot_id))).bot

    async def get_bot_status(self, bot_id: str = "") -> pb.GetBotStatusResponse:
        """Return how a bot, that of the token if none is named, stands on its ladders."""
        return await self._calls.call(
            self._bots.GetBotStatus, pb.GetBotStatusRequest(bot_id=bot_id)
        )

    async def list_bots(self, limit: int | None = None) -> list[pb.Bot]:
        """Return bots, at most `limit`."""

        async def page(token: str) -> tuple[Sequence[pb.Bot], str]:
            request = pb.ListBotsRequest(page_token=token, page_size=page_size(limit))
            response = await self._calls.call(self._bots.ListBots, request)
            return response.bots, response.next_page_token

        return await all_pages(page, limit)

    async def create_match(
        self,
        bot_ids: Sequence[str],
        *,
        ruleset: str = "base",
        time_control: pb.TimeControl | None = None,
    ) -> pb.Match:
        """Create an unrated match of these bots, by seat."""
        request = pb.CreateMatchRequest(
            bot_ids=bot_ids, ruleset=ruleset, time_control=time_control, request_id=new_request_id()
        )
        return (await self._calls.call(self._matches.CreateMatch, request)).match

    async def abort_match(self, match_id: str, why: str = "") -> pb.Match:
        """End a match that is not over, as an organizer; return it with its result."""
        request = pb.AbortMatchRequest(match_id=match_id, why=why)
        return (await self._calls.call(self._matches.AbortMatch, request)).match

    async def void_match(self, match_id: str, why: str = "") -> pb.Match:
        """Let a match of a competition not count, as an organizer; return it."""
        request = pb.VoidMatchRequest(match_id=match_id, why=why)
        return (await self._calls.call(self._matches.VoidMatch, request)).match

    async def get_match(self, match_id: str) -> pb.Match:
        """Return one match."""
        request = pb.GetMatchRequest(match_id=match_id)
        return (await self._calls.call(self._matches.GetMatch, request)).match

    async def list_matches(
        self, bot_id: str = "", limit: int | None = None, ladder_id: str = ""
    ) -> list[pb.Match]:
        """Return the matches of a bot, or of all bots, the newest first; at most `limit`.

        With a `ladder_id` only those of this ladder, or of the tournament with this id.
        """

        async def page(token: str) -> tuple[Sequence[pb.Match], str]:
            request = pb.ListMatchesRequest(
                bot_id=bot_id,
                page_token=token,
                page_size=page_size(limit),
                ladder_id=ladder_id,
            )
            response = await self._calls.call(self._matches.ListMatches, request)
            return response.matches, response.next_page_token

        return await all_pages(page, limit)

    async def get_record(self, match_id: str) -> pb.MatchRecord:
        """Return all there is to know of a finished match."""
        request = pb.GetMatchRecordRequest(match_id=match_id)
        return (await self._calls.call(self._matches.GetMatchRecord, request)).record

    async def spectate(
        self, match_id: str, since_version: int = 0
    ) -> AsyncGenerator[pb.SpectateMatchResponse, None]:
        """Yield the position of a match now and after each change, until it is over.

        The first one brings the events after `since_version`, unless that is 0. When nothing happens for
        a while, the same position comes again, without events.
        """
        request = pb.SpectateMatchRequest(match_id=match_id, since_version=since_version)
        call = self._matches.SpectateMatch(request, metadata=self._metadata)
        try:
            # By `read`, as in `stream`: who stops listening in the middle lets go of the connection.
            while isinstance(response := await call.read(), pb.SpectateMatchResponse):
                yield response
        except grpc.aio.AioRpcError as error:
            raise ShoalError.from_rpc(error) from None
        finally:
            call.cancel()

    async def list_ladders(self) -> list[pb.Ladder]:
        """Return the ladders of the server."""

        async def page(token: str) -> tuple[Sequence[pb.Ladder], str]:
            request = pb.ListLaddersRequest(page_token=token)
            response = await self._calls.call(self._ladders.ListLadders, request)
            return response.ladders, response.next_page_token

        return await all_pages(page, None)

    async def join_ladder(self, ladder_id: str) -> None:
        """Enter the bot of the token."""
        await self._calls.call(self._ladders.JoinLadder, pb.JoinLadderRequest(ladder_id=ladder_id))

    async def leave_ladder(self, ladder_id: str) -> None:
        """Take the bot of the token out; its running matches are played."""
        await self._calls.call(
            self._ladders.LeaveLadder, pb.LeaveLadderRequest(ladder_id=ladder_id)
        )

    async def standings(self, ladder_id: str, limit: int | None = None) -> list[pb.Standing]:
        """Return the lines of a ladder, best first, at most `limit`."""

        async def page(token: str) -> tuple[Sequence[pb.Standing], str]:
            request = pb.ListStandingsRequest(
                ladder_id=ladder_id, page_token=token, page_size=page_size(limit)
            )
            response = await self._calls.call(self._ladders.ListStandings, request)
            return response.standings, response.next_page_token

        return await all_pages(page, limit)
