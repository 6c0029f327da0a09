"""Clocks, the other way round: what a bot thought, and was not charged for.

A bot knows for how long it had a decision at least: from when it read it to when it first answered. That
much is charged, but for what our own side is known to have taken meanwhile.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from shoal.match import EntryKind
from shoal.server.chaos.evidence import Case
from shoal.server.chaos.findings import Finding
from shoal.server.chaos.journal import Answer, Journal
from shoal.server.chaos.timeline import Blame, Timeline

UNNOTICED: Final = 1.0
"""Seconds in which a server on a busy machine may not have listened, without any fault."""


def check_free_time(
    case: Case, journals: Mapping[str, Journal], answers: Mapping[str, Answer], timeline: Timeline
) -> Iterator[Finding]:
    """Look at all moves of a match; `answers` are by decision. Who thinks for less is not looked at."""
    for line in case.lines:
        answer = answers.get(line.decision_id)
        if line.kind != EntryKind.MOVE or answer is None or answer.sent is None:
            continue
        own = answer.sent - answer.seen
        free = own - line.think_ms / 1000 - UNNOTICED
        journal = journals.get(case.seats[line.seat])
        if free <= 0 or journal is None:
            continue
        span = journal.bot, answer.seen, answer.sent
        server, store = (timeline.seconds(each, *span) for each in (Blame.SERVER, Blame.STORE))
        if free > server + store:
            where = f"{case.match_id} {line.decision_id} of {journal.bot}"
            what = f"charged {line.think_ms} ms, own {own:.3f} s, servers {server:.3f} s"
            yield Finding("uncharged", f"{where}: {what}, store {store:.3f} s")
