"""The cards for bots: names, and how many there are. What they are worth is in `holding`."""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from shoal.client import pb

Kind: TypeAlias = int
Color: TypeAlias = int
Face: TypeAlias = tuple[Kind, Color]
"""A kind and a color: two cards with the same face are the same to every rule."""

BASE_DECK: dict[Face, int] = {}
"""How many cards of each face the base game has, 58 in all (docs/rules.md, section 1)."""

SALT_DECK: dict[Face, int] = {}
"""The same for the base game with Extra Salt, 66 in all (docs/rules.md, section 11)."""

_BASE_ROWS: tuple[tuple[Kind, str], ...] = (
    (pb.CARD_KIND_CRAB, "dark_blue:2 light_blue:2 yellow:2 black green grey"),
    (pb.CARD_KIND_BOAT, "dark_blue:2 light_blue:2 black:2 yellow:2"),
    (pb.CARD_KIND_FISH, "dark_blue:2 black:2 light_blue yellow green"),
    (pb.CARD_KIND_SWIMMER, "dark_blue light_blue black yellow light_orange"),
    (pb.CARD_KIND_SHARK, "dark_blue light_blue black green purple"),
    (pb.CARD_KIND_SHELL, "dark_blue light_blue black yellow green grey"),
    (pb.CARD_KIND_OCTOPUS, "light_blue yellow green purple grey"),
    (pb.CARD_KIND_PENGUIN, "purple light_orange pink"),
    (pb.CARD_KIND_SAILOR, "pink orange"),
    (pb.CARD_KIND_LIGHTHOUSE, "purple"),
    (pb.CARD_KIND_SHOAL_OF_FISH, "grey"),
    (pb.CARD_KIND_PENGUIN_COLONY, "green"),
    (pb.CARD_KIND_CAPTAIN, "light_orange"),
    (pb.CARD_KIND_MERMAID, "white:4"),
)

_SALT_ROWS: tuple[tuple[Kind, str], ...] = (
    (pb.CARD_KIND_JELLYFISH, "purple pink"),
    (pb.CARD_KIND_LOBSTER, "black"),
    (pb.CARD_KIND_CAST_OF_CRABS, "green"),
    (pb.CARD_KIND_STARFISH, "dark_blue light_blue yellow"),
    (pb.CARD_KIND_SEAHORSE, "white"),
)


def _faces(rows: Iterable[tuple[Kind, str]]) -> Iterator[tuple[Face, int]]:
    """Yield each face of some rows with its copies."""
    for kind, colors in rows:
        for entry in colors.split():
            color, _, copies = entry.partition(":")
            yield (kind, pb.CardColor.Value(f"CARD_COLOR_{color.upper()}")), int(copies or 1)


BASE_DECK.update(_faces(_BASE_ROWS))
SALT_DECK.update(_faces(_BASE_ROWS + _SALT_ROWS))

MERMAIDS_TO_WIN = 4
"""So many mermaids win the match at once (docs/rules.md, section 6)."""


def deck_of(ruleset: str) -> dict[Face, int]:
    """Return how many cards of each face a ruleset is played with."""
    return SALT_DECK if "salt" in ruleset.split("-") else BASE_DECK


def face_of(card: pb.Card) -> Face:
    """Return the face of a card of the protocol."""
    return card.kind, card.color


def card_name(card: pb.Card) -> str:
    """Return what people call a card, such as `dark blue crab`."""
    color = pb.CardColor.Name(card.color).removeprefix("CARD_COLOR_")
    kind = pb.CardKind.Name(card.kind).removeprefix("CARD_KIND_")
    return f"{color} {kind}".lower().replace("_", " ")


def event_cards_of(observation: pb.Observation, seat: int) -> list[int]:
    """Return the event cards in force for a seat: the round's, and those it owns."""
    cards = [*observation.seats[seat].event_cards, observation.event_card]
    return [card for card in cards if card]


def table_of(player: pb.SeatView) -> list[list[Face]]:
    """Return the groups that a seat has laid down."""
    return [[face_of(card) for card in group.cards] for group in player.table]
