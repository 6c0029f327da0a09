"""Clocks: what a seat was charged beyond its own thinking, and what took that time.

A bot of the kit answers at once. What it is charged beyond its own measured time, the way's leeway and the
faults of its own network was the service's, and must not cost it a decision or a seat.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, final

from shoal.match import EntryKind
from shoal.server.chaos.evidence import Case, Line
from shoal.server.chaos.findings import Finding
from shoal.server.chaos.journal import Answer, Journal
from shoal.server.chaos.timeline import Blame, Timeline

LEEWAY: Final = 1.5
"""Seconds for the way through a machine on which processes start all the time."""

STORE_GRACE: Final = 2.0
"""Seconds of an outage of the store that count as any other time: only a longer one is left out."""

MOST_UNCREDITED: Final = 3.0
"""Seconds under a fault of a server that nobody may have seen: signs of life are half a second apart, a
process is known to be dead after 1.2 s, and a bot then has to find another one."""

DEFAULTS: Final = frozenset({EntryKind.DEFAULT, EntryKind.ABANDON})


@final
class Span(NamedTuple):
    """Between which times of the kit's clock a decision was open, at the widest."""

    begin: float
    end: float


def check_clock(
    case: Case, journals: Mapping[str, Journal], answers: Mapping[str, Answer], timeline: Timeline
) -> Iterator[Finding]:
    """Look at all that the seats of a match were charged; `answers` are by decision."""
    spans = _Spans(case, journals, answers)
    for line in case.lines:
        if line.kind != EntryKind.MOVE and line.kind not in DEFAULTS:
            continue
        journal = journals.get(case.seats[line.seat])
        if journal is None:
            continue
        answer = answers.get(line.decision_id)
        own = 0.0
        if answer is not None and answer.sent is not None:
            own = answer.sent - answer.seen
        excess = line.think_ms / 1000 - own - LEEWAY
        if line.kind == EntryKind.MOVE and excess <= 0:
            continue  # nearly all: to look up who was touched when takes long
        span = spans.of(line)
        seconds = timeline.seconds(Blame.NETWORK, journal.bot, *span)
        excess -= seconds
        where = f"{case.match_id} {line.decision_id} of {journal.bot}: charged {line.think_ms} ms"
        if excess > 0:
            what = f"{where}, own {own:.3f} s, network {seconds:.3f} s"
            who_and_when = (journal.bot, *span)
            costly = line.kind in DEFAULTS
            yield judge(what, excess, seconds, who_and_when, timeline, costly=costly)
        elif line.kind in DEFAULTS:
            yield Finding("charged_to_network", where)


def judge(
    what: str,
    excess: float,
    network: float,
    who_and_when: tuple[str, float, float],
    timeline: Timeline,
    *,
    costly: bool,
) -> Finding:
    """Return what a charge is of which so many seconds were not the bot's doing.

    Its own network took so long beside that. It was `costly` if the bot has lost its decision or its seat.
    """
    server = timeline.kinds(Blame.SERVER, *who_and_when)
    store = timeline.kinds(Blame.STORE, *who_and_when)
    what = f"{what}, meanwhile {server + store}"
    most = (MOST_UNCREDITED if server else 0.0) + STORE_GRACE * len(store)
    if excess > most or (costly and network < excess):
        return Finding("charged_for_infrastructure", what)
    return Finding("charged_to_network" if costly else "uncredited", what)


@final
class _Spans:
    """When decisions of one match were open, as far as anybody knows."""

    def __init__(
        self, case: Case, journals: Mapping[str, Journal], answers: Mapping[str, Answer]
    ) -> None:
        """Gather who sent what when, and who knew of the match and of which version when."""
        self._sent: dict[int, float] = {}
        self._known: dict[int, float] = {}
        for line in case.lines:
            answer = answers.get(line.decision_id)
            if line.kind == EntryKind.MOVE and answer is not None and answer.sent is not None:
                self._sent[line.version] = answer.sent
        for decision_id, answer in answers.items():
            self._know(_version(decision_id), answer.seen)
            for ack in answer.acks:
                self._know(ack.version, ack.at)
        # The first decision may be asked long before anybody sees it.
        begun = [
            each.begun[case.match_id] for each in journals.values() if case.match_id in each.begun
        ]
        self._first = min([*begun, *self._known.values()], default=0.0)

    def of(self, line: Line) -> Span:
        """Return the span of the decision that an entry answers."""
        asked = _version(line.decision_id)
        begin = max((at for version, at in self._sent.items() if version <= asked), default=None)
        end = min(
            (at for version, at in self._known.items() if version >= line.version), default=None
        )
        return Span(self._first if begin is None else begin, float("inf") if end is None else end)

    def _know(self, version: int, at: float) -> None:
        self._known[version] = min(at, self._known.get(version, at))


def _version(decision_id: str) -> int:
    """Return the version at which a decision was asked."""
    return int(decision_id.partition(".")[0])
