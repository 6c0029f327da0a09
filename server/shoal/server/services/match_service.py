"""MatchService on the wire."""

from collections.abc import AsyncIterator
from typing import Any, TypeAlias

from grpc.aio import ServicerContext

from shoal.engine import observe
from shoal.match import Match, SeatMeta
from shoal.server.auth import current_caller
from shoal.server.catalog import Catalog
from shoal.server.play.creation import MatchSpec
from shoal.server.seating import Seating
from shoal.server.services.requests import (
    DEFAULT_RULESET,
    body_hash,
    page_size_of,
    request_id_of,
    time_of,
    version_of,
    why_of,
)
from shoal.server.services.told import seen_of, told
from shoal.server.services.updates import history_bytes
from shoal.server.streams.spectators import Sight, Spectators
from shoal.server.unrated import Ratedness
from shoal.server.voiding import Voiding
from shoal.v1 import match_pb2, match_service_pb2_grpc
from shoal.v1 import match_service_pb2 as pb
from shoal.wire.matches import record_message
from shoal.wire.observation import observation_bytes
from shoal.wire.parts import nested

Context: TypeAlias = ServicerContext[Any, Any]

_EVENT = nested(pb.SpectateMatchResponse, "events")


class MatchService(match_service_pb2_grpc.MatchServiceServicer):
    """Matches as anybody may see them, and the making of unrated ones."""

    def __init__(
        self,
        seating: Seating,
        catalog: Catalog,
        voiding: Voiding,
        spectators: Spectators,
        ratedness: Ratedness,
    ) -> None:
        """Serve with these."""
        self._ratedness = ratedness
        self._voiding = voiding
        self._seating = seating
        self._catalog = catalog
        self._spectators = spectators

    async def CreateMatch(  # noqa: N802
        self, request: pb.CreateMatchRequest, _: Context
    ) -> pb.CreateMatchResponse:
        """Create an unrated match."""
        match_id = await self._seating.create(
            current_caller(),
            MatchSpec(
                seats=tuple(SeatMeta(bot_id, "") for bot_id in request.bot_ids),
                ruleset=request.ruleset or DEFAULT_RULESET,
                time=time_of(request.time_control),
            ),
            request_id_of(request.request_id),
            body_hash(request),
        )
        table = await self._catalog.table(match_id)
        return pb.CreateMatchResponse(match=await self._told(table.match))

    async def AbortMatch(  # noqa: N802
        self, request: pb.AbortMatchRequest, _: Context
    ) -> pb.AbortMatchResponse:
        """End a match for an organizer."""
        table = await self._voiding.abort(current_caller(), request.match_id, why_of(request.why))
        return pb.AbortMatchResponse(match=await self._told(table.match))

    async def VoidMatch(self, request: pb.VoidMatchRequest, _: Context) -> pb.VoidMatchResponse:  # noqa: N802
        """Let a match not count, for an organizer."""
        table = await self._voiding.void(current_caller(), request.match_id, why_of(request.why))
        return pb.VoidMatchResponse(match=await self._told(table.match))

    async def GetMatch(self, request: pb.GetMatchRequest, _: Context) -> pb.GetMatchResponse:  # noqa: N802
        """Return one match."""
        table = await self._catalog.table(request.match_id)
        return pb.GetMatchResponse(match=await self._told(table.match))

    async def ListMatches(  # noqa: N802
        self, request: pb.ListMatchesRequest, _: Context
    ) -> pb.ListMatchesResponse:
        """List matches."""
        await self._ratedness.must_know(request.ladder_id)
        matches, token = await self._catalog.list_matches(
            page_size_of(request.page_size), request.page_token, request.bot_id
        )
        shown = seen_of(request.bot_id, request.ladder_id, matches)
        entries = await self._ratedness.of(shown)
        return pb.ListMatchesResponse(matches=map(told, shown, entries), next_page_token=token)

    async def GetMatchRecord(  # noqa: N802
        self, request: pb.GetMatchRecordRequest, _: Context
    ) -> pb.GetMatchRecordResponse:
        """Return all that there is to know of a finished match."""
        record = record_message(*await self._catalog.record(request.match_id))
        return pb.GetMatchRecordResponse(record=record)

    async def SpectateMatch(  # noqa: N802
        self, request: pb.SpectateMatchRequest, _: Context
    ) -> AsyncIterator[pb.SpectateMatchResponse]:
        """Follow a match as a spectator."""
        table = await self._catalog.table(request.match_id)
        since = version_of(request.since_version) or None
        async for sight in self._spectators.follow(table, since):
            yield _spectated(sight)

    async def _told(self, match: Match) -> match_pb2.Match:
        """Return the message of a match for the caller, with what it means for ratings."""
        (entry,) = await self._ratedness.of([match])
        return told(match, entry)


def _spectated(sight: Sight) -> pb.SpectateMatchResponse:
    """Return what a spectator is told of what there is to see."""
    match = sight.table.match
    response = pb.SpectateMatchResponse(version=match.version)
    if sight.whole or sight.table.over:
        response.match.CopyFrom(told(match))
    response.MergeFromString(history_bytes(_EVENT, sight.history, None))
    if match.game is not None:
        response.observation.MergeFromString(observation_bytes(observe(match.game, None)))
    if match.decision_id:
        response.remaining_ms = sight.table.remaining_ms()
    return response
