"""Verifying a record: deal again, play again, and compare every value with what the record says."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import NamedTuple, final

from shoal.match import DECIDING, EntryKind, LoggedEntry, Phase
from shoal.record.chain import Link, links
from shoal.record.differences import ABSENT, Value, differences
from shoal.record.errors import BadRecord
from shoal.record.model import FORMAT, LogEntry, Record
from shoal.record.reading import told
from shoal.record.retell import Retelling, entry_of, meta_of, start_of
from shoal.record.shape import Plain
from shoal.record.writing import plain_fields

ONE_OF = "this hash was changed, or something that it covers"
COVERED_BY_FIRST = f"{ONE_OF}: the seed, or anything above but the nonces"
COVERED = (
    f"{ONE_OF}: kind, seat, its nonce, decision_id, code, refused, credit_ms, at_ms or think_ms of this "
    "entry, or the reason of a void"
)


@final
class Finding(NamedTuple):
    """A place where a record is not what it should be.

    `says` and `gives` are the two values as JSON, where it is a value that differs: the record's, and
    the one that it should be. `note` says what else is to say.
    """

    path: str
    note: str = ""
    says: str = ""
    gives: str = ""

    def __str__(self) -> str:
        """Return the finding as a line."""
        if not self.says:
            return f"{self.path}: {self.note}"
        values = f"{self.path}: the record says {self.says}, the replay gives {self.gives}"
        return f"{values} ({self.note})" if self.note else values


def verify(record: Record) -> list[Finding]:
    """Return everything in which a record is not what its own seed and log make of it.

    An empty list means that seed, deal, every entry, score and result, and the running hash agree.
    Where the log leads nowhere, what comes after was not replayed, and the last finding says so.
    """
    seed = bytes.fromhex(record.server_seed)
    chain = links(record.rev, _log(record))
    found = [*_promises(record, seed), *_breaks(record, chain)]
    try:
        retelling = Retelling(meta_of(record), seed)
        if len(record.nonces) != len(record.seats):
            raise BadRecord(
                "nonces", f"{len(record.nonces)} of them, and {len(record.seats)} seats"
            )
        for place, said in enumerate(record.entries):
            gives = _retell(retelling, record, place, chain[place].believed)
            gives = replace(gives, rev=said.rev)  # which has its own comparison
            if gives != said:
                found += _compared(f"entries[{place}]", plain_fields(said), plain_fields(gives))
        if retelling.match.phase is not Phase.FINISHED:
            raise BadRecord("entries", f"after {len(record.entries)} of them the match is not over")
        rebuilt = retelling.record(record.entries)
        found += _compared("nonces", [*record.nonces], [*rebuilt.nonces])
        found += _compared("result", plain_fields(record.result), plain_fields(rebuilt.result))
    except BadRecord as error:
        found.append(Finding(error.path, error.problem))
    return found


def _promises(record: Record, seed: bytes) -> Iterator[Finding]:
    """Find what was promised before the deal and not kept."""
    note = "this is not the seed that the server committed to before the deal"
    yield from _compared("format", record.format, FORMAT)
    yield from _compared("commitment", record.commitment, sha256(seed).hexdigest(), note)


def _breaks(record: Record, chain: Sequence[Link]) -> Iterator[Finding]:
    """Find where the running hash breaks."""
    start = start_of(meta_of(record), bytes.fromhex(record.server_seed))
    yield from _compared("rev", record.rev, start, COVERED_BY_FIRST)
    for place, (entry, link) in enumerate(zip(record.entries, chain, strict=True)):
        yield from _compared(f"entries[{place}].rev", entry.rev, link.expected, COVERED)


def _retell(retelling: Retelling, record: Record, place: int, believed: str) -> LogEntry:
    """Return an entry as it should be; raise BadRecord when it cannot be at all."""
    said = record.entries[place]
    entry = entry_of(record, said)
    if said.kind in DECIDING and said.answer is None:
        raise BadRecord(f"entries[{place}].answer", f"null, but a {said.kind.value} answers")
    if said.kind is EntryKind.READY and record.nonces[entry.seat : entry.seat + 1] == (None,):
        raise BadRecord(f"nonces[{entry.seat}]", f"null, but entries[{place}] says ready")
    try:
        return retelling.tell(entry, said.at_ms, said.think_ms, believed)
    except BadRecord as error:
        raise BadRecord(f"entries[{place}].{error.path}", error.problem) from None


def _log(record: Record) -> list[LoggedEntry]:
    """Return the log as its running hash covers it."""
    return [
        LoggedEntry(entry_of(record, said), said.at_ms, said.think_ms, said.rev)
        for said in record.entries
    ]


def _compared(path: str, said: Plain, gives: Plain, note: str = "") -> Iterator[Finding]:
    """Find where what the record says is not what it should be."""
    for where, says, should in differences(said, gives, path):
        yield Finding(where, note, _text(says), _text(should))


def _text(value: Value) -> str:
    """Return one of two values that differ."""
    return "nothing" if value is ABSENT else told(value)
