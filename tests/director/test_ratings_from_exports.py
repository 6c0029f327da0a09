"""Whoever has an export of a ladder can compute its ratings: they are a function of what is in it (T63)."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import pytest

from shoal.cli.export_lines import line_of
from shoal.competition.rating import Rating, shown
from shoal.competition.specification import Ladder
from shoal.rating import Table
from shoal.rating.recomputed import table_of
from shoal.server.director.fitter import Fitter
from shoal.server.director.publishing import Publishing
from shoal.server.director.rating import rate
from shoal.server.recomputing import recompute
from shoal.server.store.bells import Bells
from shoal.server.store.competition_data import CompetitionData
from shoal.server.store.direction import Direction
from shoal.server.store.pipe import Pipe
from shoal.server.store.published import PublishedStore
from shoal.server.store.releases import ReleaseStore
from shoal.v1 import export_service_pb2 as pb
from tests.server.support import serving

from .arena import QUICK, Arena, until
from .hall import Hall

Named: TypeAlias = tuple[str, str]
"""A bot, and the version of it."""


@pytest.fixture
async def hall(store_url: str, pipe: Pipe, bells: Bells) -> AsyncIterator[Hall]:
    async with serving(store_url) as server:
        yield Hall(server, Arena(pipe, bells))


async def export(hall: Hall, ladder: str) -> list[pb.ExportLine]:
    request = pb.ExportCompetitionRequest(competition_id=ladder)
    return [
        line
        async for answer in hall.server.exports.ExportCompetition(request)
        for line in answer.lines
    ]


def computed(lines: list[pb.ExportLine]) -> dict[Named, float]:
    """Return the ratings that the results come to, as docs/export.md says."""
    results = [line.result for line in lines if line.WhichOneof("kind") == "result"]
    known: dict[Named, Rating] = {}
    for each in sorted(results, key=lambda each: each.order):
        if each.rated and each.counted:
            names = list(zip(each.bot_ids, each.bot_versions, strict=True))
            before = [known.get(name, Rating()) for name in names]
            known.update(zip(names, rate(before, each.placements), strict=True))
    return {name: round(shown(rating), 1) for name, rating in known.items()}


def told(lines: list[pb.ExportLine]) -> dict[Named, float]:
    """Return the ratings that the server tells, of bots that have any."""
    ratings = [line.rating for line in lines if line.WhichOneof("kind") == "rating"]
    return {(each.bot_id, each.bot_version): each.rating for each in ratings if each.match_count}


async def published(hall: Hall, ladder: str) -> Table:
    """Return the table that a director publishes."""
    pipe, competitions = hall.arena.pipe, hall.arena.competitions
    store = PublishedStore(pipe)
    fitter = Fitter()
    publishing = Publishing(
        *(competitions, CompetitionData(pipe), ReleaseStore(pipe), store),
        *(Direction(pipe, 1), fitter),
        every=1,
    )
    await publishing.look()
    fitter.close()
    told = await store.get(ladder)
    assert told is not None
    return told.table


async def test_an_export_has_the_ratings_of_its_server(hall: Hall) -> None:
    """As they were counted, after results were taken back, and when they count again."""
    bots = await hall.arrive(4)
    ladder = await hall.hold(Ladder(trial=False), bots)
    async with hall.directing():
        for number in range(1, 8):
            match = await hall.next_match()
            await hall.finish(match, loser=match.bots[number % 3 == 0])
            await hall.results(ladder, number)
        first = await export(hall, ladder)
        made = table_of(line_of(line, ladder) for line in first)
        assert made == await published(hall, ladder)
        assert made.blocks > 0
        assert computed(first) == told(first)
        assert len(told(first)) == 4
        await hall.ask("ExcludeBot", ladder, bot_id=bots[0], uncounted_from_ms=0)
        await hall.recounted(ladder)
        without = await export(hall, ladder)
        lines = [line_of(line, ladder) for line in without]
        assert table_of(lines) == await published(hall, ladder)
        assert computed(without) == told(without) != told(first)
        await hall.ask("ReadmitBot", ladder, bot_id=bots[0], restore_results=True)
        await hall.recounted(ladder)
        assert told(await export(hall, ladder)) == told(first)


async def test_the_published_table_of_an_export_is_what_its_results_come_to(
    hall: Hall, tmp_path: Path
) -> None:
    """As long as nothing else counts since: until there is a new one that is not said of it."""
    bots = await hall.arrive(3)
    ladder = await hall.hold(Ladder(trial=False), bots)
    path = tmp_path / "ladder.jsonl"

    async def write() -> pb.ExportHead:
        lines = await export(hall, ladder)
        texts = (json.dumps(line_of(line, ladder)) for line in lines)
        path.write_text("".join(f"{text}\n" for text in texts))
        return lines[0].head

    async def is_published() -> bool:
        table = (await write()).table
        return table.current and table.block_count == 2

    async with hall.directing(replace(QUICK, publish=0.02)):
        for number in range(1, 5):
            match = await hall.next_match()
            await hall.finish(match, loser=match.bots[0])
            await hall.results(ladder, number)
        await until(is_published, 60)  # a process has to be started first
    found = recompute(path)
    assert found.table.blocks == 2
    assert found.comparison.same is True
    await hall.ask("ExcludeBot", ladder, bot_id=bots[0], uncounted_from_ms=0)
    assert not (await write()).table.current
    assert recompute(path).comparison.same is None
