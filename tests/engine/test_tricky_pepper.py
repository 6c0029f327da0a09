"""The tricky cases of Extra Pepper (numbers of 11.2), one test each."""

import pytest

from shoal.engine import (
    CardDrawn,
    CardPicked,
    DecisionKind,
    DrawCause,
    Ending,
    EndTurn,
    EventAwarded,
    EventCard,
    EventDiscarded,
    EventRevealed,
    FishDrawn,
    HandRevealed,
    Keep,
    KeepEventCard,
    LastChance,
    PickCard,
    PileSearched,
    PlayDuo,
    State,
    Stop,
    TakeDeck,
    TakeEqualTop,
    TakePile,
    Took,
    TurnEnded,
    decision,
    legal_moves,
    observe,
    result,
)
from shoal.engine.cards import KIND_OF
from shoal.engine.scoring import points_of
from shoal.engine.terms import terms_under
from tests.engine.support import (
    asked,
    card,
    cards,
    do,
    duo,
    kinds,
    only,
    plays,
    position,
    refused,
)

TAKE, KEEP, PLAY, PICK, CATCH, SWAP, EQUAL_TOP, KEEP_EVENT_CARD = DecisionKind
SEVEN = "octopus gn, octopus pu, octopus gy, penguin pk"  # 6 + 1 points
TEN = SEVEN + ", penguin pu, fish db, fish gn"  # 6 + 3 + 1 points
STING = "swimmer db, jellyfish pk"


def test_the_hermit_crab_takes_from_both_piles() -> None:
    """11.2 #44: one card from each pile that has cards, and the second pile is seen later."""
    state = position(
        "crab db, crab lb",
        "",
        piles=("shell db, boat db", "shell lb, boat lb"),
        playing=True,
        rules="pepper",
        event="hermit_crab",
    )
    assert plays(state) == [duo("crab db", "crab lb")]
    events = do(state, duo("crab db", "crab lb"))
    assert only(PileSearched, events).pile == 0
    assert observe(state, 0).shown == tuple(cards("shell db, boat db"))
    events = do(state, PickCard(card("shell db")))
    assert kinds(events) == ["CardPicked", "PileSearched"]
    assert observe(state, 0).shown == tuple(cards("shell lb, boat lb"))
    do(state, PickCard(card("boat lb")))
    assert (asked(state), state.hands[0]) == ((0, PLAY), sorted(cards("shell db, boat lb")))
    state = position(
        "crab db, crab lb",
        "",
        piles=("", "shell lb"),
        playing=True,
        rules="pepper",
        owned=("hermit_crab", ""),
    )
    events = do(state, duo("crab db", "crab lb"))
    assert only(PileSearched, events) == PileSearched(0, 1, 1, (card("shell lb"),))
    assert only(CardPicked, do(state, PickCard(card("shell lb")))).pile == 1
    assert asked(state) == (0, PLAY)


def test_the_sunfish_draws_two_or_what_is_left() -> None:
    """11.2 #45: two cards, or one from a deck of one."""
    for deck, drawn in (("boat db, boat lb, boat ye", 2), ("boat db", 1), ("", 0)):
        state = position(
            "fish db, fish gn", "", deck=deck, playing=True, rules="pepper", event="sunfish"
        )
        events = do(state, duo("fish db", "fish gn"))
        assert kinds(events) == ["DuoPlayed"] + ["FishDrawn"] * drawn
        assert [event.card for event in events if isinstance(event, FishDrawn)] == cards(deck)[
            :drawn
        ]


@pytest.mark.parametrize(
    ("discarded", "rest", "draws"),
    [
        ("shell db", "fish lb", True),
        ("seahorse", "fish lb", True),
        ("sailor pk", "fish lb", True),
        ("crab bk", "fish lb", False),
        ("mermaid", "fish lb", False),
        ("captain", "fish lb", False),
        ("starfish db", "fish lb", False),
        ("shell db", "", False),
    ],
)
def test_dolphins_draw_after_a_collected_card(*, discarded: str, rest: str, draws: bool) -> None:
    """11.2 #46: discarding a collected card or the seahorse draws one more, if there is one."""
    deck = f"boat db, {discarded}, {rest}"
    state = position("", "", deck=deck, rules="salt-pepper", event="dolphins")
    events = do(state, TakeDeck(), Keep(card("boat db"), 0))
    expected = [CardDrawn(0, DrawCause.DOLPHINS, card("fish lb"))] if draws else []
    assert [event for event in events if isinstance(event, CardDrawn)] == expected
    assert len(state.hands[0]) == 1 + draws


def test_dolphins_come_before_the_win_by_mermaids() -> None:
    """11.2 #23: the other card is discarded and dolphins draw before mermaids are shown."""
    state = position(
        "mermaid x3", "", deck="mermaid, shell db, boat db", rules="pepper", event="dolphins"
    )
    events = do(state, TakeDeck(), Keep(card("mermaid"), 0))
    assert kinds(events) == ["Took", "Kept", "CardDrawn", "MermaidsShown", "MatchEnded"]


