"""What follows from many blocks is worked out once, and where it holds up nobody's moves."""

import asyncio
import threading
from collections.abc import Iterable, Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest

from shoal.competition import design, pool, swiss, tournament
from shoal.competition.specification import Ladder, Specification, Swiss
from shoal.rating import Table
from shoal.rating.ladder_standings import Row
from shoal.rating.ladder_standings import standings as rank
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
    await server.stores.pipe.command("RPUSH", keys.competition(cup, "order"), f"b{key}")
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
    assert len(threads) == 5


async def compared(server: Server, cup: str, *bots: Bot) -> exports.GetHeadToHeadResponse:
    return await server.exports.GetHeadToHead(
        exports.GetHeadToHeadRequest(
            competition_id=cup, bot_id=bots[0].bot_id, other_id=bots[1].bot_id
        )
    )


async def test_a_block_is_read_once_whoever_asks_for_what(
    server: Server, threads: list[int]
) -> None:
    """However many compare two bots at once; after another block only that one is read."""
    cup, bots = await running(server)
    first, *rest = await asyncio.gather(
        *(compared(server, cup, bots[0], each) for each in bots[1:] * 4)
    )
    assert (first.won, first.lost, first.block_count) == (2, 0, 1)
    assert all(each.block_count == 1 for each in rest)
    assert len(threads) == 5
    await end(server, cup, "9.9.9", (bots[1].bot_id, bots[0].bot_id))
    again = await compared(server, cup, bots[0], bots[1])
    assert (again.won, again.lost, again.block_count) == (2, 2, 2)
    await server.exports.ListCrosstable(exports.ListCrosstableRequest(competition_id=cup))
    await ask_standings(server, cup)
    assert len(threads) == 6


async def test_blocks_of_an_earlier_version_and_of_another_order_are_read_too(
    server: Server, threads: list[int]
) -> None:
    """Those that were counted before there was an order; and after a failover it begins anew."""
    cup, bots = await running(server)
    order = keys.competition(cup, "order")
    two = bots[0], bots[1]
    await server.stores.pipe.command("DEL", order)
    assert (await compared(server, cup, *two)).block_count == 1
    assert (await compared(server, cup, *two)).block_count == 1
    assert len(threads) == 5
    await end(server, cup, "9.9.9", (bots[1].bot_id, bots[0].bot_id))
    assert (await compared(server, cup, *two)).block_count == 2
    assert len(threads) == 6
    await server.stores.pipe.command("HDEL", keys.competition(cup, "finished"), "9.9.9")
    await server.stores.pipe.command("DEL", order)
    await end(server, cup, "9.9.8", (bots[1].bot_id, bots[2].bot_id))
    assert (await compared(server, cup, *two)).block_count == 1


async def test_what_is_kept_of_blocks_is_bounded(
    server: Server, threads: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the competitions that were asked for last, so many blocks in all."""
    monkeypatch.setattr("shoal.server.digests.MOST_BLOCKS", 12)
    cups = [await running(server) for _ in range(3)]

    async def read(number: int) -> int:
        before = len(threads)
        cup, bots = cups[number]
        await compared(server, cup, bots[0], bots[1])
        return len(threads) - before

    assert [await read(number) for number in (0, 1, 0, 1, 2, 1, 0)] == [5, 5, 0, 0, 5, 0, 5]


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


async def test_the_standings_of_a_ladder_are_worked_out_once(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For all who ask and all pages, and the crosstable too; and anew when somebody has joined."""
    made: list[int] = []

    def standings(rows: Iterable[Row], table: Table) -> object:
        made.append(threading.get_ident())
        return rank(rows, table)

    monkeypatch.setattr("shoal.server.director.reading.standings", standings)
    await server.make_ladder("pages")
    anna, bert = await server.team(2)

    async def join(bot: Bot) -> None:
        request = ladders.JoinLadderRequest(ladder_id="pages")
        await server.ladders.JoinLadder(request, metadata=bot.metadata)

    async def ask() -> list[str]:
        request = ladders.ListStandingsRequest(ladder_id="pages", page_size=1)
        found = []
        while not found or request.page_token:
            page = await server.ladders.ListStandings(request)
            found += [line.bot_id for line in page.standings]
            request.page_token = page.next_page_token
        return found

    await join(anna)
    assert await asyncio.gather(*(ask() for _ in range(5))) == [[anna.bot_id]] * 5
    await server.exports.ListCrosstable(exports.ListCrosstableRequest(competition_id="pages"))
    assert len(made) == 1
    await join(bert)
    assert sorted(await ask()) == sorted([anna.bot_id, bert.bot_id])
    assert len(made) == 2
    assert threading.get_ident() not in made


async def test_the_round_of_a_swiss_tournament_is_paired_once(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many ask why it is paired so, page after page."""
    paired: list[int] = []
    pair = swiss.pair_round

    def pair_round(*args: Any) -> object:
        paired.append(threading.get_ident())
        return pair(*args)

    monkeypatch.setattr(swiss, "pair_round", pair_round)
    cup = await server.make_tournament(format=Swiss(rounds=2))
    await enter(server, cup, *await server.team(4))
    await start(server, cup)
    request = pb.ExplainPairingRequest(tournament_id=cup, page_size=1)
    first = await server.tournaments.ExplainPairing(request)
    before = len(paired)
    request.page_token = first.next_page_token
    second = await server.tournaments.ExplainPairing(request)
    assert second.explanations
    assert len(paired) == before > 0
    assert threading.get_ident() not in paired
