"""What a log may not say: games that cannot be dealt here, and entries that are not legal.

`step` trusts its entries, since the server checks them before it commits. A file is not to be trusted.
"""

from shoal.engine import UnknownMove, UnknownRuleset, format_move, move_from_code, ruleset
from shoal.match import Entry, EntryKind, LeaveReason, Match, MatchMeta, Phase
from shoal.record.errors import BadRecord

DECIDING = frozenset({EntryKind.MOVE, EntryKind.DEFAULT})
"""The kinds of entries that answer a decision."""

_WITH_A_VALUE = DECIDING | {EntryKind.READY}
"""A record has no place for a value of other kinds, but the hash of the log would cover it."""

_OF_A_SEAT = DECIDING | {EntryKind.READY, EntryKind.RESIGN}


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
    if (entry.kind in _OF_A_SEAT) != (entry.seat in seats):
        raise BadRecord("seat", f"of {entry.kind.value} it is not {entry.seat}")
    if entry.kind in {EntryKind.READY, EntryKind.NO_SHOW} and match.phase is not Phase.WAITING:
        raise BadRecord("kind", f"{entry.kind.value}, but the match has begun")
    if entry.kind is EntryKind.READY and match.nonces[entry.seat] is not None:
        raise BadRecord("seat", f"{entry.seat}, which was ready before")
    if entry.kind is EntryKind.RESIGN and match.left[entry.seat] is not LeaveReason.NONE:
        raise BadRecord("seat", f"{entry.seat}, which had left before")
    if entry.value != "" and entry.kind not in _WITH_A_VALUE:
        raise BadRecord("kind", f"{entry.kind.value}, which has no value, but has {entry.value!r}")
    if entry.kind in DECIDING:
        _check_answer(match, entry)


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
    if entry.kind is EntryKind.DEFAULT and move is not asked.default:
        default = format_move(asked.default)
        raise BadRecord("answer.code", f"{format_move(move)!r}, but the default is {default!r}")
