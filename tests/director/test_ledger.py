"""The ledger of a bot: every match of a competition says what it did to ratings, or why nothing (T58)."""

import json
from collections.abc import AsyncIterator

import pytest
from structlog.testing import capture_logs

from shoal.competition.specification import Ladder
from shoal.server.director import MAIN
from shoal.server.store.bells import Bells
from shoal.server.store.competition_nouns import State
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.direction import Counted, Direction
from shoal.server.store.ledger import Change, LedgerStore
from shoal.server.store.pipe import Pipe
from shoal.v1 import export_service_pb2 as exports
from shoal.v1 import ladder_service_pb2 as ladders
from shoal.v1 import match_pb2, match_service_pb2
from tests.server.support import serving, shoal

from .arena import NOTE, Arena
from .hall import Hall


@pytest.fixture
async def hall(store_url: str, pipe: Pipe, bells: Bells) -> AsyncIterator[Hall]:
    async with serving(store_url) as server:
        yield Hall(server, Arena(pipe, bells))


async def season(hall: Hall, matches: int) -> tuple[str, list[str]]:
    """A ladder of two bots on which so many matches are played, of which the first bot wins most."""
    bots = await hall.arrive(2)
    ladder = await hall.hold(Ladder(trial=False), bots)
    async with hall.directing():
        for number in range(1, matches + 1):
            match = await hall.next_match()
            await hall.finish(match, loser=bots[number % 3 != 0])
            await hall.results(ladder, number)
    return ladder, bots


async def ledger(hall: Hall, ladder: str, bot: str, page_size: int = 50) -> list[match_pb2.Match]:
    """Page through the matches of a bot on a ladder, the newest first."""
    found: list[match_pb2.Match] = []
    token = ""
    while True:
        request = match_service_pb2.ListMatchesRequest(
            bot_id=bot, ladder_id=ladder, page_size=page_size, page_token=token
        )
        answer = await hall.server.matches.ListMatches(request)
        found += answer.matches
        token = answer.next_page_token
        if not token:
            return found


def changes(matches: list[match_pb2.Match], bot: str) -> list[Change]:
    """What these did to the rating of a bot, the first match first."""
    found = []
    for match in reversed(matches):
        (seat,) = [each.seat for each in match.seats if each.bot_id == bot]
        if match.rating_changes:
            each = match.rating_changes[seat]
            found.append(Change(each.before, each.interval_before, each.after, each.interval_after))
    return found


async def rating(hall: Hall, ladder: str, bot: str) -> tuple[float, float]:
    request = ladders.ListStandingsRequest(ladder_id=ladder)
    lines = (await hall.server.ladders.ListStandings(request)).standings
    (line,) = [each for each in lines if each.bot_id == bot]
    return line.rating, line.interval


async def test_every_match_says_what_it_did_and_they_follow_from_each_other(hall: Hall) -> None:
    """From a newcomer's rating to that which standings show, page by page."""
    ladder, (winner, loser) = await season(hall, 5)
    for bot in (winner, loser):
        matches = [match for match in await ledger(hall, ladder, bot, 2) if match.rated]
        found = changes(matches, bot)
        assert len(found) == 5
        assert found[0].before == 1500
        assert [each[2:] for each in found[:-1]] == [each[:2] for each in found[1:]]
        assert found[-1][2:] == await rating(hall, ladder, bot)
    first, *_ = changes(await ledger(hall, ladder, winner), winner)
    assert first.before < first.after
    assert first.interval_before > first.interval_after


async def test_other_matches_of_the_bot_are_in_no_ledger_of_the_ladder(hall: Hall) -> None:
    ladder, bots = await season(hall, 1)
    create = match_service_pb2.CreateMatchRequest(bot_ids=bots)
    await hall.server.matches.CreateMatch(create, metadata=await hall.server.admin())
    assert {match.ladder_id for match in await ledger(hall, "", bots[0])} == {"", ladder}
    assert {match.ladder_id for match in await ledger(hall, ladder, bots[0])} == {ladder}


