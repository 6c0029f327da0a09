"""Exports of competitions: each line is as the schema says, and a later one goes on where one ended."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import jsonschema
import pytest

from shoal.competition.block import Attempt, Ending
from shoal.competition.plan import Entrant
from shoal.server.store import keys, new_id
from shoal.server.store.competition_nouns import Block, Ended, Note, Score, State, Try
from shoal.server.store.direction import Counted, Direction
from shoal.server.store.releases import Period, Releases
from shoal.v1 import competition_service_pb2 as organizing
from shoal.v1 import export_service_pb2 as pb
from shoal.v1 import ladder_service_pb2 as ladders
from shoal.v1 import match_pb2
from tests.server.rpcs import read_error
from tests.server.support import Bot, Metadata, Server, shoal

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "export.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
SCORE = Score(mu=26.0, sigma=8.0, matches=1, wins=1, placement_sum=1)


class Season:
    """A ladder of two bots, whose blocks the test counts as a director would."""

    def __init__(self, server: Server, name: str, bots: Sequence[Bot]) -> None:
        self.server = server
        self.name = name
        self.bots = tuple(bot.bot_id for bot in bots)
        self.direction = Direction(server.stores.pipe, 1)

    async def begin(self) -> Block:
        """Begin a block."""
        block = Block(
            new_id(), self.bots, "base", rated=True, match_id=new_id(), why=("They are there.",)
        )
        await self.direction.reserve(await self.server.stores.competitions.get(self.name), [block])
        return block

    async def end(self, block: Block) -> Block:
        """Count the match in play of a block, and with its second one its end."""
        found = await self.server.stores.competitions.get(self.name)
        done = Try(block.match_id, Attempt(block.rotation, Ending.PLAYED, (1, 2)))
        after = replace(block, tries=(*block.tries, done), match_id="")
        scores = dict.fromkeys(self.bots, SCORE)
        counted = Counted(scores, ended=Ended(after, "complete", ((1, 2), (2, 1))))
        if not block.tries:
            after = replace(after, rotation=1, match_id=new_id())
            counted = Counted(scores, block=after)
        result = {
            "match": block.match_id,
            "ladder": self.name,
            "rated": True,
            "ruleset": "base",
            "bots": self.bots,
            "placements": [1, 2],
            "totals": [31, 17],
            "termination": "target",
            "void": "",
            "left": ["", "resigned"],
            "created_ms": 17,
        }
        await self.direction.count(found, block.match_id, json.dumps(result).encode(), counted)
        return after

    async def lines(self, since: str = "", metadata: Metadata = ()) -> list[pb.ExportLine]:
        """Export over the wire."""
        request = pb.ExportCompetitionRequest(competition_id=self.name, since=since)
        call = self.server.exports.ExportCompetition(request, metadata=metadata)
        return [line async for answer in call for line in answer.lines]

    async def play(self, count: int) -> list[Block]:
        """Play so many blocks to their end."""
        return [await self.end(await self.end(await self.begin())) for _ in range(count)]


@pytest.fixture
async def season(server: Server) -> Season:
    """A ladder that two bots have joined."""
    return await season_of(server)


async def season_of(server: Server, *, names_hidden: bool = False) -> Season:
    """Make a ladder that two bots have joined."""
    name = f"ladder-{new_id()}"
    await server.make_ladder(name, names_hidden=names_hidden)
    bots = [await server.register(), await server.register()]
    for bot in bots:
        found = await server.stores.competitions.get(name)
        entrant = Entrant(bot.bot_id, bot.owner)
        await server.stores.competitions.put_entrant(found, entrant, Note(0, "test", "enter"))
    return Season(server, name, bots)


def of(kind: str, lines: Sequence[pb.ExportLine]) -> list[Any]:
    """Return what the lines of one kind tell."""
    return [getattr(line, kind) for line in lines if line.WhichOneof("kind") == kind]


def names(folder: Path) -> list[str]:
    """Return the names of the files in a folder."""
    return [each.name for each in folder.iterdir()]


async def test_every_line_of_the_command_is_what_the_schema_says(
    season: Season, tmp_path: Path
) -> None:
    """In a file that is there as a whole; results are sorted by match id (T63)."""
    await season.play(3)
    await season.end(await season.begin())
    file = tmp_path / "ladder.jsonl"
    words = ("ladder", "export", "--ladder", season.name, "--out", str(file))
    assert await shoal(season.server, *words) == 0
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    for line in lines:
        VALIDATOR.validate(line)
    kinds = [line["type"] for line in lines]
    assert kinds == ["head", *["result"] * 7, *["pairing"] * 4, *["rating"] * 2, "end"]
    ids = [line["match_id"] for line in lines if line["type"] == "result"]
    assert ids == sorted(ids)
    assert {line["left"][1] for line in lines if line["type"] == "result"} == {"resigned"}
    states = sorted(line["state"] for line in lines if line["type"] == "pairing")
    assert states == ["complete", "complete", "complete", "open"]
    blocks = {line["block"] for line in lines if line["type"] == "pairing"}
    assert blocks == {line["block"] for line in lines if line["type"] == "result"}
    assert lines[-1]["results"] == 7
    assert names(tmp_path) == [file.name]


async def test_the_head_of_a_ladder_has_all_that_its_ratings_go_by(server: Server) -> None:
    """Without its anchors nobody could work them out again (T63)."""
    anchor = await server.register()
    specification = ladders.LadderSpecification(
        name=f"ladder-{new_id()}",
        faults=5,
        releases=False,
        anchors=[ladders.LadderAnchor(bot_id=anchor.bot_id, rating=1700)],
    )
    request = ladders.CreateLadderRequest(specification=specification)
    made = await server.ladders.CreateLadder(request, metadata=await server.admin())
    season = Season(server, made.ladder.ladder_id, [])
    (head,) = of("head", await season.lines())
    assert head.ladder == made.ladder.specification
    assert (head.ladder.anchors[0].rating, head.ladder.faults) == (1700, 5)
    assert (head.ladder.trial, head.ladder.releases) == (True, False)


async def test_an_export_goes_on_where_one_ended(
    season: Season, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the token, or by the file: what was counted since, what is in play, and all ratings."""
    await season.play(2)
    file = tmp_path / "first.jsonl"
    words = ("ladder", "export", "--ladder", season.name)
    assert await shoal(season.server, *words, "--out", str(file)) == 0
    half = await season.end(await season.begin())
    capsys.readouterr()
    assert await shoal(season.server, *words, "--since", str(file)) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (result,) = (line for line in lines if line["type"] == "result")
    (pairing,) = (line for line in lines if line["type"] == "pairing")
    assert (result["match_id"], result["block"]) == (half.tries[0].match_id, half.key)
    assert (pairing["block"], pairing["state"]) == (half.key, "open")
    assert len([line for line in lines if line["type"] == "rating"]) == 2
    await season.end(half)
    later = await season.lines(lines[-1]["next"])
    assert [each.match_id for each in of("result", later)] == [half.match_id]
    assert [each.block.block_key for each in of("pairing", later)] == [half.key]
    (end,) = of("end", later)
    assert of("result", await season.lines(end.next)) == []


