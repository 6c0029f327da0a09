"""Scores that are computed again: from the results that count, in the order in which they were counted."""

import asyncio
import json
from collections.abc import Mapping

import pytest
from structlog.testing import capture_logs

from shoal.competition.rulings import Uncounted, with_uncounted
from shoal.server.director import MAIN
from shoal.server.director.recounting import Recounting
from shoal.server.director.releases import switched
from shoal.server.director.result import finished, scores_after
from shoal.server.store import keys
from shoal.server.store.calls import Call
from shoal.server.store.competition_data import CompetitionData
from shoal.server.store.competition_nouns import Score, State
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.direction import Counted, Direction
from shoal.server.store.pipe import Pipe
from shoal.server.store.releases import ReleaseStore

from .arena import NOTE
from .watched import watched, words


class Books:
    """A ladder whose results the test counts, one at a time, as a director does."""

    def __init__(self, pipe: Pipe) -> None:
        self.pipe = pipe
        self.competitions = CompetitionStore(pipe)
        self.direction = Direction(pipe, 1)
        self.counting = asyncio.Lock()

    async def count(self, *bots: str, ended_ms: int) -> str:
        """Count a match of these bots, the best first, that ended then."""
        match_id = keys.new_id()
        payload = json.dumps(
            {
                "match": match_id,
                "ladder": "main",
                "rated": True,
                "bots": bots,
                "placements": list(range(1, len(bots) + 1)),
                "termination": "target",
                "left": [""] * len(bots),
                "ended_ms": ended_ms,
            }
        ).encode()
        async with self.counting:
            before = await self.competitions.scores("main", bots)
            scores = scores_after(finished(payload), before)
            found = await self.competitions.get("main")
            await self.direction.count(found, match_id, payload, Counted(scores))
        return match_id

    async def leave_out(self, from_ms: int, until_ms: int) -> None:
        """Decide that matches that ended in this time do not count."""
        found = await self.competitions.get("main")
        rulings = with_uncounted(found.rulings, Uncounted("", from_ms, until_ms))
        await self.competitions.rule(found, rulings, NOTE)

    async def recount(self, pipe: Pipe | None = None) -> bool:
        """Recount what was decided."""
        recounting = self.recounting(pipe or self.pipe)
        return await recounting.look(await self.competitions.get("main"))

    def recounting(self, pipe: Pipe) -> Recounting:
        """Return what recounts through this pipe."""
        return Recounting(
            CompetitionStore(pipe),
            CompetitionData(pipe),
            Direction(pipe, 1),
            ReleaseStore(pipe),
            self.counting,
        )

    async def release(self, bot: str, version: str) -> None:
        """Let another version of a bot play, as a director does."""
        store = ReleaseStore(self.pipe)
        before = (await store.of("main", [bot])).get(bot)
        after = switched(before, version, keys.now_ms())
        async with self.counting:
            await store.switch(self.direction, "main", bot, before, after, NOTE)

    async def scores(self) -> Mapping[str, Score]:
        """Return all scores."""
        return (await self.competitions.roster("main")).scores


@pytest.fixture
async def books(pipe: Pipe) -> Books:
    books = Books(pipe)
    await books.competitions.create("main", MAIN, State.RUNNING, NOTE)
    return books


async def some_matches(books: Books) -> None:
    """Count matches in another order than they ended in."""
    for ended_ms, *bots in ((50, "a", "b"), (20, "b", "c"), (40, "c", "a"), (30, "a", "b", "c")):
        await books.count(*map(str, bots), ended_ms=int(ended_ms))


async def test_a_recount_that_leaves_nothing_out_changes_nothing(books: Books) -> None:
    """To the last bit, though results were counted in another order than their matches ended (T63)."""
    await some_matches(books)
    before = await books.scores()
    await books.leave_out(1, 2)
    assert await books.recount()
    assert await books.scores() == before
    assert (await books.competitions.get("main")).rated == 4


