"""Published tables: of all that counts, worked out anew when something has changed, and only then."""

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace

import pytest

from shoal.competition.block import seating
from shoal.competition.rulings import Uncounted, with_uncounted, with_voided
from shoal.competition.specification import Anchor, Ladder
from shoal.rating import Match, Table, gathered
from shoal.rating.table import rate
from shoal.server.director import MAIN
from shoal.server.director.fitter import Fitter
from shoal.server.director.publishing import MOST_KEPT, Publishing
from shoal.server.director.releases import switched
from shoal.server.store import keys
from shoal.server.store.bells import Bells
from shoal.server.store.calls import Call
from shoal.server.store.competition_data import CompetitionData
from shoal.server.store.competition_nouns import State
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.direction import Counted, Direction
from shoal.server.store.errors import Fenced
from shoal.server.store.pipe import Pipe
from shoal.server.store.published import Published, PublishedStore
from shoal.server.store.releases import ReleaseStore, retired

from .arena import NOTE, QUICK, Arena, until
from .watched import watched, words


class Press:
    """A ladder whose results the test counts, and somebody who publishes its table."""

    def __init__(self, pipe: Pipe, fitter: Fitter) -> None:
        self.pipe = pipe
        self.fitter = fitter
        self.competitions = CompetitionStore(pipe)
        self.direction = Direction(pipe, 1)
        self.releases = ReleaseStore(pipe)
        self.published = PublishedStore(pipe)
        self.asked = Counter[str]()
        self.lists: list[tuple[str, ...]] = []
        """The pieces of orders that were read."""
        self.meanwhile: list[Callable[[], Awaitable[object]]] = []
        """What is to happen before results are read the next time."""
        self.publishing = self.publisher()
        self.results: list[tuple[str, Match]] = []

    def publisher(self, token: int = 1, most_kept: int = MOST_KEPT) -> Publishing:
        """Return one who publishes, and of whom it is counted how often results were asked for."""
        through = watched(self.pipe, self._watch)
        return Publishing(
            CompetitionStore(through),
            CompetitionData(through),
            ReleaseStore(through),
            PublishedStore(through),
            Direction(through, token),
            self.fitter,
            every=0.01,
            most_kept=most_kept,
        )

    def _watch(self, call: Call) -> asyncio.Event | None:
        name, key, *fields = words(call)
        if name == "LRANGE":
            self.lists.append((key, *fields))
        if name != "HMGET" or key != keys.competition("main", "results"):
            return None
        self.asked.update(fields)
        if not self.meanwhile:
            return None
        happened = asyncio.Event()
        self._happening = asyncio.create_task(self._happen(self.meanwhile.pop(), happened))
        return happened

    async def _happen(self, what: Callable[[], Awaitable[object]], happened: asyncio.Event) -> None:
        await what()
        happened.set()

    async def play(self, *bots: str, places: Sequence[Sequence[int]] = (), **more: object) -> str:
        """Count a whole block, in which the first is always the best but for given placements by seat."""
        block = keys.new_id()
        for rotation in range(len(bots)):
            seated = seating(bots, rotation)
            order = [bots.index(bot) + 1 for bot in seated]
            await self.count(block, seated, places[rotation] if places else order, **more)
        return block

    async def count(
        self, block: str, bots: Sequence[str], places: Sequence[int], **more: object
    ) -> str:
        """Count a match of a block, and keep it beside it."""
        match_id = keys.new_id()
        payload = {
            "match": match_id,
            "ladder": "main",
            "rated": True,
            "bots": bots,
            "placements": places,
            "termination": "target",
            "left": [""] * len(bots),
            "ended_ms": 1,
            **more,
        }
        matches = keys.competition("main", "matches")
        await self.pipe.command("HSET", matches, match_id, block)
        found = await self.competitions.get("main")
        text = json.dumps(payload).encode()
        await self.direction.count(found, match_id, text, Counted({}))
        self.results.append((block, Match(match_id, tuple(bots), tuple(places), 1)))
        return match_id

    async def table(self) -> Table:
        """Publish, and return what is published."""
        await self.publishing.look()
        return (await self.told()).table

    async def told(self) -> Published:
        """Return what is published."""
        found = await self.published.get("main")
        assert found is not None
        return found


@pytest.fixture(scope="module")
def shared() -> Iterator[Fitter]:
    """One process for all tests of a module: it takes a second to start."""
    fitter = Fitter()
    yield fitter
    fitter.close()


