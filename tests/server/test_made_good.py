"""Which bots are given time when a cut has ended, and when: who lost it here, as soon as it can be (T6).

On a clock of the tests, without any margin.
"""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from shoal.server.hub.attention import Attention
from shoal.server.hub.table import Table
from shoal.server.play.cuts import LEAST_MS, Cuts
from shoal.server.play.ticks import Ticks
from shoal.server.store.errors import StoreUnavailable
from shoal.server.store.keys import PARTITIONS, partition_of
from shoal.server.store.matches import MatchStore, Tick
from shoal.server.store.partition_clock import CUT_SECONDS, PartitionClock
from shoal.server.store.whereabouts import Dropped, Place, Polling, Streaming, Whereabouts
from tests.server.test_age import ASKED, cut_off, sees
from tests.server.test_followed_clock import (
    ASKED_MS,
    ZERO,
    Local,
    attention,
    heard,
    listen,
    local,
    started,
    table,
)

__all__ = ["attention", "cut_off", "local", "table"]


def test_the_end_of_a_cut_is_kept_until_it_is_taken() -> None:
    """Whoever asks a partition for the time may hear of it first, and looks after nobody (T6)."""
    clock = PartitionClock()
    clock.saw(1_000, 11.0, 11.0)
    clock.saw(1_000, 11.0 + CUT_SECONDS, 11.0 + CUT_SECONDS)
    assert clock.take_cut() is None
    clock.saw(5_000, 15.0, 15.0)
    clock.saw(5_020, 15.0, 15.25)
    assert clock.unheard(13.0, 15.5) == (13.0, 15.5)
    assert clock.unheard(11.0, 12.0) is None
    clock.saw(9_000, 19.0, 19.0)
    assert clock.take_cut() == 11.0 + CUT_SECONDS
    assert clock.take_cut() is None
    assert clock.unheard(15.5, 20.0) == (15.5, 20.0)


async def test_ticks_carry_the_end_of_a_cut_that_others_heard() -> None:
    """A tick that fails after it takes nothing away (T6)."""
    clocks = [PartitionClock() for _ in range(PARTITIONS)]
    for moment in (11.0, 15.0):
        clocks[7].saw(round(moment * 1000), moment, moment)

    class Store:
        def submit_tick(self, partition: int, **_: object) -> "asyncio.Future[Tick]":
            future = asyncio.get_running_loop().create_future()
            if partition == 7:
                future.set_exception(StoreUnavailable("away"))
            else:
                future.set_result(Tick(partition, 0, ()))
            return future

        def take_cuts(self) -> dict[int, float]:
            found = {number: clock.take_cut() for number, clock in enumerate(clocks)}
            return {number: since for number, since in found.items() if since is not None}

    ticks = Ticks("p", cast("MatchStore", Store()))
    await ticks.answered()
    await asyncio.sleep(0)
    struck = ticks.take()
    assert struck.cuts == {7: 11.0}
    assert list(struck.failures) == [7]
    assert ticks.take().cuts == {}


class Giving:
    """What a server has at hand and gives, and parts of a store that are away."""

    def __init__(self, *tables: Table, place: Place) -> None:
        self.tables = tables
        self.place = place
        self.away = set[Any]()
        self.given: list[tuple[Table, int, int]] = []

    def read_along(self) -> list[Table]:
        return list(self.tables)

    async def catch_up(self, tables: list[Table]) -> None:
        if self.away & set(tables):
            raise StoreUnavailable("away")

    async def whereabouts(self, bots: list[str]) -> list[Whereabouts]:
        if self.away & set(bots):
            raise StoreUnavailable("away")
        return [cast("Whereabouts", SimpleNamespace(place=self.place)) for _ in bots]

    async def make_good_cut(self, table: Table, lost_ms: int, since_ms: int) -> None:
        self.given.append((table, lost_ms, since_ms))


class Here:
    """A stream of one bot that came at a moment."""

    def __init__(self, bot_id: str, since: float) -> None:
        self.bot_id, self.since = bot_id, since

    def touch(self, table: Table) -> None:
        pass

    def since_of(self, bot_id: str) -> float | None:
        return self.since if bot_id == self.bot_id else None


