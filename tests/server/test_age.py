"""What is excused is taken off once, whatever excuses it: credits, late answers, cuts, standstills (T6, T44).

On a clock of the tests, without any margin.
"""

import pytest

from shoal.match import Asks
from shoal.server.hub.attention import TICK_SECONDS, Attention
from shoal.server.hub.table import Table
from shoal.server.store.partition_clock import StoodStill
from tests.server.test_followed_clock import (
    ASKED_MS,
    ZERO,
    Local,
    attention,
    credited,
    heard,
    listen,
    local,
    one_ready,
    started,
    table,
    tick,
)

__all__ = ["attention", "local", "table"]

ASKED = ZERO + ASKED_MS / 1000


def sees(table: Table, local: Local, asked: float | None = None) -> None:
    """Let the clock of a table's partition be seen now, asked for now or earlier."""
    now_ms = round((local.now - ZERO) * 1000)
    table.partition.saw(now_ms, local.now if asked is None else asked, local.now)


@pytest.fixture
def told_late(table: Table, attention: Attention, local: Local) -> Table:
    """A table whose first decision this process asked at 100.0, and heard of at 102.0, as of all else."""
    match = one_ready(table)
    started(match)
    listen(attention, local, 102.0)
    sees(table, local)
    table.advance(match, [], Asks.NEW, first=True)
    table.put(ZERO)
    return table


@pytest.fixture
def cut_off(table: Table, attention: Attention, local: Local) -> Table:
    """A table whose first decision was asked elsewhere at 100.0 in a cut, and is known since 103.0."""
    listen(attention, local, 99.5)
    sees(table, local)
    listen(attention, local, 102.5)
    sees(table, local)
    listen(attention, local, 103.0)
    heard(table, started(table.match.copy()))
    return table


def test_a_credit_for_a_late_answer_changes_nothing(told_late: Table) -> None:
    """What passed before the bot could be told is left out already, and was given for that alone (T6)."""
    assert told_late.at_hand_ms(103.0) == 1_000
    found = told_late.age.lost(ZERO, ZERO)
    assert found == (ASKED, 2_000, 2_000)
    credited(told_late, 2_000, 3_500)
    assert told_late.at_hand_ms(103.0) == 1_000
    assert told_late.match.asked_ms == ASKED_MS + 2_000


def test_a_credit_that_is_noted_later_than_it_is_for_changes_nothing_either(
    told_late: Table,
) -> None:
    """The way to the store takes time, which is the bot's."""
    credited(told_late, 1_500, 3_750)
    assert told_late.at_hand_ms(103.0) == 1_000


def test_a_credit_for_a_cut_changes_nothing(cut_off: Table) -> None:
    """It is as if the decision had been asked when it was known; reading it takes time too (T6)."""
    cut_off.put(ZERO)
    assert cut_off.at_hand_ms(104.0) == 1_000
    assert cut_off.age.lost(ZERO, ZERO) == (ASKED, 3_000, 3_000)
    credited(cut_off, 3_000, 4_500)
    assert cut_off.at_hand_ms(104.0) == 1_000


@pytest.mark.parametrize("ours", [True, False], ids=["given here", "given elsewhere"])
def test_a_credit_for_a_standstill_is_not_taken_off_twice(
    table: Table, attention: Attention, local: Local, *, ours: bool
) -> None:
    """A bot that comes back elsewhere and answers here has thought before it all the same (T40, T44)."""
    heard(table, started(table.match.copy()))
    table.put(ZERO)
    listen(attention, local, 104.0 - TICK_SECONDS)
    local.now = 109.0
    attention.listen()
    assert table.at_hand_ms(110.0) == 5_000
    credited(table, 3_000, 9_500, ours=ours)  # up to 108.0
    assert table.at_hand_ms(110.0) == 5_000


def test_a_cut_that_has_ended_counts_before_it_is_heard_what_time_it_is(
    table: Table, attention: Attention, local: Local
) -> None:
    """A bell, or a reconnection, tells the bot sooner than the next tick does (T6)."""
    sees(table, local)
    entries = started(table.match.copy())
    listen(attention, local, 104.0)
    heard(table, entries)
    table.put(ZERO)
    listen(attention, local, 104.5)
    assert table.at_hand_ms(104.5) == 500
    sees(table, local)
    assert table.at_hand_ms(104.5) == 500


def test_no_more_time_is_told_than_the_store_leaves(
    table: Table, attention: Attention, local: Local
) -> None:
    """Short standstills are charged to nobody, and move no deadline: many of them come to something (T53)."""
    heard(table, started(table.match.copy()))
    table.put(ZERO)
    for _ in range(5):
        tick(table, attention, local, local.now + 1.0)
        local.now += 0.8
        attention.listen()
        sees(table, local)
    passed_ms = round((local.now - ASKED) * 1000)
    assert table.at_hand_ms(local.now) < passed_ms - 5 * 600
    assert table.remaining_ms() == table.match.limit_ms - passed_ms


def test_what_is_about_to_be_given_is_told_as_given(cut_off: Table, local: Local) -> None:
    """The deadline moves within a second."""
    cut_off.put(ZERO)
    local.now = 103.0
    assert cut_off.remaining_ms() == cut_off.match.limit_ms
    credited(cut_off, 3_000, 4_500)
    assert cut_off.remaining_ms() == cut_off.match.limit_ms


