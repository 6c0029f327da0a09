"""Results without luck: noted after they were counted, once, and part of the tables made from then on."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from shoal.cli.export_lines import line_of
from shoal.cli.main import run
from shoal.cli.record import record_of
from shoal.competition.specification import ADJUSTED, Ladder
from shoal.luck import adjusted_record
from shoal.rating.exported import read
from shoal.rating.recomputed import compared, recomputed, table_of
from shoal.server.director.adjusting import Adjusting
from shoal.server.director.fitter import Fitter
from shoal.server.director.publishing import Publishing
from shoal.server.store import keys
from shoal.server.store.bells import Bells
from shoal.server.store.competition_data import CompetitionData
from shoal.server.store.direction import Direction
from shoal.server.store.errors import Fenced
from shoal.server.store.luck import LuckStore, WithoutLuck
from shoal.server.store.matches import MatchStore
from shoal.server.store.pipe import Pipe
from shoal.server.store.published import Published, PublishedStore
from shoal.server.store.releases import ReleaseStore
from shoal.v1 import export_service_pb2 as exports
from shoal.v1 import ladder_service_pb2 as ladders
from shoal.v1 import match_service_pb2, rating_pb2
from tests.server.support import serving, shoal

from .arena import QUICK, Arena, until
from .hall import Hall


class Season:
    """A ladder of two bots, on which matches are played; they are adjusted when the test says so."""

    def __init__(self, hall: Hall, ladder: str, bots: list[str]) -> None:
        self.hall = hall
        self.ladder = ladder
        self.bots = bots
        self.match_ids: list[str] = []
        self.data = CompetitionData(hall.arena.pipe)
        self.luck = LuckStore(hall.arena.pipe)
        self.published = PublishedStore(hall.arena.pipe)
        self._adjusting = self.adjusting()
        self._fitter = Fitter()
        self._publishing = self._publisher()

    def adjusting(self, token: int = 1_000) -> Adjusting:
        """Another one who notes luck."""
        arena = self.hall.arena
        direction = Direction(arena.pipe, token)
        return Adjusting(
            arena.competitions, self.data, MatchStore(arena.pipe), direction, every=0.01
        )

    def _publisher(self) -> Publishing:
        arena = self.hall.arena
        return Publishing(
            *(arena.competitions, self.data, ReleaseStore(arena.pipe), self.published),
            *(Direction(arena.pipe, 1_000), self._fitter),
            every=1,
        )

    async def play(self, matches: int) -> None:
        """Play so many matches more, of which the first bot wins every other one."""
        async with self.hall.directing():
            for _ in range(matches):
                match = await self.hall.next_match()
                await self.hall.finish(match, loser=self.bots[len(self.match_ids) % 2])
                self.match_ids.append(match.match_id)
                await self.hall.results(self.ladder, len(self.match_ids))

    async def adjust(self) -> dict[str, WithoutLuck]:
        """Note what there is, and return what is noted."""
        await self._adjusting.look()
        return await self.luck.of(self.ladder, self.match_ids)

    async def publish(self) -> Published:
        """Publish what there is, and return it."""
        await self._publishing.look()
        found = await self.published.get(self.ladder)
        assert found is not None
        return found

    async def lines(self, since: str = "") -> list[dict[str, Any]]:
        """The lines of an export."""
        request = exports.ExportCompetitionRequest(competition_id=self.ladder, since=since)
        return [
            line_of(line, self.ladder)
            async for answer in self.hall.server.exports.ExportCompetition(request)
            for line in answer.lines
        ]

    def close(self) -> None:
        self._adjusting.close()
        self._fitter.close()


@pytest.fixture
async def hall(store_url: str, pipe: Pipe, bells: Bells) -> AsyncIterator[Hall]:
    async with serving(store_url) as server:
        yield Hall(server, Arena(pipe, bells))


async def begun(hall: Hall, form: Ladder) -> Season:
    bots = await hall.arrive(2)
    return Season(hall, await hall.hold(form, bots), bots)


@pytest.fixture
async def season(hall: Hall) -> AsyncIterator[Season]:
    season = await begun(hall, Ladder(trial=False))
    yield season
    season.close()


async def test_what_is_noted_is_what_the_record_comes_to(season: Season) -> None:
    """So anybody can check it with `shoal match luck`."""
    await season.play(3)
    noted = await season.adjust()
    assert noted.keys() == set(season.match_ids)
    for match_id, without in noted.items():
        record = record_of(await season.hall.server.record(match_id))
        parts = [part / 1_000_000 for part in without.parts]
        assert parts == pytest.approx(adjusted_record(record).adjusted, abs=2e-6)
        assert without.model == "luck-1"
        assert sum(without.parts) == 1_000_000


async def test_each_is_noted_once_whoever_directs(season: Season) -> None:
    """Another one finds nothing to do, and who has lost the lease writes nothing (T76)."""
    await season.play(2)
    noted = await season.adjust()
    end = await season.data.end(season.ladder)
    other = season.adjusting(1_001)
    await other.look()
    assert await season.data.end(season.ladder) == end
    late = WithoutLuck("luck-2", (0, 1_000_000))
    direction = Direction(season.hall.arena.pipe, 1_001)
    await direction.note_luck(season.ladder, {season.match_ids[0]: late, keys.new_id(): late})
    assert await season.luck.of(season.ladder, season.match_ids) == noted
    assert await season.data.end(season.ladder) == end
    await season.hall.arena.pipe.command(
        *("HDEL", keys.competition(season.ladder, "luck"), season.match_ids[0])
    )
    late_one = season.adjusting(1_000)
    with pytest.raises(Fenced):
        await late_one.look()
    late_one.close()
    other.close()


async def test_a_match_whose_record_is_gone_stays_as_it_was_played(season: Season) -> None:
    """In the table it is counted among those of which luck was not taken away."""
    await season.play(4)
    gone = season.match_ids[0]
    pipe = season.hall.arena.pipe
    await pipe.command("DEL", keys.match(gone), keys.log(gone))
    assert (await season.adjust()).keys() == set(season.match_ids[1:])
    rows = (await season.publish()).table.rows
    assert {(row.matches, row.adjusted_matches) for row in rows} == {(4, 3)}


async def test_a_match_that_cannot_be_replayed_holds_up_no_other(season: Season) -> None:
    """It stays as it was played, and so does one of which not even the characters can be read."""
    await season.play(4)
    broken, garbled = season.match_ids[:2]
    pipe = season.hall.arena.pipe
    await pipe.command("LSET", keys.log(broken), 2, '["move",0,-1,"2.nonsense",1,1,"rev"]')
    await pipe.command("LSET", keys.log(garbled), 2, b"\xff\xfe")
    assert (await season.adjust()).keys() == set(season.match_ids[2:])


async def test_what_ended_since_the_last_look_is_looked_at_once_more(season: Season) -> None:
    """Its last matches are noted then; what is over for long is read again only now and then."""
    assert not await season.adjust()
    await season.play(2)
    await season.hall.arena.pipe.command("SREM", keys.ACTIVE, season.ladder)
    assert (await season.adjust()).keys() == set(season.match_ids)


async def test_a_table_is_made_with_what_is_noted_and_anew_when_there_is_more(
    season: Season,
) -> None:
    """It waits for nothing, and is always that of a place in the order, as an export has it (T63)."""
    await season.play(2)
    plain = await season.publish()
    assert {row.adjusted_rating for row in plain.table.rows} == {None}
    before = await season.lines()
    await season.adjust()
    # What is noted since is no part of what was published, and an export knows which that was.
    between = read(await season.lines())
    assert all(each.match.adjusted for each in between.results)
    assert compared(between).same is True
    adjusted = await season.publish()
    assert [row.rating for row in adjusted.table.rows] == [row.rating for row in plain.table.rows]
    assert {row.adjusted_matches for row in adjusted.table.rows} == {2}
    lines = await season.lines()
    assert table_of(lines) == adjusted.table
    assert compared(read(lines)).same is True
    # A later export has the results that were noted since, with the place that they had.
    more = await season.lines(before[-1]["next"])
    results = [line for line in more if line["type"] == "result"]
    assert results == [line for line in lines if line["type"] == "result"]
    assert [line["adjusted"]["model"] for line in results] == ["luck-1", "luck-1"]


async def test_what_an_earlier_version_has_counted_is_noted_too(season: Season) -> None:
    """It kept no order, and its tables had no ratings without luck: they are shown until then."""
    await season.play(2)
    pipe = season.hall.arena.pipe
    await season.adjust()
    first = await season.publish()
    await pipe.command("DEL", keys.competition(season.ladder, "luck"))
    await pipe.command("DEL", keys.competition(season.ladder, "order"))
    key = keys.competition(season.ladder, "published")
    table = json.loads(await pipe.command("HGET", key, "table"))
    assert not [name for row in table["rows"] for name in row if "adjusted" in name]
    old = {"place": {"count": 0, "last": ""}, "rulings": 0, "other": "that of an earlier version"}
    await pipe.command("HSET", key, "at", first.at_ms - 1, "basis", json.dumps(old))
    request = ladders.ListStandingsRequest(ladder_id=season.ladder)
    lines = (await season.hall.server.ladders.ListStandings(request)).standings
    assert [line.published.rating for line in lines] == [row.rating for row in first.table.rows]
    assert not any(line.published.HasField("adjusted_rating") for line in lines)
    assert (await season.adjust()).keys() == set(season.match_ids)
    assert {row.adjusted_matches for row in (await season.publish()).table.rows} == {2}
    assert compared(read(await season.lines())).same is True


async def test_a_failover_that_lost_what_was_noted_has_it_noted_again(season: Season) -> None:
    """It lost the end of the order with it."""
    await season.play(2)
    end = await season.data.end(season.ladder)
    noted = await season.adjust()
    pipe = season.hall.arena.pipe
    await pipe.command("DEL", keys.competition(season.ladder, "luck"))
    await pipe.command("LTRIM", keys.competition(season.ladder, "order"), 0, end.count - 1)
    assert await season.adjust() == noted


async def test_standings_go_by_the_official_rating(hall: Hall) -> None:
    """The organizer says which when the ladder is made."""
    season = await begun(hall, Ladder(trial=False, official=ADJUSTED))
    await season.play(4)
    first, second = season.bots
    direction = Direction(hall.arena.pipe, 1_000)
    for match_id in season.match_ids:
        # As if all wins were luck of the first bot, and all losses none of its doing.
        match = (await hall.arena.competitions.counted(season.ladder, [match_id]))[match_id]
        assert match is not None
        seats = [0.2 if bot == first else 0.8 for bot in json.loads(match)["bots"]]
        parts = tuple(round(1_000_000 * each) for each in seats)
        await direction.note_luck(season.ladder, {match_id: WithoutLuck("luck-1", parts, 1)})
    table = (await season.publish()).table
    assert [row.bot_id for row in table.rows] == [second, first]
    request = ladders.ListStandingsRequest(ladder_id=season.ladder)
    lines = (await hall.server.ladders.ListStandings(request)).standings
    assert [line.bot_id for line in lines] == [second, first]
    best = lines[0].published
    assert (best.rating, best.adjusted_match_count) == (1500, 4)
    assert best.adjusted_rating == table.rows[0].adjusted_rating > 1500
    found = await hall.server.ladders.GetLadder(ladders.GetLadderRequest(ladder_id=season.ladder))
    assert found.ladder.specification.official == rating_pb2.OFFICIAL_RATING_ADJUSTED
    assert recomputed(read(await season.lines())) == table
    season.close()


async def test_people_see_it_beside_the_result(
    season: Season, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Of a match, in the ledger of a bot, in the standings, and of an export."""
    await season.play(2)
    without = (await season.adjust())[season.match_ids[0]]
    await season.publish()
    server, match_id = season.hall.server, season.match_ids[0]
    request = match_service_pb2.GetMatchRequest(match_id=match_id)
    match = (await server.matches.GetMatch(request)).match
    assert [*match.adjusted.shares] == [part / 1_000_000 for part in without.parts]
    capsys.readouterr()  # what the director has logged
    assert await shoal(server, "match", "show", match_id) == 0
    share = f"{match.adjusted.shares[0]:+.3f}"
    assert f"without luck  {match.seats[0].bot_name} {share}, " in capsys.readouterr().out
    bot = match.seats[0].bot_id
    assert await shoal(server, "ladder", "ledger", bot, "--ladder", season.ladder) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith(match_id)]
    assert share in line.split()
    assert await shoal(server, "ladder", "standings", "--ladder", season.ladder) == 0
    header, *rows = capsys.readouterr().out.splitlines()
    assert "adjusted" in header.split()
    shown = (await season.publish()).table.rows[0]
    assert rows[0].split()[4:7] == [
        str(shown.adjusted_rating),
        f"±{shown.adjusted_interval}",
        str(shown.adjusted_matches),
    ]
    path = tmp_path / "ladder.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in await season.lines()))
    assert await asyncio.to_thread(run, ["ladder", "recompute", str(path)]) == 0
    told = capsys.readouterr().out
    assert "is the same" in told
    assert f" {shown.adjusted_rating} " in told


async def test_a_director_notes_it_by_itself(hall: Hall) -> None:
    """And publishes what that makes of ratings."""
    season = await begun(hall, Ladder(trial=False))
    async with hall.directing(replace(QUICK, adjust=0.05, publish=0.05)):
        for number in (1, 2):
            match = await hall.next_match()
            await hall.finish(match)
            await hall.results(season.ladder, number)

        async def is_adjusted() -> bool:
            found = await season.published.get(season.ladder)
            rows = () if found is None else found.table.rows
            return {row.adjusted_matches for row in rows} == {2}

        await until(is_adjusted, 60)  # two processes have to be started first
