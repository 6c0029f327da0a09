"""Replaying the record of a match, whose promises are checked first."""

import hashlib
from collections.abc import Callable

import pytest

from shoal.cli.record import BadRecord, lines_of, replay
from shoal.client import pb
from shoal.engine import TakeDeck

SEED = bytes(range(32))


def record_of(*entries: pb.LogEntry) -> pb.MatchRecord:
    """Return the record of a match of two that was dealt and then went on so."""
    ready = [pb.LogEntry(kind=pb.LOG_ENTRY_KIND_READY, seat=seat) for seat in range(2)]
    return pb.MatchRecord(
        format=1,
        match=pb.Match(
            ruleset="base",
            seats=[pb.Seat(seat=0), pb.Seat(seat=1)],
            seed_commitment=hashlib.sha256(SEED).digest(),
        ),
        server_seed=SEED,
        nonces=[b"one", b""],
        entries=[*ready, *entries],
    )


@pytest.mark.parametrize("left", [False, True])
def test_a_seat_is_out_when_the_entry_says_so(left: bool) -> None:  # noqa: FBT001
    """No strikes are counted: of two silences that look alike, the one with `left` ends the match."""
    ((_, dealt), *_) = list(replay(record_of()))[1:]
    (begun,) = dealt
    silence = pb.LogEntry(
        kind=pb.LOG_ENTRY_KIND_DEFAULT,
        seat=begun.starter,
        option_id=TakeDeck().code,
        left=left,
    )
    *_, (_, events) = replay(record_of(silence))
    kinds = [type(event).__name__ for event in events]
    assert kinds == (["Took", "SeatLeft", "MatchEnded"] if left else ["Took"])


def test_a_resignation_is_a_leaving() -> None:
    """The seat that resigned is out, and the lines say both."""
    resigned = pb.LogEntry(kind=pb.LOG_ENTRY_KIND_RESIGN, seat=1, left=True)
    lines = "\n".join(lines_of(record_of(resigned)))
    assert "seat 1 resign" in lines


def another_seed(record: pb.MatchRecord) -> None:
    """Change the seed after the commitment."""
    record.server_seed = bytes(32)


def another_format(record: pb.MatchRecord) -> None:
    """Say that the record is of a later time."""
    record.format = 2


@pytest.mark.parametrize("spoil", [another_seed, another_format])
def test_a_record_that_breaks_its_promise_is_refused(
    spoil: Callable[[pb.MatchRecord], None],
) -> None:
    """A seed that was not committed to deals nothing, nor does a format of later."""
    record = record_of()
    spoil(record)
    with pytest.raises(BadRecord):
        list(replay(record))
