"""What a seat's cards are worth, for asking "what if".

Values are those of section 8 of docs/rules.md, and those of 11 and 12 that change them. The server's own
numbers for the present position are in the observation (`points`, `color_bonus`).
"""

from collections.abc import Iterable, Mapping, Sequence

from shoal.client import pb
from shoal.client.cards import Face, Kind, event_cards_of, face_of, table_of

COLLECTORS: dict[Kind, tuple[int, ...]] = {
    pb.CARD_KIND_SHELL: (0, 0, 2, 4, 6, 8, 10),
    pb.CARD_KIND_OCTOPUS: (0, 0, 3, 6, 9, 12),
    pb.CARD_KIND_PENGUIN: (0, 1, 3, 5),
    pb.CARD_KIND_SAILOR: (0, 0, 5),
}
"""What so many cards of a kind are worth together."""

CHANGED_COLLECTORS: dict[int, tuple[Kind, tuple[int, ...]]] = {
    pb.EVENT_CARD_DANCE_OF_THE_SHELLS: (pb.CARD_KIND_SHELL, (0, 2, 4, 6, 8, 10, 12)),
    pb.EVENT_CARD_KRAKEN: (pb.CARD_KIND_OCTOPUS, (0, 1, 2, 3, 4, 5)),
}
"""The event cards that change what a collector is worth."""

MULTIPLIERS: dict[Kind, tuple[Kind, int]] = {
    pb.CARD_KIND_LIGHTHOUSE: (pb.CARD_KIND_BOAT, 1),
    pb.CARD_KIND_SHOAL_OF_FISH: (pb.CARD_KIND_FISH, 1),
    pb.CARD_KIND_PENGUIN_COLONY: (pb.CARD_KIND_PENGUIN, 2),
    pb.CARD_KIND_CAPTAIN: (pb.CARD_KIND_SAILOR, 3),
    pb.CARD_KIND_CAST_OF_CRABS: (pb.CARD_KIND_CRAB, 1),
}
"""Which kind a multiplier counts, and the points for each card of it."""

COUNTED_BY: dict[Kind, tuple[Kind, int]] = {
    counted: (kind, each) for kind, (counted, each) in MULTIPLIERS.items()
}
"""The multiplier that counts a kind, and the points for each card."""

_ALIKE = frozenset({pb.CARD_KIND_BOAT, pb.CARD_KIND_FISH})
_CRABS = frozenset({pb.CARD_KIND_CRAB, pb.CARD_KIND_LOBSTER})
_SWIMMERS = frozenset({pb.CARD_KIND_SWIMMER, pb.CARD_KIND_SHARK, pb.CARD_KIND_JELLYFISH})

DUO_KINDS = _ALIKE | _CRABS | _SWIMMERS
"""The kinds that can be half of a duo."""


