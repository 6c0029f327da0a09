"""What is excused is taken off once, whatever excuses it: credits, late answers, cuts, standstills (T6, T44).

On a clock of the tests, without any margin.
"""

import pytest

from shoal.match import Asks
from shoal.server.hub.attention import TICK_SECONDS, Attention
from shoal.server.hub.table import Table
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
    assert found == ((ASKED, 102.0), 2_000)
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
    assert cut_off.age.lost(ZERO, ZERO) == ((ASKED, 103.0), 3_000)
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
    listen(attention, local, 104.0 - TICK_SECONDS)
    local.now = 107.0
    attention.listen()
    credited(table, 2_000, 9_000, known=False)
    listen(attention, local, 110.0 - TICK_SECONDS)
    again = Table(table.match, table.partition, attention)
    again.put(ZERO)
    assert again.at_hand_ms(110.0) == 10_000 - 3_000
    local.now = 112.0
    attention.listen()
    assert again.at_hand_ms(113.0) == 13_000 - 3_000 - 2_000


def test_a_cut_is_lost_by_who_is_here_only_from_then_on(cut_off: Table) -> None:
    """A bot that came in the middle of it was not kept from anything before (T40)."""
    assert cut_off.age.lost(101.0, ZERO) == ((101.0, 103.0), 2_000)
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
    assert table.age.lost(ZERO, ZERO) == ((100.125, 110.5), 125)
    table.partition.saw(ASKED_MS + 625, 111.0, 111.0)
    found = table.age.lost(ZERO, ZERO)
    assert found is not None
    assert found[1] == 125
