"""What a log may not say: games that cannot be dealt here, and entries that are not legal.

`step` trusts its entries, since the server checks them before it commits. A file is not to be trusted.
"""

from shoal.engine import UnknownMove, UnknownRuleset, format_move, move_from_code, ruleset
from shoal.match import (
    DECIDING,
    Entry,
    EntryKind,
    LeaveReason,
    Match,
    MatchMeta,
    Phase,
    VoidReason,
)
from shoal.record.errors import BadRecord

_WITH_A_VALUE = DECIDING | {
    EntryKind.READY,
    EntryKind.ILLEGAL,
    EntryKind.CREDIT,
    EntryKind.VOID,
}
"""A record has no place for a value of other kinds, but the hash of the log would cover it."""

_OF_A_SEAT = DECIDING | {EntryKind.READY, EntryKind.RESIGN, EntryKind.ILLEGAL}

_BY_NAME = {reason.value for reason in VoidReason}


def check_game(meta: MatchMeta) -> None:
    """Raise BadRecord unless the game is one that can be dealt here as it was there."""
    try:
        rules = ruleset(meta.ruleset)
    except UnknownRuleset as error:
        raise BadRecord("ruleset.name", str(error)) from None
    if meta.ruleset_version != rules.version:
        problem = f"{meta.ruleset_version}, but this version of shoal plays {rules.version}"
        raise BadRecord("ruleset.version", problem)
    if len(meta.seats) not in rules.targets:
        raise BadRecord("seats", f"{len(meta.seats)} of them, for which {rules.name} is not")


def check_entry(match: Match, entry: Entry) -> None:
    """Raise BadRecord, with the field that is at fault, unless the entry is legal now."""
    seats = range(len(match.meta.seats))
    if match.phase is Phase.FINISHED:
        raise BadRecord("kind", f"{entry.kind.value}, but the match is over before it")
    if entry.seat not in (seats if entry.kind in _OF_A_SEAT else (-1,)):
        raise BadRecord("seat", f"of {entry.kind.value} it is not {entry.seat}")
    if entry.kind in {EntryKind.READY, EntryKind.NO_SHOW} and match.phase is not Phase.WAITING:
        raise BadRecord("kind", f"{entry.kind.value}, but the match has begun")
    if entry.kind is EntryKind.READY and match.nonces[entry.seat] is not None:
        raise BadRecord("seat", f"{entry.seat}, which was ready before")
    if entry.kind is EntryKind.RESIGN and match.left[entry.seat] is not LeaveReason.NONE:
        raise BadRecord("seat", f"{entry.seat}, which had left before")
    if entry.kind in DECIDING:
        _check_answer(match, entry)
    elif entry.kind is EntryKind.ILLEGAL:
        _check_refused(match, entry)
    else:
        _check_value(entry)


def _check_value(entry: Entry) -> None:
    """Raise BadRecord unless the value of an entry is one that its kind can have."""
    if entry.value != "" and entry.kind not in _WITH_A_VALUE:
        raise BadRecord("kind", f"{entry.kind.value}, which has no value, but has {entry.value!r}")
    if entry.kind is EntryKind.CREDIT and not (isinstance(entry.value, int) and entry.value > 0):
        raise BadRecord("credit_ms", f"1 or more, not {entry.value}")
    if entry.kind is EntryKind.VOID and entry.value not in _BY_NAME:
        raise BadRecord("kind", f"void, and {entry.value!r} is no reason for that")


def _check_answer(match: Match, entry: Entry) -> None:
    """Raise BadRecord unless the entry answers the open decision with one of its options."""
    asked = match.asked
    if asked is None:
        raise BadRecord("kind", f"{entry.kind.value}, but nothing is asked")
    if asked.seat != entry.seat:
        raise BadRecord("seat", f"{entry.seat}, but seat {asked.seat} is asked")
    try:
        move = move_from_code(int(entry.value))
    except UnknownMove:
        raise BadRecord("answer.code", f"{entry.value}, which is no move") from None
    if move not in asked.options:
        raise BadRecord("answer.code", f"{format_move(move)!r}, which is no option here")
    if entry.kind is not EntryKind.MOVE and move is not asked.default:
        default = format_move(asked.default)
        raise BadRecord("answer.code", f"{format_move(move)!r}, but the default is {default!r}")


def _check_refused(match: Match, entry: Entry) -> None:
    """Raise BadRecord unless the entry answers the open decision with what is not among its options."""
    asked = match.asked
    if asked is None or asked.seat != entry.seat:
        raise BadRecord("seat", f"{entry.seat}, which is not asked")
    if not isinstance(entry.value, int):
        raise BadRecord("refused", "null, but an illegal answer has it")
    if any(option.code == entry.value for option in asked.options):
        raise BadRecord("refused", f"{entry.value}, which is an option here")
    if entry.value in match.refused:
        raise BadRecord("refused", f"{entry.value}, which was refused before and counts once")
