"""CompetitionService on the wire."""

from typing import Any, TypeAlias

from grpc.aio import ServicerContext

from shoal.server.auth import current_caller
from shoal.server.forcing import Forcing, Wish
from shoal.server.organizing import Organizing
from shoal.server.services.competition_messages import action_message, competition_message
from shoal.server.services.requests import (
    body_hash,
    page_size_of,
    request_id_of,
    times_of,
    why_of,
)
from shoal.v1 import competition_service_pb2 as pb
from shoal.v1 import competition_service_pb2_grpc

Context: TypeAlias = ServicerContext[Any, Any]


class CompetitionService(competition_service_pb2_grpc.CompetitionServiceServicer):
    """What organizers do with a ladder or a tournament that runs."""

    def __init__(self, organizing: Organizing, forcing: Forcing) -> None:
        """Serve with these."""
        self._organizing = organizing
        self._forcing = forcing

    async def GetCompetition(  # noqa: N802
        self, request: pb.GetCompetitionRequest, _: Context
    ) -> pb.GetCompetitionResponse:
        """Return a competition."""
        found = await self._organizing.get(current_caller(), request.competition_id)
        return pb.GetCompetitionResponse(competition=competition_message(found))

    async def PauseCompetition(  # noqa: N802
        self, request: pb.PauseCompetitionRequest, _: Context
    ) -> pb.PauseCompetitionResponse:
        """Let nothing new begin."""
        found = await self._organizing.pause(
            current_caller(), request.competition_id, why_of(request.why)
        )
        return pb.PauseCompetitionResponse(competition=competition_message(found))

    async def ResumeCompetition(  # noqa: N802
        self, request: pb.ResumeCompetitionRequest, _: Context
    ) -> pb.ResumeCompetitionResponse:
        """Go on."""
        found = await self._organizing.resume(
            current_caller(), request.competition_id, why_of(request.why)
        )
        return pb.ResumeCompetitionResponse(competition=competition_message(found))

    async def DrainCompetition(  # noqa: N802
        self, request: pb.DrainCompetitionRequest, _: Context
    ) -> pb.DrainCompetitionResponse:
        """Play what has begun, then pause."""
        found = await self._organizing.drain(
            current_caller(), request.competition_id, why_of(request.why)
        )
        return pb.DrainCompetitionResponse(
            competition=competition_message(found), open_block_keys=found.open_blocks
        )

    async def ExcludeBot(  # noqa: N802
        self, request: pb.ExcludeBotRequest, _: Context
    ) -> pb.ExcludeBotResponse:
        """Pair a bot no more."""
        found = await self._organizing.exclude(
            current_caller(),
            request.competition_id,
            request.bot_id,
            why_of(request.why),
            times_of(request),
        )
        return pb.ExcludeBotResponse(competition=competition_message(found))

    async def ReadmitBot(  # noqa: N802
        self, request: pb.ReadmitBotRequest, _: Context
    ) -> pb.ReadmitBotResponse:
        """Pair a bot again."""
        found = await self._organizing.readmit(
            current_caller(),
            request.competition_id,
            request.bot_id,
            why_of(request.why),
            restore=request.restore_results,
        )
        return pb.ReadmitBotResponse(competition=competition_message(found))

    async def ExcludePeriod(  # noqa: N802
        self, request: pb.ExcludePeriodRequest, _: Context
    ) -> pb.ExcludePeriodResponse:
        """Let no result of a time count."""
        found = await self._organizing.exclude_period(
            current_caller(),
            request.competition_id,
            request.from_ms,
            request.until_ms,
            why_of(request.why),
        )
        return pb.ExcludePeriodResponse(competition=competition_message(found))

    async def ForcePairing(  # noqa: N802
        self, request: pb.ForcePairingRequest, _: Context
    ) -> pb.ForcePairingResponse:
        """Let a block begin next."""
        wish = Wish(
            request.competition_id, tuple(request.bot_ids), request.ruleset, why_of(request.why)
        )
        block = await self._forcing.force(
            current_caller(), wish, request_id_of(request.request_id), body_hash(request)
        )
        return pb.ForcePairingResponse(block_key=block.key, rated=block.rated)

    async def ListActions(  # noqa: N802
        self, request: pb.ListActionsRequest, _: Context
    ) -> pb.ListActionsResponse:
        """List what was done."""
        notes, token = await self._organizing.actions(
            current_caller(),
            request.competition_id,
            page_size_of(request.page_size),
            request.page_token,
        )
        return pb.ListActionsResponse(actions=map(action_message, notes), next_page_token=token)
