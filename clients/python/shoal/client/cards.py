"""The cards of the base game for bots: names, how many there are, and what a holding is worth.

Values are those of section 8 of docs/rules.md. The server's own numbers for the present position are
in the observation (`points`, `color_bonus`); this module is for asking "what if".
"""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from shoal.client import pb

Kind: TypeAlias = int
Color: TypeAlias = int
Face: TypeAlias = tuple[Kind, Color]
"""A kind and a color: two cards with the same face are the same to every rule."""

DECK: dict[Face, int] = {}
"""How many cards of each face the base game has, 58 in all (docs/rules.md, section 1)."""

_ROWS: tuple[tuple[Kind, str], ...] = (
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

for _kind, _colors in _ROWS:
    for _entry in _colors.split():
        _color, _, _copies = _entry.partition(":")
        DECK[_kind, pb.CardColor.Value(f"CARD_COLOR_{_color.upper()}")] = int(_copies or 1)

DUOS: tuple[tuple[Kind, Kind], ...] = (
    (pb.CARD_KIND_CRAB, pb.CARD_KIND_CRAB),
    (pb.CARD_KIND_BOAT, pb.CARD_KIND_BOAT),
    (pb.CARD_KIND_FISH, pb.CARD_KIND_FISH),
    (pb.CARD_KIND_SWIMMER, pb.CARD_KIND_SHARK),
)
"""The kinds that make a duo, 1 point each."""

COLLECTORS: dict[Kind, tuple[int, ...]] = {
    pb.CARD_KIND_SHELL: (0, 0, 2, 4, 6, 8, 10),
    pb.CARD_KIND_OCTOPUS: (0, 0, 3, 6, 9, 12),
    pb.CARD_KIND_PENGUIN: (0, 1, 3, 5),
    pb.CARD_KIND_SAILOR: (0, 0, 5),
}
"""What so many cards of a kind are worth together."""

MULTIPLIERS: dict[Kind, tuple[Kind, int]] = {
    pb.CARD_KIND_LIGHTHOUSE: (pb.CARD_KIND_BOAT, 1),
    pb.CARD_KIND_SHOAL_OF_FISH: (pb.CARD_KIND_FISH, 1),
    pb.CARD_KIND_PENGUIN_COLONY: (pb.CARD_KIND_PENGUIN, 2),
    pb.CARD_KIND_CAPTAIN: (pb.CARD_KIND_SAILOR, 3),
}
"""Which kind a multiplier counts, and the points for each card of it."""

PARTNER: dict[Kind, Kind] = dict(DUOS) | {second: first for first, second in DUOS}
"""The kind that makes a duo with a kind."""

COUNTED_BY: dict[Kind, tuple[Kind, int]] = {
    counted: (kind, each) for kind, (counted, each) in MULTIPLIERS.items()
}
"""The multiplier that counts a kind, and the points for each card."""

MERMAIDS_TO_WIN = 4
"""So many mermaids win the match at once (docs/rules.md, section 6)."""


def face_of(card: pb.Card) -> Face:
    """Return the face of a card of the protocol."""
    return card.kind, card.color


def card_name(card: pb.Card) -> str:
    """Return what people call a card, such as `dark blue crab`."""
    color = pb.CardColor.Name(card.color).removeprefix("CARD_COLOR_")
    kind = pb.CardKind.Name(card.kind).removeprefix("CARD_KIND_")
    return f"{color} {kind}".lower().replace("_", " ")


class Holding:
    """The cards of one seat, counted so that adding, removing and scoring one is quick."""

    __slots__ = ("colors", "groups", "hand", "kinds")

    def __init__(self, hand: Iterable[Face] = (), table: Sequence[Sequence[Face]] = ()) -> None:
        """Count the cards in hand and the groups on the table."""
        self.hand = [0] * len(pb.CardKind.values())
        self.kinds = self.hand.copy()
        self.colors = [0] * len(pb.CardColor.values())
        self.groups = len(table)
        for kind, color in (face for group in table for face in group):
            self.kinds[kind] += 1
            self.colors[color] += 1
        for face in hand:
            self.add(face)

    def add(self, face: Face, count: int = 1) -> None:
        """Put a card into the hand, or take one out with a count of -1."""
        kind, color = face
        self.hand[kind] += count
        self.kinds[kind] += count
        self.colors[color] += count

    def duos(self, pair: tuple[Kind, Kind]) -> int:
        """Return how many duos of these kinds are in hand."""
        first, second = pair
        if first == second:
            return self.hand[first] // 2
        return min(self.hand[first], self.hand[second])

    def completes_duo(self, kind: Kind) -> bool:
        """Return whether one more card of this kind makes one more duo in hand."""
        partner = PARTNER.get(kind)
        if partner is None:
            return False
        if partner == kind:
            return self.hand[kind] % 2 == 1
        return self.hand[kind] < self.hand[partner]

    def gain(self, face: Face) -> int:
        """Return the points that one more card adds: `points` after less `points` before, but faster."""
        kind, color = face
        kinds = self.kinds
        gain = int(self.completes_duo(kind))
        if kind in COLLECTORS:
            table = COLLECTORS[kind]
            most = len(table) - 1
            gain += table[min(kinds[kind] + 1, most)] - table[min(kinds[kind], most)]
        if kind in COUNTED_BY:
            multiplier, each = COUNTED_BY[kind]
            gain += each * kinds[multiplier]
        elif kind in MULTIPLIERS:
            counted, each = MULTIPLIERS[kind]
            gain += each * kinds[counted]
        mermaids = kinds[pb.CARD_KIND_MERMAID]
        if kind == pb.CARD_KIND_MERMAID:
            before = self._largest_colors(mermaids)
            self.colors[color] += 1
            gain += self._largest_colors(mermaids + 1) - before
            self.colors[color] -= 1
        elif mermaids:
            gain += self.colors[color] >= sorted(self.colors, reverse=True)[mermaids - 1]
        return gain

    def color_bonus(self) -> int:
        """Return the largest count of one color."""
        return max(self.colors)

    def points(self) -> int:
        """Return what the cards are worth, without color bonus (docs/rules.md, section 8)."""
        kinds = self.kinds
        total = self.groups + sum(self.duos(pair) for pair in DUOS)
        for kind, table in COLLECTORS.items():
            total += table[min(kinds[kind], len(table) - 1)]
        for kind, (counted, each) in MULTIPLIERS.items():
            if kinds[kind]:
                total += kinds[kind] * each * kinds[counted]
        return total + self._largest_colors(kinds[pb.CARD_KIND_MERMAID])

    def _largest_colors(self, count: int) -> int:
        """Return how many cards have one of the most frequent colors."""
        return sum(sorted(self.colors, reverse=True)[:count]) if count else 0


def holding_of(observation: pb.Observation) -> Holding:
    """Return the own cards of an observation."""
    player = observation.seats[observation.seat]
    hand = [face_of(card) for card in observation.hand]
    return Holding(hand, table_of(player))


def table_of(player: pb.SeatView) -> list[list[Face]]:
    """Return the groups that a seat has laid down."""
    return [[face_of(card) for card in group.cards] for group in player.table]
