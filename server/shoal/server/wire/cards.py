"""Cards and options as messages, each built once: the tables behind everything else in `wire`."""

from typing import assert_never

from shoal.engine import (
    FACES,
    Card,
    Catch,
    EndTurn,
    Keep,
    KeepEventCard,
    Kind,
    LastChance,
    Move,
    NoSwap,
    PickCard,
    PlayDuo,
    PlayTrio,
    Shield,
    Stop,
    Swap,
    TakeDeck,
    TakeEqualTop,
    TakePile,
    all_moves,
)
from shoal.v1 import cards_pb2, decision_pb2

_KIND_NUMBERS = dict(cards_pb2.CardKind.items())

CARDS: tuple[cards_pb2.Card, ...] = tuple(
    cards_pb2.Card(
        # The kinds of Extra Salt have no number in the protocol yet.
        kind=_KIND_NUMBERS.get(f"CARD_KIND_{face.kind.name}", cards_pb2.CARD_KIND_UNSPECIFIED),
        color=cards_pb2.CardColor.Value(f"CARD_COLOR_{face.color.name}"),
    )
    for face in FACES
)
"""The message of each card, by face id. Assigning it or extending by it copies it."""


def aims_at_pile(first: Card) -> bool:
    """Tell whether the target of a duo is a pile rather than a seat: two crabs search one."""
    return FACES[first].kind is Kind.CRAB


def _option(move: Move) -> decision_pb2.Option:
    """Return the message of a move."""
    option = decision_pb2.Option(option_id=move.code)
    match move:
        case TakeDeck():
            option.take_deck.SetInParent()
        case TakePile(pile):
            option.take_pile.pile = pile
            option.take_pile.SetInParent()
        case Keep(card, pile):
            option.keep.card.CopyFrom(CARDS[card])
            if pile is not None:
                option.keep.pile = pile
        case PlayDuo(first, second, target):
            duo = option.play_duo
            duo.first.CopyFrom(CARDS[first])
            duo.second.CopyFrom(CARDS[second])
            if target is not None:
                if aims_at_pile(first):
                    duo.pile = target
                else:
                    duo.victim = target
        case PickCard(card, copy):
            option.pick_card.card.CopyFrom(CARDS[card])
            option.pick_card.equal_above = copy
        case EndTurn():
            option.end_turn.SetInParent()
        case Stop():
            option.stop.SetInParent()
        case LastChance():
            option.last_chance.SetInParent()
        case PlayTrio() | Shield() | Catch() | Swap() | NoSwap() | TakeEqualTop() | KeepEventCard():
            pass  # the protocol has no message for the moves of the expansions yet
        case _:
            assert_never(move)
    return option


OPTIONS: dict[Move, decision_pb2.Option] = {move: _option(move) for move in all_moves()}
"""The message of each move."""
