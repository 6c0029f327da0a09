"""What each kind of card and each event card does, in a few words, for people.

The rules themselves are elsewhere; this is the text of `shoal rules show`, with the section of
docs/rules.md that says it in full.
"""

from collections.abc import Mapping
from typing import NamedTuple

from shoal.engine.cards import Kind
from shoal.engine.event_cards import EventCard


class Entry(NamedTuple):
    """What a card does, and the section of docs/rules.md that says more."""

    text: str
    section: str


KINDS: Mapping[Kind, Entry] = {
    Kind.CRAB: Entry(
        "Two crabs are a duo: choose a discard pile, see all of it, and take one card.", "4.1"
    ),
    Kind.BOAT: Entry("Two boats are a duo: take again, then go on playing.", "4.2"),
    Kind.FISH: Entry("Two fish are a duo: draw the top card of the deck.", "4.3"),
    Kind.SWIMMER: Entry(
        "A swimmer and a shark are a duo: steal a random card from an opponent's hand."
        " A swimmer and a jellyfish are a duo as well.",
        "4.4",
    ),
    Kind.SHARK: Entry(
        "A swimmer and a shark are a duo: steal a random card from an opponent's hand.", "4.4"
    ),
    Kind.SHELL: Entry("Collected: 0, 2, 4, 6, 8, 10 points for 1 to 6 shells.", "8.3"),
    Kind.OCTOPUS: Entry("Collected: 0, 3, 6, 9, 12 points for 1 to 5 octopuses.", "8.3"),
    Kind.PENGUIN: Entry("Collected: 1, 3, 5 points for 1 to 3 penguins.", "8.3"),
    Kind.SAILOR: Entry("Collected: 0 points for one sailor, 5 for both.", "8.3"),
    Kind.LIGHTHOUSE: Entry("1 point for each boat you have, placed or not.", "8.4"),
    Kind.SHOAL_OF_FISH: Entry("1 point for each fish you have, placed or not.", "8.4"),
    Kind.PENGUIN_COLONY: Entry("2 points for each penguin you have.", "8.4"),
    Kind.CAPTAIN: Entry("3 points for each sailor you have.", "8.4"),
    Kind.MERMAID: Entry(
        "The first is worth the number of your cards in your most frequent color, the second that"
        " of the next color, and so on. Four of them win the match.",
        "8.1",
    ),
    Kind.JELLYFISH: Entry(
        "A swimmer and a jellyfish are a duo: in its next turn each opponent only draws one card.",
        "11.1",
    ),
    Kind.LOBSTER: Entry(
        "A crab and the lobster are a duo: see the top five cards of the deck, keep one, and the"
        " deck is shuffled.",
        "11.2",
    ),
    Kind.CAST_OF_CRABS: Entry("1 point for each crab you have, placed or not.", "11.3"),
    Kind.STARFISH: Entry(
        "Placed with a duo it makes a trio worth 3 points, without the duo's effect. In hand it is"
        " worth 2 with a duo that is still in hand.",
        "11.4",
    ),
    Kind.SEAHORSE: Entry(
        "Counts as one more card of a collected kind that you have, whichever pays most.", "11.5"
    ),
}
"""By kind."""

EVENTS: Mapping[EventCard, Entry] = {
    EventCard.HERMIT_CRAB: Entry(
        "Two crabs take one card from each discard pile that has cards, pile 0 first.", "12.2"
    ),
    EventCard.SUNFISH: Entry("Two fish draw the two top cards of the deck.", "12.2"),
    EventCard.WATER_RODEO: Entry(
        "Two swimmers are a duo: see an opponent's hand, and you may swap one card. Two sharks are"
        " a duo: take a duo from an opponent's table.",
        "12.2",
    ),
    EventCard.DANCE_OF_THE_SHELLS: Entry("Every shell is worth 2 points.", "12.2"),
    EventCard.KRAKEN: Entry("Every octopus is worth 1 point.", "12.2"),
    EventCard.TORNADO: Entry("Mermaids score nothing; enough of them still win.", "12.2"),
    EventCard.DANCE_OF_THE_MERMAIDS: Entry("Three mermaids win the match.", "12.2"),
    EventCard.TREASURE_CHEST: Entry("Ending the round takes 10 card points.", "12.2"),
    EventCard.DIODON_FISH: Entry("The round cannot be ended by STOP.", "12.2"),
    EventCard.ANGELFISH: Entry(
        "When you end your turn and both piles show the same color, take one of the two cards.",
        "12.2",
    ),
    EventCard.DOLPHINS: Entry(
        "When you discard a collected card or the seahorse, draw the top card of the deck.", "12.2"
    ),
    EventCard.CORAL_REEF: Entry(
        "You may lay one shell of your hand face down: for this round nobody can take anything"
        " from you, and jellyfish do not sting you.",
        "12.2",
    ),
}
"""By event card."""
