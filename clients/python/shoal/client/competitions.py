"""The calls of organizers about competitions that run."""

from collections.abc import Sequence

import grpc

from shoal.client import pb
from shoal.client.calls import Calls, all_pages, new_request_id, page_size
from shoal.v1.competition_service_pb2_grpc import CompetitionServiceStub


class Competitions:
    """Ladders and tournaments in an organizer's hand, with an admin token. All may raise ShoalError."""

    def __init__(self, channel: grpc.aio.Channel, calls: Calls) -> None:
        """Call through this channel."""
        self._stub = CompetitionServiceStub(channel)
        self._calls = calls

    async def get(self, competition_id: str) -> pb.Competition:
        """Return how a competition stands, and what was decided about it."""
        request = pb.GetCompetitionRequest(competition_id=competition_id)
        return (await self._calls.call(self._stub.GetCompetition, request)).competition

    async def pause(self, competition_id: str, why: str = "") -> pb.Competition:
        """Let nothing new begin."""
        request = pb.PauseCompetitionRequest(competition_id=competition_id, why=why)
        return (await self._calls.call(self._stub.PauseCompetition, request)).competition

    async def resume(self, competition_id: str, why: str = "") -> pb.Competition:
        """Go on."""
        request = pb.ResumeCompetitionRequest(competition_id=competition_id, why=why)
        return (await self._calls.call(self._stub.ResumeCompetition, request)).competition

    async def drain(self, competition_id: str, why: str = "") -> pb.DrainCompetitionResponse:
        """Play what has begun to its end, then pause; the response says which blocks that are."""
        request = pb.DrainCompetitionRequest(competition_id=competition_id, why=why)
        return await self._calls.call(self._stub.DrainCompetition, request)

    async def exclude_bot(
        self,
        competition_id: str,
        bot_id: str,
        why: str = "",
        *,
        uncounted_from_ms: int | None = None,
        uncounted_until_ms: int | None = None,
    ) -> pb.Competition:
        """Pair a bot no more; its results of a time, in ms since 1970, do not count if one is given."""
        request = pb.ExcludeBotRequest(
            competition_id=competition_id,
            bot_id=bot_id,
            why=why,
            uncounted_from_ms=uncounted_from_ms,
            uncounted_until_ms=uncounted_until_ms,
        )
        return (await self._calls.call(self._stub.ExcludeBot, request)).competition

    async def readmit_bot(
        self, competition_id: str, bot_id: str, why: str = "", *, restore_results: bool = False
    ) -> pb.Competition:
        """Pair a bot again."""
        request = pb.ReadmitBotRequest(
            competition_id=competition_id, bot_id=bot_id, why=why, restore_results=restore_results
        )
        return (await self._calls.call(self._stub.ReadmitBot, request)).competition

    async def exclude_period(
        self, competition_id: str, from_ms: int, until_ms: int, why: str = ""
    ) -> pb.Competition:
        """Let no match count that ended in a time, in ms since 1970."""
        request = pb.ExcludePeriodRequest(
            competition_id=competition_id, from_ms=from_ms, until_ms=until_ms, why=why
        )
        return (await self._calls.call(self._stub.ExcludePeriod, request)).competition

    async def force_pairing(
        self, competition_id: str, bot_ids: Sequence[str], ruleset: str = "", why: str = ""
    ) -> pb.ForcePairingResponse:
        """Let a block of these bots begin next."""
        request = pb.ForcePairingRequest(
            request_id=new_request_id(),
            competition_id=competition_id,
            bot_ids=bot_ids,
            ruleset=ruleset,
            why=why,
        )
        return await self._calls.call(self._stub.ForcePairing, request)

    async def actions(self, competition_id: str, limit: int | None = None) -> list[pb.Action]:
        """Return what was done to a competition, the latest first, at most `limit`; `-`: casual matches."""

        async def page(token: str) -> tuple[Sequence[pb.Action], str]:
            request = pb.ListActionsRequest(
                competition_id=competition_id, page_token=token, page_size=page_size(limit)
            )
            response = await self._calls.call(self._stub.ListActions, request)
            return response.actions, response.next_page_token

        return await all_pages(page, limit)
