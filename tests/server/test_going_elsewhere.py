"""Bots of the kit that know two servers go on at the other one when theirs ends, and lose nothing."""

import asyncio
import random
import signal

import pytest

from shoal.client import Bot, Tally, pb, run_bot
from shoal.client.backoff import Backoff
from shoal.server.store.launcher import PrivateRedis
from tests.server.support import Server, until
from tests.server.test_killed_server import server_process

MATCHES = 3

MOVES_BEFORE = 12


class Random(Bot):
    """Plays at random, and not so fast that its matches are over before a server ends."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)

    async def choose(self, observation: pb.Observation, decision: pb.Decision) -> pb.Option:  # noqa: ARG002
        await asyncio.sleep(0.01)
        return self._dice.choice(decision.options)


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL], ids=lambda end: end.name)
async def test_bots_go_on_at_the_other_server(
    redis: PrivateRedis, server: Server, end: signal.Signals
) -> None:
    """A server is drained or killed: its bots play on at the other one, and lose nothing (T20, T21)."""
    bots = await server.team(2)
    tallies = [Tally() for _ in bots]
    async with server_process(redis, server) as (doomed, first):
        match_ids = [await server.create(*bots) for _ in range(MATCHES)]
        where = f"127.0.0.1:{first.port},127.0.0.1:{server.port}"
        async with asyncio.TaskGroup() as runs:
            for seed, (bot, tally) in enumerate(zip(bots, tallies, strict=True)):
                # It would wait far longer than a seat may be silent, if it had to wait.
                backoff = Backoff(least=3600.0, most=3600.0)
                run = run_bot(
                    *(Random(seed), where, bot.token),
                    matches=MATCHES,
                    tally=tally,
                    backoff=backoff,
                )
                runs.create_task(run)

            async def have_moved() -> bool:
                return all(tally.moves >= MOVES_BEFORE for tally in tallies)

            await until(have_moved)
            assert all(tally.connections == 1 for tally in tallies)
            doomed.send_signal(end)
    for tally in tallies:
        assert (tally.matches, tally.connections, tally.late, tally.faults) == (MATCHES, 2, 0, 0)
    for match_id in match_ids:
        record = await server.record(match_id)
        assert not [seat for seat in record.match.result.seats if seat.HasField("left")]
        kinds = {entry.kind for entry in record.entries} - {pb.LOG_ENTRY_KIND_CREDIT}
        assert kinds == {pb.LOG_ENTRY_KIND_READY, pb.LOG_ENTRY_KIND_MOVE}
