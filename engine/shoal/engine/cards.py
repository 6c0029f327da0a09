"""The cards: which kinds and colors exist, how many copies of each, and what they are called.

A card is an int, its *face id*: the index of its row in `FACES`. Two physical cards of one kind and
color are the same int, since no rule can tell them apart. Face ids are stable for ever: rows are
only appended, and the faces of one kind are neighbors (`FACES_OF` relies on it).
"""

from enum import IntEnum, unique
from typing import NamedTuple, TypeAlias

from shoal.engine.errors import UnknownCard

Card: TypeAlias = int


@unique
class Kind(IntEnum):
    """What a card depicts, which decides what it does and scores (rules 1)."""

    CRAB = 0
    BOAT = 1
    FISH = 2
    SWIMMER = 3
    SHARK = 4
    SHELL = 5
    OCTOPUS = 6
    PENGUIN = 7
    SAILOR = 8
    LIGHTHOUSE = 9
    SHOAL_OF_FISH = 10
    PENGUIN_COLONY = 11
    CAPTAIN = 12
    MERMAID = 13
    JELLYFISH = 14
    LOBSTER = 15
    CAST_OF_CRABS = 16
    STARFISH = 17
    SEAHORSE = 18


@unique
class Color(IntEnum):
    """The background color of a card, which only mermaids and the color bonus count (rules 8)."""

    DARK_BLUE = 0
    LIGHT_BLUE = 1
    BLACK = 2
    YELLOW = 3
    GREEN = 4
    WHITE = 5
    PURPLE = 6
    GREY = 7
    LIGHT_ORANGE = 8
    PINK = 9
    ORANGE = 10


class Face(NamedTuple):
    """One row of the card list: a kind in a color, and how many such cards are in the box."""

    kind: Kind
    color: Color
    copies: int


FACES: tuple[Face, ...] = (
    Face(Kind.CRAB, Color.DARK_BLUE, 2),
    Face(Kind.CRAB, Color.LIGHT_BLUE, 2),
    Face(Kind.CRAB, Color.BLACK, 1),
    Face(Kind.CRAB, Color.YELLOW, 2),
    Face(Kind.CRAB, Color.GREEN, 1),
    Face(Kind.CRAB, Color.GREY, 1),
    Face(Kind.BOAT, Color.DARK_BLUE, 2),
    Face(Kind.BOAT, Color.LIGHT_BLUE, 2),
    Face(Kind.BOAT, Color.BLACK, 2),
    Face(Kind.BOAT, Color.YELLOW, 2),
    Face(Kind.FISH, Color.DARK_BLUE, 2),
    Face(Kind.FISH, Color.LIGHT_BLUE, 1),
    Face(Kind.FISH, Color.BLACK, 2),
    Face(Kind.FISH, Color.YELLOW, 1),
    Face(Kind.FISH, Color.GREEN, 1),
    Face(Kind.SWIMMER, Color.DARK_BLUE, 1),
    Face(Kind.SWIMMER, Color.LIGHT_BLUE, 1),
    Face(Kind.SWIMMER, Color.BLACK, 1),
    Face(Kind.SWIMMER, Color.YELLOW, 1),
    Face(Kind.SWIMMER, Color.LIGHT_ORANGE, 1),
    Face(Kind.SHARK, Color.DARK_BLUE, 1),
    Face(Kind.SHARK, Color.LIGHT_BLUE, 1),
    Face(Kind.SHARK, Color.BLACK, 1),
    Face(Kind.SHARK, Color.GREEN, 1),
    Face(Kind.SHARK, Color.PURPLE, 1),
    Face(Kind.SHELL, Color.DARK_BLUE, 1),
    Face(Kind.SHELL, Color.LIGHT_BLUE, 1),
    Face(Kind.SHELL, Color.BLACK, 1),
    Face(Kind.SHELL, Color.YELLOW, 1),
    Face(Kind.SHELL, Color.GREEN, 1),
    Face(Kind.SHELL, Color.GREY, 1),
    Face(Kind.OCTOPUS, Color.LIGHT_BLUE, 1),
    Face(Kind.OCTOPUS, Color.YELLOW, 1),
    Face(Kind.OCTOPUS, Color.GREEN, 1),
    Face(Kind.OCTOPUS, Color.PURPLE, 1),
    Face(Kind.OCTOPUS, Color.GREY, 1),
    Face(Kind.PENGUIN, Color.PURPLE, 1),
    Face(Kind.PENGUIN, Color.LIGHT_ORANGE, 1),
    Face(Kind.PENGUIN, Color.PINK, 1),
    Face(Kind.SAILOR, Color.PINK, 1),
    Face(Kind.SAILOR, Color.ORANGE, 1),
    Face(Kind.LIGHTHOUSE, Color.PURPLE, 1),
    Face(Kind.SHOAL_OF_FISH, Color.GREY, 1),
    Face(Kind.PENGUIN_COLONY, Color.GREEN, 1),
    Face(Kind.CAPTAIN, Color.LIGHT_ORANGE, 1),
    Face(Kind.MERMAID, Color.WHITE, 4),
    Face(Kind.JELLYFISH, Color.PURPLE, 1),
    Face(Kind.JELLYFISH, Color.PINK, 1),
    Face(Kind.LOBSTER, Color.BLACK, 1),
    Face(Kind.CAST_OF_CRABS, Color.GREEN, 1),
    Face(Kind.STARFISH, Color.DARK_BLUE, 1),
    Face(Kind.STARFISH, Color.LIGHT_BLUE, 1),
    Face(Kind.STARFISH, Color.YELLOW, 1),
    Face(Kind.SEAHORSE, Color.WHITE, 1),
)