def test_an_answer_that_was_late_excuses_only_who_waited_for_it(
    table: Table, attention: Attention, local: Local
) -> None:
    """Whoever came after it has heard of the question elsewhere (T40)."""
    match = one_ready(table)
    started(match)
    tick(table, attention, local, 102.0)
    table.advance(match, [], Asks.NEW, first=True)
    tick(table, attention, local, 103.0)
    table.put(103.0)
    tick(table, attention, local, 105.0)
    assert table.at_hand_ms(105.0) == 5_000


@pytest.mark.parametrize("ours", [True, False], ids=["ours too", "that of others alone"])
def test_a_standstill_of_all_servers_is_taken_off_once(
    table: Table, attention: Attention, local: Local, *, ours: bool
) -> None:
    """The store leaves out a time in which nobody asked for it; for us it is a gap as well (T6, T44)."""
    heard(table, started(table.match.copy()))
    table.put(ZERO)
    listen(attention, local, 104.0)
    sees(table, local)
    if ours:
        local.now = 108.0
        attention.listen()
    else:
        listen(attention, local, 108.0)
    at_ms = round((104.0 - ZERO) * 1000)
    table.partition.saw(at_ms, 108.0, 108.0, StoodStill(4_000, at_ms))
    listen(attention, local, 110.0)
    assert table.at_hand_ms(110.0) == 6_000
    assert table.age_ms() == 6_000


def test_a_credit_for_something_else_is_taken_off_too(
    table: Table, attention: Attention, local: Local
) -> None:
    """A cut at another server and a standstill of this one are two."""
    heard(table, started(table.match.copy()))
    table.put(ZERO)
    listen(attention, local, 106.0 - TICK_SECONDS)
    credited(table, 2_000, 4_500, ours=False)
    local.now = 109.0
    attention.listen()
    assert table.at_hand_ms(112.0) == 12_000 - 2_000 - 3_000


def test_a_credit_is_taken_off_for_who_was_not_asked_here(cut_off: Table) -> None:
    """Of that nothing is known but what the store says."""
    credited(cut_off, 1_000, 4_500)
    assert cut_off.at_hand_ms(104.0) == 3_000


def test_what_is_given_ahead_is_taken_off_as_in_the_store(cut_off: Table) -> None:
    """A deadline that was moved is told as it is."""
    credited(cut_off, 3_000, 2_000)
    cut_off.put(ZERO)
    credited(cut_off, 3_000, 4_500)
    assert cut_off.match.asked_ms == ASKED_MS + 6_000
    assert cut_off.at_hand_ms(107.0) == 1_000


def test_what_was_given_before_the_table_was_read_is_not_taken_off_twice(
    table: Table, attention: Attention, local: Local
) -> None:
    """Nobody knows when it was: it may have been for the gap that this process had before."""
    heard(table, started(table.match.copy()))
    tick(table, attention, local, 104.0 - TICK_SECONDS)
    local.now = 105.0
    attention.listen()
    sees(table, local)
    credited(table, 500, 9_000, known=False)
    tick(table, attention, local, 110.0 - TICK_SECONDS)
    again = Table(table.match, table.partition, attention)
    again.put(ZERO)
    assert again.at_hand_ms(110.0) == 10_000 - 1_000
    local.now = 111.0
    attention.listen()
    assert again.at_hand_ms(113.0) == 13_000 - 1_000 - 1_000


def test_a_cut_is_lost_by_who_is_here_only_from_then_on(cut_off: Table) -> None:
    """A bot that came in the middle of it was not kept from anything before (T40)."""
    assert cut_off.age.lost(101.0, ZERO) == (101.0, 2_000, 2_000)
    assert cut_off.age.lost(102.5, ZERO) is None


def test_an_earlier_cut_is_nothing_of_the_one_that_ended(
    cut_off: Table, attention: Attention, local: Local
) -> None:
    """Whoever comes to a server with many cuts is given none of those before (T40)."""
    listen(attention, local, 105.0)
    sees(cut_off, local)
    assert cut_off.age.lost(ZERO, 103.0) is None
    assert cut_off.partition.take_cut() == 99.5


def test_what_was_told_before_a_cut_is_not_lost(
    table: Table, attention: Attention, local: Local
) -> None:
    """The bot has thought since then (T40)."""
    heard(table, started(table.match.copy()))
    table.put(ZERO)
    listen(attention, local, 105.0)
    sees(table, local)
    assert table.age.lost(ZERO, ZERO) is None
    assert table.at_hand_ms(105.0) == 5_000


def test_an_outage_in_which_the_store_stood_still_is_not_given(
    table: Table, attention: Attention, local: Local
) -> None:
    """The tick that ends it may have been asked before it: only what the store counted is sure."""
    entries = started(table.match.copy())
    listen(attention, local, 110.5)
    table.partition.saw(ASKED_MS + 125, 100.25, 110.5)
    heard(table, entries)
    assert table.age.lost(ZERO, ZERO) == (100.125, 10_375, 125)
    table.partition.saw(ASKED_MS + 625, 111.0, 111.0)
    found = table.age.lost(ZERO, ZERO)
    assert found is not None
    assert found.counted_ms == 125
