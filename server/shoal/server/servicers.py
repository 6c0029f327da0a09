"""All services, put together on a store and on what of a process plays: gRPC and HTTP serve the same ones."""

from importlib.metadata import version
from typing import NamedTuple, final

from shoal.server.catalog import Catalog
from shoal.server.challenges import Challenges
from shoal.server.comparing import Comparing
from shoal.server.digests import Digests
from shoal.server.explaining import Explaining
from shoal.server.exporting import Exporting
from shoal.server.forcing import Forcing
from shoal.server.hub.hub import Hub
from shoal.server.joining import Joining
from shoal.server.ladder_explaining import LadderExplaining
from shoal.server.ladders import Ladders
from shoal.server.memberships import Memberships
from shoal.server.organizing import Organizing
from shoal.server.play.creation import Creation
from shoal.server.play.playing import Playing
from shoal.server.reckoning import Reckoning
from shoal.server.registration import Registration
from shoal.server.seating import Seating
from shoal.server.services.bot_service import BotService
from shoal.server.services.challenge_service import ChallengeService
from shoal.server.services.competition_service import CompetitionService
from shoal.server.services.export_service import ExportService
from shoal.server.services.ladder_service import LadderService
from shoal.server.services.match_service import MatchService
from shoal.server.services.methods import Methods
from shoal.server.services.play_service import PlayService
from shoal.server.services.tournament_service import TournamentService
from shoal.server.stores import Stores
from shoal.server.streams.polls import Polls
from shoal.server.streams.sessions import Sessions
from shoal.server.streams.spectators import Spectators
from shoal.server.tournaments import Tournaments
from shoal.server.unrated import Ratedness
from shoal.server.voiding import Voiding
from shoal.v1 import (
    bot_service_pb2,
    bot_service_pb2_grpc,
    challenge_service_pb2,
    challenge_service_pb2_grpc,
    competition_service_pb2,
    competition_service_pb2_grpc,
    export_service_pb2,
    export_service_pb2_grpc,
    ladder_service_pb2,
    ladder_service_pb2_grpc,
    match_service_pb2,
    match_service_pb2_grpc,
    play_service_pb2,
    play_service_pb2_grpc,
    tournament_service_pb2,
    tournament_service_pb2_grpc,
)

DESCRIPTORS = tuple(
    file.DESCRIPTOR.services_by_name[name]
    for file, name in (
        (bot_service_pb2, "BotService"),
        (match_service_pb2, "MatchService"),
        (play_service_pb2, "PlayService"),
        (challenge_service_pb2, "ChallengeService"),
        (ladder_service_pb2, "LadderService"),
        (tournament_service_pb2, "TournamentService"),
        (competition_service_pb2, "CompetitionService"),
        (export_service_pb2, "ExportService"),
    )
)

SERVICES = tuple(service.full_name for service in DESCRIPTORS)


@final
class Live(NamedTuple):
    """What a process has to play with, and to look at matches."""

    hub: Hub
    playing: Playing
    sessions: Sessions
    polls: Polls
    spectators: Spectators


def methods_of(stores: Stores, live: Live, *, is_open: bool) -> Methods:
    """Return the methods of all services; `is_open`: whoever comes may register bots."""
    methods = Methods()
    server = methods.as_server
    catalog = Catalog(live.hub, stores.bots, stores.matches)
    registration = Registration(
        stores.bots,
        stores.tokens,
        stores.requests,
        is_open=is_open,
    )
    creation = Creation(stores.matches, stores.bots, stores.competitions, version("shoal"))
    seating = Seating(creation, stores.bots, stores.requests)
    digests = Digests(stores.competitions, stores.competition_data)
    reckoning = Reckoning(stores.competitions, stores.competition_data, digests, stores.published)
    organizing = Organizing(stores.competitions, stores.entries, stores.bots, reckoning)
    bot_service_pb2_grpc.add_BotServiceServicer_to_server(
        BotService(
            registration,
            catalog,
            Memberships(stores.competitions, stores.memberships, stores.published),
        ),
        server,
    )
    match_service_pb2_grpc.add_MatchServiceServicer_to_server(
        MatchService(
            seating,
            catalog,
            Voiding(catalog, live.playing, organizing),
            live.spectators,
            Ratedness(stores.competitions, stores.ledger, stores.luck),
        ),
        server,
    )
    play_service_pb2_grpc.add_PlayServiceServicer_to_server(
        PlayService(
            live.playing,
            live.sessions,
            live.polls,
            stores.bots,
            version=version("shoal"),
        ),
        server,
    )
    ladder_service_pb2_grpc.add_LadderServiceServicer_to_server(
        LadderService(
            Ladders(
                stores.competitions,
                stores.entries,
                stores.bots,
                stores.requests,
                Joining(stores.competitions, stores.memberships),
                reckoning,
            ),
            LadderExplaining(
                stores.competitions,
                stores.bots,
                stores.presences,
                stores.memberships,
                stores.waits,
            ),
            catalog,
        ),
        server,
    )
    challenge_service_pb2_grpc.add_ChallengeServiceServicer_to_server(
        ChallengeService(
            Challenges(stores.challenges, stores.bots, stores.presences, stores.requests)
        ),
        server,
    )
    tournament_service_pb2_grpc.add_TournamentServiceServicer_to_server(
        TournamentService(
            Tournaments(
                *(stores.competitions, stores.competition_data, stores.entries),
                *(stores.bots, stores.requests, reckoning),
                published=stores.published,
            ),
            Explaining(stores.competitions, stores.bots, stores.presences, reckoning),
        ),
        server,
    )
    competition_service_pb2_grpc.add_CompetitionServiceServicer_to_server(
        CompetitionService(
            organizing,
            Forcing(
                stores.competitions,
                stores.bots,
                stores.presences,
                stores.memberships,
                stores.requests,
                reckoning,
            ),
        ),
        server,
    )
    of_competitions = (stores.competitions, stores.competition_data, stores.bots)
    export_service_pb2_grpc.add_ExportServiceServicer_to_server(
        ExportService(
            Exporting(*of_competitions, stores.releases, stores.published, stores.ledger),
            Comparing(stores.competitions, stores.bots, reckoning),
        ),
        server,
    )
    return methods
