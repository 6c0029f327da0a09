"""What follows from many blocks is worked out once, and where it holds up nobody's moves."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest

from shoal.competition import design, pool, tournament
from shoal.competition.specification import Ladder, Specification
from shoal.server.store import competition_texts, keys
from shoal.server.store.competition_nouns import Block, Ended, Note, State
from shoal.server.store.waits import Waits
from shoal.v1 import competition_service_pb2
from shoal.v1 import export_service_pb2 as exports
from shoal.v1 import ladder_service_pb2 as ladders
from shoal.v1 import tournament_service_pb2 as pb
from tests.server.support import Bot, Server
from tests.server.test_tournaments import enter, start


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The threads that read a block that is over, one for each time."""
    read: list[int] = []
    read_one = competition_texts.ended_of

    def ended_of(key: str, text: bytes) -> Ended:
        read.append(threading.get_ident())
        return read_one(key, text)

    monkeypatch.setattr(competition_texts, "ended_of", ended_of)
    yield read
    assert threading.get_ident() not in read


@pytest.fixture
def rankings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A mark for each ranking."""
    made: list[int] = []
    rank = tournament.ranking

    def ranking(*args: object) -> object:
        made.append(threading.get_ident())
        return rank(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(tournament, "ranking", ranking)
    return made


async def running(server: Server, count: int = 6) -> tuple[str, list[Bot]]:
    """Make a round robin that runs, with all blocks of the first bot over."""
    cup = await server.make_tournament()
    bots = await server.team(count)
    await enter(server, cup, *bots)
    await start(server, cup)
    ids = [bot.bot_id for bot in bots]
    due = tournament.due(
        (await server.stores.competitions.get(cup)).specification,
        await server.stores.competitions.entrants(cup),
        (),
    )
    for each in due:
        if ids[0] in each.bots:
            await end(server, cup, str(each.key), each.bots)
    return cup, bots


async def end(server: Server, cup: str, key: str, bots: tuple[str, ...]) -> None:
    """Write a block as it is when its first bot has won both matches, and what comes with its end."""
    over = Ended(Block(key, bots, "base", rated=False), "complete", ((1, 2), (1, 2)))
    name = keys.competition(cup, "finished")
    await server.stores.pipe.command("HSET", name, key, competition_texts.ended_json(over))
    await server.stores.pipe.command("HINCRBY", keys.competition(cup), "rev", 1)


async def ask_standings(server: Server, cup: str) -> pb.ListTournamentStandingsResponse:
    request = pb.ListTournamentStandingsRequest(tournament_id=cup)
    return await server.tournaments.ListTournamentStandings(request)


async def test_all_who_ask_for_standings_get_the_same_ranking(
    server: Server, rankings: list[int]
) -> None:
    """Page after page, and the crosstable too; after another block there is a new one."""
    cup, _ = await running(server)
    found = await asyncio.gather(*(ask_standings(server, cup) for _ in range(8)))
    assert len(rankings) == 1
    assert all(each == found[0] for each in found)
    await server.exports.ListCrosstable(exports.ListCrosstableRequest(competition_id=cup))
    assert len(rankings) == 1
    order = [line.bot_id for line in found[0].standings]
    await end(server, cup, "9.9.9", (order[-1], order[0]))
    again = await ask_standings(server, cup)
    assert len(rankings) == 2
    assert sum(line.possible_points for line in again.standings) > sum(
        line.possible_points for line in found[0].standings
    )


async def test_whoever_asks_holds_up_nobody(server: Server, threads: list[int]) -> None:
    """Blocks are read in threads of their own, whatever is asked about a tournament."""
    cup, bots = await running(server)
    first, last = bots[0].bot_id, bots[-1].bot_id
    await ask_standings(server, cup)
    await server.tournaments.ExplainPairing(pb.ExplainPairingRequest(tournament_id=cup))
    await server.exports.ListCrosstable(exports.ListCrosstableRequest(competition_id=cup))
    await server.exports.GetHeadToHead(
        exports.GetHeadToHeadRequest(competition_id=cup, bot_id=first, other_id=last)
    )
    await server.tournaments.WithdrawFromTournament(
        pb.WithdrawFromTournamentRequest(tournament_id=cup), metadata=bots[0].metadata
    )
    await server.competitions.ExcludeBot(
        competition_service_pb2.ExcludeBotRequest(competition_id=cup, bot_id=last),
        metadata=await server.admin(),
    )
    assert len(threads) >= 4 * 5


async def test_how_many_blocks_there_will_be_is_worked_out_once(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And not while others wait: of hundreds of bots at tables of four it takes seconds."""
    counted: list[int] = []
    count = design.number_of_tables

    def number_of_tables(*args: int) -> int:
        counted.append(threading.get_ident())
        return count(*args)

    monkeypatch.setattr("shoal.competition.round_robin.number_of_tables", number_of_tables)
    cup, _ = await running(server)
    counted.clear()

    async def look() -> int:
        request = pb.GetTournamentRequest(tournament_id=cup)
        assert (await server.tournaments.GetTournament(request)).tournament.planned_blocks == 15
        await server.tournaments.ListTournaments(pb.ListTournamentsRequest(page_size=500))
        return len(counted)

    assert await look() == await look()
    assert threading.get_ident() not in counted


async def test_who_asks_why_a_large_ladder_waits_holds_up_nobody(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pool is made once for a page of its bots, and not while others wait."""
    made: list[int] = []

    def candidate(*args: Any, **fields: Any) -> pool.Candidate:
        made.append(threading.get_ident())
        return pool.Candidate(*args, **fields)

    monkeypatch.setattr("shoal.server.ladder_explaining.Candidate", candidate)
    specification = Specification("season", Ladder(trial=False), seats=(2,))
    competitions = server.stores.competitions
    note = Note(0, "test", "create")
    await competitions.create("season", specification, State.RUNNING, note)
    bots = await server.team(4)
    async with AsyncExitStack() as connected:
        for bot in bots:
            await server.ladders.JoinLadder(
                ladders.JoinLadderRequest(ladder_id="season"), metadata=bot.metadata
            )
            await connected.enter_async_context(server.stream(bot))
        await server.stores.waits.keep("season", Waits({}))
        told = await server.ladders.ExplainLadderPairing(
            ladders.ExplainLadderPairingRequest(ladder_id="season", page_size=500)
        )
    assert [each.numbers["fit"] for each in told.explanations] == [3, 3, 3, 3]
    assert len(made) == len(bots)
    assert threading.get_ident() not in made