async def test_exports_put_together_are_the_whole(season: Season) -> None:
    """However the results come in, and however often it is asked (T63)."""
    parts: dict[str, pb.ExportResult] = {}
    since = ""
    for _ in range(4):
        await season.play(2)
        lines = await season.lines(since)
        parts.update({each.match_id: each for each in of("result", lines)})
        (end,) = of("end", lines)
        since = end.next
    whole = of("result", await season.lines())
    assert [parts[match_id] for match_id in sorted(parts)] == whole
    assert len(whole) == 16


async def test_what_was_counted_before_there_was_an_order_is_exported(season: Season) -> None:
    """By an earlier version: with the whole, and not again with what came since."""
    await season.play(2)
    await season.server.stores.pipe.command("DEL", keys.competition(season.name, "order"))
    (none,) = of("end", await season.lines())
    await season.play(1)
    whole = await season.lines()
    assert (len(of("result", whole)), len(of("pairing", whole))) == (6, 3)
    later = of("result", await season.lines(none.next))
    assert len(later) == 2
    assert sorted(each.order for each in of("result", whole)) == [0, 0, 0, 0, 1, 2]
    assert sorted(each.order for each in later) == [1, 2]


async def test_results_say_in_which_order_they_were_counted(season: Season) -> None:
    """Whoever rates them in it has the server's ratings, however their ids sort (T63)."""
    blocks = [await season.begin() for _ in range(4)]
    halves = [await season.end(block) for block in reversed(blocks)]
    for half in halves:
        await season.end(half)
    played = [block.match_id for block in (*reversed(blocks), *halves)]
    results = of("result", await season.lines())
    assert [each.match_id for each in sorted(results, key=lambda each: each.order)] == played