@pytest.fixture
async def fitter(shared: Fitter) -> Fitter:
    await shared.forget("main")
    return shared


@pytest.fixture
async def press(pipe: Pipe, fitter: Fitter) -> Press:
    press = Press(pipe, fitter)
    await press.competitions.create("main", MAIN, State.RUNNING, NOTE)
    return press


async def test_the_table_of_all_that_counts_is_published(press: Press) -> None:
    """Of rated matches, whatever became of their blocks; a bot that has none yet is not in it."""
    await press.play("a", "b")
    await press.play("c", "a", "b")
    await press.count(keys.new_id(), ("d", "a"), (2, 1))
    await press.count("", ("b", "d"), (1, 2))  # nobody knows of which block it is
    table = await press.table()
    assert table == rate(gathered(press.results))
    assert [row.bot_id for row in table.rows] == ["c", "a", "b", "d"]
    assert (table.blocks, table.matches) == (4, 7)
    await press.play("e", "a", rated=False)
    await press.play("e", "a", termination="aborted")
    assert await press.table() == table


async def test_each_result_is_read_once(press: Press) -> None:
    """However large a ladder is, only what is new is read, and nothing is written if nothing changed."""
    await press.play("a", "b")
    await press.table()
    before = await press.told()
    assert await press.table() == before.table
    assert await press.told() == before
    await press.play("b", "c")
    assert await press.table() == rate(gathered(press.results))
    assert press.asked == {match.match_id: 1 for _, match in press.results}


async def test_what_is_counted_while_a_table_is_made_is_in_the_next(press: Press) -> None:
    """The table is that of the place that it names, and nothing is read again for it (T63)."""
    await press.play("a", "b")
    first, order = list(press.results), keys.competition("main", "order")
    await press.table()
    press.lists.clear()
    await press.play("b", "c")
    second = list(press.results)
    press.meanwhile = [lambda: press.play("c", "a")]
    assert await press.table() == rate(gathered(second)) != rate(gathered(first))
    assert (await press.told()).basis.place.count == len(second)
    assert press.lists == [(order, str(len(first)), str(len(second) - 1))]
    assert await press.table() == rate(gathered(press.results))
    assert len(press.results) > len(second)


async def test_what_is_counted_while_all_is_read_is_in_the_next_table(press: Press) -> None:
    """Also by the one who has just taken over, where an earlier version has kept no order of some."""
    await press.play("a", "b")
    await press.pipe.command("DEL", keys.competition("main", "order"))
    await press.play("b", "c")
    then = list(press.results)
    press.meanwhile = [lambda: press.play("c", "a")]
    assert await press.table() == rate(gathered(then))
    assert await press.table() == rate(gathered(press.results))


async def test_whoever_directs_next_makes_the_same_table(press: Press) -> None:
    """It is a function of what is stored, and is not made again (T63)."""
    await press.play("a", "b", "c", "d")
    await press.play("d", "a")
    table = await press.table()
    press.publishing = press.publisher(2)
    press.asked.clear()
    assert await press.table() == table
    assert not press.asked
    await press.play("c", "d")
    assert await press.table() == rate(gathered(press.results))


async def test_what_an_organizer_leaves_out_has_never_been(press: Press) -> None:
    """A match leaves the others of its block; a bot takes all of its matches with it (T62)."""
    await press.play("a", "b")
    without = await press.table()
    block = await press.play("b", "c")
    voided = await press.count(keys.new_id(), ("c", "a"), (1, 2))
    whole = await press.table()
    found = await press.competitions.get("main")
    last = next(match for key, match in press.results if key == block)
    rulings = with_voided(found.rulings, last.match_id, "broken")
    await press.competitions.rule(found, with_voided(rulings, voided, "broken"), NOTE)
    out = {last.match_id, voided}
    left = [each for each in press.results if each[1].match_id not in out]
    assert await press.table() == rate(gathered(left)) != whole
    await press.count(block, last.bots, (2, 1))
    again = await press.table()
    assert [(row.blocks, row.matches) for row in again.rows if row.bot_id == "c"] == [(1, 2)]
    found = await press.competitions.get("main")
    await press.competitions.rule(
        found, with_uncounted(found.rulings, Uncounted("c", 0, None)), NOTE
    )
    assert await press.table() == without