async def test_a_recount_is_as_if_what_is_left_out_had_not_been(books: Books) -> None:
    """The others are rated in the order in which they were counted."""
    await books.count("a", "b", ended_ms=50)
    await books.count("c", "a", ended_ms=40)
    before = await books.scores()
    for bots in ("ab", "cb"):
        await books.count(*bots, ended_ms=10)
    await books.leave_out(10, 11)
    assert await books.recount()
    assert await books.scores() == before


async def test_what_was_counted_before_there_was_an_order_comes_first(books: Books) -> None:
    """By when it ended; what an earlier version has counted says no more."""
    for ended_ms, bots in ((20, "bc"), (30, "abc"), (40, "ca"), (10, "cb")):
        await books.count(*bots, ended_ms=ended_ms)
    before = await books.scores()
    order = keys.competition("main", "order")
    *_, last = await books.pipe.command("LRANGE", order, 0, -1)
    await books.pipe.command("DEL", order)
    await books.pipe.command("RPUSH", order, last)
    await books.leave_out(1, 2)
    assert await books.recount()
    assert await books.scores() == before


async def recount_held(books: Books) -> tuple["asyncio.Task[bool]", asyncio.Event]:
    """Begin to count again, and return when the results are about to be read; the event lets that go on."""
    reached, gate = asyncio.Event(), asyncio.Event()

    def hold(call: Call) -> asyncio.Event | None:
        if words(call)[0] != "HMGET" or keys.competition("main", "results") not in words(call):
            return None
        reached.set()
        return gate

    recount = asyncio.create_task(books.recount(watched(books.pipe, hold)))
    async with asyncio.timeout(10):
        await reached.wait()
    return recount, gate


async def test_results_are_counted_while_others_are_counted_again(books: Books) -> None:
    """If one comes in between, it is in the scores too, as if it had come before or after (T84)."""
    await some_matches(books)
    await books.leave_out(1, 2)
    recount, gate = await recount_held(books)
    await books.count("c", "b", ended_ms=60)
    before = await books.scores()
    gate.set()
    assert await recount
    assert await books.scores() == before
    assert (await books.competitions.get("main")).rated == 5


async def test_what_is_decided_meanwhile_is_heeded_at_the_next_time(books: Books) -> None:
    """If an organizer decides more while results are counted again, that is not taken for done."""
    await some_matches(books)
    await books.leave_out(1, 2)
    with capture_logs() as logs:
        recount, gate = await recount_held(books)
        await books.leave_out(0, 100)
        gate.set()
        assert not await recount
    assert logs == []
    assert await books.recount()
    assert await books.scores() == {}


async def test_releases_that_come_all_the_time_do_not_hold_it_up_for_ever(books: Books) -> None:
    """If they have overtaken it some times, the next one waits until it is done (T84)."""
    await some_matches(books)
    await books.release("a", "0")
    await books.leave_out(20, 21)
    known, releases = asyncio.Event(), list[asyncio.Task[None]]()

    def come(call: Call) -> asyncio.Event | None:
        """Let another version come once releases have been read, if it can: else it comes afterwards."""
        if keys.competition("main", "releases") in words(call):
            known.set()
        is_draft = keys.competition("main", "ledger_next") in words(call)
        if not (known.is_set() and is_draft and all(each.done() for each in releases)):
            return None
        known.clear()
        has_come = asyncio.Event()
        releases.append(asyncio.create_task(release(str(len(releases) + 1), has_come)))
        return None if books.counting.locked() else has_come

    async def release(version: str, has_come: asyncio.Event) -> None:
        await books.release("a", version)
        has_come.set()

    recounting = books.recounting(watched(books.pipe, come))
    with capture_logs() as logs:
        said = [await recounting.look(await books.competitions.get("main")) for _ in range(4)]
    assert said == [False, False, False, True]
    assert [line["event"] for line in logs] == ["recounted"]
    await asyncio.gather(*releases)
    assert (await books.competitions.get("main")).rated == 3
