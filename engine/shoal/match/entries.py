"""The log of a match: each kind of change, and its text in the store.

An entry is stored as a JSON array `[kind, seat, value, decision id, at ms, think ms, rev]`. The first
four are ours and form the prefix that `commit` is given; the store's script adds the rest.
"""

import json
from enum import StrEnum, unique
from hashlib import sha1
from typing import NamedTuple, final


@unique
class EntryKind(StrEnum):
    """What changed. The values are stored: they are never given a second meaning."""

    READY = "ready"
    MOVE = "move"
    DEFAULT = "default"
    RESIGN = "resign"
    NO_SHOW = "no_show"
    VOID = "void"
    ILLEGAL = "illegal"
    CREDIT = "credit"
    ABANDON = "abandon"
    ABORT = "abort"


DECIDING = frozenset({EntryKind.MOVE, EntryKind.DEFAULT, EntryKind.ABANDON})
"""The kinds of entries that answer a decision."""


@final
class Entry(NamedTuple):
    """One change, before it is committed.

    `seat` is -1 where no seat is concerned. `value` is the option's code of what answers a decision or
    was no legal answer, the nonce in hexadecimal of a ready, the milliseconds of a credit, the reason of
    a void, else "": a record keeps nothing else, and must be able to make the hash of the log again.
    `decision_id` names the decision that is answered, else "".
    """

    kind: EntryKind
    seat: int = -1
    value: int | str = ""
    decision_id: str = ""

    def prefix(self) -> str:
        """Return the JSON array without its closing bracket, as the commit script wants it."""
        kind, seat, value, decision_id = self
        if isinstance(value, str):
            value = f'"{value}"'
        return f'["{kind}",{seat},{value},"{decision_id}"'


@final
class LoggedEntry(NamedTuple):
    """An entry as the store keeps it.

    `at_ms` is partition time, `think_ms` what the seat was charged, `rev` the hash of the log up to here.
    """

    entry: Entry
    at_ms: int
    think_ms: int
    rev: str


def parse_entry(text: bytes) -> LoggedEntry:
    """Return the entry that is stored as `text`."""
    kind, seat, value, decision_id, at_ms, think_ms, rev = json.loads(text)
    return LoggedEntry(Entry(EntryKind(kind), seat, value, decision_id), at_ms, think_ms, rev)


def rev_of(text: bytes) -> str:
    """Return the hash of the log up to a stored entry, also where its kind is one of a later version."""
    return str(json.loads(text)[-1])


def first_rev(meta: str, secret: bytes) -> str:
    """Return the hash of an empty log: of the match's fixed part and the server's seed."""
    return _hash(meta.encode() + secret)


def rev_after(rev: str, entry: Entry, at_ms: int, think_ms: int) -> str:
    """Return the hash of the log once this entry has followed `rev`. As the commit script has it."""
    return _hash(f"{rev}{entry.prefix()},{at_ms},{think_ms}]".encode())


def follows(rev: str, text: bytes) -> bool:
    """Tell whether the stored entry continues the log whose hash is `rev`.

    Must agree with the commit script.
    """
    hashed, _, end = text.rpartition(b',"')
    after = _hash(rev.encode() + hashed + b"]")
    return end == f'{after}"]'.encode()


def _hash(data: bytes) -> str:
    """Return the SHA-1 in hexadecimal: the hash that Redis offers to scripts."""
    return sha1(data, usedforsecurity=False).hexdigest()
