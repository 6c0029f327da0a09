"""Laws of messages that are joined from parts: protobuf reads what it would have written itself."""

import random

import pytest
from google.protobuf.message import Message

from shoal.engine import RULESETS, apply, decision, new_match, observe, redact, ruleset
from shoal.v1 import decision_pb2, event_pb2, observation_pb2, play_service_pb2
from shoal.wire.cards import CARDS, EVENT_CARDS
from shoal.wire.events import event_bytes
from shoal.wire.observation import decision_bytes, observation_bytes
from shoal.wire.parts import cards, join, nested, number


def read_back(message: type[Message], data: bytes) -> Message:
    """Parse a message, and see that protobuf would have needed the same bytes for it.

    The order of fields may differ, their number and length not; nothing is unknown to the proto.
    """
    read = message.FromString(data)
    assert read.ByteSize() == len(data)
    unknown = message.FromString(data)
    unknown.DiscardUnknownFields()
    assert unknown == read
    return read


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("rules", RULESETS)
def test_what_is_joined_is_read_as_the_message_that_was_meant(rules: str, seats: int) -> None:
    dice = random.Random(seats)
    state = new_match(ruleset(rules), seats, b"parts")
    while (asked := decision(state)) is not None:
        for viewer in (None, *range(seats)):
            view = observe(state, viewer)
            read = read_back(observation_pb2.Observation, observation_bytes(view))
            assert isinstance(read, observation_pb2.Observation)
            assert list(read.hand) == [CARDS[card] for card in view.hand]
            assert list(read.shown) == [CARDS[card] for card in view.shown]
            assert [pile.size for pile in read.piles] == [pile.size for pile in view.piles]
            assert [pile.HasField("top") for pile in read.piles] == [
                pile.top is not None for pile in view.piles
            ]
            assert [list(pile.known) for pile in read.piles] == [
                [CARDS[card] for card in known] for known in view.pile_cards
            ]
            assert [each.total for each in read.seats] == [each.total for each in view.players]
            assert [[list(group.cards) for group in each.table] for each in read.seats] == [
                [[CARDS[card] for card in group] for group in each.table] for each in view.players
            ]
            assert [list(each.known_hand) for each in read.seats] == [
                [CARDS[card] for card in known] for known in view.known
            ]
            assert list(read.event_discards) == [EVENT_CARDS[card] for card in view.event_discards]
            assert read.HasField("shield") == (view.shield is not None)
            assert read.HasField("points") == (viewer is not None)
            assert read.HasField("pending_seat") == (view.question is not None)
            if view.question is not None:
                assert read.HasField("pending_pile") == (view.question.pile is not None)
                assert read.HasField("pending_victim") == (view.question.victim is not None)
        data = decision_bytes(asked, "7.0123456789ab", 10_000, 9_876)
        told = read_back(decision_pb2.Decision, data)
        assert isinstance(told, decision_pb2.Decision)
        assert [each.option_id for each in told.options] == [move.code for move in asked.options]
        assert (told.decision_id, told.limit_ms, told.remaining_ms) == (
            "7.0123456789ab",
            10_000,
            9_876,
        )
        for event in apply(state, dice.choice(asked.options)):
            for viewer in (None, *range(seats)):
                seen = read_back(event_pb2.Event, event_bytes(300, redact(event, viewer)))
                assert isinstance(seen, event_pb2.Event)
                assert seen.version == 300
                assert seen.WhichOneof("kind")


@pytest.mark.parametrize("size", [0, 1, 127, 128, 16_383, 16_384, 70_000])
def test_a_nested_message_may_be_of_any_length(size: int) -> None:
    inner = play_service_pb2.Snapshot(bot_name="x" * size)
    update = nested(play_service_pb2.Update, "snapshot")(inner.SerializeToString())
    assert update == play_service_pb2.Update(snapshot=inner).SerializeToString()


def test_a_number_that_is_absent_by_default_takes_no_bytes() -> None:
    assert number(observation_pb2.Observation, "round")[0] == b""
    assert number(observation_pb2.Observation, "points")[0] != b""


def test_cards_are_joined_in_their_order() -> None:
    parts = cards(observation_pb2.Observation, "hand")
    read = observation_pb2.Observation.FromString(join(parts, (3, 1, 2, 1)))
    assert list(read.hand) == [CARDS[3], CARDS[1], CARDS[2], CARDS[1]]
