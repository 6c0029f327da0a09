"""The value tables for bot authors, against the engine's."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from shoal.client import pb
from shoal.client.cards import DECK, Face, Holding, card_name
from shoal.engine import FACES, ruleset, score

BOX = [face for face, copies in DECK.items() for _ in range(copies)]
DUOS = ((2, 2), (3, 3), (4, 4), (5, 6))


def engine_card(face: Face) -> int:
    """Return the engine's number of a face."""
    kind = pb.CardKind.Name(face[0]).removeprefix("CARD_KIND_")
    color = pb.CardColor.Name(face[1]).removeprefix("CARD_COLOR_")
    return next(
        number
        for number, row in enumerate(FACES)
        if (row.kind.name, row.color.name) == (kind, color)
    )


@st.composite
def seats(draw: st.DrawFn) -> tuple[list[Face], list[tuple[Face, Face]]]:
    """A hand, and some of its duos on the table."""
    hand = draw(st.lists(st.sampled_from(range(58)), unique=True, max_size=16))
    cards = [BOX[number] for number in hand]
    table = []
    for first, second in draw(st.lists(st.sampled_from(DUOS), max_size=3)):
        one = next((card for card in cards if card[0] == first), None)
        rest = [card for card in cards if card is not one]
        other = next((card for card in rest if card[0] == second), None)
        if one is not None and other is not None:
            cards.remove(one)
            cards.remove(other)
            table.append((one, other))
    return cards, table


def test_the_deck_is_the_engines() -> None:
    """Both say the same of every card of the base game."""
    deck = Counter(ruleset("base").deck)
    assert {engine_card(face): copies for face, copies in DECK.items()} == deck
    assert len(BOX) == 58


@given(seats())
def test_points_are_the_engines(seat: tuple[list[Face], list[tuple[Face, Face]]]) -> None:
    """A holding is worth what the engine says, and has the color bonus that it says."""
    hand, table = seat
    expected = score(
        sorted(map(engine_card, hand)),
        [tuple(sorted(map(engine_card, group))) for group in table],
        ruleset("base"),
    )
    holding = Holding(hand, table)
    assert holding.points() == expected.points
    assert holding.color_bonus() == expected.color_bonus


@given(seats(), st.sampled_from(BOX))
def test_gain_is_the_difference_of_points(
    seat: tuple[list[Face], list[tuple[Face, Face]]], face: Face
) -> None:
    """What a card adds is what the points say before and after, and asking changes nothing."""
    holding = Holding(*seat)
    before = holding.points()
    gain = holding.gain(face)
    assert holding.points() == before
    holding.add(face)
    assert holding.points() - before == gain
    holding.add(face, -1)
    assert holding.points() == before


def test_cards_have_names() -> None:
    """A card is called what people call it."""
    card = pb.Card(kind=pb.CARD_KIND_SHOAL_OF_FISH, color=pb.CARD_COLOR_GREY)
    assert card_name(card) == "grey shoal of fish"
