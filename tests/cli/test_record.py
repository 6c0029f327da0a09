"""A server's message of a match becomes a record, with all its claims, true or not."""

from collections.abc import Callable
from itertools import count
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.cli.record import record_of
from shoal.client import pb
from shoal.record import BadRecord, from_json, to_json, verify
from shoal.v1 import match_service_pb2
from shoal.wire.matches import record_message
from tests.server.matches import new_match, random_log


def message_of(seats: int, seed: int) -> pb.MatchRecord:
    """What a server says of a random match."""
    match = new_match(seats, seed)
    log = list(random_log(match, Random(seed)))
    return record_message(match, log)


def long_message() -> pb.MatchRecord:
    """What a server says of a match that got somewhere."""
    messages = (message_of(2, seed) for seed in count())
    return next(message for message in messages if len(message.entries) > 20)


@settings(max_examples=15, deadline=None)
@given(seats=st.integers(2, 4), seed=st.integers(0, 2**32))
def test_what_a_server_says_of_a_match_is_sound(seats: int, seed: int) -> None:
    """Server and record agree on hashes, decisions, who left with what, and the result."""
    record = record_of(message_of(seats, seed))
    assert verify(record) == []
    assert from_json(to_json(record)) == record


def other_seed(message: pb.MatchRecord) -> None:
    message.match.seed_commitment = bytes(32)


def other_name(message: pb.MatchRecord) -> None:
    message.match.seats[0].bot_name = "somebody"


def other_time(message: pb.MatchRecord) -> None:
    message.entries[4].think_ms += 1


def other_hash(message: pb.MatchRecord) -> None:
    message.entries[4].rev = "0" * 40


def no_hash(message: pb.MatchRecord) -> None:
    message.entries[4].rev = ""


def other_decision(message: pb.MatchRecord) -> None:
    message.entries[4].decision_id = "1.000000000000"


def other_version(message: pb.MatchRecord) -> None:
    message.entries[4].version = 7


def other_leaving(message: pb.MatchRecord) -> None:
    message.entries[4].left = True


def other_total(message: pb.MatchRecord) -> None:
    message.match.result.seats[0].total += 1


def other_server(message: pb.MatchRecord) -> None:
    message.server_version = "6.6.6"


def other_ready_time(message: pb.MatchRecord) -> None:
    message.ready_ms += 1


@pytest.mark.parametrize(
    ("spoil", "path"),
    [
        (other_seed, "commitment"),
        (other_name, "entries[0].rev"),
        (other_server, "entries[0].rev"),
        (other_ready_time, "entries[0].rev"),
        (other_time, "entries[4].rev"),
        (other_hash, "entries[4].rev"),
        (no_hash, "entries[4].rev"),
        (other_decision, "entries[4].rev"),
        (other_version, "entries[4].version"),
        (other_leaving, "entries[4].left"),
        (other_total, "result.seats[0].total"),
    ],
)
def test_what_a_server_says_otherwise_is_found(
    spoil: Callable[[pb.MatchRecord], None], path: str
) -> None:
    """The record keeps what the message says, so that it can be compared with what it leads to."""
    message = long_message()
    spoil(message)
    assert verify(record_of(message))[0].path == path


def later_format(message: pb.MatchRecord) -> None:
    message.format = 2


def no_end(message: pb.MatchRecord) -> None:
    del message.entries[-1]


def illegal(message: pb.MatchRecord) -> None:
    message.entries[4].option_id = 7 << 24


def unknown_kind(message: pb.MatchRecord) -> None:
    message.entries[4].kind = match_service_pb2.LOG_ENTRY_KIND_UNSPECIFIED


def no_nonce(message: pb.MatchRecord) -> None:
    del message.nonces[:]


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (later_format, "format: 2, this version reads 1"),
        (no_end, "the match is not over"),
        (illegal, "entries[4].answer.code: 'stop', which is no option here"),
        (unknown_kind, "entries[4]: unspecified of seat"),
        (no_nonce, "entries[0]: ready of seat"),
    ],
)
def test_what_cannot_be_followed_is_refused(
    spoil: Callable[[pb.MatchRecord], None], says: str
) -> None:
    """A message that leads nowhere is no record."""
    message = long_message()
    spoil(message)
    with pytest.raises(BadRecord) as caught:
        record_of(message)
    assert says in str(caught.value)