def test_angelfish_take_one_of_two_tops_of_one_color() -> None:
    """11.2 #47: the seat must take one, and the new tops are not looked at again."""
    state = position(
        "", "", piles=("fish gn, crab gn", "shell gn, octopus gn"), playing=True, rules="pepper",
        event="angelfish",
    )  # fmt: skip
    assert do(state, EndTurn()) == []
    assert (asked(state), legal_moves(state)) == (
        (0, EQUAL_TOP),
        (TakeEqualTop(0), TakeEqualTop(1)),
    )
    events = do(state, TakeEqualTop(1))
    assert events == [Took(0, 1, 1, (card("octopus gn"),)), TurnEnded(0)]
    assert asked(state) == (1, TAKE)
    assert observe(state, 1).known == ((card("octopus gn"),), ())


@pytest.mark.parametrize(
    "piles",
    [
        ("crab gn", ""),
        ("crab gn", "crab bk"),
        ("crab gn, fish db", "shell gn"),
        ("shell gn", "crab gn, fish db"),
    ],
)
def test_angelfish_need_two_tops_of_one_color(piles: tuple[str, str]) -> None:
    """11.2 #47: with one pile empty or tops of two colors there is nothing to take."""
    state = position("", "", piles=piles, playing=True, rules="pepper", event="angelfish")
    assert do(state, EndTurn()) == [TurnEnded(0)]


def test_angelfish_do_not_act_on_a_call_or_in_a_lost_turn() -> None:
    """11.2 #47: stop takes nothing, and neither does a turn lost to a jellyfish."""
    piles = ("crab gn", "fish gn")
    state = position(SEVEN, "", piles=piles, playing=True, rules="pepper", event="angelfish")
    assert "Took" not in kinds(do(state, Stop()))
    state = position(
        STING, "", piles=piles, playing=True, rules="salt-pepper", owned=("", "angelfish")
    )
    do(state, duo("swimmer db", "jellyfish pk"), EndTurn())
    assert asked(state) == (0, TAKE)


def test_angelfish_act_before_a_last_turn_is_revealed_and_may_win() -> None:
    """11.2 #47: the card is taken before the hand is shown, and mermaids are looked at then."""
    state = position(
        SEVEN + ", penguin pu", "mermaid x3", piles=("seahorse", "mermaid"),
        caller=0, active=1, playing=True, rules="salt-pepper", event="angelfish",
    )  # fmt: skip
    do(state, EndTurn())
    shown = state.copy()
    events = do(shown, TakeEqualTop(0))
    assert only(HandRevealed, events).hand == tuple(sorted(cards("mermaid x3, seahorse")))
    do(state, TakeEqualTop(1))
    assert (result(state).ending, result(state).winners) == (Ending.MERMAIDS, (1,))


def test_a_treasure_chest_raises_the_threshold_of_its_owner() -> None:
    """11.2 #48: its owner needs ten points, others seven."""
    for active, hand, may_call in ((0, SEVEN, False), (0, TEN, True), (1, SEVEN, True)):
        hands = [hand, ""] if active == 0 else ["", hand]
        state = position(
            *hands, active=active, playing=True, rules="pepper", owned=("treasure_chest", "")
        )
        assert (Stop() in legal_moves(state)) is may_call
        assert observe(state, active).call_points == (7 if active else 10)


def test_the_diodon_fish_forbids_stop() -> None:
    """11.2 #49: with seven points only last chance may be called."""
    state = position(SEVEN, "", playing=True, rules="pepper", event="diodon_fish")
    assert legal_moves(state)[:2] == (EndTurn(), LastChance())
    assert refused(state, Stop())


def test_event_cards_of_the_round_and_the_seat_add_up() -> None:
    """11.2 #50: chest and diodon fish together: ten points, and last chance alone."""
    for hand, options in ((SEVEN, (EndTurn(),)), (TEN, (EndTurn(), LastChance()))):
        state = position(
            hand,
            "",
            playing=True,
            rules="pepper",
            event="diodon_fish",
            owned=("treasure_chest", ""),
        )
        assert (
            tuple(move for move in legal_moves(state) if not isinstance(move, PlayDuo)) == options
        )


def end_round(state: State) -> list[object]:
    """End the round with the deck, so that no total changes."""
    state.deck = []
    return do(state, EndTurn())


