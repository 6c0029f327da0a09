"""A record calls everything as the wire does, whatever our classes are called."""

from enum import Enum
from typing import Any, get_args

import pytest
from google.protobuf.descriptor import Descriptor

from shoal.engine import (
    CardDrawn,
    DecisionKind,
    DrawCause,
    Ending,
    Event,
    EventCard,
    FishDrawn,
    MatchEnded,
    Result,
    RoundEnding,
)
from shoal.match import EntryKind, LeaveReason, Termination
from shoal.record.fields import made_of, values_of, word_of
from shoal.record.rows import ROWS, Cause, Row
from shoal.v1 import cards_pb2, decision_pb2, event_pb2, match_pb2, match_service_pb2

WIRE: Descriptor = event_pb2.Event.DESCRIPTOR

ONLY_IN_RECORDS = {
    (
        "duo_played",
        "target",
    ),  # there a oneof: what the effect was aimed at, as the record's moves have it
    ("match_ended", "ending"),  # there it is in the result of the match
    ("match_ended", "winners"),  # there they are who has placement 1
}


def named_there(kind: str) -> set[str]:
    """The names of the fields of a kind of event on the wire."""
    message = WIRE.fields_by_name[kind].message_type
    assert message is not None
    return {field.name for field in message.fields}


@pytest.mark.parametrize("row", ROWS.values(), ids=lambda row: row.kind)
def test_a_kind_of_event_and_its_fields_are_called_as_on_the_wire(row: Row) -> None:
    assert row.kind in {field.name for field in WIRE.oneofs_by_name["kind"].fields}
    unknown = set(row.fields) - named_there(row.kind)
    assert {(row.kind, name) for name in unknown} <= ONLY_IN_RECORDS


def test_every_kind_of_event_of_the_wire_is_in_records() -> None:
    assert {row.kind for row in ROWS.values()} == {
        field.name for field in WIRE.oneofs_by_name["kind"].fields
    }
    assert set(ROWS) == set(get_args(Event))


def test_two_classes_share_a_kind_only_where_the_fields_tell_them_apart() -> None:
    kinds = [row.kind for row in ROWS.values()]
    assert [kind for kind in kinds if kinds.count(kind) > 1] == ["cards_drawn"] * 2


@pytest.mark.parametrize(
    ("event", "values"),
    [
        (FishDrawn(1, 7), (1, Cause.FISH, (7,))),
        (CardDrawn(1, DrawCause.JELLYFISH, 7), (1, Cause.JELLYFISH, (7,))),
        (CardDrawn(1, DrawCause.DOLPHINS, 7), (1, Cause.DOLPHINS, (7,))),
        (
            MatchEnded(Result(Ending.TARGET, (1, 2), (0,), (40, 3))),
            (Ending.TARGET, (1, 2), (0,), (40, 3)),
        ),
    ],
)
def test_an_event_that_is_told_otherwise_than_its_class_reads_back(
    event: Any, values: tuple[object, ...]
) -> None:
    assert values_of(event) == values
    assert made_of(type(event), values) == event
    kind = ROWS[type(event)].kind
    last = [each for each, row in ROWS.items() if row.kind == kind][-1]
    assert made_of(last, values) == event, "whichever class a reader has found by the kind"


def test_every_cause_of_the_engine_has_a_word() -> None:
    assert {cause.value for cause in DrawCause} == {cause.value for cause in Cause} - {"fish"}


@pytest.mark.parametrize(
    ("ours", "theirs", "prefix"),
    [
        (Cause, event_pb2.DrawCause, "DRAW_CAUSE"),
        (RoundEnding, event_pb2.RoundEnding, "ROUND_ENDING"),
        (EventCard, cards_pb2.EventCard, "EVENT_CARD"),
        (Ending, match_pb2.Termination, "TERMINATION"),
        (Termination, match_pb2.Termination, "TERMINATION"),
        (LeaveReason, match_pb2.LeaveReason, "LEAVE_REASON"),
        (EntryKind, match_service_pb2.LogEntryKind, "LOG_ENTRY_KIND"),
        (DecisionKind, decision_pb2.DecisionKind, "DECISION_KIND"),
    ],
)
def test_the_words_of_a_record_are_those_of_the_wire(
    ours: type[Enum], theirs: Any, prefix: str
) -> None:
    words = {word_of(member) for member in ours} - {""}
    assert {f"{prefix}_{word.upper()}" for word in words} <= set(theirs.keys())
