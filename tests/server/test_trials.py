"""A bot plays a casual match before a ladder pairs it, on a real server with a real director (T87)."""

import json
from dataclasses import replace

import grpc
import pytest

from shoal.competition.specification import Entry
from shoal.server.director import ladder as ladder_of
from shoal.server.store import new_id
from shoal.server.store.competition_nouns import Note, State
from shoal.server.store.launcher import PrivateRedis
from shoal.v1 import bot_service_pb2 as bots_pb
from shoal.v1 import ladder_service_pb2 as ladders_pb
from tests.server.directing import QUICK, directing, playing
from tests.server.rpcs import read_error
from tests.server.support import Bot, Server, serving, shoal, until

TRIAL = bots_pb.MEMBERSHIP_STAGE_TRIAL
ACTIVE = bots_pb.MEMBERSHIP_STAGE_ACTIVE
PAUSED = bots_pb.MEMBERSHIP_STAGE_PAUSED


@pytest.fixture
async def ladder(server: Server) -> str:
    """A ladder of its own for each test."""
    name = f"ladder-{new_id()}"
    await server.make_ladder(name, seats=(2,))
    return name


async def join(server: Server, ladder: str, *bots: Bot) -> None:
    for bot in bots:
        request = ladders_pb.JoinLadderRequest(ladder_id=ladder)
        await server.ladders.JoinLadder(request, metadata=bot.metadata)


async def standing(server: Server, bot: Bot) -> bots_pb.Membership:
    """Return how a bot stands on its one ladder."""
    found = await server.bots.GetBotStatus(bots_pb.GetBotStatusRequest(), metadata=bot.metadata)
    (membership,) = found.memberships
    return membership


async def until_stage(
    server: Server, bot: Bot, stage: "bots_pb.MembershipStage.ValueType"
) -> bots_pb.Membership:
    async def is_there() -> bool:
        return (await standing(server, bot)).stage == stage

    await until(is_there, patience=40)
    return await standing(server, bot)


async def rated(server: Server, ladder: str) -> int:
    return (await server.stores.competitions.get(ladder)).rated


async def oldest_match(server: Server, bot: Bot) -> str:
    history = (await server.stores.bots.history(bot.bot_id, 500)).ids
    return min(history, key=lambda match_id: match_id[2:])


async def test_newcomers_play_a_casual_match_first(server: Server, ladder: str) -> None:
    """Two that are healthy try each other, are admitted, and only then play for ratings (T87)."""
    anna, bert = await server.register(), await server.register()
    await join(server, ladder, anna, bert)
    assert (await standing(server, anna)).stage == TRIAL
    async with directing(server.stores), playing(server, anna), playing(server, bert):
        await until_stage(server, anna, ACTIVE)
        await until_stage(server, bert, ACTIVE)

        async def has_begun() -> bool:
            return await rated(server, ladder) > 0

        await until(has_begun, patience=40)
    first = [await oldest_match(server, bot) for bot in (anna, bert)]
    assert first[0] == first[1]  # one match tries both
    match = await server.match(first[0])
    assert (match.rated, match.ladder_id) == (False, "")


async def test_a_newcomer_plays_for_ratings_without_waiting_for_a_tick(
    server: Server, ladder: str
) -> None:
    """From joining over the trial to the first rated match one thing follows from another (T69, T71).

    A tick would come after the patience of this test.
    """
    anna, bert = await server.register(), await server.register()
    async with (
        directing(server.stores, replace(QUICK, tick=600)),
        playing(server, anna),
        playing(server, bert),
    ):
        await join(server, ladder, anna, bert)
        await until_stage(server, anna, ACTIVE)

        async def has_played() -> bool:
            return await rated(server, ladder) > 0

        await until(has_played, patience=40)
    assert {(await standing(server, bot)).stage for bot in (anna, bert)} == {ACTIVE}


