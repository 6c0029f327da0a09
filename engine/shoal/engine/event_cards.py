"""The event cards of Extra Pepper: their names and whom a round's card goes to (rules 12).

What a card changes is in `terms`, which is the only place that knows.
"""

from collections.abc import Mapping
from enum import Enum, IntEnum, unique


@unique
class EventCard(IntEnum):
    """An event card. Numbers are never given a second meaning."""

    HERMIT_CRAB = 1
    SUNFISH = 2
    WATER_RODEO = 3
    DANCE_OF_THE_SHELLS = 4
    KRAKEN = 5
    TORNADO = 6
    DANCE_OF_THE_MERMAIDS = 7
    TREASURE_CHEST = 8
    DIODON_FISH = 9
    ANGELFISH = 10
    DOLPHINS = 11
    CORAL_REEF = 12


@unique
class Owner(Enum):
    """Who owns an event card after its round: the seat that alone has this total."""

    HIGHEST = "highest"
    LOWEST = "lowest"


OWNER: Mapping[EventCard, Owner] = {
    EventCard.HERMIT_CRAB: Owner.LOWEST,
    EventCard.SUNFISH: Owner.LOWEST,
    EventCard.WATER_RODEO: Owner.LOWEST,
    EventCard.DANCE_OF_THE_SHELLS: Owner.LOWEST,
    EventCard.KRAKEN: Owner.HIGHEST,
    EventCard.TORNADO: Owner.HIGHEST,
    EventCard.DANCE_OF_THE_MERMAIDS: Owner.LOWEST,
    EventCard.TREASURE_CHEST: Owner.HIGHEST,
    EventCard.DIODON_FISH: Owner.HIGHEST,
    EventCard.ANGELFISH: Owner.LOWEST,
    EventCard.DOLPHINS: Owner.LOWEST,
    EventCard.CORAL_REEF: Owner.LOWEST,
}
"""Whom each card goes to: what hampers goes to the leader, what helps to the last."""


def event_name(card: EventCard) -> str:
    """Return the card's name, such as `water_rodeo`."""
    return card.name.lower()
