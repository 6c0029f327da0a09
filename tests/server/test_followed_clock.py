"""How old a decision is for a server: as old as for the store, however and whenever it heard of it."""

import pytest

from shoal.match import Asks, Entry, EntryKind, LoggedEntry, Match, replay
from shoal.server.hub.age import credits_in
from shoal.server.hub.attention import DEAF_SECONDS, TICK_SECONDS, Attention
from shoal.server.hub.table import Table
from shoal.server.store.partition_clock import PartitionClock
from tests.server.matches import log_entry, new_match

ASKED_MS = 1_500
"""When the first decision is asked in partition time, which is the local time but for `ZERO`."""

ZERO = 98.5


class Local:
    """A clock of the tests, in seconds."""

    def __init__(self) -> None:
        self.now = ZERO

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def local() -> Local:
    """The local clock; partition time begins with it."""
    return Local()


@pytest.fixture
def attention(local: Local) -> Attention:
    """A clock of the process, which listens until the tests let it be."""
    return Attention(local)


@pytest.fixture
def table(local: Local, attention: Attention) -> Table:
    """A match that waits for its seats, as it was read from the store."""
    partition = PartitionClock()
    partition.saw(0, local.now, local.now)
    return Table(new_match(2, seed=1), partition, attention)


def listen(attention: Attention, local: Local, until: float) -> None:
    """Let the process listen until a moment."""
    while local.now < until:
        local.now = min(until, local.now + DEAF_SECONDS / 2)
        attention.listen()


def heard(table: Table, entries: list[LoggedEntry]) -> None:
    """Let a table hear late of what was committed elsewhere."""
    later = table.match.copy()
    table.follow(later, replay(later, entries))


def started(match: Match) -> list[LoggedEntry]:
    """Take a match to its first decision; return what led to it."""
    ready = [Entry(EntryKind.READY, seat, "") for seat in range(match.version, 2)]
    return [log_entry(match, entry, ASKED_MS, 0) for entry in ready]


def one_ready(table: Table) -> Match:
    """Let a table hear of all but the last step to the first decision; return its match, to make that."""
    match = table.match.copy()
    ready = log_entry(match, Entry(EntryKind.READY, 0, ""), 0, 0)
    heard(table, [ready])
    return match


def credited(table: Table, ms: int, at_ms: int, *, ours: bool = True, known: bool = True) -> None:
    """Give what is open some time, noted at a partition time; by this process or another one."""
    match = table.match.copy()
    entry = log_entry(match, Entry(EntryKind.CREDIT, value=ms), at_ms, 0)
    given = credits_in([entry]) if known else []
    if ours:
        table.advance(match, [], Asks.LONGER, first=True, given=given)
    else:
        table.follow(match, [(match.version, [])], given)


def test_a_decision_that_was_heard_of_late_is_as_old_as_it_is(
    table: Table, attention: Attention, local: Local
) -> None:
    """Else a move through a server that was behind would have thought for no time (T40, T45)."""
    entries = started(table.match.copy())
    listen(attention, local, 200.0)
    heard(table, entries)
    assert table.match.decision_id != ""
    assert table.at_hand_ms(150.0) == 50_000
    assert table.open_ms() == 100_000
    assert table.remaining_ms() == 0


@pytest.mark.parametrize("first", [True, False], ids=["ours", "theirs"])
@pytest.mark.parametrize("put", [True, False], ids=["asked here", "asked elsewhere"])
def test_only_who_has_asked_first_and_here_counts_from_when_it_could(
    table: Table, attention: Attention, local: Local, *, first: bool, put: bool
) -> None:
    """A repetition of what was made long ago makes nothing younger, nor does a late answer of the store."""
    match = one_ready(table)
    started(match)
    listen(attention, local, 104.0)
    table.advance(match, [], Asks.NEW, first=first)
    if put:
        table.put(ZERO)
    assert table.at_hand_ms(105.0) == (1_000 if first and put else 5_000)


def test_what_is_asked_next_is_asked_by_somebody_else(
    table: Table, attention: Attention, local: Local
) -> None:
    """That one decision was asked and put here is nothing for the next one."""
    match = one_ready(table)
    started(match)
    table.advance(match.copy(), [], Asks.NEW, first=True)
    table.put(ZERO)
    asked = match.asked
    assert asked is not None
    move = Entry(EntryKind.DEFAULT, asked.seat, asked.default.code, match.decision_id)
    entry = log_entry(match, move, ASKED_MS + 1_000, 1_000)
    listen(attention, local, 105.0)
    heard(table, [entry])
    assert table.at_hand_ms(105.0) == 4_000


@pytest.mark.parametrize(
    ("since", "free"),
    [
        pytest.param(None, 0, id="asked elsewhere"),
        pytest.param(99.0, 5 - TICK_SECONDS, id="here before"),
        pytest.param(104.0, 2, id="here since the middle of it"),
        pytest.param(106.0, 0, id="here after it"),
    ],
)
def test_what_passes_while_we_do_not_listen_is_free_for_who_is_here(
    table: Table, attention: Attention, local: Local, since: float | None, free: float
) -> None:
    """A bot that was asked elsewhere, or came after that, could be heard elsewhere, or was not kept (T44)."""
    heard(table, started(table.match.copy()))
    listen(attention, local, 101.0)
    local.now = 106.0
    attention.listen()
    listen(attention, local, 108.0)
    if since is not None:
        table.put(since)
    assert table.at_hand_ms(108.0) == pytest.approx(8_000 - 1_000 * free, abs=1)


def test_what_passed_before_the_question_is_nothing_of_it(table: Table, local: Local) -> None:
    """A process that stood still earlier makes no decision younger than it is."""
    local.now = ZERO - 50
    late = Attention(local)
    local.now = ZERO
    late.listen()
    table = Table(table.match, table.partition, late)
    heard(table, started(table.match.copy()))
    table.put(ZERO - 60)
    listen(late, local, 103.0)
    assert table.at_hand_ms(103.0) == 3_000


def test_a_partition_clock_takes_no_late_answer_for_the_time() -> None:
    """It is never later than what the fastest answer says, and follows an outage when the store answers."""
    clock = PartitionClock()
    clock.saw(1_000, 11.0, 19.0)
    assert clock.moment(1_000) == 11.0
    clock.saw(2_000, 12.3, 12.4)
    assert clock.moment(2_000) == pytest.approx(12.3)
    clock.saw(3_000, 13.0, 99.0)
    assert clock.moment(3_000) == pytest.approx(13.3)
    clock.saw(4_000, 44.0, 44.1)
    assert clock.moment(4_000) == pytest.approx(44.0)
    clock.saw(6_000, 45.0, 45.1)
    assert clock.moment(6_000) == pytest.approx(45.1)