async def test_a_bot_that_cannot_finish_a_match_is_not_admitted(
    server: Server, ladder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """If it does not even say ready, its author is told so, and it plays for no rating (T87)."""
    deaf = await server.register()
    fit = await server.register(metadata=await server.admin(), baseline=True)
    await join(server, ladder, deaf, fit)
    assert (await standing(server, fit)).stage == ACTIVE  # the arena's own need no trial
    async with directing(server.stores), playing(server, fit), server.stream(deaf):
        told = await until_stage(server, deaf, PAUSED)
    assert "it did not finish its trial, match" in told.why
    assert "it did not say that it was ready in time" in told.why
    assert told.retry_time.seconds > 0
    assert await rated(server, ladder) == 0
    assert await shoal(server, "bot", "status", deaf.bot_id) == 0
    assert f"{deaf.name} on {ladder}: {told.why}" in capsys.readouterr().out
    assert await shoal(server, "bot", "status", deaf.bot_id, "--json") == 0
    (said,) = json.loads(capsys.readouterr().out)["memberships"]
    assert said["stage"] == "MEMBERSHIP_STAGE_PAUSED"


async def test_a_bot_that_is_healthy_again_comes_back_by_itself(
    server: Server, ladder: str
) -> None:
    """If it plays its next trial to the end, it is paired again; nobody need ask for that (T61)."""
    bot = await server.register()
    fit = await server.register(metadata=await server.admin(), baseline=True)
    await join(server, ladder, bot, fit)
    async with directing(server.stores), playing(server, fit):
        async with server.stream(bot):
            await until_stage(server, bot, PAUSED)
        async with playing(server, bot):
            told = await until_stage(server, bot, ACTIVE)
    assert (told.why, told.fault_count) == ("", 0)


async def test_an_offer_that_the_ladder_cannot_use_is_said(server: Server, ladder: str) -> None:
    """If a bot offers other tables than the ladder plays, it need not wait to learn that (T87)."""
    bot = await server.register()
    await join(server, ladder, bot)
    async with directing(server.stores), playing(server, bot, table_sizes=[3, 4]):
        told = await until_stage(server, bot, PAUSED)
    assert told.why == (
        "it offers base at tables of 3, 4, and the ladder plays base at tables of 2"
    )


async def test_another_director_goes_on_with_a_trial(
    redis: PrivateRedis, server: Server, ladder: str
) -> None:
    """If the director dies while a trial is in play, its successor sees how it ends (T76)."""
    anna, bert = await server.register(), await server.register()
    await join(server, ladder, anna, bert)
    async with serving(redis.url) as other, playing(server, anna), server.stream(bert) as silent:
        async with directing(other.stores):
            await silent.hear("match_update")
        assert (await standing(server, anna)).stage == TRIAL
        async with directing(other.stores):
            told = await until_stage(server, bert, PAUSED)
            assert "it did not say that it was ready in time" in told.why


async def test_a_new_release_is_tried_and_rated_anew(server: Server, ladder: str) -> None:
    """Standings show the release before by the bot's name and its version, with the rating it had."""
    bot = await server.register()
    fit = await server.register(metadata=await server.admin(), baseline=True)
    await join(server, ladder, bot, fit)

    async def lines() -> dict[str, ladders_pb.Standing]:
        request = ladders_pb.ListStandingsRequest(ladder_id=ladder)
        found = (await server.ladders.ListStandings(request)).standings
        return {line.bot_name: line for line in found}

    async def has_played() -> bool:
        return (await lines())[bot.name].match_count > 0

    async with directing(server.stores), playing(server, fit):
        async with playing(server, bot, bot_version="1.0"):
            await until(has_played, patience=40)
        async with server.stream(bot, max_matches=1, bot_version="1.1"):
            await until_stage(server, bot, TRIAL)
            old, new = (await lines())[f"{bot.name}@1.0"], (await lines())[bot.name]
    assert (old.bot_id, old.joined, old.match_count > 0) == (bot.bot_id, False, True)
    assert (new.bot_id, new.joined, new.match_count) == (bot.bot_id, True, 0)


async def test_who_may_not_enter_leaves_nothing_behind(server: Server) -> None:
    """A refusal changes nothing, also not what is noted of the bot beside the list of members."""
    name = f"ladder-{new_id()}"
    note = Note(0, "test", "create")
    closed = replace(ladder_of(name, "base"), entry=Entry(closes_ms=1))
    await server.stores.competitions.create(name, closed, State.RUNNING, note)
    bot = await server.register()
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await join(server, name, bot)
    assert read_error(caught.value).reason == "ENTRY_REFUSED"
    assert await server.stores.memberships.all(name) == {}
