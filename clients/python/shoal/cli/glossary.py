"""What each kind of card does, in a few words, with the section of docs/rules.md that says more."""

from collections.abc import Mapping
from typing import NamedTuple

from shoal.engine import Kind


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
        "A swimmer and a shark are a duo: steal a random card from an opponent's hand.", "4.4"
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
}
"""By kind."""

EVENTS: Mapping[str, Entry] = {}
"""By name: the engine has none yet."""
