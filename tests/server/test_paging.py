"""Lists are read page by page to their end, and nothing is missed or comes twice."""

import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import pytest

from shoal.server.store import competition_texts
from shoal.server.store.competition_nouns import Competition
from shoal.server.store.keys import by_time
from shoal.v1 import bot_service_pb2 as bots_pb
from shoal.v1 import ladder_service_pb2 as ladders_pb
from shoal.v1 import match_service_pb2 as matches_pb
from shoal.v1 import tournament_service_pb2 as tournaments_pb
from tests.server.support import Server, new_name, shoal

Page: TypeAlias = tuple[list[str], str]
ReadPage: TypeAlias = Callable[[int, str], Awaitable[Page]]
Reply: TypeAlias = Any


async def read_all(read: ReadPage, size: int) -> list[str]:
    """Read a list to its end in pages of a size, none of which may be larger."""
    found, token = await read(size, "")
    pages = [found]
    while token:
        assert len(pages[-1]) == size
        page, token = await read(size, token)
        pages.append(page)
    return [each for page in pages for each in page]


@pytest.mark.parametrize("size", [1, 3, 7, 500])
async def test_bots_are_listed_to_the_end(server: Server, size: int) -> None:
    """Every bot is listed once, whatever the size of the pages."""
    made = {(await server.register()).bot_id for _ in range(7)}

    async def read(page_size: int, token: str) -> Page:
        request = bots_pb.ListBotsRequest(page_size=page_size, page_token=token)
        page = await server.bots.ListBots(request)
        return [bot.bot_id for bot in page.bots], page.next_page_token

    listed = await read_all(read, size)
    assert made <= set(listed)
    assert len(set(listed)) == len(listed)


@pytest.mark.parametrize("size", [1, 2, 5, 6])
async def test_matches_of_a_bot_are_listed_newest_first(server: Server, size: int) -> None:
    """The matches of one bot come newest first, whole, page by page."""
    bots = await server.team(2)
    made = [await server.create(*bots) for _ in range(5)]

    async def read(page_size: int, token: str) -> Page:
        request = matches_pb.ListMatchesRequest(
            page_size=page_size, page_token=token, bot_id=bots[1].bot_id
        )
        page = await server.matches.ListMatches(request)
        return [match.match_id for match in page.matches], page.next_page_token

    listed = await read_all(read, size)
    assert sorted(listed) == sorted(made)
    times = [(await server.match(match_id)).create_time.ToMilliseconds() for match_id in listed]
    assert times == sorted(times, reverse=True)


async def test_all_matches_are_listed_to_the_end(server: Server) -> None:
    """Without a bot every match of the server is listed once, the newest first."""
    bots = await server.team(2)
    made = {await server.create(*bots) for _ in range(5)}

    async def read(page_size: int, token: str) -> Page:
        request = matches_pb.ListMatchesRequest(page_size=page_size, page_token=token)
        page = await server.matches.ListMatches(request)
        return [match.match_id for match in page.matches], page.next_page_token

    listed = await read_all(read, 2)
    assert made <= set(listed)
    assert len(set(listed)) == len(listed)
    assert listed == sorted(listed, key=by_time, reverse=True)


@pytest.mark.parametrize("size", [1, 2, 4, 500])
async def test_standings_are_listed_to_the_end(server: Server, size: int) -> None:
    """Every member is in the standings once, ranked from the first, under its name."""
    ladder_id = new_name()
    await server.make_ladder(ladder_id, seats=(2,))
    bots = await server.team(4)
    for bot in bots:
        await server.ladders.JoinLadder(
            ladders_pb.JoinLadderRequest(ladder_id=ladder_id), metadata=bot.metadata
        )

    async def read(page_size: int, token: str) -> Page:
        request = ladders_pb.ListStandingsRequest(
            ladder_id=ladder_id, page_size=page_size, page_token=token
        )
        page = await server.ladders.ListStandings(request)
        assert page.match_count == 0
        assert all(line.joined for line in page.standings)
        return [line.bot_name for line in page.standings], page.next_page_token

    assert sorted(await read_all(read, size)) == sorted(bot.name for bot in bots)