async def test_each_release_is_rated_by_itself(press: Press) -> None:
    """What one played before is under its name, also of a block of both."""
    block = keys.new_id()
    await press.count(block, ("a", "b"), (1, 2))
    await press.play("a", "b")
    before = await press.table()
    first = switched(None, "1", 0)
    await press.releases.switch(press.direction, "main", "a", None, first, NOTE)
    assert await press.table() == before
    now_ms = keys.time_of(keys.new_id()) + 1
    second = switched(first, "2", now_ms)
    await press.releases.switch(press.direction, "main", "a", first, second, NOTE)
    renamed = await press.table()
    assert {row.bot_id for row in renamed.rows} == {retired("a", "1"), "b"}
    assert [row.rating for row in renamed.rows] == [row.rating for row in before.rows]
    await press.count(block, ("b", "a"), (2, 1))
    both = await press.table()
    played = {row.bot_id: (row.blocks, row.matches) for row in both.rows}
    assert played == {retired("a", "1"): (2, 3), "a": (1, 1), "b": (3, 4)}


async def test_ratings_that_are_given_are_given_there_too(pipe: Pipe, fitter: Fitter) -> None:
    press = Press(pipe, fitter)
    ladder = replace(MAIN, format=Ladder(anchors=(Anchor("b", 1200.0),)))
    await press.competitions.create("main", ladder, State.RUNNING, NOTE)
    await press.play("a", "b")
    table = await press.table()
    assert table == rate(gathered(press.results), {"b": 1200.0})
    assert [row.rating for row in table.rows if row.anchored] == [1200]


async def test_what_a_failover_has_lost_is_read_anew(press: Press) -> None:
    """If the end of the order is gone, the results that are left are those that count."""
    await press.play("a", "b")
    table = await press.table()
    lost = [await press.play("b", "c"), await press.play("c", "a")]
    await press.table()
    gone = [match.match_id for key, match in press.results if key in lost]
    await press.pipe.command("HDEL", keys.competition("main", "results"), *gone)
    await press.pipe.command("LTRIM", keys.competition("main", "order"), 0, 1)
    assert await press.table() == table


async def test_what_was_counted_before_there_was_an_order_is_in_it(press: Press) -> None:
    """An earlier version has kept no order."""
    await press.play("a", "b")
    await press.pipe.command("DEL", keys.competition("main", "order"))
    await press.play("b", "c")
    assert await press.table() == rate(gathered(press.results))


async def test_what_is_over_is_looked_at_again_when_other_results_count(press: Press) -> None:
    """Until then it costs nothing."""
    await press.play("a", "b")
    await press.play("b", "c")
    found = await press.competitions.get("main")
    await press.direction.turn(found, State.FINISHED, NOTE, "over")
    assert await press.table() == rate(gathered(press.results))
    found = await press.competitions.get("main")
    uncounted = with_uncounted(found.rulings, Uncounted("c", 0, None))
    await press.competitions.rule(found, uncounted, NOTE)
    assert [row.bot_id for row in (await press.table()).rows] == ["a", "b"]


async def test_who_has_lost_the_lease_publishes_nothing(press: Press) -> None:
    """The next one has shut out whoever was before."""
    await press.play("a", "b")
    await Direction(press.pipe, 2).shut_out("main")
    with pytest.raises(Fenced):
        await press.publishing.look()
    assert await press.published.get("main") is None


async def test_whoever_directs_publishes(pipe: Pipe, bells: Bells) -> None:
    """Every so often, while it pairs and counts."""
    arena = Arena(pipe, bells)
    published = PublishedStore(pipe)
    await arena.make(MAIN, "main")
    await arena.arrive("a", "b")
    async with arena.directing(settings=replace(QUICK, publish=0.02)):
        for _ in range(2):
            await arena.finish(await arena.next_match())

        async def is_told() -> bool:
            told = await published.get("main")
            return told is not None and told.table.blocks == 1

        await until(is_told, 60)  # a process has to be started first


async def test_of_more_results_than_are_kept_the_oldest_are_read_again(press: Press) -> None:
    """The table is the same; a ladder that lasts for years needs no more memory than one of weeks."""
    press.publishing = press.publisher(most_kept=3)
    await press.play("a", "b")
    await press.table()
    await press.play("b", "c")
    await press.table()
    assert set(press.asked.values()) == {1}
    await press.play("c", "a")
    assert await press.table() == rate(gathered(press.results))
    assert sorted(press.asked.values()) == [1, 1, 2, 2, 2, 2]
