"""The calls about challenges."""

from collections.abc import Sequence

import grpc

from shoal.client import pb
from shoal.client.calls import Calls, all_pages, new_request_id, page_size
from shoal.v1.challenge_service_pb2_grpc import ChallengeServiceStub


class Challenges:
    """Challenges on a server: casual matches with bots of others. Every call may raise ShoalError."""

    def __init__(self, channel: grpc.aio.Channel, calls: Calls) -> None:
        """Call through this channel."""
        self._stub = ChallengeServiceStub(channel)
        self._calls = calls

    async def create(
        self,
        bot_ids: Sequence[str],
        *,
        ruleset: str = "base",
        time_control: pb.TimeControl | None = None,
        wait_s: int = 0,
    ) -> pb.Challenge:
        """Challenge bots; the bots are by seat, and one of them is the caller's."""
        request = pb.CreateChallengeRequest(
            request_id=new_request_id(),
            bot_ids=bot_ids,
            ruleset=ruleset,
            time_control=time_control,
            wait_s=wait_s,
        )
        return (await self._calls.call(self._stub.CreateChallenge, request)).challenge

    async def get(self, challenge_id: str) -> pb.Challenge:
        """Return one challenge."""
        request = pb.GetChallengeRequest(challenge_id=challenge_id)
        return (await self._calls.call(self._stub.GetChallenge, request)).challenge

    async def list_of(self, bot_id: str = "", limit: int | None = None) -> list[pb.Challenge]:
        """Return the challenges that a bot is in, that of the token if none is named, newest first."""

        async def page(token: str) -> tuple[Sequence[pb.Challenge], str]:
            request = pb.ListChallengesRequest(
                bot_id=bot_id, page_token=token, page_size=page_size(limit)
            )
            response = await self._calls.call(self._stub.ListChallenges, request)
            return response.challenges, response.next_page_token

        return await all_pages(page, limit)

    async def cancel(self, challenge_id: str) -> pb.Challenge:
        """Take a challenge back that waits."""
        request = pb.CancelChallengeRequest(challenge_id=challenge_id)
        return (await self._calls.call(self._stub.CancelChallenge, request)).challenge

    async def set_acceptance(self, acceptance: pb.Acceptance, bot_id: str = "") -> pb.Acceptance:
        """Set which challenges a bot accepts, that of the token if none is named."""
        request = pb.SetAcceptanceRequest(bot_id=bot_id, acceptance=acceptance)
        return (await self._calls.call(self._stub.SetAcceptance, request)).acceptance

    async def acceptance(self, bot_id: str = "") -> pb.Acceptance:
        """Return which challenges a bot accepts, that of the token if none is named."""
        request = pb.GetAcceptanceRequest(bot_id=bot_id)
        return (await self._calls.call(self._stub.GetAcceptance, request)).acceptance
