"""A tournament of real bots while its director, its servers and its store are killed in turn.

Who wins does not depend on the cards here, so whatever breaks, the final standings must be those of a
tournament in which nothing did.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

import pytest

from shoal.client import Client, pb
from shoal.client.tournaments import Placings
from shoal.server.chaos.proxy import Door
from shoal.server.chaos.stack import Process, Stack, running_stack
from shoal.server.chaos.stores import SingleStore
from tests.faults.strong_bots import Player, Tickets, patiently, playing

BOTS = 5
CYCLES = 4
BLOCKS = CYCLES * BOTS * (BOTS - 1) // 2

BETWEEN, MEANWHILE = 6, 3
"""How many matches end before a fault, and how many more may while it happens.

With seven faults the tournament outlives all of them.
"""


async def restart(process: Process) -> None:
    await process.kill()
    await process.start()


async def restart_store(stack: Stack) -> None:
    assert isinstance(stack.store, SingleStore)
    await stack.store.kill()
    await stack.store.revive()


async def restart_store_and_director(stack: Stack) -> None:
    assert isinstance(stack.store, SingleStore)
    await stack.store.kill()
    await stack.director.kill()
    await stack.store.revive()
    await stack.director.start()


Fault = Callable[[Stack], Coroutine[Any, Any, None]]

FAULTS: Sequence[Fault] = (
    lambda stack: restart(stack.director),
    lambda stack: restart(stack.servers[0]),
    restart_store,
    lambda stack: restart(stack.director),
    lambda stack: restart(stack.servers[1]),
    restart_store_and_director,
    lambda stack: restart(stack.servers[0]),
)


def specification() -> pb.TournamentSpecification:
    robin = pb.RoundRobinFormat(cycles=CYCLES)
    return pb.TournamentSpecification(
        name="cup",
        format=pb.TournamentFormat(round_robin=robin),
        time_control=pb.TimeControl(move_ms=120_000, max_strikes=100, match_ms=24 * 3_600_000),
    )


async def made(client: Client, names: str) -> tuple[str, list[Player]]:
    """Make a tournament with new bots, and return both; the strongest bot is the first."""
    players = []
    for name in names:
        bot = await client.register_bot(name, baseline=True)
        players.append(Player(bot.bot.bot_id, bot.token))
    cup = (await client.tournaments.create(specification())).tournament_id
    for player in players:
        await client.tournaments.enter(cup, player.bot_id)
    return cup, players


async def is_over(client: Client, cup: str) -> None:
    """Return as soon as a tournament is over."""
    while True:
        found = await patiently(lambda: client.tournaments.get(cup))
        if found.state == pb.TOURNAMENT_STATE_FINISHED:
            return
        await asyncio.sleep(0.05)


def shape(placings: Placings, players: Sequence[Player]) -> list[tuple[object, ...]]:
    """Return standings with the places of bots for their ids; ratings depend on who came first."""
    order = [player.bot_id for player in players]
    return [
        (
            *(line.rank, order.index(line.bot_id), line.points, line.possible_points),
            *(tuple(line.tiebreaks), line.match_count),
        )
        for line in placings.lines
    ]


@pytest.mark.timeout(240)
async def test_final_standings_are_as_undisturbed_and_each_match_is_counted_once(
    tmp_path: Path,
) -> None:
    """Director, servers and store die seven times in a running tournament (T76, T84)."""
    async with (
        running_stack(tmp_path, lambda _: None, servers=2, workers=1, cluster=False) as (
            stack,
            token,
        ),
        Door("bots", stack.connect) as door,
        Client(address := f"127.0.0.1:{door.port}", token) as client,
    ):
        calm, calm_players = await made(client, "abcde")
        tickets = Tickets()
        async with playing(address, calm_players, tickets):
            await client.tournaments.start(calm)
            await tickets.give(2 * BLOCKS)
            await is_over(client, calm)
        cup, players = await made(client, "vwxyz")
        tickets = Tickets()
        async with playing(address, players, tickets):
            await client.tournaments.start(cup)
            for fault in FAULTS:
                await tickets.give(BETWEEN)
                await tickets.are_down_to(0)
                await tickets.give(MEANWHILE)
                await fault(stack)
                found = await patiently(lambda: client.tournaments.get(cup))
                assert found.state == pb.TOURNAMENT_STATE_RUNNING
            await tickets.give(2 * BLOCKS)
            await is_over(client, cup)
        undisturbed = shape(await client.tournaments.standings(calm), calm_players)
        assert shape(await client.tournaments.standings(cup), players) == undisturbed
        assert [line[:2] for line in undisturbed] == [(n + 1, n) for n in range(BOTS)]
        await each_match_is_counted_once(client, cup)


async def each_match_is_counted_once(client: Client, cup: str) -> None:
    """Hold blocks, ratings and standings against the matches themselves."""
    points, matches = Counter[str](), Counter[str]()
    seen: list[str] = []
    blocks = await client.tournaments.blocks(cup)
    assert len(blocks) == BLOCKS
    for block in blocks:
        assert block.state == pb.BLOCK_STATE_COMPLETE
        played = [each for each in block.matches if each.ending == pb.BLOCK_MATCH_ENDING_PLAYED]
        assert sorted(each.rotation for each in played) == [0, 1]
        seen += [each.match_id for each in block.matches]
        for each in played:
            match = await client.get_match(each.match_id)
            assert match.ladder_id == cup
            bots = [seat.bot_id for seat in match.seats]
            first = each.rotation % len(bots)
            assert bots == [*block.bot_ids[first:], *block.bot_ids[:first]]
            places = {line.seat: line.placement for line in match.result.seats}
            for seat, bot in enumerate(bots):
                matches[bot] += 1
                points[bot] += places[seat] == 1
    assert len(seen) == len(set(seen))
    lines = (await client.tournaments.standings(cup)).lines
    assert {line.bot_id: line.points for line in lines} == dict(points) | {
        line.bot_id: 0 for line in lines if line.bot_id not in points
    }
    assert {line.bot_id: line.match_count for line in lines} == dict(matches)
