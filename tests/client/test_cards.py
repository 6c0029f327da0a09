"""The value tables for bot authors, against the engine's."""

from hypothesis import given
from hypothesis import strategies as st

from shoal.client import pb
from shoal.client.cards import BASE_DECK, SALT_DECK, Face, card_name, deck_of
from shoal.client.holding import Holding
from shoal.engine import FACES, RULESETS, EventCard, Kind, ruleset, score

BOX = [face for face, copies in SALT_DECK.items() for _ in range(copies)]
DUOS = (
    (pb.CARD_KIND_CRAB, pb.CARD_KIND_CRAB),
    (pb.CARD_KIND_BOAT, pb.CARD_KIND_BOAT),
    (pb.CARD_KIND_FISH, pb.CARD_KIND_FISH),
    (pb.CARD_KIND_SWIMMER, pb.CARD_KIND_SHARK),
    (pb.CARD_KIND_SWIMMER, pb.CARD_KIND_JELLYFISH),
    (pb.CARD_KIND_CRAB, pb.CARD_KIND_LOBSTER),
)


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
def seats(draw: st.DrawFn) -> tuple[list[Face], list[list[Face]], list[EventCard]]:
    """A hand, some of its duos and trios on the table, and the event cards in force."""
    hand = draw(st.lists(st.sampled_from(range(len(BOX))), unique=True, max_size=18))
    cards = [BOX[number] for number in hand]
    table = []
    for first, second in draw(st.lists(st.sampled_from(DUOS), max_size=3)):
        one = next((card for card in cards if card[0] == first), None)
        rest = [card for card in cards if card is not one]
        other = next((card for card in rest if card[0] == second), None)
        if one is not None and other is not None:
            cards.remove(one)
            cards.remove(other)
            table.append([one, other])
            star = next((card for card in cards if card[0] == pb.CARD_KIND_STARFISH), None)
            if star is not None and draw(st.booleans()):
                cards.remove(star)
                table[-1].append(star)
    events = draw(st.lists(st.sampled_from(EventCard), unique=True, max_size=2))
    return cards, table, events


def holding_of(seat: tuple[list[Face], list[list[Face]], list[EventCard]]) -> Holding:
    """Return the holding of a seat."""
    hand, table, events = seat
    return Holding(hand, table, [pb.EventCard.Value(f"EVENT_CARD_{each.name}") for each in events])


def test_the_decks_are_the_engines() -> None:
    """Both say the same of every card in the box, for every ruleset."""
    for name in RULESETS:
        deck = ruleset(name).deck
        assert {engine_card(face): copies for face, copies in deck_of(name).items()} == {
            card: deck.count(card) for card in set(deck)
        }
    assert sum(BASE_DECK.values()) == 58
    assert len(BOX) == 66
    assert len(Kind) == 19


@given(seats())
def test_points_are_the_engines(
    seat: tuple[list[Face], list[list[Face]], list[EventCard]],
) -> None:
    """A holding is worth what the engine says, and has the color bonus that it says."""
    hand, table, events = seat
    expected = score(
        sorted(map(engine_card, hand)),
        [tuple(sorted(map(engine_card, group))) for group in table],
        ruleset("salt-pepper"),
        events,
    )
    holding = holding_of(seat)
    assert holding.points() == expected.points
    assert holding.color_bonus() == expected.color_bonus


@given(seats(), st.sampled_from(BOX))
def test_gain_is_the_difference_of_points(
    seat: tuple[list[Face], list[list[Face]], list[EventCard]], face: Face
) -> None:
    """What a card adds is what the points say before and after, and asking changes nothing."""
    holding = holding_of(seat)
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