async def test_what_is_taken_back_has_done_nothing_and_others_are_as_if_it_had_not_been(
    hall: Hall,
) -> None:
    """It says why, and when it counts again all is as it was (T62)."""
    ladder, (bot, other) = await season(hall, 4)
    before = await ledger(hall, ladder, bot)
    request = match_service_pb2.VoidMatchRequest(match_id=before[-1].match_id, why="a bug")
    metadata = await hall.server.admin()
    async with hall.directing():
        await hall.server.matches.VoidMatch(request, metadata=metadata)
        await hall.recounted(ladder)
    after = await ledger(hall, ladder, bot)
    voided = next(each for each in after if each.match_id == before[-1].match_id)
    assert voided.unrated_reason == match_pb2.UNRATED_REASON_TAKEN_BACK
    assert not voided.rating_changes
    rated = [each for each in after if each.rating_changes]
    found = changes(rated, bot)
    assert found[0].before == 1500
    assert len(found) == 3
    assert found[-1][2:] == await rating(hall, ladder, bot)
    async with hall.directing():
        await hall.ask("ExcludeBot", ladder, bot_id=other, uncounted_from_ms=0)
        await hall.recounted(ladder)
        assert changes(await ledger(hall, ladder, bot), bot) == []
        await hall.ask("ReadmitBot", ladder, bot_id=other, restore_results=True)
        await hall.recounted(ladder)
    assert changes(await ledger(hall, ladder, bot), bot) == found


async def test_an_export_says_the_same(hall: Hall) -> None:
    ladder, (bot, _) = await season(hall, 3)
    request = exports.ExportCompetitionRequest(competition_id=ladder)
    exported = {
        line.result.match_id: [*line.result.rating_changes]
        async for answer in hall.server.exports.ExportCompetition(request)
        for line in answer.lines
        if line.WhichOneof("kind") == "result"
    }
    told = {each.match_id: [*each.rating_changes] for each in await ledger(hall, ladder, bot)}
    assert exported == {match_id: told[match_id] for match_id in exported}
    assert all(exported.values())


async def test_a_match_that_is_void_after_all_has_no_line(pipe: Pipe) -> None:
    """The store lost how it ended, and what was counted of it is taken back."""
    competitions = CompetitionStore(pipe)
    await competitions.create("main", MAIN, State.RUNNING, NOTE)
    direction, found = Direction(pipe, 1), await competitions.get("main")
    line = (Change(1500.0, 500.0, 1510.0, 490.0), Change(1500.0, 500.0, 1490.0, 490.0))
    store = LedgerStore(pipe)
    payload = b'{"first": 1}'
    await direction.count(found, "m", payload, Counted({}, changes=line))
    assert await store.of("main", ["m", "n"]) == {"m": line}
    await direction.count(found, "m", b'{"void": 1}', Counted({}, instead_of=payload))
    assert await store.of("main", ["m", "n"]) == {}


async def test_the_command_shows_it_line_by_line(
    hall: Hall, capsys: pytest.CaptureFixture[str]
) -> None:
    ladder, (bot, _) = await season(hall, 2)
    words = ("ladder", "ledger", bot, "--ladder", ladder)
    capsys.readouterr()  # what the director has logged

    async def said(*more: str) -> str:
        with capture_logs():  # of the server, which is in this process
            assert await shoal(hall.server, *words, *more) == 0
        return capsys.readouterr().out

    header, *lines = (await said()).splitlines()
    assert header.split()[-4:] == ["before", "after", "moved", "counts"]
    rated = [line.split() for line in lines if line.endswith("yes")]
    assert len(rated) == 2
    assert rated[1][-4] == "1500"
    told = json.loads(await said("--json"))
    assert len([match for match in told if match["ratingChanges"]]) == 2
    (newest,) = json.loads(await said("--limit", "1", "--json"))  # perhaps one more that has begun
    assert newest == told[0]
