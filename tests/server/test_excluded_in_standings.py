"""An excluded bot stands in the standings as excluded: everybody sees that, and who may know it why."""

from pathlib import Path

import pytest

from shoal.competition.specification import Format, Gauntlet, Knockout, RoundRobin, Swiss
from shoal.server.store import new_id
from shoal.v1 import competition_service_pb2 as organizing
from shoal.v1 import ladder_service_pb2 as ladders
from shoal.v1 import tournament_service_pb2 as tournaments
from tests.server.support import Bot, Metadata, Server, shoal

WHY = "it floods us"

Told = dict[str, tuple[bool, str]]
"""Whether, and why, bots are excluded, by their ids."""

FORMATS = ["round robin", "gauntlet", "swiss", "knock-out"]


def format_of(kind: str, bots: list[Bot]) -> Format:
    """Return a format of this kind for these bots."""
    formats: dict[str, Format] = {
        "round robin": RoundRobin(),
        "gauntlet": Gauntlet((bots[1].bot_id,)),
        "swiss": Swiss(rounds=2),
        "knock-out": Knockout(),
    }
    return formats[kind]


async def exclude(server: Server, competition: str, bot: Bot) -> None:
    request = organizing.ExcludeBotRequest(competition_id=competition, bot_id=bot.bot_id, why=WHY)
    await server.competitions.ExcludeBot(request, metadata=await server.admin())


async def readmit(server: Server, competition: str, bot: Bot) -> None:
    request = organizing.ReadmitBotRequest(competition_id=competition, bot_id=bot.bot_id)
    await server.competitions.ReadmitBot(request, metadata=await server.admin())


async def in_tournament(server: Server, cup: str, caller: Metadata) -> Told:
    request = tournaments.ListTournamentStandingsRequest(tournament_id=cup)
    found = await server.tournaments.ListTournamentStandings(request, metadata=caller)
    return {line.bot_id: (line.excluded, line.excluded_why) for line in found.standings}


async def on_ladder(server: Server, ladder: str, caller: Metadata) -> Told:
    request = ladders.ListStandingsRequest(ladder_id=ladder)
    found = await server.ladders.ListStandings(request, metadata=caller)
    return {line.bot_id: (line.excluded, line.excluded_why) for line in found.standings}


@pytest.mark.parametrize("kind", FORMATS)
async def test_in_the_standings_of_a_tournament(server: Server, kind: str) -> None:
    """Whatever its format; who has withdrawn is not excluded, and who comes back is so no more."""
    bots = [await server.register() for _ in range(4)]
    cup = await server.make_tournament(format=format_of(kind, bots))
    for bot in bots:
        request = tournaments.EnterTournamentRequest(tournament_id=cup)
        await server.tournaments.EnterTournament(request, metadata=bot.metadata)
    admin = await server.admin()
    begin = tournaments.StartTournamentRequest(tournament_id=cup)
    await server.tournaments.StartTournament(begin, metadata=admin)
    bad, gone, *_ = bots
    leave = tournaments.WithdrawFromTournamentRequest(tournament_id=cup)
    await server.tournaments.WithdrawFromTournament(leave, metadata=gone.metadata)
    await exclude(server, cup, bad)
    nobody = {bot.bot_id: (False, "") for bot in bots}
    for caller, why in ((bad.metadata, WHY), (admin, WHY), (gone.metadata, ""), ((), "")):
        assert await in_tournament(server, cup, caller) == {**nobody, bad.bot_id: (True, why)}
    if kind != "knock-out":
        await readmit(server, cup, bad)
        assert await in_tournament(server, cup, admin) == nobody


async def test_in_the_standings_of_a_ladder(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And the command says so; why it says to whom it speaks for, with a token."""
    ladder = f"ladder-{new_id()}"
    await server.make_ladder(ladder, seats=(2,))
    bad, other = await server.register(), await server.register()
    for bot in (bad, other):
        request = ladders.JoinLadderRequest(ladder_id=ladder)
        await server.ladders.JoinLadder(request, metadata=bot.metadata)
    await exclude(server, ladder, bad)
    admin = await server.admin()
    well = {other.bot_id: (False, "")}
    for caller, why in ((bad.metadata, WHY), (admin, WHY), (other.metadata, ""), ((), "")):
        assert await on_ladder(server, ladder, caller) == {bad.bot_id: (True, why), **well}
    token = tmp_path / "bot.token"
    token.write_text(bad.token)
    said = {"": "excluded", str(token): f"excluded: {WHY}"}
    for file, words in said.items():
        options = ("--token-file", file) if file else ()
        capsys.readouterr()
        assert await shoal(server, "ladder", "standings", "--ladder", ladder, *options) == 0
        assert f"{bad.name} ({words})" in capsys.readouterr().out
    await readmit(server, ladder, bad)
    assert (await on_ladder(server, ladder, admin))[bad.bot_id] == (False, "")
