"""The box and the rulesets."""

from collections import Counter

import pytest

from shoal.engine import (
    FACES,
    RULESETS,
    BadSetup,
    Color,
    Kind,
    UnknownRuleset,
    new_match,
    ruleset,
)
from shoal.engine.cards import FACES_OF, KIND_OF

KINDS = {
    "crab": 9, "boat": 8, "fish": 7, "swimmer": 5, "shark": 5, "shell": 6, "octopus": 5,
    "penguin": 3, "sailor": 2, "lighthouse": 1, "shoal_of_fish": 1, "penguin_colony": 1,
    "captain": 1, "mermaid": 4,
}  # fmt: skip
COLORS = {
    "dark_blue": 9, "light_blue": 9, "black": 8, "yellow": 8, "green": 6, "white": 4,
    "purple": 4, "grey": 4, "light_orange": 3, "pink": 2, "orange": 1,
}  # fmt: skip


def test_the_deck_has_the_printed_cards() -> None:
    """The 58 cards have the printed numbers of each kind and color (K2, K3)."""
    deck = [FACES[card] for card in ruleset("base").deck]
    assert len(deck) == 58
    assert Counter(face.kind.name.lower() for face in deck) == KINDS
    assert Counter(face.color.name.lower() for face in deck) == COLORS
    assert (len(Kind), len(Color)) == (len(KINDS), len(COLORS))


def test_faces_of_a_kind_are_neighbors() -> None:
    """The faces of each kind are a range of face ids, as sorted hands rely on."""
    for kind in Kind:
        assert [KIND_OF[card] for card in FACES_OF[kind]] == [kind] * len(FACES_OF[kind])
        assert KIND_OF.count(kind) == len(FACES_OF[kind])


def test_double_points_double_the_targets_and_nothing_else() -> None:
    """The two rulesets differ in name and targets alone."""
    base, double = ruleset("base"), ruleset("base-double")
    assert base.targets == {2: 40, 3: 35, 4: 30}
    assert double.targets == {2: 80, 3: 70, 4: 60}
    for field in ("version", "deck", "call_points", "mermaids_to_win", "duos", "collectors"):
        assert getattr(base, field) == getattr(double, field)


def test_an_unknown_ruleset_is_refused_with_the_known_names() -> None:
    """A ruleset that does not exist is never replaced by another one."""
    with pytest.raises(UnknownRuleset) as refusal:
        ruleset("standard")
    assert refusal.value.known == RULESETS == ("base", "base-double")


@pytest.mark.parametrize(("seats", "seed"), [(1, b"s"), (5, b"s"), (2, b""), (2, bytes(65))])
def test_a_match_needs_two_to_four_seats_and_a_seed(seats: int, seed: int) -> None:
    """Other numbers of seats and lengths of seeds are refused."""
    with pytest.raises(BadSetup):
        new_match(ruleset("base"), seats, seed)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_round_starts_with_two_piles_of_one_card(seats: int) -> None:
    """Of 58 cards two are turned up, 56 are the deck, and nobody holds any."""
    state = new_match(ruleset("base"), seats, b"deal")
    assert len(state.deck) == 56
    assert [len(pile) for pile in state.piles] == [1, 1]
    assert state.hands == state.tables == [[] for _ in range(seats)]
    assert state.totals == [0] * seats
