"""Cards and options, each built once: the tables behind everything else in `wire`."""

from typing import TypeAlias, assert_never

from shoal.engine import (
    FACES,
    Card,
    Catch,
    EndTurn,
    EventCard,
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
    laid_duo_of,
)
from shoal.v1 import cards_pb2, decision_pb2, event_pb2

CARDS: tuple[cards_pb2.Card, ...] = tuple(
    cards_pb2.Card(
        kind=cards_pb2.CardKind.Value(f"CARD_KIND_{face.kind.name}"),
        color=cards_pb2.CardColor.Value(f"CARD_COLOR_{face.color.name}"),
    )
    for face in FACES
)
"""The message of each card, by face id. Assigning it or extending by it copies it."""

EVENT_CARDS: dict[EventCard, cards_pb2.EventCard.ValueType] = {
    card: cards_pb2.EventCard.Value(f"EVENT_CARD_{card.name}") for card in EventCard
}
"""The number of each event card on the wire."""

Aimed: TypeAlias = decision_pb2.PlayDuo | event_pb2.DuoPlayed


def aim(out: Aimed, first: Card, second: Card, target: int | None) -> None:
    """Fill in what a duo is aimed at: crabs at a pile, sharks at a duo on a table, others at a seat."""
    if target is None:
        return
    kinds = {FACES[first].kind, FACES[second].kind}
    if kinds == {Kind.CRAB}:
        out.pile = target
    elif kinds == {Kind.SHARK}:
        out.laid_duo.seat, out.laid_duo.position = laid_duo_of(target)
        out.laid_duo.SetInParent()
    else:
        out.victim = target


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
            aim(duo, first, second, target)
        case PickCard(card, copy):
            option.pick_card.card.CopyFrom(CARDS[card])
            option.pick_card.equal_above = copy
        case EndTurn():
            option.end_turn.SetInParent()
        case Stop():
            option.stop.SetInParent()
        case LastChance():
            option.last_chance.SetInParent()
        case PlayTrio(first, second, third):
            option.play_trio.first.CopyFrom(CARDS[first])
            option.play_trio.second.CopyFrom(CARDS[second])
            option.play_trio.third.CopyFrom(CARDS[third])
        case Shield(card):
            option.shield.card.CopyFrom(CARDS[card])
        case Catch(card):
            option.catch.card.CopyFrom(CARDS[card])
        case Swap(given, gained):
            option.swap.given.CopyFrom(CARDS[given])
            option.swap.gained.CopyFrom(CARDS[gained])
        case NoSwap():
            option.no_swap.SetInParent()
        case TakeEqualTop(pile):
            option.take_equal_top.pile = pile
            option.take_equal_top.SetInParent()
        case KeepEventCard(event_card):
            option.keep_event_card.event_card = EVENT_CARDS[event_card]
        case _:
            assert_never(move)
    return option


OPTIONS: dict[Move, bytes] = {
    move: decision_pb2.Decision(options=[_option(move)]).SerializeToString() for move in all_moves()
}
"""The bytes of a decision message's field that holds this one option."""
