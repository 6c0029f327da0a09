"""Servers are replaced under live matches, by the next version and back by the one before (T21, T96)."""

import asyncio
import random
import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

import shoal.match
from shoal.client import Bot as KitBot
from shoal.client import MatchEnd, Tally, pb, run_bot
from shoal.client.backoff import Backoff
from shoal.server.chaos.proxy import Door, Ends
from shoal.server.store import keys
from shoal.server.store.launcher import PrivateRedis
from tests.server.streams import play_some
from tests.server.support import Bot, Server, until
from tests.server.test_killed_server import finish, server_process
from tests.server.ways import WAYS

ENGINE = Path(shoal.match.__file__).parents[2]

MOVES = 12

AT_ONCE = 4
"""Matches that are played at the same time while servers are swapped."""

PATIENCE = 120.0
"""Seconds in which bots must get on, on a machine however busy."""

NEXT_VERSION = [
    ("STATE_FORMAT = 2\nFORMAT_BEFORE = 1\n", "STATE_FORMAT = 3\nFORMAT_BEFORE = 2\n"),
    ('"{match.void.value}"]\\n', '"{match.void.value}","of the next version"]\\n'),
    ("match.credit_ms, void = later\n", "match.credit_ms, void, *_ = later\n"),
]
"""What the next version does otherwise: its states have a format and a field that this one does not know."""


@pytest.fixture
def next_version(tmp_path: Path) -> Path:
    """The engine of the next version: a copy of this one, changed."""
    root = tmp_path / "next"
    shutil.copytree(ENGINE, root, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    codec = root / "shoal" / "match" / "codec.py"
    text = codec.read_text(encoding="utf-8")
    for now, then in NEXT_VERSION:
        assert text.count(now) == 1, now
        text = text.replace(now, then)
    codec.write_text(text, encoding="utf-8")
    return root


async def play_on(server: Server, bots: list[Bot]) -> None:
    """Let both bots come to a server, and play some moves there."""
    async with AsyncExitStack() as opened:
        streams = [await opened.enter_async_context(server.stream(bot)) for bot in bots]
        await play_some(streams, MOVES)


async def test_versions_take_over_live_matches_from_each_other(
    redis: PrivateRedis, server: Server, next_version: Path
) -> None:
    """This version, the next one, and this one again: every move is kept, and no seat leaves."""
    bots = await server.team(2)
    match_id = await server.create(*bots)
    state = (keys.match(match_id), "state")
    for root in (None, next_version, None):
        async with server_process(redis, server, root) as (process, running):
            kept = b""
            while kept != (b"[3," if root else b"[2,"):
                await play_on(running, bots)  # a state is kept with every 16th version
                kept = (await server.stores.pipe.command("HGET", *state))[:3]
            process.terminate()
            await process.wait()
    await finish(server, bots, match_id, WAYS["Play"])
    record = await server.record(match_id)
    assert not [seat for seat in record.match.result.seats if seat.left]
    assert [entry.version for entry in record.entries] == list(range(1, len(record.entries) + 1))


class Place:
    """Where bots find a server; which one that is changes under them."""

    def __init__(self, redis: PrivateRedis, other: Server) -> None:
        self.door = Door("place", self._connect)
        self._redis = redis
        self._other = other
        self._port = 0
        self._life = AsyncExitStack()

    async def _connect(self) -> Ends:
        return await asyncio.open_connection("127.0.0.1", self._port)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Serve, until the context ends."""
        async with self.door:
            await self.swap(None)
            try:
                yield
            finally:
                await self._life.aclose()

    async def swap(self, root: Path | None) -> None:
        """Put a server of another version in the place of the one that is there, which ends in order."""
        before, self._life = self._life, AsyncExitStack()
        made = server_process(self._redis, self._other, root)
        process, running = await self._life.enter_async_context(made)
        self._port = running.port
        await before.aclose()
        self._life.push_async_callback(process.wait)
        self._life.callback(process.terminate)


class Tireless(KitBot):
    """Plays at random, not too fast, and says so when a match of its is over."""

    max_matches = AT_ONCE

    def __init__(self, seed: int, ended: "asyncio.Queue[None]") -> None:
        self._dice = random.Random(seed)
        self._ended = ended

    async def choose(self, observation: pb.Observation, decision: pb.Decision) -> pb.Option:  # noqa: ARG002
        await asyncio.sleep(0.05)
        return self._dice.choice(decision.options)

    async def on_match_end(self, end: MatchEnd) -> None:
        if end.seat == 0:
            self._ended.put_nowait(None)


class Players:
    """Two bots of the kit that play each other without a pause, each at a place of its own."""

    def __init__(self, server: Server, bots: list[Bot], places: list[Place]) -> None:
        self.match_ids: list[str] = []
        self.tallies = [Tally() for _ in bots]
        self._server = server
        self._bots = bots
        self._places = places
        self._ended: asyncio.Queue[None] = asyncio.Queue()
        self._enough = False
        self._stop = asyncio.Event()

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """Let them play, and at the end come to the end of all their matches."""
        async with asyncio.TaskGroup() as tasks:
            for seed, (bot, place) in enumerate(zip(self._bots, self._places, strict=True)):
                player = Tireless(seed, self._ended)
                where = f"127.0.0.1:{place.door.port}"
                backoff, tally = Backoff(most=0.5), self.tallies[seed]
                tasks.create_task(
                    run_bot(player, where, bot.token, stop=self._stop, tally=tally, backoff=backoff)
                )
            dealing = tasks.create_task(self._deal())
            yield
            self._enough = True
            self._ended.put_nowait(None)
            await dealing
            await until(self._all_over, PATIENCE)
            self._stop.set()

    async def go_on(self) -> None:
        """Return when both have got on in their matches."""
        before = [tally.moves for tally in self.tallies]

        async def have_moved() -> bool:
            pairs = zip(self.tallies, before, strict=True)
            return all(tally.moves >= moves + 2 * MOVES for tally, moves in pairs)

        await until(have_moved, PATIENCE)

    async def _deal(self) -> None:
        """Deal some matches, and another one for each that is over."""
        for _ in range(AT_ONCE):
            self._ended.put_nowait(None)
        while True:
            await self._ended.get()
            if self._enough:
                return
            self.match_ids.append(await self._server.create(*self._bots))

    async def _all_over(self) -> bool:
        return all(tally.matches == len(self.match_ids) for tally in self.tallies)


@pytest.mark.timeout(400)
async def test_bots_play_on_while_both_versions_serve_the_same_matches(
    redis: PrivateRedis, server: Server, next_version: Path
) -> None:
    """The two seats of each match are at two places, whose servers are swapped one at a time (T21).

    To the next version and back, under kit bots that are never told to wait: no seat leaves, nothing is
    played by default, and no receipt is of a move that is not in the log.
    """
    places = [Place(redis, server) for _ in range(2)]
    players = Players(server, await server.team(2), places)
    async with places[0].open(), places[1].open(), players.playing():
        await players.go_on()
        for root in (next_version, None):
            for place in places:
                await place.swap(root)
                await players.go_on()
    for tally in players.tallies:
        assert tally.connections > 2
        assert (tally.faults, tally.unplayed) == (0, 0)
    moves = 0
    for match_id in players.match_ids:
        record = await server.record(match_id)
        assert not [seat for seat in record.match.result.seats if seat.left]
        kinds = [entry.kind for entry in record.entries]
        assert pb.LOG_ENTRY_KIND_DEFAULT not in kinds
        moves += kinds.count(pb.LOG_ENTRY_KIND_MOVE)
    assert sum(tally.moves for tally in players.tallies) <= moves