class Holding:
    """The cards of one seat, counted so that adding, removing and scoring one is quick.

    `collectors` are what sets are worth under the event cards in force for the seat.
    """

    __slots__ = ("_rodeo", "_tornado", "collectors", "colors", "groups", "hand", "kinds")

    def __init__(
        self,
        hand: Iterable[Face] = (),
        table: Sequence[Sequence[Face]] = (),
        event_cards: Sequence[int] = (),
    ) -> None:
        """Count the cards in hand and the groups on the table; a card face down is in neither."""
        self.hand = [0] * len(pb.CardKind.values())
        self.kinds = self.hand.copy()
        self.colors = [0] * len(pb.CardColor.values())
        self.groups = len(table)
        self.collectors: Mapping[Kind, tuple[int, ...]] = COLLECTORS | dict(
            CHANGED_COLLECTORS[card] for card in event_cards if card in CHANGED_COLLECTORS
        )
        self._rodeo = pb.EVENT_CARD_WATER_RODEO in event_cards
        self._tornado = pb.EVENT_CARD_TORNADO in event_cards
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

    def duos(self) -> int:
        """Return how many duos the hand can form at most."""
        hand = self.hand
        return (
            hand[pb.CARD_KIND_BOAT] // 2
            + hand[pb.CARD_KIND_FISH] // 2
            + _crab_duos(hand)
            + self._swimmer_duos()
        )

    def completes_duo(self, kind: Kind) -> bool:
        """Return whether one more card of this kind makes one more duo in hand."""
        hand = self.hand
        if kind in _ALIKE:
            return hand[kind] % 2 == 1
        if kind in _CRABS:
            before = _crab_duos(hand)
            hand[kind] += 1
            after = _crab_duos(hand)
        elif kind in _SWIMMERS:
            before = self._swimmer_duos()
            hand[kind] += 1
            after = self._swimmer_duos()
        else:
            return False
        hand[kind] -= 1
        return after > before

    def gain(self, face: Face) -> int:
        """Return the points that one more card adds: `points` after less `points` before, but faster."""
        kind, color = face
        kinds = self.kinds
        special = kinds[pb.CARD_KIND_STARFISH] or kinds[pb.CARD_KIND_SEAHORSE]
        if special or kind in (pb.CARD_KIND_STARFISH, pb.CARD_KIND_SEAHORSE):
            before = self.points()
            self.add(face)
            gain = self.points() - before
            self.add(face, -1)
            return gain
        gain = int(self.completes_duo(kind))
        if kind in self.collectors:
            table = self.collectors[kind]
            most = len(table) - 1
            gain += table[min(kinds[kind] + 1, most)] - table[min(kinds[kind], most)]
        if kind in COUNTED_BY:
            multiplier, each = COUNTED_BY[kind]
            gain += each * kinds[multiplier]
        elif kind in MULTIPLIERS:
            counted, each = MULTIPLIERS[kind]
            gain += each * kinds[counted]
        return gain + self._mermaid_gain(kind, color)

    def color_bonus(self) -> int:
        """Return the largest count of one color."""
        return max(self.colors)

    def points(self) -> int:
        """Return what the cards are worth, without color bonus (docs/rules.md, section 8)."""
        kinds = self.kinds
        duos = self.duos()
        starfish = self.hand[pb.CARD_KIND_STARFISH]
        total = self.groups + duos + 2 * (kinds[pb.CARD_KIND_STARFISH] - starfish)
        total += 2 * min(starfish, duos) + self._collected()
        for kind, (counted, each) in MULTIPLIERS.items():
            if kinds[kind]:
                total += kinds[kind] * each * kinds[counted]
        return total + self._largest_colors(kinds[pb.CARD_KIND_MERMAID])

    def _swimmer_duos(self) -> int:
        """Return how many duos the swimmers make with sharks, jellyfish, and in a rodeo among themselves."""
        hand = self.hand
        swimmers, sharks = hand[pb.CARD_KIND_SWIMMER], hand[pb.CARD_KIND_SHARK]
        jellyfish = hand[pb.CARD_KIND_JELLYFISH]
        if not self._rodeo:
            return min(swimmers, sharks + jellyfish)
        with_jellyfish = min(swimmers, jellyfish)
        return with_jellyfish + (swimmers - with_jellyfish + sharks) // 2

    def _collected(self) -> int:
        """Return the points of the sets; a seahorse is one more card where that brings most."""
        total, best = 0, 0
        for kind, table in self.collectors.items():
            most = len(table) - 1
            held = min(self.kinds[kind], most)
            total += table[held]
            if 0 < held < most:
                best = max(best, table[held + 1] - table[held])
        return total + best * self.kinds[pb.CARD_KIND_SEAHORSE]

    def _mermaid_gain(self, kind: Kind, color: int) -> int:
        """Return what one more card adds to the mermaids."""
        mermaids = self.kinds[pb.CARD_KIND_MERMAID]
        if self._tornado:
            return 0
        if kind == pb.CARD_KIND_MERMAID:
            before = self._largest_colors(mermaids)
            self.colors[color] += 1
            gain = self._largest_colors(mermaids + 1) - before
            self.colors[color] -= 1
            return gain
        if not mermaids:
            return 0
        return int(self.colors[color] >= sorted(self.colors, reverse=True)[mermaids - 1])

    def _largest_colors(self, count: int) -> int:
        """Return how many cards have one of the most frequent colors."""
        if not count or self._tornado:
            return 0
        return sum(sorted(self.colors, reverse=True)[:count])


def _crab_duos(hand: Sequence[int]) -> int:
    """Return how many duos the crabs make, with a lobster first."""
    crabs = hand[pb.CARD_KIND_CRAB]
    with_lobster = min(crabs, hand[pb.CARD_KIND_LOBSTER])
    return with_lobster + (crabs - with_lobster) // 2


def holding_of(observation: pb.Observation) -> Holding:
    """Return the own cards of an observation."""
    player = observation.seats[observation.seat]
    hand = [face_of(card) for card in observation.hand]
    return Holding(hand, table_of(player), event_cards_of(observation, observation.seat))
