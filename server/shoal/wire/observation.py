"""What a seat may know, and what it is asked, as the bytes of messages."""

from functools import lru_cache

from shoal.engine import (
    Card,
    Decision,
    DecisionKind,
    EventCard,
    Move,
    Observation,
    PileView,
    PlayerView,
    Question,
)
from shoal.v1 import decision_pb2, observation_pb2
from shoal.wire.cards import CARDS, EVENT_CARDS, OPTIONS
from shoal.wire.parts import cards, join, nested, number

_KINDS = {
    kind: decision_pb2.DecisionKind.Value(f"DECISION_KIND_{kind.name}") for kind in DecisionKind
}

_SEAT = number(observation_pb2.Observation, "seat")
_ROUND = number(observation_pb2.Observation, "round")
_STARTER = number(observation_pb2.Observation, "starter")
_ACTIVE = number(observation_pb2.Observation, "active_seat")
_DECK_SIZE = number(observation_pb2.Observation, "deck_size")
_POINTS = number(observation_pb2.Observation, "points")
_COLOR_BONUS = number(observation_pb2.Observation, "color_bonus")
_CALL_POINTS = number(observation_pb2.Observation, "call_points")
_CALLER = number(observation_pb2.Observation, "last_chance_caller")
_HAND = cards(observation_pb2.Observation, "hand")
_SHOWN = cards(observation_pb2.Observation, "shown")
_SEATS = nested(observation_pb2.Observation, "seats")
_SHIELD = tuple(observation_pb2.Observation(shield=card).SerializeToString() for card in CARDS)
_EVENT_CARD = number(observation_pb2.Observation, "event_card")
_EVENT_DECK_SIZE = number(observation_pb2.Observation, "event_deck_size")

_PILES = nested(observation_pb2.Observation, "piles")
_PILE_SIZE = number(observation_pb2.Pile, "size")
_TOP = tuple(observation_pb2.Pile(top=card).SerializeToString() for card in CARDS)
_KNOWN = cards(observation_pb2.Pile, "known")
_EMPTY_PILE = observation_pb2.Observation(piles=[observation_pb2.Pile()]).SerializeToString()

_HAND_SIZE = number(observation_pb2.SeatView, "hand_size")
_TOTAL = number(observation_pb2.SeatView, "total")
_LEFT = observation_pb2.SeatView(left=True).SerializeToString()
_REVEALED = observation_pb2.SeatView(hand_revealed=True).SerializeToString()
_REVEALED_HAND = cards(observation_pb2.SeatView, "revealed_hand")
_KNOWN_HAND = cards(observation_pb2.SeatView, "known_hand")
_SHIELDED = observation_pb2.SeatView(shielded=True).SerializeToString()
_STUNG = observation_pb2.SeatView(stung=True).SerializeToString()


def observation_bytes(view: Observation) -> bytes:
    """Return an observation message."""
    parts = [
        _rules(view.ruleset, view.ruleset_version, view.target),
        _ROUND[view.round],
        _STARTER[view.starter],
        _ACTIVE[view.active],
        _DECK_SIZE[view.deck_size],
    ]
    if view.seat is not None:
        parts += [_SEAT[view.seat], join(_HAND, view.hand)]
    if view.points is not None:
        parts.append(_POINTS[view.points])
    if view.color_bonus is not None:
        parts.append(_COLOR_BONUS[view.color_bonus])
    if view.call_points is not None:
        parts.append(_CALL_POINTS[view.call_points])
    parts += map(_pile, view.piles, view.pile_cards)
    parts += map(_seat, view.players, view.known)
    if view.caller is not None:
        parts.append(_CALLER[view.caller])
    if view.shown:
        parts.append(join(_SHOWN, view.shown))
    question = view.question
    if question is not None:
        parts.append(_pending(question))
    if view.event_card is not None:
        parts.append(_EVENT_CARD[EVENT_CARDS[view.event_card]])
    if view.event_deck_size:
        parts.append(_EVENT_DECK_SIZE[view.event_deck_size])
    if view.event_discards:
        parts.append(_event_discards(view.event_discards))
    if view.shield is not None:
        parts.append(_SHIELD[view.shield])
    return b"".join(parts)


