"""A record as lines for people: a turn a line."""

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias, final

from shoal.cli.ending import GONE, SILENT, ending_lines, left_words, no_show_words
from shoal.cli.game.telling import deed
from shoal.engine import Event, RoundStarted, TurnEnded
from shoal.match import EntryKind
from shoal.record import LogEntry, Record, cut

See: TypeAlias = Callable[[Event], Event]
"""What a reader sees of an event."""


@final
class _Act(NamedTuple):
    """One thing that a seat did, or that happened to all where `seat` is None; `last` ends its line."""

    at_ms: int
    seat: int | None
    text: str
    last: bool


def everything(event: Event) -> Event:
    """See all that happened."""
    return event


def head_lines(record: Record) -> Iterator[str]:
    """Yield what the match was and how it ended."""
    ending = record.result.termination.value.replace("_", " ")
    yield f"match {cut(record.match_id)}: {record.ruleset.name}, finished ({ending})"
    for seat, (player, got) in enumerate(zip(record.seats, record.result.seats, strict=False)):
        place = f"place {got.placement}, {got.total} points" if got.placement else "no place"
        left = f", {left_words(got.left.value)}" if got.left else ""
        yield f"  seat {seat}  {cut(player.name)} ({place}{left})"
    yield from ending_lines(record)


def turn_lines(record: Record, see: See = everything) -> Iterator[str]:
    """Yield the match turn by turn: seconds since its first entry, who, and what was seen of it.

    What a seat does goes on one line until another seat acts or the turn ends; so events that nobody
    has thought of yet find their place too.
    """
    begin = record.entries[0].at_ms if record.entries else 0
    turn: list[_Act] = []
    for act in _acts(record, see):
        if turn and (turn[-1].last or turn[-1].seat != act.seat):
            yield _line(turn, begin)
            turn = []
        if act.seat is None:
            yield act.text
        else:
            turn.append(act)
    if turn:
        yield _line(turn, begin)


def _line(turn: list[_Act], begin_ms: int) -> str:
    """Return the line of one seat's acts."""
    seconds = (turn[-1].at_ms - begin_ms) / 1000
    return f"{seconds:9.2f} s  seat {turn[0].seat}  {'; '.join(act.text for act in turn)}"


def _acts(record: Record, see: See) -> Iterator[_Act]:
    """Yield everything that was done, one after another."""
    for entry in record.entries:
        yield from _beside_the_game(record, entry)
        silent = _SILENT.get(entry.kind, "")
        for event in entry.events:
            if isinstance(event, RoundStarted):
                yield _Act(entry.at_ms, None, "", last=True)
            seat, text = deed(see(event))
            if seat is None:
                yield _Act(entry.at_ms, None, text, last=True)
            else:
                yield _Act(entry.at_ms, seat, f"{silent}{text}", isinstance(event, TurnEnded))
            silent = ""


_SILENT = {EntryKind.DEFAULT: f"{SILENT}: ", EntryKind.ABANDON: f"{GONE}: "}


def _beside_the_game(record: Record, entry: LogEntry) -> Iterator[_Act]:
    """Yield what an entry was that answered no question."""
    match entry.kind:
        case EntryKind.MOVE | EntryKind.DEFAULT | EntryKind.ABANDON:
            pass
        case EntryKind.ILLEGAL:
            text = f"gives an answer that is no option ({entry.refused})"
            yield _Act(entry.at_ms, entry.seat, text, last=False)
        case EntryKind.CREDIT:
            text = f"{entry.credit_ms / 1000:.2f} s are given, since the server was away"
            yield _Act(entry.at_ms, None, text, last=True)
        case EntryKind.ABORT:
            yield _Act(entry.at_ms, None, "an organizer ends the match", last=True)
        case EntryKind.READY:
            yield _Act(entry.at_ms, entry.seat, "is ready", last=True)
        case EntryKind.RESIGN:
            yield _Act(entry.at_ms, entry.seat, "resigns", last=False)
        case EntryKind.NO_SHOW:
            yield _Act(entry.at_ms, None, no_show_words(record), last=True)
        case EntryKind.VOID:
            why = f": {record.result.void.value}" if record.result.void else ""
            yield _Act(entry.at_ms, None, f"the match is void{why}", last=True)
