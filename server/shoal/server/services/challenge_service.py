"""ChallengeService on the wire."""

from typing import Any, TypeAlias

from grpc.aio import ServicerContext

from shoal.match import SeatMeta
from shoal.server.auth import current_caller
from shoal.server.challenges import Challenges
from shoal.server.play.creation import MatchSpec
from shoal.server.services.challenge_messages import (
    acceptance_message,
    acceptance_of,
    challenge_message,
    wait_of,
)
from shoal.server.services.requests import (
    DEFAULT_RULESET,
    body_hash,
    bot_of,
    page_size_of,
    request_id_of,
    time_of,
)
from shoal.v1 import challenge_service_pb2 as pb
from shoal.v1 import challenge_service_pb2_grpc

Context: TypeAlias = ServicerContext[Any, Any]


class ChallengeService(challenge_service_pb2_grpc.ChallengeServiceServicer):
    """Casual matches with bots of others."""

    def __init__(self, challenges: Challenges) -> None:
        """Serve with these."""
        self._challenges = challenges

    async def CreateChallenge(  # noqa: N802
        self, request: pb.CreateChallengeRequest, _: Context
    ) -> pb.CreateChallengeResponse:
        """Challenge bots."""
        challenge = await self._challenges.create(
            current_caller(),
            MatchSpec(
                seats=tuple(SeatMeta(bot_id, "") for bot_id in request.bot_ids),
                ruleset=request.ruleset or DEFAULT_RULESET,
                time=time_of(request.time_control),
            ),
            wait_of(request.wait_s),
            request_id_of(request.request_id),
            body_hash(request),
        )
        return pb.CreateChallengeResponse(challenge=challenge_message(challenge))

    async def GetChallenge(  # noqa: N802
        self, request: pb.GetChallengeRequest, _: Context
    ) -> pb.GetChallengeResponse:
        """Return a challenge."""
        challenge = await self._challenges.get(request.challenge_id)
        return pb.GetChallengeResponse(challenge=challenge_message(challenge))

    async def ListChallenges(  # noqa: N802
        self, request: pb.ListChallengesRequest, _: Context
    ) -> pb.ListChallengesResponse:
        """List the challenges that a bot is in."""
        found, token = await self._challenges.of_bot(
            current_caller(),
            bot_of(request.bot_id),
            page_size_of(request.page_size),
            request.page_token,
        )
        return pb.ListChallengesResponse(
            challenges=map(challenge_message, found), next_page_token=token
        )

    async def CancelChallenge(  # noqa: N802
        self, request: pb.CancelChallengeRequest, _: Context
    ) -> pb.CancelChallengeResponse:
        """Take a challenge back."""
        challenge = await self._challenges.cancel(current_caller(), request.challenge_id)
        return pb.CancelChallengeResponse(challenge=challenge_message(challenge))

    async def SetAcceptance(  # noqa: N802
        self, request: pb.SetAcceptanceRequest, _: Context
    ) -> pb.SetAcceptanceResponse:
        """Set what a bot accepts."""
        acceptance = await self._challenges.accept(
            current_caller(), bot_of(request.bot_id), acceptance_of(request.acceptance)
        )
        return pb.SetAcceptanceResponse(acceptance=acceptance_message(acceptance))

    async def GetAcceptance(  # noqa: N802
        self, request: pb.GetAcceptanceRequest, _: Context
    ) -> pb.GetAcceptanceResponse:
        """Return what a bot accepts."""
        acceptance = await self._challenges.acceptance(current_caller(), bot_of(request.bot_id))
        return pb.GetAcceptanceResponse(acceptance=acceptance_message(acceptance))
