"""What an organizer does with bots of others outside of competitions has a line in the list of actions."""

from shoal.server.store import new_id
from shoal.server.store.keys import now_ms
from shoal.server.store.memberships import Membership, Stage
from shoal.v1 import bot_service_pb2 as bots_pb
from shoal.v1 import challenge_service_pb2 as challenges
from shoal.v1 import competition_service_pb2 as organizing
from shoal.v1 import ladder_service_pb2 as ladders
from shoal.v1 import match_service_pb2 as matches
from tests.server.support import Bot, Metadata, Server, new_name

Line = tuple[str, str]

HOUR_MS = 3_600_000


async def lines(server: Server, competition: str = "-") -> list[Line]:
    """Return what organizers have done, and what to, the first first."""
    request = organizing.ListActionsRequest(competition_id=competition, page_size=500)
    found = (await server.competitions.ListActions(request, metadata=await server.admin())).actions
    return [(each.action, each.detail) for each in reversed(found) if "operator" in each.who]


async def of(server: Server, text: str) -> list[Line]:
    """Return what was done to what belongs to no competition and has this id."""
    return [line for line in await lines(server) if text in line[1]]


async def test_setting_what_somebody_elses_bot_accepts(server: Server) -> None:
    """Once, with what it changes; its owner needs no line, nor does who changes nothing."""
    bot = await server.register()

    async def accept(by: Metadata, **fields: object) -> None:
        wanted = challenges.Acceptance(**fields)
        request = challenges.SetAcceptanceRequest(bot_id=bot.bot_id, acceptance=wanted)
        await server.challenges.SetAcceptance(request, metadata=by)

    nobody = {"accept_from": challenges.ACCEPT_FROM_NOBODY, "rulesets": ["salt", "base"]}
    await accept(bot.metadata, accept_from=challenges.ACCEPT_FROM_ANYONE)
    assert await of(server, bot.bot_id) == []
    for _ in range(2):
        await accept(await server.admin(), **nobody)
    line = ("set acceptance", f"{bot.bot_id}: accept_from nobody, rulesets base salt")
    assert await of(server, bot.bot_id) == [line]


async def test_setting_what_its_own_bot_accepts(server: Server) -> None:
    """An organizer is the owner of a bot that it has registered."""
    admin = await server.admin()
    made = await server.bots.RegisterBot(
        bots_pb.RegisterBotRequest(name=new_name()), metadata=admin
    )
    wanted = challenges.Acceptance(accept_from=challenges.ACCEPT_FROM_NOBODY)
    request = challenges.SetAcceptanceRequest(bot_id=made.bot.bot_id, acceptance=wanted)
    await server.challenges.SetAcceptance(request, metadata=admin)
    assert await of(server, made.bot.bot_id) == []


async def test_challenges_among_bots_of_others(server: Server) -> None:
    """Made and taken back by an organizer; what owners do has no line."""
    team, admin = await server.team(2), await server.admin()

    async def challenge(by: Metadata) -> str:
        request = challenges.CreateChallengeRequest(bot_ids=[bot.bot_id for bot in team])
        made = (await server.challenges.CreateChallenge(request, metadata=by)).challenge
        return made.challenge_id

    async def cancel(challenge_id: str, by: Metadata) -> None:
        request = challenges.CancelChallengeRequest(challenge_id=challenge_id)
        await server.challenges.CancelChallenge(request, metadata=by)

    theirs = await challenge(team[0].metadata)
    assert await of(server, theirs) == []
    for _ in range(2):
        await cancel(theirs, admin)
    assert await of(server, theirs) == [("cancel challenge", theirs)]
    for bot in team:  # a bot accepts what is of its own owner, unless it says otherwise
        wanted = challenges.Acceptance(accept_from=challenges.ACCEPT_FROM_ANYONE)
        accept = challenges.SetAcceptanceRequest(acceptance=wanted)
        await server.challenges.SetAcceptance(accept, metadata=bot.metadata)
    forced = await challenge(admin)
    assert await of(server, forced) == [
        ("challenge", f"{forced}: {team[0].bot_id} {team[1].bot_id}")
    ]
    await cancel(forced, team[0].metadata)
    assert len(await of(server, forced)) == 1


async def test_seating_bots_of_others(server: Server) -> None:
    """Once for a request, however often it is sent; baselines are there for everybody."""
    team, admin = await server.team(2), await server.admin()
    own = [await server.register(metadata=admin, baseline=baseline) for baseline in (False, True)]

    async def seat(bots: list[Bot], by: Metadata, request_id: str = "") -> str:
        request = matches.CreateMatchRequest(
            bot_ids=[bot.bot_id for bot in bots], request_id=request_id
        )
        return (await server.matches.CreateMatch(request, metadata=by)).match.match_id

    assert await of(server, await seat(team, team[0].metadata)) == []
    assert await of(server, await seat(own, admin)) == []
    request_id = "6b1f0d5e-3c39-4c41-9c55-0a7d8e0f4d11"
    seated = [await seat(team, admin, request_id) for _ in range(2)]
    assert await of(server, seated[0]) == [
        ("create match", f"{seated[1]}: {team[0].bot_id} {team[1].bot_id}")
    ]


async def test_letting_a_paused_bot_of_somebody_else_be_tried_again(server: Server) -> None:
    """Joining for it again shortens its wait; when it enters for itself, nobody else does anything."""
    ladder = f"ladder-{new_id()}"
    await server.make_ladder(ladder)
    for by_admin in (True, False):
        bot = await server.register()
        join = ladders.JoinLadderRequest(ladder_id=ladder, bot_id=bot.bot_id)
        await server.ladders.JoinLadder(join, metadata=bot.metadata)
        store = server.stores.memberships
        known = (await store.of(ladder, [bot.bot_id]))[bot.bot_id]
        late = Membership(Stage.PAUSED, now_ms(), rev=known.rev, due_ms=now_ms() + HOUR_MS)
        await store.change(ladder, bot.bot_id, known, late)
        by = await server.admin() if by_admin else bot.metadata
        await server.ladders.JoinLadder(join, metadata=by)
        assert (await store.of(ladder, [bot.bot_id]))[bot.bot_id].due_ms < late.due_ms
        done = [line for line in await lines(server, ladder) if line[1] == bot.bot_id]
        assert done == [("try again", bot.bot_id)] * by_admin
