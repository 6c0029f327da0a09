"""Crosstables and head-to-heads of ladders and tournaments, by call and as tables."""

import json

import pytest

from shoal.server import comparing
from shoal.v1 import export_service_pb2 as pb
from tests.server.support import Server, shoal
from tests.server.test_competition_export import Season, season
from tests.server.test_tournaments import played, standings

__all__ = ["season"]


async def test_a_ladder_has_a_crosstable(
    season: Season, capsys: pytest.CaptureFixture[str]
) -> None:
    """Points of those that there were, in the blocks that are over, best first."""
    await season.play(3)
    await season.end(await season.begin())
    table = await season.server.exports.ListCrosstable(
        pb.ListCrosstableRequest(competition_id=season.name)
    )
    assert [row.bot_id for row in table.rows] == list(table.bot_ids)
    assert {*table.bot_ids} == {*season.bots}
    for row in table.rows:
        assert (row.total.points, row.total.possible_points) == (3, 6)
    assert await shoal(season.server, "ladder", "crosstable", "--ladder", season.name) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line[2:] for line in lines[1:]] == [["x", "3/6", "3/6"], ["3/6", "x", "3/6"]]


async def test_a_crosstable_comes_in_pages(season: Season) -> None:
    await season.play(1)
    request = pb.ListCrosstableRequest(competition_id=season.name, page_size=1)
    first = await season.server.exports.ListCrosstable(request)
    request.page_token = first.next_page_token
    second = await season.server.exports.ListCrosstable(request)
    rows = [*first.rows, *second.rows]
    assert [row.bot_id for row in rows] == list(first.bot_ids) == list(second.bot_ids)
    assert second.next_page_token == ""


async def test_a_page_of_a_wide_crosstable_has_fewer_rows(
    season: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So many cells are in a message, and a row at the least."""
    await season.play(1)
    for most, rows in ((3, 1), (1, 1), (4, 2)):
        monkeypatch.setattr(comparing, "MOST_CELLS", most)
        request = pb.ListCrosstableRequest(competition_id=season.name, page_size=500)
        page = await season.server.exports.ListCrosstable(request)
        assert (len(page.rows), bool(page.next_page_token)) == (rows, rows < 2)


async def test_two_bots_of_a_ladder(season: Season, capsys: pytest.CaptureFixture[str]) -> None:
    """As each of them sees it; a block that is not over says nothing yet."""
    blocks = await season.play(2)
    await season.end(await season.begin())
    mine, other = season.bots
    request = pb.GetHeadToHeadRequest(competition_id=season.name, bot_id=mine, other_id=other)
    found = await season.server.exports.GetHeadToHead(request)
    assert (found.won, found.drawn, found.lost) == (2, 0, 2)
    assert found.block_count == len(blocks)
    words = ("ladder", "head-to-head", mine, other, "--ladder", season.name)
    assert await shoal(season.server, *words) == 0
    assert "won 2, drawn 0, lost 2" in capsys.readouterr().out


async def test_a_tournament_has_the_same(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its crosstable is in the order of its standings; who has not met has no points to be had."""
    cup, bots = await played(server)
    table = await server.exports.ListCrosstable(pb.ListCrosstableRequest(competition_id=cup))
    order = [bots[1].bot_id, bots[2].bot_id, bots[0].bot_id]
    assert list(table.bot_ids) == [row.bot_id for row in table.rows] == order
    assert [line.bot_id for line in await standings(server, cup)] == order
    best = table.rows[0]
    assert [(cell.points, cell.possible_points) for cell in best.cells] == [(0, 0), (0, 0), (2, 2)]
    assert best.total.points == 2
    words = ("tournament", "head-to-head", cup, bots[1].bot_id, bots[0].bot_id, "--json")
    assert await shoal(server, *words) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["won"], said["lost"], said["blockCount"]) == ("2", "0", "1")


async def test_the_table_of_a_large_ladder_is_not_made_for_each_block(
    season: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever asks all the time has the same one, which lacks a few blocks."""
    monkeypatch.setattr(comparing, "LARGE", 3)
    monkeypatch.setattr(comparing, "LATEST", 4)

    async def points() -> int:
        request = pb.ListCrosstableRequest(competition_id=season.name)
        table = await season.server.exports.ListCrosstable(request)
        return round(table.rows[0].total.possible_points)

    found = []
    for _ in range(9):
        await season.play(1)
        found.append(await points())
    assert found == [2, 4, 6, 8, 8, 8, 8, 16, 16]
