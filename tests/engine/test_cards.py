"""The box and the rulesets."""

from collections import Counter

import pytest

from shoal.engine import (
    FACES,
    OWNER,
    RULESETS,
    BadSetup,
    Color,
    EventCard,
    Kind,
    Owner,
    UnknownRuleset,
    new_match,
    ruleset,
)
from shoal.engine.cards import FACES_OF, KIND_OF
from shoal.engine.counts import count, counts_of, largest_groups

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
    assert len(Color) == len(COLORS)


def test_extra_salt_has_the_printed_cards() -> None:
    """Extra Salt adds 8 cards, after which the colors have the printed numbers."""
    base, salt = Counter(ruleset("base").deck), Counter(ruleset("salt").deck)
    assert not base - salt
    assert Counter(FACES[card].kind.name.lower() for card in (salt - base).elements()) == {
        "jellyfish": 2, "lobster": 1, "cast_of_crabs": 1, "starfish": 3, "seahorse": 1
    }  # fmt: skip
    by_color = Counter(FACES[card].color.name.lower() for card in salt.elements())
    assert by_color == Counter(COLORS) + Counter(
        ["purple", "pink", "black", "green", "dark_blue", "light_blue", "yellow", "white"]
    )
    assert {kind.name.lower() for kind in Kind} == set(KINDS) | {
        FACES[card].kind.name.lower() for card in salt - base
    }


def test_counts_hold_the_whole_deck() -> None:
    """Whoever had all cards would have each kind and each color counted, and no count in another's bits."""
    deck = ruleset("salt").deck
    counts = counts_of(deck)
    assert {kind: count(counts, kind) for kind in Kind} == Counter(
        FACES[card].kind for card in deck
    )
    by_color = sorted(Counter(FACES[card].color for card in deck).values(), reverse=True)
    for number in range(1, len(Color) + 1):
        assert largest_groups(counts, number) == sum(by_color[:number])


def test_the_parts_of_a_ruleset_are_in_its_name() -> None:
    """A ruleset has the cards of Extra Salt, event cards and doubled targets as its name says."""
    for name in RULESETS:
        rules, parts = ruleset(name), name.split("-")
        assert (rules.name, rules.version) == (name, 1)
        assert len(rules.deck) == (66 if "salt" in parts else 58)
        assert len(rules.event_cards) == (12 if "pepper" in parts else 0)
        assert rules.targets[2] == (80 if "double" in parts else 40)


def test_whom_the_event_cards_go_to() -> None:
    """The four that hamper go to the leader, the others to the last seat (K28)."""
    hamper = {card for card, owner in OWNER.items() if owner is Owner.HIGHEST}
    assert set(OWNER) == set(EventCard)
    assert hamper == {
        EventCard.KRAKEN,
        EventCard.TORNADO,
        EventCard.TREASURE_CHEST,
        EventCard.DIODON_FISH,
    }


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
    assert refusal.value.known == RULESETS
    assert RULESETS == (
        "base", "base-double", "salt", "salt-double",
        "pepper", "pepper-double", "salt-pepper", "salt-pepper-double",
    )  # fmt: skip
    for name in RULESETS:
        assert name in str(refusal.value)


@pytest.mark.parametrize(("seats", "seed"), [(1, b"s"), (5, b"s"), (2, b""), (2, bytes(65))])
def test_a_match_needs_two_to_four_seats_and_a_seed(seats: int, seed: int) -> None:
    """Other numbers of seats and lengths of seeds are refused."""
    with pytest.raises(BadSetup):
        new_match(ruleset("base"), seats, seed)


@pytest.mark.parametrize("length", [1, 64])
def test_the_shortest_and_the_longest_seed_are_taken(length: int) -> None:
    """A seed of 1 byte is enough, and one of 64 is not too long."""
    assert new_match(ruleset("base"), 2, bytes(length)).round == 1


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(("rules", "deck"), [("base", 56), ("salt", 64)])
def test_a_round_starts_with_two_piles_of_one_card(rules: str, deck: int, seats: int) -> None:
    """Two cards are turned up, the others are the deck, and nobody holds any."""
    state = new_match(ruleset(rules), seats, b"deal")
    assert len(state.deck) == deck
    assert [len(pile) for pile in state.piles] == [1, 1]
    assert state.hands == state.tables == [[] for _ in range(seats)]
    assert state.totals == [0] * seats
