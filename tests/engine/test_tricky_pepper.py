"""The tricky cases of Extra Pepper (numbers of 11.2), one test each."""

from collections.abc import Sequence

import pytest

from shoal.engine import (
    CardDrawn,
    CardPicked,
    DecisionKind,
    DrawCause,
    DuoStolen,
    Ending,
    EndTurn,
    EventAwarded,
    EventCard,
    EventDiscarded,
    EventRevealed,
    FishDrawn,
    HandRevealed,
    HandSeen,
    Keep,
    KeepEventCard,
    LastChance,
    NoSwap,
    PickCard,
    PileSearched,
    PlayDuo,
    Shield,
    Shielded,
    State,
    Stop,
    Swap,
    Swapped,
    TakeDeck,
    TakeEqualTop,
    TakePile,
    Took,
    TurnEnded,
    decision,
    laid_duo,
    legal_moves,
    observe,
    redact,
    result,
)
from shoal.engine.cards import KIND_OF
from shoal.engine.scoring import points_of
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
    do(state, duo("crab db", "crab lb"))
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


@pytest.mark.parametrize("piles", [("crab gn", ""), ("crab gn", "crab bk")])
def test_angelfish_need_two_tops_of_one_color(piles: tuple[str, str]) -> None:
    """11.2 #47: with one pile empty or two colors there is nothing to take."""
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


def test_a_shield_protects_from_theft_and_sting() -> None:
    """11.2 #51: the shielded seat is no target and loses no turn; one shield a round."""
    state = position(
        "shell db, shell lb", "swimmer db, shark lb, swimmer lb, jellyfish pk",
        deck="boat db, boat lb, boat ye, boat bk", playing=True, rules="salt-pepper",
        event="coral_reef",
    )  # fmt: skip
    assert plays(state) == [Shield(card("shell db")), Shield(card("shell lb"))]
    before = points_of(state, 0)
    event = only(Shielded, do(state, Shield(card("shell db"))))
    assert redact(event, 1) == Shielded(0, None)
    assert (before, points_of(state, 0), observe(state, 0).color_bonus) == (2, 0, 1)
    assert observe(state, 0).shield == card("shell db")
    assert (observe(state, 1).shield, observe(state, 1).players[0].shielded) == (None, True)
    assert refused(state, Shield(card("shell lb")))
    do(state, EndTurn(), TakePile(0))
    assert kinds(do(state, duo("swimmer db", "shark lb"))) == ["DuoPlayed"]
    do(state, duo("swimmer lb", "jellyfish pk"), EndTurn())
    assert (asked(state), legal_moves(state)[0]) == ((0, TAKE), TakeDeck())
    assert state.stung == ()


def test_a_swap_needs_a_card_to_give() -> None:
    """11.2 #52: who has no card left sees the hand, and must pass."""
    state = position(
        "swimmer db, swimmer lb", "crab bk, boat db", "", playing=True, rules="pepper",
        event="water_rodeo",
    )  # fmt: skip
    assert plays(state) == [duo("swimmer db", "swimmer lb", 1)]
    seen = only(HandSeen, do(state, duo("swimmer db", "swimmer lb", 1)))
    assert seen.hand == observe(state, 0).shown == tuple(sorted(cards("crab bk, boat db")))
    assert [redact(seen, viewer).hand for viewer in (None, 1, 2)] == [None, seen.hand, None]
    assert legal_moves(state) == (NoSwap(),)
    do(state, NoSwap())
    assert asked(state) == (0, PLAY)
    assert observe(state, 0).known[1] == seen.hand


def test_a_mermaid_that_is_swapped_wins_only_when_its_seat_plays() -> None:
    """11.2 #52: the fourth mermaid given away does not win before its new seat is to play."""
    state = position(
        "swimmer db, swimmer lb, mermaid", "mermaid x3, crab bk", deck="boat db, boat lb, boat ye",
        playing=True, rules="pepper", event="water_rodeo",
    )  # fmt: skip
    do(state, duo("swimmer db", "swimmer lb", 1))
    events = do(state, Swap(card("mermaid"), card("crab bk")))
    assert only(Swapped, events) == Swapped(0, 1, card("mermaid"), card("crab bk"))
    assert redact(events[0], None) == Swapped(0, 1, None, None)
    assert result(state) is None
    do(state, EndTurn(), TakePile(0))
    assert result(state).winners == (1,)


def test_sharks_take_a_laid_duo() -> None:
    """11.2 #53: trios are safe, the duo moves as it lies, and what counts it moves with it."""
    state = position(
        "shark db, shark lb, lighthouse", "shoal", "",
        tables=("", "boat db + boat ye + starfish lb; fish db + fish gn; boat lb + boat bk", ""),
        playing=True, rules="salt-pepper", event="water_rodeo",
    )  # fmt: skip
    assert plays(state) == [duo("shark db", "shark lb", laid_duo(1, place)) for place in (1, 2)]
    before = [points_of(state, seat) for seat in (0, 1)]
    events = do(state, duo("shark db", "shark lb", laid_duo(1, 2)))
    group = tuple(sorted(cards("boat lb, boat bk")))
    assert events[1:] == [DuoStolen(0, 1, group)]
    assert state.tables[0] == [tuple(sorted(cards("shark db, shark lb"))), group]
    assert before == [1, 3 + 1 + 1 + 2]
    assert [points_of(state, seat) for seat in (0, 1)] == [2 + 2, 3 + 1 + 2]
    assert asked(state) == (0, PLAY)


def test_sharks_find_no_duo() -> None:
    """11.2 #53: with no duo on any table the sharks are placed for nothing."""
    state = position(
        "shark db, shark lb", "", tables=("crab db + crab ye", ""), playing=True, rules="pepper",
        event="water_rodeo",
    )  # fmt: skip
    assert plays(state) == [duo("shark db", "shark lb")]
    assert kinds(do(state, duo("shark db", "shark lb"))) == ["DuoPlayed"]


@pytest.mark.parametrize("shields", [(), ("", "shell db")])
def test_sharks_leave_revealed_and_shielded_seats_alone(shields: Sequence[str]) -> None:
    """11.2 #53: a revealed seat, though without cards, and a shielded one keep their duos (K27)."""
    state = position(
        "shark db, shark lb", "", tables=("", "crab db + crab ye"), shields=shields,
        caller=None if shields else 1, playing=True, rules="pepper", event="water_rodeo",
    )  # fmt: skip
    assert plays(state) == [duo("shark db", "shark lb")]


def test_of_two_equal_laid_duos_one_is_offered() -> None:
    """Equal duos of one table are one option: the first laid (D7)."""
    state = position(
        "shark db, shark lb", "", tables=("", "boat db + boat ye; boat db + boat ye"),
        playing=True, rules="pepper", event="water_rodeo",
    )  # fmt: skip
    assert plays(state) == [duo("shark db", "shark lb", laid_duo(1, 0))]


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
    assert asked(state) == (1, KEEP_EVENT_CARD)
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


def test_a_shield_returns_to_the_deck_with_the_next_round() -> None:
    """A shell that lay face down is dealt again, and its seat is shielded no longer (12.2)."""
    state = position("shell db", "", playing=True, rules="pepper", event="coral_reef")
    do(state, Shield(card("shell db")))
    end_round(state)
    assert state.shields == [None, None]
    assert card("shell db") in [*state.deck, *state.piles[0], *state.piles[1]]
