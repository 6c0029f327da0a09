"""How a match ended, in words: why a seat left, and what decided between places."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from shoal.engine import RoundEnded
from shoal.match import EntryKind, LeaveReason, Termination
from shoal.record import LogEntry, Record

_LEFT: Mapping[str, str] = {
    LeaveReason.RESIGNED.value: "left: resigned",
    LeaveReason.STRIKES.value: "left: silent too often",
    LeaveReason.NO_SHOW.value: "was not ready in time",
    LeaveReason.ILLEGAL.value: "left: too many answers that were no options",
    LeaveReason.ABANDONED.value: "left: silent too often, and not connected",
}

SILENT = "silent"
"""What stands before a default that was played for a seat."""

GONE = "gone"
"""What stands before the default with which a seat left whose bot was away."""

_MARKS = (
    (EntryKind.DEFAULT, SILENT, "no answer in time, so the default was played"),
    (EntryKind.ABANDON, GONE, "silent for the last time allowed, and its bot was not connected"),
)


def left_words(reason: str) -> str:
    """Return why a seat left, given by the name that it has in a record."""
    return _LEFT.get(reason, f"left: {reason.replace('_', ' ')}")


def no_show_words(record: Record) -> str:
    """Return which seats were not ready in time."""
    seats = [
        seat for seat, got in enumerate(record.result.seats) if got.left is LeaveReason.NO_SHOW
    ]
    verb = "was" if len(seats) == 1 else "were"
    return f"{_seats(seats)} {verb} not ready in time, so nothing was played"


def ending_lines(record: Record) -> Iterator[str]:
    """Yield what there is to explain: words that stand in the turns, and places that points do not."""
    kinds = {entry.kind for entry in record.entries}
    for kind, mark, text in _MARKS:
        if kind in kinds:
            yield f"  {mark:<7} {text}"
    for text in _reasons(record):
        yield f"  places  {text}"


def _reasons(record: Record) -> Iterator[str]:
    """Yield why the places are not simply in the order of points (rules 7)."""
    got = record.result.seats
    placed = [seat for seat, each in enumerate(got) if each.placement]
    staying = [seat for seat in placed if got[seat].left is None]
    if record.result.termination is Termination.MERMAIDS:
        first = [seat for seat in placed if got[seat].placement == 1]
        yield f"{_seats(first)} won with mermaids, whatever the points"
    if record.result.termination is Termination.TARGET:
        yield from _ties(record, staying)
    gone = [seat for seat in placed if got[seat].left is not None]
    if gone:
        order = ", the first to leave is the very last" if len(gone) > 1 else ""
        yield f"whoever left ranks last, whatever its points{order}"


def _ties(record: Record, seats: Sequence[int]) -> Iterator[str]:
    """Yield how the last round decided among those of the seats whose totals are equal."""
    got = record.result.seats
    last = _last_round(record.entries)
    if last is None:
        return
    by_place = sorted(seats, key=lambda seat: got[seat].placement)
    for total, group in groupby(by_place, key=lambda seat: got[seat].total):
        equal = list(group)
        if len(equal) == 1:
            continue
        made = ", ".join(f"seat {seat} made {last.round_points[seat]}" for seat in equal)
        text = f"{_seats(equal)} have {total} points each, so the last round decides: {made}"
        for place, sharing in groupby(equal, key=lambda seat: got[seat].placement):
            both = list(sharing)
            if len(both) > 1:
                text += f"; {_seats(both)} are equal there too, and share place {place}"
        yield text


def _last_round(entries: Sequence[LogEntry]) -> RoundEnded | None:
    """Return the end of the last round that was scored."""
    ends = [event for entry in entries for event in entry.events if isinstance(event, RoundEnded)]
    return ends[-1] if ends else None


def _seats(seats: Sequence[int]) -> str:
    """Return `seat 1`, or `seats 0, 1 and 2`."""
    if len(seats) == 1:
        return f"seat {seats[0]}"
    *others, last = map(str, sorted(seats))
    return f"seats {', '.join(others)} and {last}"
