"""A match that was played counts, whatever somebody does after it: as it is said to (T58)."""

from collections import Counter
from collections.abc import AsyncIterator

import pytest

from shoal.competition.specification import Ladder, RoundRobin
from shoal.rating import Table
from shoal.server.director import Pairing
from shoal.server.director.fitter import Fitter
from shoal.server.director.publishing import Publishing
from shoal.server.store.bells import Bells
from shoal.server.store.competition_data import CompetitionData
from shoal.server.store.direction import Direction
from shoal.server.store.pipe import Pipe
from shoal.server.store.presence import Claim
from shoal.server.store.published import PublishedStore
from shoal.server.store.releases import ReleaseStore, named
from shoal.v1 import ladder_service_pb2 as ladders
from shoal.v1 import match_pb2, match_service_pb2
from tests.server.support import serving

from .arena import Arena, until
from .hall import Hall


@pytest.fixture
async def hall(store_url: str, pipe: Pipe, bells: Bells) -> AsyncIterator[Hall]:
    async with serving(store_url) as server:
        yield Hall(server, Arena(pipe, bells))


async def leave(hall: Hall, ladder: str, bot: str) -> None:
    """Leave a ladder, as the bot itself, and join it again."""
    metadata = hall.bots[bot].metadata
    for name in ("Leave", "Join"):
        request = getattr(ladders, f"{name}LadderRequest")(ladder_id=ladder, bot_id=bot)
        await getattr(hall.server.ladders, f"{name}Ladder")(request, metadata=metadata)


async def published(hall: Hall, competition_id: str) -> Table:
    """Publish the table of a competition, and return it."""
    pipe, competitions = hall.arena.pipe, hall.arena.competitions
    store, fitter = PublishedStore(pipe), Fitter()
    publishing = Publishing(
        *(competitions, CompetitionData(pipe), ReleaseStore(pipe), store),
        *(Direction(pipe, 1), fitter),
        every=1,
    )
    try:
        await publishing.look()
    finally:
        fitter.close()
    told = await store.get(competition_id)
    assert told is not None
    return told.table


async def said_to_count(hall: Hall, competition_id: str) -> Counter[str]:
    """How many matches of each bot are over, and said to count for ratings."""
    counted = Counter[str]()
    request = match_service_pb2.ListMatchesRequest(ladder_id=competition_id, page_size=500)
    for match in (await hall.server.matches.ListMatches(request)).matches:
        if match.status == match_pb2.MATCH_STATUS_FINISHED and not match.unrated_reason:
            assert len(match.rating_changes) == len(match.seats)
            counted.update(seat.bot_id for seat in match.seats)
    return counted


def in_table(table: Table) -> Counter[str]:
    """How many matches of each bot are in a table, whatever its releases."""
    counted = Counter[str]()
    for row in table.rows:
        counted[named(row.bot_id).bot_id] += row.matches
    return counted


async def played(hall: Hall, ladder: str, match: Pairing, number: int, loser: str = "") -> None:
    """Play a match to its end, the so manyth that counts."""
    await hall.finish(match, loser=loser)
    await hall.results(ladder, number)


async def test_who_leaves_in_the_middle_of_a_block_has_lost_what_it_has_lost(hall: Hall) -> None:
    """It leaves while a match is in play that it loses, and joins again: so its block is cut short."""
    bots = await hall.arrive(2)
    ladder = await hall.hold(Ladder(), bots)
    async with hall.directing():
        match = await hall.next_match()
        await leave(hall, ladder, bots[0])
        await played(hall, ladder, match, 1, loser=bots[0])
    table = await published(hall, ladder)
    assert [(row.bot_id, row.matches, row.wins) for row in table.rows] == [
        (bots[1], 1, 1),
        (bots[0], 1, 0),
    ]
    assert in_table(table) == await said_to_count(hall, ladder)


async def test_every_match_that_is_said_to_count_is_in_the_published_table(hall: Hall) -> None:
    """Also of a block in which a bot changed its version, or did not come, or that is in play."""
    bots = await hall.arrive(2)
    ladder = await hall.hold(Ladder(trial=False, faults=0), bots)
    for bot in bots:
        await hall.arena.stores.presences.claim(Claim(bot, "p", 1, ("base",), (2,), "1"), 600_000)
    async with hall.directing():
        await played(hall, ladder, await hall.next_match(), 1)
        match = await hall.next_match()
        await hall.arena.stores.presences.claim(
            Claim(bots[0], "p", 1, ("base",), (2,), "2"), 600_000
        )

        async def has_changed() -> bool:
            known = await ReleaseStore(hall.arena.pipe).of(ladder, bots[:1])
            return bool(known) and known[bots[0]].version == "2"

        await until(has_changed)
        await played(hall, ladder, match, 2)
        for number in (3, 4, 5):
            await played(hall, ladder, await hall.next_match(), number)
        match = await hall.next_match()
        voided = match_service_pb2.VoidMatchRequest(match_id=match.match_id, why="a bug")
        await played(hall, ladder, match, 6)
        await hall.server.matches.VoidMatch(voided, metadata=await hall.server.admin())
        await hall.recounted(ladder)
    table = await published(hall, ladder)
    assert {named(row.bot_id).version for row in table.rows} == {"", "1"}
    assert in_table(table) == await said_to_count(hall, ladder) == dict.fromkeys(bots, 5)


async def test_what_was_played_of_a_forfeited_block_of_a_tournament_counts(hall: Hall) -> None:
    """Who is excluded forfeits its block: what it has won or lost before that, it keeps."""
    bots = await hall.arrive(2)
    cup = await hall.hold(RoundRobin(), bots)
    async with hall.directing():
        match = await hall.next_match()
        await hall.ask("ExcludeBot", cup, bot_id=bots[0])
        await played(hall, cup, match, 1, loser=bots[0])
    table = await published(hall, cup)
    assert [row.bot_id for row in table.rows] == bots[::-1]
    assert in_table(table) == await said_to_count(hall, cup) == dict.fromkeys(bots, 1)