def reads_along(table: Table, since: float) -> str:
    """Let the bot that is asked read along since a moment; return it."""
    asked = table.match.asked
    assert asked is not None
    bot_id = table.match.meta.seats[asked.seat].bot_id
    table.readers.add(Here(bot_id, since))
    return bot_id


def cuts_of(fake: Giving) -> Cuts:
    """Return what gives for the process `p`."""
    return Cuts("p", cast("Any", fake), cast("Any", fake), cast("Any", fake))


async def make_good(cuts: Cuts, ended: dict[int, float]) -> None:
    """Note cuts that have ended, and give what was lost by all that were noted."""
    cuts.note(ended)
    await cuts.make_good()


@pytest.mark.parametrize("process", ["p", "another"])
async def test_a_cut_that_outlasts_the_claim_to_a_stream_is_made_good(
    cut_off: Table, process: str
) -> None:
    """A bot that still reads along here is here, though the store has taken the process for gone (T6)."""
    reads_along(cut_off, ZERO)
    fake = Giving(cut_off, place=Dropped(process))
    await make_good(cuts_of(fake), {partition_of(cut_off.match.meta.match_id): 99.5})
    assert len(fake.given) == (1 if process == "p" else 0)


PART = "the part of the match"
BOT = "that of the bot"


@pytest.mark.parametrize("away", [PART, BOT])
async def test_a_cut_is_made_good_when_all_is_back(cut_off: Table, away: str) -> None:
    """Two masters come back one after the other (T6)."""
    bot_id = reads_along(cut_off, ZERO)
    fake = Giving(cut_off, place=Streaming("p"))
    cuts = cuts_of(fake)
    fake.away = {cut_off if away == PART else bot_id}
    await make_good(cuts, {partition_of(cut_off.match.meta.match_id): 99.5})
    await make_good(cuts, {})
    assert fake.given == []
    fake.away = set()
    await make_good(cuts, {})
    await make_good(cuts, {})
    assert fake.given == [(cut_off, 3_000, ASKED_MS)]


@pytest.mark.parametrize(
    ("place", "since", "given"),
    [
        (Streaming("p"), ZERO, 3_000),
        (Polling("p"), 102.0, 1_000),
        (Streaming("p"), 102.0 + 0.5, 0),
        (Streaming("q"), ZERO, 0),
        (Polling(None), ZERO, 0),
    ],
    ids=["streams", "polls since", "came after it", "elsewhere", "was answered"],
)
async def test_who_is_here_is_given_what_it_lost_here(
    cut_off: Table, place: Place, since: float, given: int
) -> None:
    """Neither a bot at another server nor the time before it came is ours (T6, T40)."""
    reads_along(cut_off, since)
    fake = Giving(cut_off, place=place)
    await make_good(cuts_of(fake), {partition_of(cut_off.match.meta.match_id): 99.5})
    assert [ms for _, ms, _ in fake.given] == ([given] if given else [])


@pytest.mark.parametrize("short_ms", [0, 1], ids=["enough", "too little"])
async def test_what_is_known_at_once_is_not_made_good(
    table: Table, attention: Attention, local: Local, short_ms: int
) -> None:
    """The end of a cut is found by the next tick, and a decision that was asked then is nobody's loss."""
    entries = started(table.match.copy())
    listen(attention, local, ASKED + (LEAST_MS - short_ms) / 1000)
    sees(table, local)
    heard(table, entries)
    reads_along(table, ZERO)
    fake = Giving(table, place=Streaming("p"))
    await make_good(cuts_of(fake), {partition_of(table.match.meta.match_id): ZERO})
    assert len(fake.given) == (0 if short_ms else 1)


async def test_what_is_not_sure_yet_is_given_when_it_is(
    table: Table, attention: Attention, local: Local
) -> None:
    """The time that ends a cut may be an old one, which was long on its way."""
    entries = started(table.match.copy())
    listen(attention, local, 103.0)
    table.partition.saw(ASKED_MS, 100.0, 103.0)
    heard(table, entries)
    reads_along(table, ZERO)
    fake = Giving(table, place=Streaming("p"))
    cuts = cuts_of(fake)
    await make_good(cuts, {partition_of(table.match.meta.match_id): ZERO})
    assert fake.given == []
    listen(attention, local, 103.5)
    sees(table, local)
    await make_good(cuts, {})
    await make_good(cuts, {})
    assert fake.given == [(table, 3_000, ASKED_MS)]
