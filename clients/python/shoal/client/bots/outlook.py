"""What cards are worth to a seat: their points now, and what more cards can be expected to add."""

from collections.abc import Mapping

from shoal.client import pb
from shoal.client.cards import MERMAIDS_TO_WIN, Face, Kind
from shoal.client.holding import Holding

EFFECTS: dict[Kind, float] = {
    pb.CARD_KIND_CRAB: 0.8,
    pb.CARD_KIND_BOAT: 1.7,
    pb.CARD_KIND_FISH: 1.0,
    pb.CARD_KIND_SWIMMER: 1.6,
    pb.CARD_KIND_SHARK: 1.6,
    pb.CARD_KIND_LOBSTER: 1.2,
    pb.CARD_KIND_JELLYFISH: 1.6,
}
"""Points that the effect of a duo is taken to bring, by each of its kinds."""

MERMAIDS = (0.0, 0.3, 1.0, 5.0, 100.0)
"""Points that so many mermaids are worth beyond their colors: four win the match."""


def worth_of(cards: Holding, face: Face) -> float:
    """Return what one more card adds at once: points, the effect of its duo, a step to the mermaids."""
    kind, _ = face
    gain = float(cards.gain(face))
    if cards.completes_duo(kind):
        gain += EFFECTS[kind]
    if kind == pb.CARD_KIND_MERMAID:
        mermaids = cards.kinds[kind]
        gain += MERMAIDS[min(mermaids + 1, MERMAIDS_TO_WIN)] - MERMAIDS[mermaids]
    return gain


class Outlook:
    """Values cards against one view of the unseen ones.

    To what a card adds at once comes `horizon` times what an average unseen card would then add
    more than before: so the first octopus counts for something, and less once others hold the rest.
    """

    def __init__(self, unseen: Mapping[Face, int], horizon: float) -> None:
        """Prepare for the cards that may still come, and how many of them are expected to."""
        self._unseen = tuple(unseen.items())
        self._total = sum(unseen.values())
        self._horizon = horizon
        kinds: dict[Kind, tuple[Face, int]] = {}
        for face, count in self._unseen:
            kinds[face[0]] = face, count + kinds.get(face[0], (face, 0))[1]
        self._kinds = tuple(kinds.values())

    def gain(self, cards: Holding, face: Face) -> float:
        """Return what one more card adds to the value of a holding."""
        return self._gain(cards, face, self._hope(cards))

    def draw_gain(self, cards: Holding) -> float:
        """Return what drawing two cards and keeping the better one adds on average."""
        hope = self._hope(cards)
        gains = sorted((self._gain(cards, face, hope), n) for face, n in self._classes(cards))
        below, mean = 0, 0.0
        for gain, count in gains:
            share = ((below + count) ** 2 - below**2) / self._total**2
            mean += share * gain
            below += count
        return mean

    def _gain(self, cards: Holding, face: Face, hope: float) -> float:
        now = worth_of(cards, face)
        if not self._horizon:
            return now
        cards.add(face)
        change = self._hope(cards) - hope
        cards.add(face, -1)
        return now + self._horizon * change

    def _hope(self, cards: Holding) -> float:
        """Return what an average unseen card would add."""
        if not self._total or not self._horizon:
            return 0.0
        total = sum(count * worth_of(cards, face) for face, count in self._classes(cards))
        return total / self._total

    def _classes(self, cards: Holding) -> tuple[tuple[Face, int], ...]:
        """Return the unseen cards that differ for this holding: colors matter only to mermaids."""
        return self._unseen if cards.kinds[pb.CARD_KIND_MERMAID] else self._kinds
