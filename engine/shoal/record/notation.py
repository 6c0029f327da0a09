"""A record as text, and back: what was done, a line for each entry, and for the reader what followed.

Only what was done is read. All else is made again from it and then compared, line by line, so that a
text says the same as its document and a changed one is refused.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import final

from shoal.engine import UnknownMove, format_event, parse_move
from shoal.match import Entry, EntryKind, MatchMeta, Phase, SeatMeta, TimeControl
from shoal.record.errors import BadRecord
from shoal.record.model import FORMAT, LogEntry, Record
from shoal.record.reading import told
from shoal.record.retell import Retelling

TITLE = f"shoal record {FORMAT}"

_LATER_TIMES = ("bank_ms", "increment_ms", "max_illegal", "match_ms")
"""Lines of the header that are left out where they would say 0."""

_PLAIN_WORD = re.compile(r"[\w.:@+-]+")
_ENTRY = re.compile(r" *\d+ +(\d+) ms +(\d+) ms  (.*)")
_NUMBER = re.compile(r"\d{1,15}")
_SEAT = re.compile(
    r"seat (\d)(?: ready(?:, nonce ((?:[0-9a-f]{2}){1,32}))?| (resigns)| refused (-?\d{1,10})"
    r"|( silent| gone)?: (.+))"
)
_MATCH = re.compile(r"(no show|void|aborted)|credit (\d{1,15}) ms|void ([a-z_]+)")

_SILENCES = {EntryKind.MOVE: "", EntryKind.DEFAULT: " silent", EntryKind.ABANDON: " gone"}
_OF_MATCH = {"no show": EntryKind.NO_SHOW, "void": EntryKind.VOID, "aborted": EntryKind.ABORT}
_KINDS = {said or None: kind for kind, said in _SILENCES.items()}


def to_text(record: Record) -> str:
    """Return a record as text."""
    entries = (_entry_line(record, entry) for entry in record.entries)
    return "\n".join([*_header(record), "", *entries, "", *_footer(record), ""])


def from_text(text: str) -> Record:
    """Return the record of a text; raise BadRecord, whose path is a line, unless it is one."""
    lines = text.splitlines() or [""]
    number, given = 0, _Given()
    try:
        for number, line in enumerate(lines, start=1):
            _take_line(given, number, line)
        record = given.record()
    except BadRecord as error:
        raise BadRecord(f"line {number}", str(error)) from None
    again = to_text(record).splitlines()
    for number, (said, should) in enumerate(zip(lines, again, strict=False), start=1):
        if said != should:
            raise BadRecord(f"line {number}", f"from what was played it would be: {should}")
    if len(lines) != len(again):
        raise BadRecord(f"line {min(len(lines), len(again)) + 1}", "a line too many, or missing")
    return record


def _header(record: Record) -> Iterator[str]:
    """Yield what was fixed before the match."""
    time = record.time_control
    yield TITLE
    yield f"match {_word(record.match_id)}"
    yield f"server {_word(record.server_version)}"
    yield f"created {record.created_ms}"
    yield f"ruleset {_word(record.ruleset.name)} {record.ruleset.version}"
    yield f"ladder {_word(record.ladder)}"
    yield f"rated {'yes' if record.rated else 'no'}"
    yield f"time {time.move_ms} {time.max_strikes} {time.ready_ms}"
    for name in _LATER_TIMES:
        if getattr(time, name):
            yield f"{name} {getattr(time, name)}"
    for player in record.seats:
        yield f"seat {_word(player.bot_id)} {_word(player.name)}"
    yield f"commitment {record.commitment}"
    yield f"seed {record.server_seed}"


def _entry_line(record: Record, entry: LogEntry) -> str:
    """Return an entry, and after the bar what followed from it."""
    done = f"{entry.version:4} {entry.at_ms:9} ms {entry.think_ms:6} ms  {_done(record, entry)}"
    followed = [format_event(event) for event in entry.events]
    if entry.answer is not None:
        options = "1 option" if entry.answer.options == 1 else f"{entry.answer.options} options"
        followed.insert(0, f"{entry.answer.asked.name.lower()}, {options}")
    return f"{done} | {'; '.join(followed)}" if followed else done


def _done(record: Record, entry: LogEntry) -> str:
    """Return what was done."""
    match entry.kind:
        case EntryKind.READY:
            seat = entry.seat or 0
            nonce = record.nonces[seat] if seat < len(record.nonces) else None
            return f"seat {entry.seat} ready" + (f", nonce {nonce}" if nonce else "")
        case EntryKind.MOVE | EntryKind.DEFAULT | EntryKind.ABANDON:
            silent = _SILENCES[entry.kind]
            return f"seat {entry.seat}{silent}: {entry.answer.text if entry.answer else ''}"
        case EntryKind.RESIGN:
            return f"seat {entry.seat} resigns"
        case EntryKind.ILLEGAL:
            return f"seat {entry.seat} refused {entry.refused}"
        case _:
            return _done_to_match(record, entry)


def _done_to_match(record: Record, entry: LogEntry) -> str:
    """Return what was done by no seat."""
    match entry.kind:
        case EntryKind.CREDIT:
            return f"credit {entry.credit_ms} ms"
        case EntryKind.VOID:
            return f"void {record.result.void.value}" if record.result.void else "void"
        case _:
            return next(text for text, kind in _OF_MATCH.items() if kind is entry.kind)


def _footer(record: Record) -> Iterator[str]:
    """Yield how the match ended, and the hash that covers all of it."""
    void = f" {record.result.void.value}" if record.result.void else ""
    yield f"result {record.result.termination.value}{void}"
    for seat, got in enumerate(record.result.seats):
        left = f", left: {got.left.value}" if got.left else ""
        yield f"seat {seat} place {got.placement}, {got.total} points{left}"
    yield f"rev {record.entries[-1].rev if record.entries else record.rev}"


def _word(text: str) -> str:
    """Return a text as one word: in quotes, where it is none."""
    return text if _PLAIN_WORD.fullmatch(text) else json.dumps(text)


@final
@dataclass
class _Given:
    """What a text has given up to a line: the header, then the match as far as it was played."""

    header: dict[str, list[str]] = field(default_factory=dict)
    seats: list[SeatMeta] = field(default_factory=list)
    entries: list[LogEntry] = field(default_factory=list)
    playing: Retelling | None = None

    def retelling(self) -> Retelling:
        """Return the match as it stands; raise BadRecord while the header is not whole."""
        if self.playing is None:
            self.playing = Retelling(self._meta(), bytes.fromhex(self._words("seed", 1)[0]))
        return self.playing

    def record(self) -> Record:
        """Return the record; raise BadRecord while the match is not over."""
        retelling = self.retelling()
        if retelling.match.phase is not Phase.FINISHED:
            raise BadRecord("", "the text ends, but the match is not over")
        return retelling.record(self.entries)

    def _meta(self) -> MatchMeta:
        ruleset, version = self._words("ruleset", 2)
        move_ms, max_strikes, ready_ms = map(_number, self._words("time", 3))
        [rated] = self._words("rated", 1)
        return MatchMeta(
            match_id=self._words("match", 1)[0],
            ruleset=ruleset,
            ruleset_version=_number(version),
            seats=tuple(self.seats),
            time=TimeControl(move_ms, max_strikes, ready_ms, *self._later_times()),
            ladder=self._words("ladder", 1)[0],
            rated=rated == "yes",
            created_ms=_number(self._words("created", 1)[0]),
            commitment=self._words("commitment", 1)[0],
            server_version=self._words("server", 1)[0],
        )

    def _later_times(self) -> list[int]:
        """Return the numbers of the time control that need not be there."""
        return [
            _number(self._words(name, 1)[0]) if name in self.header else 0 for name in _LATER_TIMES
        ]

    def _words(self, name: str, count: int) -> list[str]:
        """Return the words of a line of the header."""
        words = self.header.get(name, [])
        if len(words) != count:
            raise BadRecord("", f"the header has no line {name!r} with {count} words")
        return words


def _take_line(given: _Given, number: int, line: str) -> None:
    """Take what one line gives; nothing, where it is only for readers."""
    if number == 1:
        if line != TITLE:
            raise BadRecord("", f"{TITLE!r} is read here")
    elif found := _ENTRY.fullmatch(line):
        at_ms, think_ms, done = found.groups()
        entry = _read_done(done.partition(" | ")[0])
        told_entry = given.retelling().tell(entry, _number(at_ms), _number(think_ms))
        given.entries.append(told_entry)
    elif given.playing is None and line.strip():
        name, *words = _words_of(line)
        if name == "seat" and len(words) == 2:
            given.seats.append(SeatMeta(*words))
        elif name in {"commitment", "seed"} and not re.fullmatch("[0-9a-f]{64}", "".join(words)):
            raise BadRecord("", f"{name} has 64 hexadecimal digits")
        else:
            given.header[name] = words


def _read_done(text: str) -> Entry:
    """Return the entry that a text tells."""
    if told_of_match := _MATCH.fullmatch(text):
        plain, credit_ms, void = told_of_match.groups()
        if credit_ms:
            return Entry(EntryKind.CREDIT, value=int(credit_ms))
        return Entry(EntryKind.VOID, value=void) if void else Entry(_OF_MATCH[plain])
    found = _SEAT.fullmatch(text)
    if found is None:
        raise BadRecord("", f"this tells no entry: {told(text)}")
    seat, nonce, resigns, refused, silent, move = found.groups()
    if resigns:
        return Entry(EntryKind.RESIGN, int(seat))
    if refused:
        return Entry(EntryKind.ILLEGAL, int(seat), int(refused))
    if move is None:
        return Entry(EntryKind.READY, int(seat), nonce or "")
    try:
        code = parse_move(move).code
    except UnknownMove:
        raise BadRecord("", f"this is no move: {told(move)}") from None
    return Entry(_KINDS[silent], int(seat), code)


def _words_of(line: str) -> list[str]:
    """Return the words of a line, the quoted ones without their quotes."""
    words = []
    for quoted, word in re.findall(r'("(?:[^"\\]|\\.)*")|(\S+)', line):
        try:
            text = str(json.loads(quoted)) if quoted else word
            text.encode()
        except ValueError:
            raise BadRecord("", f"this is no text: {told(quoted or word)}") from None
        words.append(text)
    return words


def _number(text: str) -> int:
    """Return a number of a sane length."""
    if not _NUMBER.fullmatch(text):
        raise BadRecord("", f"this is no number: {told(text)}")
    return int(text)
