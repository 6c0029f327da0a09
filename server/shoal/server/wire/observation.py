"""What a seat may know, and what it is asked, as messages. Fills what it is given."""

from functools import cache

from shoal.engine import Card, Decision, DecisionKind, Observation, PlayerView
from shoal.server.wire.cards import CARDS, OPTIONS
from shoal.v1 import decision_pb2, observation_pb2

_KIND_NUMBERS = dict(decision_pb2.DecisionKind.items())

# The decisions of the expansions have no number in the protocol yet.
_KINDS = {
    kind: _KIND_NUMBERS[f"DECISION_KIND_{kind.name}"]
    for kind in DecisionKind
    if f"DECISION_KIND_{kind.name}" in _KIND_NUMBERS
}


def write_observation(out: observation_pb2.Observation, view: Observation) -> None:
    """Fill an empty observation message."""
    if view.seat is not None:
        out.seat = view.seat
        out.hand.extend([CARDS[card] for card in view.hand])
    if view.points is not None:
        out.points = view.points
    if view.color_bonus is not None:
        out.color_bonus = view.color_bonus
    if view.call_points is not None:
        out.call_points = view.call_points
    out.ruleset = view.ruleset
    out.ruleset_version = view.ruleset_version
    out.target = view.target
    out.round = view.round
    out.starter = view.starter
    out.active_seat = view.active
    out.deck_size = view.deck_size
    out.piles.extend([_pile(each.size, each.top) for each in view.piles])
    for player in view.players:
        _write_seat(out.seats.add(), player)
    if view.caller is not None:
        out.last_chance_caller = view.caller
    if view.shown:
        out.shown.extend([CARDS[card] for card in view.shown])
    question = view.question
    if question is not None:
        out.pending_seat = question.seat
        out.pending_kind = _KINDS[question.kind]


def _write_seat(out: observation_pb2.SeatView, player: PlayerView) -> None:
    """Fill an empty message of what everybody sees of a seat."""
    out.hand_size = player.hand_size
    out.total = player.total
    if player.left:
        out.left = True
    if player.table:
        out.table.extend([_group(group) for group in player.table])
    if player.revealed_hand is not None:
        out.hand_revealed = True
        out.revealed_hand.extend([CARDS[card] for card in player.revealed_hand])


@cache
def _pile(size: int, top: Card | None) -> observation_pb2.Pile:
    """Return the message of a pile, built once for each size and top card there can be."""
    return observation_pb2.Pile(size=size, top=None if top is None else CARDS[top])


@cache
def _group(cards: tuple[Card, ...]) -> observation_pb2.CardGroup:
    """Return the message of a group on the table, built once for each group there can be."""
    return observation_pb2.CardGroup(cards=[CARDS[card] for card in cards])


def write_decision(
    out: decision_pb2.Decision,
    decision: Decision,
    decision_id: str,
    limit_ms: int,
    remaining_ms: int,
) -> None:
    """Fill an empty decision message; times are in milliseconds."""
    out.decision_id = decision_id
    out.seat = decision.seat
    out.kind = _KINDS[decision.kind]
    out.options.extend([OPTIONS[move] for move in decision.options])
    out.default_option_id = decision.default.code
    out.limit_ms = limit_ms
    out.remaining_ms = remaining_ms
