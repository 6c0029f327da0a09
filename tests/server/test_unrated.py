"""Whoever looks at a match whose result does not count for ratings is told why (T58)."""

import json

import pytest

from shoal.server.play.creation import Creation
from shoal.server.store import new_id
from shoal.server.store.direction import Counted, Direction
from shoal.v1 import competition_service_pb2 as organizing
from shoal.v1 import match_pb2, match_service_pb2
from tests.server.support import Bot, Server, shoal


async def seated(server: Server, competition: str, bots: list[Bot], *, rated: bool = True) -> str:
    """Make a match of a competition, and return its id."""
    match_id = new_id()
    await Creation(
        server.stores.matches, server.stores.bots, server.stores.competitions, "0.0"
    ).create_for_competition(
        match_id,
        [bot.bot_id for bot in bots],
        ruleset_name="base",
        competition=competition,
        rated=rated,
    )
    return match_id


async def played(server: Server, competition: str, bots: list[Bot]) -> str:
    """Play such a match to its end, and return its id."""
    match_id = await seated(server, competition, bots)
    for bot in bots:
        await server.ready(bot, match_id)
    await server.resign(bots[1], match_id)
    return match_id


async def reason(server: Server, match_id: str) -> str:
    """Return why a match does not count, as a look at it says, and the list of matches."""
    found = (await server.match(match_id)).unrated_reason
    request = match_service_pb2.ListMatchesRequest(page_size=500)
    listed = (await server.matches.ListMatches(request)).matches
    assert [each.unrated_reason for each in listed if each.match_id == match_id] == [found]
    return match_pb2.UnratedReason.Name(found).removeprefix("UNRATED_REASON_").lower()


async def test_a_match_says_why_it_was_never_to_count(server: Server) -> None:
    """It is of no competition, or of one that is not rated, or two of its bots are of one owner."""
    team = await server.team(2)
    assert await reason(server, await server.create(*team)) == "casual"
    assert await reason(server, await seated(server, "nowhere", team)) == "casual"
    casual = await server.make_tournament(rated=False)
    assert await reason(server, await seated(server, casual, team, rated=False)) == "competition"
    cup = await server.make_tournament()
    assert await reason(server, await seated(server, cup, team, rated=False)) == "one_owner"


async def test_a_match_that_was_not_played_says_so(server: Server) -> None:
    """Before its end nothing keeps it from counting."""
    bots = [await server.register(), await server.register()]
    match_id = await seated(server, await server.make_tournament(), bots)
    assert await reason(server, match_id) == "unspecified"
    request = match_service_pb2.AbortMatchRequest(match_id=match_id, why="a test")
    aborted = await server.matches.AbortMatch(request, metadata=await server.admin())
    assert aborted.match.unrated_reason == match_pb2.UNRATED_REASON_NOT_PLAYED
    assert await reason(server, match_id) == "not_played"


async def test_a_match_that_an_organizer_takes_back_says_so(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its end and its places stay what they were; also for people, at the command line."""
    bots = [await server.register(), await server.register()]
    match_id = await played(server, await server.make_tournament(), bots)
    assert await reason(server, match_id) == "unspecified"
    assert await shoal(server, "match", "show", match_id) == 0
    assert "finished (last seat)\n" in (said := capsys.readouterr().out)
    assert "  rated   yes\n" in said
    request = match_service_pb2.VoidMatchRequest(match_id=match_id, why="a bug")
    voided = await server.matches.VoidMatch(request, metadata=await server.admin())
    assert voided.match.result.termination == match_pb2.TERMINATION_LAST_SEAT
    assert voided.match.unrated_reason == match_pb2.UNRATED_REASON_TAKEN_BACK
    assert await reason(server, match_id) == "taken_back"
    assert await shoal(server, "match", "show", match_id) == 0
    assert "finished (last seat; does not count)\n" in (said := capsys.readouterr().out)
    assert "  rated   no: an organizer has decided that it does not count\n" in said


async def test_a_match_of_a_time_that_does_not_count_says_so(server: Server) -> None:
    """By when it ended, as that was noted when it was counted."""
    bots = [await server.register(), await server.register()]
    cup = await server.make_tournament()
    early, late = [await played(server, cup, bots) for _ in range(2)]
    store = server.stores.competitions
    for match_id, ended_ms in ((early, 17), (late, 18)):
        result = {
            "match": match_id,
            "ladder": cup,
            "rated": True,
            "ruleset": "base",
            "bots": [bot.bot_id for bot in bots],
            "placements": [1, 2],
            "termination": "last_seat",
            "left": ["", "resigned"],
            "ended_ms": ended_ms,
        }
        direction = Direction(server.stores.pipe, 1)
        payload = json.dumps(result).encode()
        await direction.count(await store.get(cup), match_id, payload, Counted({}))
    request = organizing.ExcludePeriodRequest(competition_id=cup, from_ms=1, until_ms=18)
    await server.competitions.ExcludePeriod(request, metadata=await server.admin())
    assert await reason(server, early) == "taken_back"
    assert await reason(server, late) == "unspecified"
