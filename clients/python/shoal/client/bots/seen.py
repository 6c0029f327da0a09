"""What a bot knows of the cards beside its own: those in other hands and in the piles, and what is unseen.

All of it is in every observation, so that there is nothing to remember.
"""

from collections import Counter

from shoal.client import pb
from shoal.client.cards import Face, deck_of, face_of, table_of

DRAWN = (pb.DECISION_KIND_KEEP, pb.DECISION_KIND_CATCH)
"""The decisions that show cards which lie nowhere else."""


def cards_of(observation: pb.Observation, seat: int) -> list[Face]:
    """Return the cards in another seat's hand that are known now."""
    player = observation.seats[seat]
    cards = player.revealed_hand if player.hand_revealed else player.known_hand
    return [face_of(card) for card in cards]


def pile_of(observation: pb.Observation, pile: int) -> list[Face]:
    """Return the cards that are known to lie in a pile, the top card last."""
    return [face_of(card) for card in observation.piles[pile].known]


def unseen(observation: pb.Observation) -> dict[Face, int]:
    """Return how many cards of each face may be in the deck, or unknown in other hands and in piles."""
    left = Counter(deck_of(observation.ruleset))
    left.subtract(face_of(card) for card in observation.hand)
    if observation.pending_kind in DRAWN:
        left.subtract(face_of(card) for card in observation.shown)
    if observation.HasField("shield"):
        left[face_of(observation.shield)] -= 1
    for seat, player in enumerate(observation.seats):
        for group in table_of(player):
            left.subtract(group)
        if seat != observation.seat:
            left.subtract(cards_of(observation, seat))
    for pile in range(len(observation.piles)):
        left.subtract(pile_of(observation, pile))
    return {face: count for face, count in left.items() if count > 0}
