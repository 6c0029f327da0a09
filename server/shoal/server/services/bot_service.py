"""BotService on the wire."""

from typing import Any, Final, TypeAlias

from grpc.aio import ServicerContext

from shoal.server.auth import current_caller
from shoal.server.catalog import Catalog
from shoal.server.memberships import Memberships, Standing
from shoal.server.registration import Registration
from shoal.server.services.ladder_messages import ladder_state
from shoal.server.services.rating_messages import published_message
from shoal.server.services.requests import (
    body_hash,
    bot_name_of,
    bot_of,
    page_size_of,
    request_id_of,
)
from shoal.server.store.bots import Bot
from shoal.server.store.memberships import Stage
from shoal.v1 import bot_service_pb2 as pb
from shoal.v1 import bot_service_pb2_grpc
from shoal.wire.matches import timestamp

Context: TypeAlias = ServicerContext[Any, Any]


class BotService(bot_service_pb2_grpc.BotServiceServicer):
    """Who plays."""

    def __init__(
        self, registration: Registration, catalog: Catalog, memberships: Memberships
    ) -> None:
        """Serve with these."""
        self._memberships = memberships
        self._registration = registration
        self._catalog = catalog

    async def RegisterBot(  # noqa: N802
        self, request: pb.RegisterBotRequest, _: Context
    ) -> pb.RegisterBotResponse:
        """Register a bot."""
        registered = await self._registration.register(
            current_caller(),
            bot_name_of(request.name),
            request_id_of(request.request_id),
            body_hash(request),
            baseline=request.baseline,
        )
        return pb.RegisterBotResponse(bot=_bot(registered.bot), token=registered.token)

    async def GetBot(self, request: pb.GetBotRequest, _: Context) -> pb.GetBotResponse:  # noqa: N802
        """Return one bot."""
        return pb.GetBotResponse(bot=_bot(await self._catalog.bot(request.bot_id)))

    async def ListBots(self, request: pb.ListBotsRequest, _: Context) -> pb.ListBotsResponse:  # noqa: N802
        """List bots."""
        bots, token = await self._catalog.list_bots(
            page_size_of(request.page_size), request.page_token
        )
        return pb.ListBotsResponse(bots=map(_bot, bots), next_page_token=token)

    async def GetBotStatus(  # noqa: N802
        self, request: pb.GetBotStatusRequest, _: Context
    ) -> pb.GetBotStatusResponse:
        """Say how a bot stands on its ladders."""
        bot = await self._catalog.bot(bot_of(request.bot_id) or current_caller().playing())
        standings = await self._memberships.of(current_caller(), bot)
        return pb.GetBotStatusResponse(bot=_bot(bot), memberships=map(_membership, standings))


_STAGES: Final = {
    Stage.TRIAL: pb.MEMBERSHIP_STAGE_TRIAL,
    Stage.ACTIVE: pb.MEMBERSHIP_STAGE_ACTIVE,
    Stage.PAUSED: pb.MEMBERSHIP_STAGE_PAUSED,
    Stage.UNREADABLE: pb.MEMBERSHIP_STAGE_PAUSED,
}


def _membership(standing: Standing) -> pb.Membership:
    """Return the message of a membership."""
    known, rated = standing.membership, standing.published
    return pb.Membership(
        ladder_id=standing.ladder.competition_id,
        stage=_STAGES[known.stage],
        since_time=timestamp(known.since_ms) if known.since_ms else None,
        why=known.why,
        fault_count=len(known.faults),
        most_faults=standing.most_faults,
        trial_match_id=known.match_id,
        retry_time=timestamp(known.due_ms) if standing.awaits_trial else None,
        excluded=standing.excluded,
        excluded_why=standing.excluded_why,
        ladder_state=ladder_state(standing.ladder),
        ladder_why=standing.ladder_why,
        rank=0 if rated is None else rated.row.rank,
        published=None if rated is None else published_message(rated.row, rated.at_ms),
    )


def _bot(bot: Bot) -> pb.Bot:
    """Return the message of a bot."""
    return pb.Bot(
        bot_id=bot.bot_id,
        name=bot.name,
        owner_id=bot.owner,
        baseline=bot.baseline,
        create_time=timestamp(bot.created_ms),
    )