def _seat(player: PlayerView, known: tuple[Card, ...]) -> bytes:
    """Return the field of what everybody sees of a seat, and what this reader knows of its hand."""
    parts = [_HAND_SIZE[player.hand_size], _TOTAL[player.total], *map(_group, player.table)]
    if player.left:
        parts.append(_LEFT)
    if player.revealed_hand is not None:
        parts += [_REVEALED, join(_REVEALED_HAND, player.revealed_hand)]
    if known:
        parts.append(join(_KNOWN_HAND, known))
    if player.shielded:
        parts.append(_SHIELDED)
    if player.stung:
        parts.append(_STUNG)
    if player.event_cards:
        parts.append(_event_cards(player.event_cards))
    return _SEATS(b"".join(parts))


@lru_cache
def _rules(ruleset: str, version: int, target: int) -> bytes:
    """Return the fields that never change in a match."""
    return observation_pb2.Observation(
        ruleset=ruleset, ruleset_version=version, target=target
    ).SerializeToString()


def _pile(pile: PileView, known: tuple[Card, ...]) -> bytes:
    """Return the field of one pile, with the cards that this reader knows of it."""
    if not known:
        return _EMPTY_PILE
    return _PILES(_PILE_SIZE[pile.size] + _TOP[known[-1]] + join(_KNOWN, known))


@lru_cache(maxsize=8_192)
def _group(held: tuple[Card, ...]) -> bytes:
    """Return the field of one group on a table."""
    group = observation_pb2.CardGroup(cards=[CARDS[card] for card in held])
    return observation_pb2.SeatView(table=[group]).SerializeToString()


def _pending(question: Question) -> bytes:
    """Return the fields of whom the open decision asks, and about what."""
    return _asked_of(question.seat, question.kind, question.pile, question.victim)


@lru_cache
def _asked_of(seat: int, kind: DecisionKind, pile: int | None, victim: int | None) -> bytes:
    """Return the fields of a question."""
    return observation_pb2.Observation(
        pending_seat=seat, pending_kind=_KINDS[kind], pending_pile=pile, pending_victim=victim
    ).SerializeToString()


@lru_cache(maxsize=8_192)
def _event_discards(held: tuple[EventCard, ...]) -> bytes:
    """Return the field of the used event cards."""
    numbers = [EVENT_CARDS[card] for card in held]
    return observation_pb2.Observation(event_discards=numbers).SerializeToString()


@lru_cache
def _event_cards(held: tuple[EventCard, ...]) -> bytes:
    """Return the field of the event cards that a seat owns."""
    numbers = [EVENT_CARDS[card] for card in held]
    return observation_pb2.SeatView(event_cards=numbers).SerializeToString()


def decision_bytes(decision: Decision, decision_id: str, limit_ms: int, remaining_ms: int) -> bytes:
    """Return a decision message; times are in milliseconds."""
    now = decision_pb2.Decision(decision_id=decision_id, remaining_ms=remaining_ms)
    asked = _asked(decision.seat, decision.kind, decision.default, limit_ms)
    return now.SerializeToString() + asked + _options(decision.options)


@lru_cache(maxsize=8_192)
def _asked(seat: int, kind: DecisionKind, default: Move, limit_ms: int) -> bytes:
    """Return the fields of a decision that many have in common."""
    return decision_pb2.Decision(
        seat=seat, kind=_KINDS[kind], default_option_id=default.code, limit_ms=limit_ms
    ).SerializeToString()


@lru_cache(maxsize=8_192)
def _options(moves: tuple[Move, ...]) -> bytes:
    """Return the field of the options."""
    return b"".join([OPTIONS[move] for move in moves])
