"""A server that hears late of a decision does not make it younger than it is."""

from shoal.match import Entry, EntryKind, replay
from shoal.server.hub.attention import Attention
from shoal.server.hub.table import Table
from tests.server.matches import log_entry, new_match


def test_a_decision_that_was_heard_of_late_is_as_old_as_it_is() -> None:
    """Else a move through a server that was behind would have thought for no time (T40, T45)."""
    match = new_match(2, seed=1)
    match.asked_ms = 1_000
    now = 200.0
    table = Table(match.copy(), 100.0, Attention(lambda: now))
    ready = [Entry(EntryKind.READY, seat, "") for seat in range(2)]
    entries = [log_entry(match, entry, 1_500 + number, 0) for number, entry in enumerate(ready)]
    later = table.match.copy()
    table.follow(later, replay(later, entries))
    assert table.match.decision_id == match.decision_id != ""
    assert table.asked_at == 100.501
    assert table.open_ms() == 99_499
    assert table.remaining_ms() == 0
