"""Nothing hidden reaches the wire: worlds that a reader cannot tell apart give the same bytes (T88)."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random

from google.protobuf.message import Message
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.engine import RULESETS, Event, HandRevealed, State, apply
from shoal.match import Match, MatchMeta, Phase, SeatMeta, TimeControl
from shoal.server.hub.attention import Attention
from shoal.server.hub.table import Table
from shoal.server.services.match_service import _spectated
from shoal.server.services.updates import snapshot_part, snapshot_response
from shoal.server.store.partition_clock import PartitionClock
from shoal.server.streams.session import Guest, Session
from shoal.server.streams.spectators import Sight
from shoal.v1 import match_service_pb2, play_service_pb2
from tests.engine.support import random_steps
from tests.engine.test_silence import another_world, redeal

few = settings(max_examples=8, deadline=None)
worlds = given(rules=st.sampled_from(RULESETS), seats=st.integers(2, 4), seed=st.integers(0, 2**32))

MASKED = {
    "decision": ("decision_id", "remaining_ms"),
    "match": ("seed_commitment", "create_time"),
    "": ("remaining_ms",),
}
"""What differs between two worlds and says nothing of the cards: ids, clocks, the commitment."""


@dataclass(frozen=True)
class Pair:
    """Two worlds that a viewer cannot tell apart, and what has just happened in each."""

    viewer: int | None
    one: State
    one_events: list[Event]
    other: State
    other_events: list[Event]


def pairs(rules: str, seats: int, seed: int) -> Iterator[Pair]:
    """Play at random, and yield worlds that look the same to a reader, two readers at each step."""
    dice = Random(seed)
    for state, _ in random_steps(rules, seats, seed):
        asked = state.asked
        if asked is None:
            return
        move = dice.choice(asked.options)
        one = state.copy()
        events = apply(one, move)
        shown = {event.seat for event in events if isinstance(event, HandRevealed)}
        for viewer in dice.sample((None, *range(seats)), 2):
            if viewer == asked.seat:
                world = redeal(state, viewer, dice, piles=True)
                yield Pair(viewer, state, [], world, [])
            else:
                world, same_move = another_world(state, move, viewer, shown, dice)
                yield Pair(viewer, one, events, world, apply(world, same_move))


def table_of(state: State, events: list[Event], secret: bytes) -> Table:
    """Put a state on a table as if the match had come there, with the last events at hand."""
    names = tuple(SeatMeta(f"bot-{seat}", f"name-{seat}") for seat in range(state.seats))
    time = TimeControl(1_000, 3, 1_000)
    meta = MatchMeta("m", "base", 1, names, time, "", False, 1, secret.hex() * 32)  # noqa: FBT003
    match = Match(meta, secret)
    match.game = state
    match.phase = Phase.LIVE if state.result is None else Phase.FINISHED
    match.version, match.decision_id = 1, f"2.{secret.hex() * 6}"
    match.limit_ms = 1_000
    partition = PartitionClock()
    partition.saw(0, 0.0, 0.0)
    table = Table(match, partition, Attention(lambda: 0.0))
    match.version = 2
    table._remember(2, events)
    return table


def told_a_seat(table: Table, seat: int) -> play_service_pb2.PlayResponse:
    """Return what the stream of a seat brings that has seen the version before."""
    session = Session(Guest(f"bot-{seat}", f"name-{seat}", ""), 1, follow=True)
    session.take(table, 1, [])
    parts = [snapshot_part(session, table)]
    return play_service_pb2.PlayResponse.FromString(snapshot_response(session, "0", parts))


def told_a_spectator(table: Table) -> match_service_pb2.SpectateMatchResponse:
    """Return what a spectator is told who comes new, with the events for one who came before."""
    return _spectated(Sight(table, table.since(1), whole=True))


def masked(message: Message) -> bytes:
    """Return the bytes of a message without what differs by name alone."""
    parts = [("", message)]
    if isinstance(message, play_service_pb2.PlayResponse):
        parts = [
            part
            for update in message.updates[0].snapshot.matches
            for part in (("match", update.match), ("decision", update.decision))
        ]
    else:
        parts.append(("match", message.match))
    for name, part in parts:
        for field in MASKED[name]:
            part.ClearField(field)
    return message.SerializeToString(deterministic=True)


@few
@worlds
def test_worlds_that_look_the_same_are_told_in_the_same_bytes(
    rules: str, seats: int, seed: int
) -> None:
    """Seat or spectator: what is hidden from the reader changes no byte of a message (T89)."""
    compared = 0
    for pair in pairs(rules, seats, seed):
        if pair.one.result is not None or pair.other.result is not None:
            continue
        messages = [
            told_a_spectator(table) if pair.viewer is None else told_a_seat(table, pair.viewer)
            for table in (
                table_of(pair.one, pair.one_events, b"\x01"),
                table_of(pair.other, pair.other_events, b"\x02"),
            )
        ]
        assert messages[0] != messages[1], "the masks hide something"
        assert masked(messages[0]) == masked(messages[1])
        compared += 1
    assert compared > 20


@few
@worlds
def test_the_law_would_notice_a_leak(rules: str, seats: int, seed: int) -> None:
    """The worlds do differ: for some reader who may know more, the bytes are not the same."""
    differences = 0
    for pair in islice(pairs(rules, seats, seed), 200):
        if pair.one.result is not None or pair.other.result is not None:
            continue
        for seat in range(seats):
            one, other = (
                masked(told_a_seat(table_of(state, [], b"\x01"), seat))
                for state in (pair.one, pair.other)
            )
            differences += one != other
    assert differences > 20
