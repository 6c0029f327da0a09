"""Messages as the engine's values: what a seat was told, for bots that search with the engine.

`sample(observation_of(observation, decision), rng)` is a state that such a bot may play on in.
"""

from collections.abc import Iterable

from shoal.engine import (
    Card,
    DecisionKind,
    EventCard,
    Observation,
    PileView,
    PlayerView,
    Question,
    UnknownMove,
    move_from_code,
)
from shoal.v1 import cards_pb2, decision_pb2, observation_pb2
from shoal.wire.cards import CARDS, EVENT_CARDS

_CARDS = {(card.kind, card.color): face for face, card in enumerate(CARDS)}
_EVENT_CARDS = {number: card for card, number in EVENT_CARDS.items()}
_KINDS = {
    decision_pb2.DecisionKind.Value(f"DECISION_KIND_{kind.name}"): kind for kind in DecisionKind
}


class UnknownValue(ValueError):
    """A message holds a card, a question or an option that this version does not know."""


def observation_of(
    message: observation_pb2.Observation, decision: decision_pb2.Decision | None = None
) -> Observation:
    """Return what a seat may know as the engine says it; raise UnknownValue.

    `decision` is what the seat was asked with it; without one there are no options. How a match ended
    is not in the message, so that `result` is None.
    """
    asked = decision_pb2.Decision() if decision is None else decision
    try:
        return _observation(message, asked)
    except (KeyError, UnknownMove) as error:
        raise UnknownValue(f"not known here: {error}") from error


def _observation(message: observation_pb2.Observation, asked: decision_pb2.Decision) -> Observation:
    """Return the observation; raise KeyError or UnknownMove."""
    has = message.HasField
    return Observation(
        seat=message.seat if has("seat") else None,
        ruleset=message.ruleset,
        ruleset_version=message.ruleset_version,
        seats=len(message.seats),
        target=message.target,
        round=message.round,
        starter=message.starter,
        active=message.active_seat,
        caller=message.last_chance_caller if has("last_chance_caller") else None,
        deck_size=message.deck_size,
        piles=tuple(
            PileView(pile.size, _card(pile.top) if pile.HasField("top") else None)
            for pile in message.piles
        ),
        players=tuple(_player(seat, view) for seat, view in enumerate(message.seats)),
        question=_question(message) if has("pending_seat") else None,
        result=None,
        hand=_cards(message.hand),
        points=message.points if has("points") else None,
        color_bonus=message.color_bonus if has("color_bonus") else None,
        call_points=message.call_points if has("call_points") else None,
        shown=_cards(message.shown),
        options=tuple(move_from_code(option.option_id) for option in asked.options),
        default=move_from_code(asked.default_option_id) if asked.options else None,
        shield=_card(message.shield) if has("shield") else None,
        known=tuple(_cards(view.known_hand) for view in message.seats),
        event_card=_EVENT_CARDS[message.event_card] if message.event_card else None,
        event_deck_size=message.event_deck_size,
        event_discards=_event_cards(message.event_discards),
        pile_cards=tuple(_cards(pile.known) for pile in message.piles),
    )


def _player(seat: int, view: observation_pb2.SeatView) -> PlayerView:
    """Return what everybody sees of a seat."""
    return PlayerView(
        seat=seat,
        hand_size=view.hand_size,
        table=tuple(_cards(group.cards) for group in view.table),
        revealed_hand=_cards(view.revealed_hand) if view.hand_revealed else None,
        total=view.total,
        left=view.left,
        shielded=view.shielded,
        stung=view.stung,
        event_cards=_event_cards(view.event_cards),
    )


def _question(message: observation_pb2.Observation) -> Question:
    """Return whom the open decision asks, and about what."""
    return Question(
        seat=message.pending_seat,
        kind=_KINDS[message.pending_kind],
        pile=message.pending_pile if message.HasField("pending_pile") else None,
        victim=message.pending_victim if message.HasField("pending_victim") else None,
    )


def _card(card: cards_pb2.Card) -> Card:
    """Return the engine's card."""
    return _CARDS[card.kind, card.color]


def _cards(held: Iterable[cards_pb2.Card]) -> tuple[Card, ...]:
    """Return the engine's cards, in the order of the message."""
    return tuple(_card(card) for card in held)


def _event_cards(held: Iterable[cards_pb2.EventCard.ValueType]) -> tuple[EventCard, ...]:
    """Return the engine's event cards, in the order of the message."""
    return tuple(_EVENT_CARDS[number] for number in held)