def test_event_cards_go_by_unshared_totals() -> None:
    """11.2 #54: with 10, 10 and 4 there is no leader: kraken goes, and so does a leader's card."""
    state = position(
        "", "", "", totals=(10, 10, 4), playing=True, rules="pepper", event="kraken",
        owned=("tornado", "", "sunfish"),
    )  # fmt: skip
    events = end_round(state)
    assert only(EventDiscarded, events) == EventDiscarded(0, EventCard.TORNADO)
    assert only(EventAwarded, events) == EventAwarded(EventCard.KRAKEN, None)
    assert state.event_cards == ((), (), (EventCard.SUNFISH,))
    assert set(state.event_discards) == {EventCard.TORNADO, EventCard.KRAKEN}
    assert only(EventRevealed, events).event_card is state.event_card


def test_of_two_event_cards_one_is_kept() -> None:
    """11.2 #55: the last seat chooses; the next card counts for all, the kept one for it alone."""
    state = position(
        "", "", totals=(10, 4), playing=True, rules="pepper", event="dolphins",
        owned=("", "sunfish"),
    )  # fmt: skip
    events = end_round(state)
    assert only(EventAwarded, events) == EventAwarded(EventCard.DOLPHINS, 1)
    assert (asked(state), state.event_card) == ((1, KEEP_EVENT_CARD), None)
    owned = (frozenset[EventCard](), frozenset({EventCard.SUNFISH, EventCard.DOLPHINS}))
    assert state.terms == tuple(terms_under(state.rules, event_cards) for event_cards in owned)
    older, newer = KeepEventCard(EventCard.SUNFISH), KeepEventCard(EventCard.DOLPHINS)
    assert (legal_moves(state), decision(state).default) == ((older, newer), older)
    assert observe(state, 0).players[1].event_cards == (EventCard.SUNFISH, EventCard.DOLPHINS)
    events = do(state, newer)
    assert only(EventDiscarded, events) == EventDiscarded(1, EventCard.SUNFISH)
    assert state.event_cards == ((), (EventCard.DOLPHINS,))
    assert state.event_card is only(EventRevealed, events).event_card
    draws = [terms.draws_after for terms in state.terms]
    assert (draws[0], KIND_OF[card("shell db")] in draws[1]) == (frozenset(), True)
    assert asked(state) == (1, TAKE)


def test_three_mermaids_win_under_their_dance() -> None:
    """11.2 #56: the third mermaid wins for whom the dance counts, and four win as well (K31)."""
    for hand, pile in (("mermaid x2", "mermaid"), ("mermaid x3", "mermaid")):
        state = position(
            hand + ", crab db, crab lb", "", piles=(pile, ""), playing=True, rules="pepper"
        )
        assert asked(state) == (0, PLAY)
        do(state, duo("crab db", "crab lb", 0), PickCard(card("mermaid")))
        assert (result(state) is None) == (hand == "mermaid x2")
        state = position(
            "mermaid x2, crab db, crab lb", "", piles=(pile, ""), playing=True, rules="pepper",
            event="dance_of_the_mermaids",
        )  # fmt: skip
        do(state, duo("crab db", "crab lb", 0), PickCard(card("mermaid")))
        assert result(state).winners == (0,)


def test_four_mermaids_win_under_the_dance_too() -> None:
    """11.2 #56: from two mermaids to four at once wins (K31)."""
    state = position(
        "mermaid x2, fish db, fish gn", "", deck="mermaid x2", playing=True, rules="pepper",
        event="dance_of_the_mermaids", owned=("sunfish", ""),
    )  # fmt: skip
    do(state, duo("fish db", "fish gn"))
    assert (result(state).ending, result(state).winners) == (Ending.MERMAIDS, (0,))


def test_mermaids_win_in_a_tornado() -> None:
    """11.2 #57: mermaids that score nothing still win."""
    state = position("mermaid x3", "", piles=("mermaid", ""), rules="pepper", event="tornado")
    assert points_of(state, 0) == 0
    do(state, TakePile(0))
    assert result(state).ending is Ending.MERMAIDS


def test_used_event_cards_are_shuffled_when_there_are_no_others() -> None:
    """The thirteenth round of a long match meets an event card again (12.1)."""
    state = position("", "", totals=(5, 5), playing=True, rules="pepper", event="kraken")
    met = []
    for _ in range(24):
        met.append(state.event_card)
        end_round(state)
        do(state, TakePile(0))
    assert set(met[:12]) == set(met[12:]) == set(EventCard)
    assert met[:12] != met[12:]
    in_use = [state.event_card, *state.event_deck, *state.event_discards]
    assert sorted(in_use) == list(EventCard)


def test_the_event_card_of_a_round_counts_from_its_first_turn() -> None:
    """What is turned up for the next round applies to all seats, and the old one no longer (12.1)."""
    state = position("", "", deck="", playing=True, rules="pepper", event="angelfish")
    do(state, EndTurn())
    assert (asked(state), state.event_card) == ((1, TAKE), EventCard.HERMIT_CRAB)
    assert state.terms == (terms_under(state.rules, frozenset({EventCard.HERMIT_CRAB})),) * 2