async def test_ladders_are_listed_to_the_end(server: Server) -> None:
    """Every ladder is listed once, with what is played there."""
    made = {new_name() for _ in range(3)}
    for ladder_id in made:
        await server.make_ladder(ladder_id, seats=(2, 3))
    rulesets: list[str] = []

    async def read(page_size: int, token: str) -> Page:
        request = ladders_pb.ListLaddersRequest(page_size=page_size, page_token=token)
        page = await server.ladders.ListLadders(request)
        of_ours = [each.ruleset for each in page.ladders if each.ladder_id in made]
        rulesets.extend(of_ours)
        return [each.ladder_id for each in page.ladders], page.next_page_token

    listed = await read_all(read, 1)
    assert made <= set(listed)
    assert listed == sorted(set(listed))
    assert rulesets == ["base"] * len(made)


async def test_a_bot_joins_and_leaves_a_ladder(server: Server) -> None:
    """Joining and leaving are each a success the second time, and the standings say who is in."""
    ladder_id = new_name()
    await server.make_ladder(ladder_id, seats=(2,))
    bot = await server.register()
    join, leave = server.ladders.JoinLadder, server.ladders.LeaveLadder
    for call, request, members in (
        (join, ladders_pb.JoinLadderRequest(ladder_id=ladder_id), 1),
        (leave, ladders_pb.LeaveLadderRequest(ladder_id=ladder_id), 0),
    ):
        for _ in range(2):
            await call(request, metadata=bot.metadata)
        page = await server.ladders.ListStandings(
            ladders_pb.ListStandingsRequest(ladder_id=ladder_id)
        )
        assert len([line for line in page.standings if line.joined]) == members


async def test_who_has_not_played_has_no_average_in_the_table(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    """A dash is not mistaken for the best placement there is; in JSON it is the 0 of the proto."""
    ladder_id = new_name()
    await server.make_ladder(ladder_id, seats=(2,))
    bot = await server.register()
    await server.ladders.JoinLadder(
        ladders_pb.JoinLadderRequest(ladder_id=ladder_id), metadata=bot.metadata
    )
    assert await shoal(server, "ladder", "standings", "--ladder", ladder_id) == 0
    row = capsys.readouterr().out.splitlines()[1].split()
    none = ["-"] * 5  # neither rating, nor how far it may be off, nor without how much luck
    assert row == ["-", bot.name, *none, "0", "0", "0", "-", "1500", bot.bot_id]
    assert await shoal(server, "ladder", "standings", "--ladder", ladder_id, "--json") == 0
    (line,) = json.loads(capsys.readouterr().out)
    assert (line["matchCount"], line["averagePlacement"]) == ("0", 0.0)


async def test_of_all_competitions_only_those_of_a_page_are_read(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many there ever were; and of a bot those ladders that it has entered."""
    cups = [await server.make_tournament() for _ in range(3)]
    names = [new_name() for _ in range(3)]
    for name in names:
        await server.make_ladder(name)
    bot = await server.register()
    await server.ladders.JoinLadder(
        ladders_pb.JoinLadderRequest(ladder_id=names[0]), metadata=bot.metadata
    )
    read: list[str] = []
    read_one = competition_texts.competition_of

    def competition_of(competition_id: str, *args: Any) -> Competition | None:
        read.append(competition_id)
        return read_one(competition_id, *args)

    monkeypatch.setattr(competition_texts, "competition_of", competition_of)
    request = tournaments_pb.ListTournamentsRequest(page_size=1)
    page = await server.tournaments.ListTournaments(request)
    assert read == [each.tournament_id for each in page.tournaments]
    request = tournaments_pb.ListTournamentsRequest(page_size=500)
    page = await server.tournaments.ListTournaments(request)
    assert {*cups} <= {each.tournament_id for each in page.tournaments}
    read.clear()
    listed = await server.ladders.ListLadders(ladders_pb.ListLaddersRequest(page_size=1))
    assert read == [each.ladder_id for each in listed.ladders]
    read.clear()
    await server.bots.GetBotStatus(bots_pb.GetBotStatusRequest(bot_id=bot.bot_id))
    assert read == [names[0]]