async def test_what_is_void_after_all_comes_again(season: Season) -> None:
    """It takes the place of what was exported before."""
    (block,) = await season.play(1)
    (end,) = of("end", await season.lines())
    match_id = block.tries[0].match_id
    found = await season.server.stores.competitions.get(season.name)
    (before,) = (await season.server.stores.competitions.counted(season.name, [match_id])).values()
    assert before is not None
    fields = json.loads(before)
    annulled = {**fields, "rated": False, "termination": "void", "void": "lost_moves"}
    await season.direction.count(
        found, match_id, json.dumps(annulled).encode(), Counted({}, instead_of=before)
    )
    (again,) = of("result", await season.lines(end.next))
    assert (again.match_id, again.rated) == (match_id, False)
    assert again.unrated_reason == match_pb2.UNRATED_REASON_NOT_PLAYED


async def test_a_store_that_has_lost_results_is_exported_anew(season: Season) -> None:
    """A place that the order of the results does not lead through any more is refused."""
    await season.play(1)
    (end,) = of("end", await season.lines())
    pipe = season.server.stores.pipe

    order = keys.competition(season.name, "order")
    await pipe.command("RPOP", order)
    for _ in range(2):  # too short, then with something else in its place
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await season.lines(end.next)
        error = read_error(caught.value)
        assert (error.reason, error.fields) == ("MALFORMED", ("since",))
        await pipe.command("RPUSH", order, "mother")


async def test_what_an_organizer_decides_is_exported_anew(season: Season) -> None:
    """Every result says whether it counts, so what was exported before is not gone on with (T63).

    What does not is marked, with the reason (T58), and not left out (T62).
    """
    await season.play(1)
    lines = await season.lines()
    assert [each.counted for each in of("result", lines)] == [True, True]
    assert {each.end_time.ToMilliseconds() for each in of("result", lines)} == {17}
    request = organizing.ExcludePeriodRequest(competition_id=season.name, from_ms=1, until_ms=18)
    admin = await season.server.admin()
    await season.server.competitions.ExcludePeriod(request, metadata=admin)
    (end,) = of("end", lines)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await season.lines(end.next)
    assert read_error(caught.value).fields == ("since",)
    later = await season.lines()
    assert [each.counted for each in of("result", later)] == [False, False]
    reasons = [{each.unrated_reason for each in of("result", some)} for some in (lines, later)]
    assert reasons == [
        {match_pb2.UNRATED_REASON_UNSPECIFIED},
        {match_pb2.UNRATED_REASON_TAKEN_BACK},
    ]
    (end,) = of("end", later)
    assert of("result", await season.lines(end.next)) == []


async def test_every_release_has_its_rating(season: Season) -> None:
    """And every result says which of them played."""
    bot = season.bots[0]
    releases, note = season.server.stores.releases, Note(0, "test", "release")
    first = Releases("1", 0)
    await releases.switch(season.direction, season.name, bot, None, first, note)
    await season.play(1)
    second = Releases("2", 2**46, (Period("1", 0, 2**46),))
    await releases.switch(season.direction, season.name, bot, first, second, note)
    lines = await season.lines()
    assert [[*each.bot_versions] for each in of("result", lines)] == [["1", ""]] * 2
    ratings = [
        (each.bot_version, each.entered) for each in of("rating", lines) if each.bot_id == bot
    ]
    assert ratings == [("2", True), ("1", False)]


async def test_where_names_are_hidden_only_organizers_have_the_blocks_in_play(
    server: Server,
) -> None:
    season = await season_of(server, names_hidden=True)
    await season.play(1)
    block = await season.begin()
    assert block.key not in {each.block.block_key for each in of("pairing", await season.lines())}
    every = of("pairing", await season.lines(metadata=await server.admin()))
    assert block.key in {each.block.block_key for each in every}
    assert len(every) == 2


async def test_a_tournament_without_results_is_a_head_ratings_and_an_end(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    cup = await server.make_tournament(state=State.OPEN)
    assert await shoal(server, "tournament", "export", cup) == 0
    head, end = map(json.loads, capsys.readouterr().out.splitlines())
    for line in (head, end):
        VALIDATOR.validate(line)
    assert (head["ladder"], head["competition"]) == (False, cup)
    assert "round_robin" in head["specification"]["format"]
    assert (end["results"], end["ratings"]) == (0, 0)