SALT_KINDS = frozenset(
    {Kind.JELLYFISH, Kind.LOBSTER, Kind.CAST_OF_CRABS, Kind.STARFISH, Kind.SEAHORSE}
)
"""The kinds of the Extra Salt expansion; all others are the base game."""

KIND_OF: tuple[int, ...] = tuple(int(face.kind) for face in FACES)
"""Kind of each face as a plain int, which indexes faster than the enum."""

FACES_OF: tuple[range, ...] = tuple(
    range(KIND_OF.index(kind), KIND_OF.index(kind) + KIND_OF.count(kind)) for kind in Kind
)
"""The face ids of each kind."""

DUO_KINDS = frozenset(
    {
        Kind.CRAB,
        Kind.BOAT,
        Kind.FISH,
        Kind.SWIMMER,
        Kind.SHARK,
        Kind.JELLYFISH,
        Kind.LOBSTER,
    }
)
"""The kinds that can be half of a duo under some ruleset."""

COLOR_OF: tuple[int, ...] = tuple(int(face.color) for face in FACES)
"""Color of each face as a plain int."""

_NAMES: tuple[str, ...] = tuple(
    f"{face.kind.name.lower()} {face.color.name.lower()}" for face in FACES
)
_BY_NAME = {name: card for card, name in enumerate(_NAMES)}
_BY_FACE = {(face.kind, face.color): card for card, face in enumerate(FACES)}


def face_id(kind: Kind, color: Color) -> Card:
    """Return the card of this kind and color; raise UnknownCard when the box has none."""
    try:
        return _BY_FACE[kind, color]
    except KeyError:
        raise UnknownCard(f"{kind.name.lower()} {color.name.lower()}") from None


def card_name(card: Card) -> str:
    """Return the card's name, such as `crab dark_blue`; raise UnknownCard for another int."""
    if not 0 <= card < len(_NAMES):
        raise UnknownCard(str(card))
    return _NAMES[card]


def parse_card(name: str) -> Card:
    """Return the card with this name, the inverse of `card_name`; raise UnknownCard."""
    try:
        return _BY_NAME[name]
    except KeyError:
        raise UnknownCard(name) from None
