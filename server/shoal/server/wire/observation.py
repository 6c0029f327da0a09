"""What a seat may know, and what it is asked, as messages. Fills what it is given."""

from functools import cache

from shoal.engine import Card, Decision, Observation
from shoal.server.wire.cards import CARDS, OPTIONS
from shoal.v1 import decision_pb2, observation_pb2


def write_observation(out: observation_pb2.Observation, view: Observation) -> None:
    """Fill an empty observation message."""
    if view.seat is not None:
        out.seat = view.seat
        out.points = view.points or 0
        out.color_bonus = view.color_bonus or 0
        out.call_points = view.call_points or 0
        out.hand.extend([CARDS[card] for card in view.hand])
    out.ruleset = view.ruleset
    out.ruleset_version = view.ruleset_version
    out.target = view.target
    out.round = view.round
    out.starter = view.starter
    out.active_seat = view.active
    out.deck_size = view.deck_size
    out.piles.extend([_pile(each.size, each.top) for each in view.piles])
    for player_view in view.players:
        player = out.players.add()
        player.hand_size = player_view.hand_size
        player.total = player_view.total
        if player_view.left:
            player.left = True
        if player_view.table:
            player.table.extend([_group(group) for group in player_view.table])
        if player_view.revealed_hand is not None:
            player.hand_revealed = True
            player.revealed_hand.extend([CARDS[card] for card in player_view.revealed_hand])
    if view.caller is not None:
        out.last_chance_caller = view.caller
    if view.shown:
        out.revealed.extend([CARDS[card] for card in view.shown])
    question = view.question
    if question is not None:
        out.pending_seat = question.seat
        out.pending_kind = decision_pb2.DecisionKind.ValueType(question.kind)


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
    out.kind = decision_pb2.DecisionKind.ValueType(decision.kind)
    out.options.extend([OPTIONS[move] for move in decision.options])
    out.default_option_id = decision.default.code
    out.limit_ms = limit_ms
    out.remaining_ms = remaining_ms
