"""Published ratings as callers read them: who is best is said by them, and nothing of who is in no table."""

import pytest

from shoal.rating import Row
from shoal.rating.table import rate
from shoal.server.store.competition_data import Place
from shoal.server.store.direction import Direction
from shoal.server.store.published import Basis, Published
from shoal.v1 import bot_service_pb2 as bots
from shoal.v1 import ladder_service_pb2 as pb
from shoal.v1 import rating_pb2
from shoal.v1 import tournament_service_pb2 as tournaments
from tests.rating.making import block
from tests.server.support import Bot, Server, new_name, shoal


async def joined(server: Server, count: int) -> tuple[str, list[Bot]]:
    """A ladder, and bots that have joined it."""
    ladder = new_name()
    await server.make_ladder(ladder, seats=(2,))
    bots = await server.team(count)
    for bot in bots:
        request = pb.JoinLadderRequest(ladder_id=ladder)
        await server.ladders.JoinLadder(request, metadata=bot.metadata)
    return ladder, bots


async def publish(server: Server, ladder: str, at_ms: int, *bots: Bot) -> tuple[Row, ...]:
    """Publish the table of one block, which the first bot has won, and return its rows."""
    table = rate([block("k", [bot.bot_id for bot in bots], [[1, 2]] * 2)])
    published = Published(table, Basis(Place(), 0, ""), at_ms)
    direction = Direction(server.stores.pipe, 1)
    await server.stores.published.publish(direction, ladder, published)
    return table.rows


async def standings(server: Server, ladder: str) -> list[pb.Standing]:
    request = pb.ListStandingsRequest(ladder_id=ladder)
    return [*(await server.ladders.ListStandings(request)).standings]


async def test_the_published_table_is_what_standings_show(server: Server) -> None:
    """Who is in it has a rating with its interval (T55), a rank, and when that was made; others none."""
    ladder, (anna, bert, carl) = await joined(server, 3)
    assert [
        (line.rank, line.HasField("published")) for line in await standings(server, ladder)
    ] == [(0, False)] * 3
    best, other = await publish(server, ladder, 5000, bert, carl)
    lines = await standings(server, ladder)
    assert [line.bot_id for line in lines] == [bert.bot_id, carl.bot_id, anna.bot_id]
    assert [line.rank for line in lines] == [1, 2, 0]
    first, second, last = (line.published for line in lines)
    assert (first.rating, second.rating) == (best.rating, other.rating)
    assert (first.interval, first.provisional, first.group) == (best.interval, True, 1)
    assert (first.block_count, first.publish_time.ToMilliseconds()) == (1, 5000)
    assert last == rating_pb2.PublishedRating()
    assert {line.rating for line in lines} == {1500}, "what tables are made with is told beside"


async def test_a_newer_table_takes_its_place_at_once(server: Server) -> None:
    """Standings are kept, but not longer than the table that they show."""
    ladder, (anna, bert) = await joined(server, 2)
    for at_ms, order in ((1, (anna, bert)), (2, (bert, anna))):
        await publish(server, ladder, at_ms, *order)
        lines = await standings(server, ladder)
        assert [line.bot_id for line in lines] == [bot.bot_id for bot in order]


async def test_the_table_of_the_command_has_published_ratings(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    ladder, (anna, bert, carl) = await joined(server, 3)
    rows = await publish(server, ladder, 1, anna, bert)
    assert await shoal(server, "ladder", "standings", "--ladder", ladder) == 0
    *shown, last = (line.split() for line in capsys.readouterr().out.splitlines()[1:])
    assert [(line[0], line[2], line[3], line[7]) for line in shown] == [
        (str(row.rank), f"{row.rating}?", f"±{row.interval}", "1") for row in rows
    ]
    assert last[:4] == ["-", carl.name, "-", "-"]


async def test_the_status_of_a_bot_has_its_published_rating(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also for people, and who has none yet is told so."""
    ladder, (anna, bert, carl) = await joined(server, 3)
    row, _ = await publish(server, ladder, 5000, anna, bert)
    request = bots.GetBotStatusRequest(bot_id=anna.bot_id)
    (membership,) = (await server.bots.GetBotStatus(request)).memberships
    assert (membership.rank, membership.published.rating) == (1, row.rating)
    assert membership.published.publish_time.ToMilliseconds() == 5000
    assert await shoal(server, "bot", "status", anna.bot_id) == 0
    assert f"rated {row.rating}? ±{row.interval}, rank 1, of 1 blocks" in capsys.readouterr().out
    assert await shoal(server, "bot", "status", carl.bot_id) == 0
    assert "not rated yet" in capsys.readouterr().out


async def test_the_standings_of_a_tournament_have_published_ratings(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    """Beside the points, which decide."""
    cup = await server.make_tournament()
    anna, bert, carl = await server.team(3)
    for bot in (anna, bert, carl):
        request = tournaments.EnterTournamentRequest(tournament_id=cup, bot_id=bot.bot_id)
        await server.tournaments.EnterTournament(request, metadata=bot.metadata)
    best, other = await publish(server, cup, 5000, bert, anna)
    listed = tournaments.ListTournamentStandingsRequest(tournament_id=cup)
    lines = (await server.tournaments.ListTournamentStandings(listed)).standings
    published = {line.bot_id: line.published for line in lines if line.HasField("published")}
    assert {bot: each.rating for bot, each in published.items()} == {
        bert.bot_id: best.rating,
        anna.bot_id: other.rating,
    }
    assert await shoal(server, "tournament", "standings", cup) == 0
    shown = [line.split() for line in capsys.readouterr().out.splitlines()[1:]]
    ratings = {line[1]: line[-7:-5] for line in shown}
    assert ratings[bert.name] == [f"{best.rating}?", f"±{best.interval}"]
    assert ratings[carl.name] == ["-", "-"]
