"""What a bot is given that comes to a server again, sooner than that gives a sign of life (T6, T40)."""

from typing import Any, cast

import pytest

from shoal.server.hub.attention import Attention
from shoal.server.hub.table import Table
from shoal.server.store.liveness import Signs
from shoal.server.store.whereabouts import Dropped, Place, Streaming, Whereabouts
from shoal.server.streams.comebacks import Comebacks
from tests.server.test_followed_clock import (
    Local,
    attention,
    heard,
    listen,
    local,
    started,
    table,
    tick,
)

__all__ = ["attention", "local", "table"]

BOT = 30 * "0"
SILENT_MS = 5_000


class Store:
    """Where the bot is, for how long its process has been silent, and what was given."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.given: list[int] = []

    async def whereabouts(self, _: list[str]) -> list[Whereabouts]:
        return [Whereabouts(self.place, 1)]

    async def signs(self, _: int) -> Signs:
        return Signs(100_000, {"p": SILENT_MS, "q": SILENT_MS})

    async def make_good(self, tables: list[Table], _: str, lost_ms: int) -> None:
        self.given += [lost_ms for _ in tables]


async def given(table: Table, place: Place) -> list[int]:
    """Return what the process `p` gives at a table to the bot that is asked there."""
    store = cast("Any", Store(place))
    await Comebacks("p", store, store, store).make_good(BOT, [table], supersedes=True)
    return cast("list[int]", store.given)


@pytest.mark.parametrize("place", [Streaming("p"), Dropped("p")], ids=["claimed", "ran out"])
async def test_what_it_was_told_before_the_cut_is_its_own(
    table: Table, attention: Attention, local: Local, place: Place
) -> None:
    """It could think, and answer, all the time."""
    heard(table, started(table.match.copy()))
    tick(table, attention, local, 102.0)
    listen(attention, local, 102.0 + SILENT_MS / 1000)
    assert await given(table, place) == []


async def test_what_was_asked_in_the_cut_is_given(
    table: Table, attention: Attention, local: Local
) -> None:
    """It was not told of that; no more is given than it was open, which is the other side's to see to."""
    tick(table, attention, local, 99.5)
    entries = started(table.match.copy())
    listen(attention, local, 99.5 + SILENT_MS / 1000)
    heard(table, entries)
    assert await given(table, Streaming("p")) == [SILENT_MS]


async def test_what_it_was_told_is_given_for_what_the_process_did_not_listen(
    table: Table, attention: Attention, local: Local
) -> None:
    """Its answer could not be heard: nobody knows when it came."""
    heard(table, started(table.match.copy()))
    tick(table, attention, local, 102.0)
    listen(attention, local, 104.0)
    local.now = 107.0
    attention.listen()
    (lost_ms,) = await given(table, Streaming("p"))
    assert 2_900 <= lost_ms <= 3_000


async def test_at_another_server_all_of_it_is_given(
    table: Table, attention: Attention, local: Local
) -> None:
    """Whether what it answered there was heard cannot be told here."""
    heard(table, started(table.match.copy()))
    tick(table, attention, local, 102.0)
    listen(attention, local, 102.0 + SILENT_MS / 1000)
    assert await given(table, Streaming("q")) == [SILENT_MS]
