"""One good call of every annotated rpc: made over gRPC and over HTTP, each time for things of its own."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from google.protobuf.message import Message

from shoal.server.store.competition_nouns import State
from shoal.v1 import bot_service_pb2 as bots
from shoal.v1 import challenge_service_pb2 as challenges
from shoal.v1 import competition_service_pb2 as competitions
from shoal.v1 import export_service_pb2 as exports
from shoal.v1 import ladder_service_pb2 as ladders
from shoal.v1 import match_service_pb2 as matches
from shoal.v1 import play_service_pb2 as plays
from shoal.v1 import tournament_pb2 as nouns
from shoal.v1 import tournament_service_pb2 as tournaments
from tests.server.support import Bot, Metadata, Server, new_name

Prepared: TypeAlias = tuple[Message, Metadata]
Prepare: TypeAlias = Callable[[Server], Awaitable[Prepared]]


async def two(server: Server) -> list[Bot]:
    return await server.team(2)


async def ladder_of(server: Server, *joined: Bot) -> str:
    """Make a ladder, and let bots join it."""
    name = new_name()
    await server.make_ladder(name)
    for bot in joined:
        request = ladders.JoinLadderRequest(ladder_id=name)
        await server.ladders.JoinLadder(request, metadata=bot.metadata)
    return name


async def cup_of(server: Server, *entered: Bot, state: State = State.OPEN) -> str:
    """Make a tournament, and let bots enter it."""
    cup = await server.make_tournament(state=state)
    for bot in entered:
        request = tournaments.EnterTournamentRequest(tournament_id=cup)
        await server.tournaments.EnterTournament(request, metadata=bot.metadata)
    return cup


async def challenge_of(server: Server) -> tuple[str, list[Bot]]:
    """Challenge a bot of the same owner."""
    team = await two(server)
    request = challenges.CreateChallengeRequest(bot_ids=[bot.bot_id for bot in team])
    made = await server.challenges.CreateChallenge(request, metadata=team[0].metadata)
    return str(made.challenge.challenge_id), team


async def over(server: Server) -> str:
    """Return a match that is over."""
    team = await two(server)
    match_id = await server.deal(*team)
    await server.resign(team[0], match_id)
    return match_id


def of_ladder(request: Callable[..., Message], **fields: str) -> Prepare:
    """Prepare a look at a ladder of two."""

    async def prepare(server: Server) -> Prepared:
        team = await two(server)
        return request(ladder_id=await ladder_of(server, *team), **fields), ()

    return prepare


def of_cup(request: Callable[..., Message]) -> Prepare:
    """Prepare a look at a tournament of two."""

    async def prepare(server: Server) -> Prepared:
        team = await two(server)
        return request(tournament_id=await cup_of(server, *team)), ()

    return prepare


def of_running(request: Callable[..., Message], **fields: object) -> Prepare:
    """Prepare what an organizer does to a ladder."""

    async def prepare(server: Server) -> Prepared:
        name = await ladder_of(server)
        return request(competition_id=name, **fields), await server.admin()

    return prepare


def of_match(request: Callable[..., Message], **fields: object) -> Prepare:
    """Prepare what is asked of a match that is over."""

    async def prepare(server: Server) -> Prepared:
        return request(match_id=await over(server), **fields), await server.admin()

    return prepare


def listed(request: Callable[..., Message]) -> Prepare:
    """Prepare a look at the first thing of a list."""

    async def prepare(server: Server) -> Prepared:
        await challenge_of(server)
        await cup_of(server)
        await ladder_of(server)
        return request(page_size=1), (await server.register()).metadata

    return prepare


async def register(_: Server) -> Prepared:
    return bots.RegisterBotRequest(name=new_name()), ()


async def get_bot(server: Server) -> Prepared:
    return bots.GetBotRequest(bot_id=(await server.register()).bot_id), ()


async def bot_status(server: Server) -> Prepared:
    bot = await server.register()
    return bots.GetBotStatusRequest(bot_id=bot.bot_id), bot.metadata


async def create_match(server: Server) -> Prepared:
    team = await two(server)
    ids = [bot.bot_id for bot in team]
    return matches.CreateMatchRequest(bot_ids=ids, ruleset="salt"), team[0].metadata


async def void(server: Server) -> Prepared:
    match_id = await server.deal(*await two(server))
    return matches.VoidMatchRequest(match_id=match_id, why="a test"), await server.admin()


async def abort(server: Server) -> Prepared:
    match_id = await server.deal(*await two(server))
    return matches.AbortMatchRequest(match_id=match_id, why="a test"), await server.admin()


async def list_matches(server: Server) -> Prepared:
    team = await two(server)
    await server.create(*team)
    return matches.ListMatchesRequest(bot_id=team[0].bot_id, page_size=3), ()


async def watch(server: Server) -> Prepared:
    team = await two(server)
    await server.create(*team)
    return plays.WatchRequest(hello=plays.Hello(max_matches=3)), team[0].metadata


async def decisions(server: Server) -> Prepared:
    team = await two(server)
    await server.create(*team)
    request = plays.ListDecisionsRequest(max_matches=2, table_sizes=[2, 3])
    return request, team[0].metadata


async def ready(server: Server) -> Prepared:
    team = await two(server)
    match_id = await server.create(*team)
    return plays.ReadyRequest(match_id=match_id, nonce=b"\xff\x00"), team[0].metadata


async def resign(server: Server) -> Prepared:
    team = await two(server)
    return plays.ResignRequest(match_id=await server.deal(*team)), team[0].metadata


async def move(server: Server) -> Prepared:
    async with server.asking(*await two(server)) as question:
        decision = question.update.decision
        request = plays.PlayMoveRequest(
            match_id=question.match_id,
            decision_id=decision.decision_id,
            option_id=decision.default_option_id,
        )
        return request, question.asked.metadata


async def create_challenge(server: Server) -> Prepared:
    team = await two(server)
    request = challenges.CreateChallengeRequest(bot_ids=[bot.bot_id for bot in team], wait_s=60)
    return request, team[0].metadata


async def get_challenge(server: Server) -> Prepared:
    challenge_id, team = await challenge_of(server)
    return challenges.GetChallengeRequest(challenge_id=challenge_id), team[0].metadata


async def cancel_challenge(server: Server) -> Prepared:
    challenge_id, team = await challenge_of(server)
    return challenges.CancelChallengeRequest(challenge_id=challenge_id), team[0].metadata


async def get_acceptance(server: Server) -> Prepared:
    bot = await server.register()
    return challenges.GetAcceptanceRequest(bot_id=bot.bot_id), bot.metadata


async def set_acceptance(server: Server) -> Prepared:
    bot = await server.register()
    wanted = challenges.Acceptance(table_sizes=[2, 4])
    return challenges.SetAcceptanceRequest(bot_id=bot.bot_id, acceptance=wanted), bot.metadata


async def create_ladder(server: Server) -> Prepared:
    specification = ladders.LadderSpecification(name=new_name(), rulesets=["base"])
    request = ladders.CreateLadderRequest(specification=specification)
    return request, await server.admin()


async def end_ladder(server: Server) -> Prepared:
    request = ladders.EndLadderRequest(ladder_id=await ladder_of(server), why="a test")
    return request, await server.admin()


async def join(server: Server) -> Prepared:
    bot = await server.register()
    return ladders.JoinLadderRequest(ladder_id=await ladder_of(server)), bot.metadata


async def leave(server: Server) -> Prepared:
    bot = await server.register()
    return ladders.LeaveLadderRequest(ladder_id=await ladder_of(server, bot)), bot.metadata


async def create_tournament(server: Server) -> Prepared:
    swiss = nouns.TournamentFormat(swiss=nouns.SwissFormat(rounds=2))
    specification = nouns.TournamentSpecification(name="cup", format=swiss)
    request = tournaments.CreateTournamentRequest(specification=specification)
    return request, await server.admin()


async def enter(server: Server) -> Prepared:
    bot = await server.register()
    return tournaments.EnterTournamentRequest(tournament_id=await cup_of(server)), bot.metadata


async def withdraw(server: Server) -> Prepared:
    bot = await server.register()
    cup = await cup_of(server, bot)
    return tournaments.WithdrawFromTournamentRequest(tournament_id=cup), bot.metadata


async def start(server: Server) -> Prepared:
    cup = await cup_of(server, *await two(server))
    return tournaments.StartTournamentRequest(tournament_id=cup), await server.admin()


async def cancel(server: Server) -> Prepared:
    request = tournaments.CancelTournamentRequest(tournament_id=await cup_of(server), why="a test")
    return request, await server.admin()


async def resume(server: Server) -> Prepared:
    name, admin = await ladder_of(server), await server.admin()
    pause = competitions.PauseCompetitionRequest(competition_id=name)
    await server.competitions.PauseCompetition(pause, metadata=admin)
    return competitions.ResumeCompetitionRequest(competition_id=name, why="a test"), admin


async def exclude(server: Server) -> Prepared:
    bot = await server.register()
    request = competitions.ExcludeBotRequest(
        competition_id=await ladder_of(server, bot), bot_id=bot.bot_id, uncounted_from_ms=0
    )
    return request, await server.admin()


async def readmit(server: Server) -> Prepared:
    bot, admin = await server.register(), await server.admin()
    place = {"competition_id": await ladder_of(server, bot), "bot_id": bot.bot_id}
    request = competitions.ExcludeBotRequest(**place)
    await server.competitions.ExcludeBot(request, metadata=admin)
    return competitions.ReadmitBotRequest(**place, restore_results=True), admin


async def force(server: Server) -> Prepared:
    team, admin, name = await two(server), await server.admin(), new_name()
    # Without trials, which a bot would have to finish first.
    specification = ladders.LadderSpecification(name=name, trial=False)
    request = ladders.CreateLadderRequest(specification=specification)
    await server.ladders.CreateLadder(request, metadata=admin)
    for bot in team:
        joining = ladders.JoinLadderRequest(ladder_id=name)
        await server.ladders.JoinLadder(joining, metadata=bot.metadata)
        # A bot that polled is there.
        await server.plays.ListDecisions(plays.ListDecisionsRequest(), metadata=bot.metadata)
    ids = [bot.bot_id for bot in team]
    return competitions.ForcePairingRequest(competition_id=name, bot_ids=ids), admin


async def head_to_head(server: Server) -> Prepared:
    team = await two(server)
    request = exports.GetHeadToHeadRequest(
        competition_id=await ladder_of(server, *team),
        bot_id=team[0].bot_id,
        other_id=team[1].bot_id,
    )
    return request, ()


CASES: dict[str, Prepare] = {
    "BotService.RegisterBot": register,
    "BotService.GetBot": get_bot,
    "BotService.ListBots": listed(bots.ListBotsRequest),
    "BotService.GetBotStatus": bot_status,
    "MatchService.CreateMatch": create_match,
    "MatchService.AbortMatch": abort,
    "MatchService.VoidMatch": void,
    "MatchService.GetMatch": of_match(matches.GetMatchRequest),
    "MatchService.ListMatches": list_matches,
    "MatchService.GetMatchRecord": of_match(matches.GetMatchRecordRequest),
    "MatchService.SpectateMatch": of_match(matches.SpectateMatchRequest, since_version=1),
    "PlayService.Watch": watch,
    "PlayService.ListDecisions": decisions,
    "PlayService.PlayMove": move,
    "PlayService.Ready": ready,
    "PlayService.Resign": resign,
    "ChallengeService.CreateChallenge": create_challenge,
    "ChallengeService.GetChallenge": get_challenge,
    "ChallengeService.ListChallenges": listed(challenges.ListChallengesRequest),
    "ChallengeService.CancelChallenge": cancel_challenge,
    "ChallengeService.SetAcceptance": set_acceptance,
    "ChallengeService.GetAcceptance": get_acceptance,
    "LadderService.CreateLadder": create_ladder,
    "LadderService.GetLadder": of_ladder(ladders.GetLadderRequest),
    "LadderService.ListLadders": listed(ladders.ListLaddersRequest),
    "LadderService.EndLadder": end_ladder,
    "LadderService.JoinLadder": join,
    "LadderService.LeaveLadder": leave,
    "LadderService.ListStandings": of_ladder(ladders.ListStandingsRequest),
    "LadderService.ExplainLadderPairing": of_ladder(ladders.ExplainLadderPairingRequest),
    "TournamentService.CreateTournament": create_tournament,
    "TournamentService.GetTournament": of_cup(tournaments.GetTournamentRequest),
    "TournamentService.ListTournaments": listed(tournaments.ListTournamentsRequest),
    "TournamentService.EnterTournament": enter,
    "TournamentService.WithdrawFromTournament": withdraw,
    "TournamentService.StartTournament": start,
    "TournamentService.CancelTournament": cancel,
    "TournamentService.ListTournamentStandings": of_cup(tournaments.ListTournamentStandingsRequest),
    "TournamentService.ListBlocks": of_cup(tournaments.ListBlocksRequest),
    "TournamentService.ExplainPairing": of_cup(tournaments.ExplainPairingRequest),
    "CompetitionService.GetCompetition": of_running(competitions.GetCompetitionRequest),
    "CompetitionService.PauseCompetition": of_running(competitions.PauseCompetitionRequest),
    "CompetitionService.ResumeCompetition": resume,
    "CompetitionService.DrainCompetition": of_running(competitions.DrainCompetitionRequest),
    "CompetitionService.ExcludeBot": exclude,
    "CompetitionService.ReadmitBot": readmit,
    "CompetitionService.ExcludePeriod": of_running(
        competitions.ExcludePeriodRequest, from_ms=1, until_ms=2
    ),
    "CompetitionService.ForcePairing": force,
    "CompetitionService.ListActions": of_running(competitions.ListActionsRequest),
    "ExportService.ExportCompetition": of_running(exports.ExportCompetitionRequest),
    "ExportService.ListCrosstable": of_running(exports.ListCrosstableRequest),
    "ExportService.GetHeadToHead": head_to_head,
}
"""By rpc, what prepares its request and who makes it."""
