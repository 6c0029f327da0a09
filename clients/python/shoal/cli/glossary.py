"""What each card does, in words for people: a title, a sentence or two, and the section of docs/rules.md.

What a card is worth is not said here where a row of the ruleset says it.
"""

from collections.abc import Mapping
from typing import NamedTuple

from shoal.engine import Kind


class Entry(NamedTuple):
    """The words on one card or event."""

    title: str
    text: str
    section: str


_STEAL = Entry(
    "steal a card",
    "A swimmer and a shark: choose an opponent whose hand is not empty and not revealed; a random"
    " card of it goes to your hand. Only the two of you know which.",
    "4.4",
)


def _collect(most: int) -> Entry:
    """Return the words on a card that is collected."""
    return Entry(
        "collect them",
        f"The more of them you have in hand, the more each is worth, up to {most}. It has no effect,"
        " and cannot be laid down.",
        "8.3",
    )


def _count(counted: str) -> Entry:
    """Return the words on a card that counts others."""
    return Entry(
        f"count {counted}",
        f"Counts all your {counted}, in hand and on the table. It has no effect, and cannot be laid"
        " down.",
        "8.4",
    )


CARDS: Mapping[Kind, Entry] = {
    Kind.CRAB: Entry(
        "search a pile",
        "Two crabs: choose a discard pile, look through all of it, and take one card. Nobody sees"
        " which one; the others stay in their order.",
        "4.1",
    ),
    Kind.BOAT: Entry(
        "another turn",
        "Two boats: take a card again, then go on playing. It is still the same turn.",
        "4.2",
    ),
    Kind.FISH: Entry(
        "draw a card", "Two fish: the top card of the deck goes to your hand, unseen.", "4.3"
    ),
    Kind.SWIMMER: _STEAL,
    Kind.SHARK: _STEAL,
    Kind.SHELL: _collect(6),
    Kind.OCTOPUS: _collect(5),
    Kind.PENGUIN: _collect(3),
    Kind.SAILOR: _collect(2),
    Kind.LIGHTHOUSE: _count("boats"),
    Kind.SHOAL_OF_FISH: _count("fish"),
    Kind.PENGUIN_COLONY: _count("penguins"),
    Kind.CAPTAIN: _count("sailors"),
    Kind.MERMAID: Entry(
        "count a color; 4 win",
        "The first is worth as many points as you have cards of your most frequent color, the second"
        " those of the next color, and so on. Mermaids are white cards themselves. Who holds four"
        " when about to play wins the match at once.",
        "6, 8.1",
    ),
}

EVENTS: Mapping[str, Entry] = {}
"""By name. The engine has none yet."""
