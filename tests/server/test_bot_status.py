"""Whoever asks why a bot is not paired is told what an organizer has done, and its author in what words."""

from pathlib import Path

import pytest

from shoal.server.store import new_id
from shoal.v1 import bot_service_pb2 as bots_pb
from shoal.v1 import challenge_service_pb2 as challenges_pb
from shoal.v1 import competition_service_pb2 as organizing
from shoal.v1 import ladder_service_pb2 as pb
from tests.server.support import Bot, Metadata, Server, shoal

UNRATED = "  not rated yet: no match of it is in the published table"


@pytest.fixture
async def ladder(server: Server) -> str:
    """A ladder of its own for each test."""
    name = f"ladder-{new_id()}"
    await server.make_ladder(name, seats=(2,))
    return name


@pytest.fixture
async def bot(server: Server, ladder: str) -> Bot:
    """A bot that has joined it."""
    bot = await server.register()
    request = pb.JoinLadderRequest(ladder_id=ladder)
    await server.ladders.JoinLadder(request, metadata=bot.metadata)
    return bot


async def standing(server: Server, bot: Bot, caller: Metadata) -> bots_pb.Membership:
    """Return how a bot stands on its one ladder, as this caller is told."""
    request = bots_pb.GetBotStatusRequest(bot_id=bot.bot_id)
    (membership,) = (await server.bots.GetBotStatus(request, metadata=caller)).memberships
    return membership


async def explained(server: Server, ladder: str, bot: Bot, caller: Metadata) -> str:
    """Return in a sentence why a bot sits at no table, as this caller is told."""
    request = pb.ExplainLadderPairingRequest(ladder_id=ladder, bot_id=bot.bot_id)
    found = await server.ladders.ExplainLadderPairing(request, metadata=caller)
    (sentence,) = found.explanations[-1].sentences
    return sentence


async def said(server: Server, bot: Bot, folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Return what the command tells the bot's author."""
    token = folder / "bot.token"
    token.write_text(bot.token)
    capsys.readouterr()
    assert await shoal(server, "bot", "status", "--token-file", str(token)) == 0
    return capsys.readouterr().out.strip()


async def test_an_excluded_bot_is_said_to_be_so_and_its_author_is_told_why(
    server: Server, ladder: str, bot: Bot, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Others are told that it is excluded, and not in what words."""
    admin = await server.admin()
    request = organizing.ExcludeBotRequest(
        competition_id=ladder, bot_id=bot.bot_id, why="it floods us"
    )
    await server.competitions.ExcludeBot(request, metadata=admin)
    for caller, why in ((bot.metadata, "it floods us"), (admin, "it floods us"), ((), "")):
        told = await standing(server, bot, caller)
        assert (told.excluded, told.excluded_why) == (True, why)
        end = f" ({why})." if why else "."
        sentence = await explained(server, ladder, bot, caller)
        assert sentence == f"{bot.name} is excluded by the organizer, and not paired{end}"
    expected = f"{bot.name} on {ladder}: excluded by the organizer (it floods us)\n{UNRATED}"
    assert await said(server, bot, tmp_path, capsys) == expected
    readmitted = organizing.ReadmitBotRequest(competition_id=ladder, bot_id=bot.bot_id)
    await server.competitions.ReadmitBot(readmitted, metadata=admin)
    told = await standing(server, bot, admin)
    assert (told.excluded, told.excluded_why) == (False, "")


async def test_a_path_can_ask_of_the_bot_of_the_token(server: Server, bot: Bot) -> None:
    """A path has no empty part: `-` says that it is the caller's."""
    mine = {"metadata": bot.metadata}
    for word in ("", "-"):
        status = bots_pb.GetBotStatusRequest(bot_id=word)
        assert (await server.bots.GetBotStatus(status, **mine)).bot.bot_id == bot.bot_id
        wanted = challenges_pb.Acceptance(accept_from=challenges_pb.ACCEPT_FROM_NOBODY)
        accept = challenges_pb.SetAcceptanceRequest(bot_id=word, acceptance=wanted)
        await server.challenges.SetAcceptance(accept, **mine)
        asked = challenges_pb.GetAcceptanceRequest(bot_id=word)
        found = (await server.challenges.GetAcceptance(asked, **mine)).acceptance
        assert found.accept_from == challenges_pb.ACCEPT_FROM_NOBODY
        listed = challenges_pb.ListChallengesRequest(bot_id=word)
        assert not (await server.challenges.ListChallenges(listed, **mine)).challenges


async def test_a_ladder_that_pairs_nobody_is_said_to_do_so_and_why(
    server: Server, ladder: str, bot: Bot, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Paused, drained, running again, and over: in the words of who did it."""
    admin = await server.admin()
    calls = server.competitions

    async def seen(caller: Metadata) -> tuple[int, str]:
        told = await standing(server, bot, caller)
        return told.ladder_state, told.ladder_why

    assert await seen(()) == (pb.LADDER_STATE_RUNNING, "")
    pause = organizing.PauseCompetitionRequest(competition_id=ladder, why="a new rack")
    await calls.PauseCompetition(pause, metadata=admin)
    assert await seen(()) == (pb.LADDER_STATE_PAUSED, "a new rack")
    sentence = await explained(server, ladder, bot, ())
    assert sentence == "The ladder is paused: no table is made (a new rack)."
    stands = "nothing is paired: the ladder is paused (a new rack)"
    expected = f"{bot.name} on {ladder}: {stands}\n{UNRATED}"
    assert await said(server, bot, tmp_path, capsys) == expected
    resume = organizing.ResumeCompetitionRequest(competition_id=ladder)
    await calls.ResumeCompetition(resume, metadata=admin)
    assert await seen(()) == (pb.LADDER_STATE_RUNNING, "")
    drain = organizing.DrainCompetitionRequest(competition_id=ladder, why="the move")
    await calls.DrainCompetition(drain, metadata=admin)
    assert await seen(()) == (pb.LADDER_STATE_DRAINING, "the move")
    end = pb.EndLadderRequest(ladder_id=ladder, why="no more racks")
    await server.ladders.EndLadder(end, metadata=admin)
    assert await seen(()) == (pb.LADDER_STATE_ENDING, "ended: no more racks")
    stands = "nothing is paired: the ladder is over (ended: no more racks)"
    expected = f"{bot.name} on {ladder}: {stands}\n{UNRATED}"
    assert await said(server, bot, tmp_path, capsys) == expected
