"""What the decisions of the expansions are worth, for bots that think one step ahead."""

from shoal.client import pb
from shoal.client.cards import face_of
from shoal.client.holding import Holding

HAMPERING = frozenset(
    {
        pb.EVENT_CARD_KRAKEN,
        pb.EVENT_CARD_TORNADO,
        pb.EVENT_CARD_TREASURE_CHEST,
        pb.EVENT_CARD_DIODON_FISH,
    }
)
"""The event cards that their owner would rather not have."""


def loss(cards: Holding, card: pb.Card) -> int:
    """Return the points that a holding loses with a card of its hand."""
    before = cards.points()
    cards.add(face_of(card), -1)
    after = cards.points()
    cards.add(face_of(card))
    return before - after


def swap_gain(cards: Holding, swap: pb.Swap) -> int:
    """Return the points that a swap brings."""
    before = cards.points()
    cards.add(face_of(swap.given), -1)
    cards.add(face_of(swap.gained))
    after = cards.points()
    cards.add(face_of(swap.gained), -1)
    cards.add(face_of(swap.given))
    return after - before


def extra_gain(option: pb.Option, observation: pb.Observation, cards: Holding) -> float:
    """Return the points that an option of an expansion brings at once; 0 for one that brings none."""
    match option.WhichOneof("kind"):
        case "catch":
            return cards.gain(face_of(option.catch.card))
        case "take_equal_top":
            return cards.gain(face_of(observation.piles[option.take_equal_top.pile].top))
        case "swap":
            return swap_gain(cards, option.swap)
        case "keep_event_card":
            return float(option.keep_event_card.event_card not in HAMPERING)
        case "shield":
            return -loss(cards, option.shield.card)
        case _:
            return 0.0
