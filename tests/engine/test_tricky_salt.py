"""The tricky cases of Extra Salt (numbers of 11.2), one test each."""

import pytest

from shoal.engine import (
    CardDrawn,
    Catch,
    Caught,
    DecisionKind,
    DeckSearched,
    DrawCause,
    DuoPlayed,
    Ending,
    EndTurn,
    HandRevealed,
    LastChance,
    PlayTrio,
    RoundEnded,
    RoundEnding,
    Stop,
    Stung,
    TakeDeck,
    TakePile,
    TrioPlayed,
    TurnEnded,
    legal_moves,
    observe,
    redact,
    result,
)
from shoal.engine.scoring import points_of
from tests.engine.support import (
    asked,
    card,
    cards,
    do,
    duo,
    groups,
    kinds,
    only,
    plays,
    position,
    refused,
    trio,
)

TAKE, KEEP, PLAY, PICK, CATCH, SWAP, EQUAL_TOP, KEEP_EVENT_CARD = DecisionKind
SEVEN = "octopus gn, octopus pu, octopus gy, penguin pk"  # 6 + 1 points
TEN = SEVEN + ", penguin pu, fish db, fish gn"  # 6 + 3 + 1 points
STING = "swimmer db, jellyfish pk"


def test_a_fourth_mermaid_in_a_lost_turn_wins_only_at_the_next_play() -> None:
    """11.2 #26: a fourth mermaid drawn in a jellyfish turn wins when its seat is next to play."""
    state = position(
        STING, "mermaid x3", deck="mermaid, crab bk, crab ye", playing=True, rules="salt"
    )
    events = do(state, duo("swimmer db", "jellyfish pk"), EndTurn())
    assert only(CardDrawn, events).card == card("mermaid")
    assert (result(state), asked(state)) == (None, (0, TAKE))
    ended = state.copy()
    do(state, TakePile(0), EndTurn(), TakePile(1))
    assert result(state).winners == (1,)
    assert result(state).ending is Ending.MERMAIDS
    ended.hands[0] = []
    ended.deck = []
    assert only(RoundEnded, do(ended, TakePile(0), EndTurn())).ending is RoundEnding.EMPTY_DECK
    assert result(ended) is None


def test_a_starfish_with_a_duo_in_hand_counts_for_the_threshold() -> None:
    """11.2 #27: what an unplayed starfish and duo are worth allows a call."""
    five = "octopus gn, octopus pu, penguin pk, boat db, boat ye"
    state = position(five, "", playing=True, rules="salt")
    assert (points_of(state, 0), Stop() in legal_moves(state)) == (5, False)
    state = position(five + ", starfish db", "", playing=True, rules="salt")
    assert (points_of(state, 0), Stop() in legal_moves(state)) == (7, True)


def test_a_jellyfish_takes_the_next_turn_of_every_opponent() -> None:
    """11.2 #36: each opponent draws one card and nothing else; then all is as before."""
    state = position(
        STING,
        "crab bk, crab ye",
        "boat db",
        deck="boat lb, fish gn, crab db, crab lb",
        playing=True,
        rules="salt",
    )
    assert only(Stung, do(state, duo("swimmer db", "jellyfish pk"))).seat == 0
    assert [player.stung for player in observe(state, None).players] == [False, True, True]
    events = do(state, EndTurn())
    assert events == [
        TurnEnded(0),
        CardDrawn(1, DrawCause.JELLYFISH, card("boat lb")),
        TurnEnded(1),
        CardDrawn(2, DrawCause.JELLYFISH, card("fish gn")),
        TurnEnded(2),
    ]
    assert redact(events[1], 2) == CardDrawn(1, DrawCause.JELLYFISH, None)
    assert asked(state) == (0, TAKE)
    do(state, TakePile(0), EndTurn())
    assert (asked(state), legal_moves(state)) == ((1, TAKE), (TakeDeck(), TakePile(1)))


def test_the_own_extra_turn_is_not_stung() -> None:
    """11.2 #37: a boat duo after the jellyfish gives its player a normal extra turn."""
    state = position(STING + ", boat db, boat ye", "", playing=True, rules="salt")
    do(state, duo("swimmer db", "jellyfish pk"), duo("boat db", "boat ye"))
    assert legal_moves(state) == (TakeDeck(), TakePile(0), TakePile(1))
    do(state, TakeDeck())
    assert asked(state) == (0, KEEP)


@pytest.mark.parametrize("deck", ["boat lb, fish gn", ""])
def test_a_last_turn_may_be_lost_to_a_jellyfish(deck: str) -> None:
    """11.2 #38: inside last chance the stung seat draws one card if there is any, and reveals."""
    state = position(
        STING + ", " + SEVEN, "crab bk, crab ye", deck=deck, playing=True, rules="salt"
    )
    events = do(state, duo("swimmer db", "jellyfish pk"), LastChance())
    drawn = [event.card for event in events if isinstance(event, CardDrawn)]
    assert drawn == cards(deck)[:1]
    assert [event.seat for event in events if isinstance(event, HandRevealed)] == [0, 1]
    assert only(RoundEnded, events).ending is RoundEnding.LAST_CHANCE


def test_a_lost_turn_may_empty_the_deck() -> None:
    """11.2 #39: the forced draw of the last card ends the round, unscored."""
    state = position(STING, "", "", deck="boat lb", playing=True, rules="salt")
    events = do(state, duo("swimmer db", "jellyfish pk"), EndTurn())
    assert only(RoundEnded, events).ending is RoundEnding.EMPTY_DECK
    assert (only(CardDrawn, events).seat, state.starter) == (1, 2)


@pytest.mark.parametrize(
    "pair", [STING, "boat db, boat ye", "crab db, crab ye", "fish db, fish gn"]
)
def test_a_trio_has_no_effect(pair: str) -> None:
    """11.2 #40: with a starfish a duo is worth three points, and nothing happens."""
    state = position(pair + ", starfish lb", "crab bk", playing=True, rules="salt")
    move = trio(*pair.split(", "), "starfish lb")
    assert move in legal_moves(state)
    assert do(state, move) == [TrioPlayed(0, move.first, move.second, move.third)]
    assert (points_of(state, 0), asked(state), state.stung) == (3, (0, PLAY), ())
    assert state.hands[0] == []


def test_a_starfish_is_not_added_to_a_laid_duo() -> None:
    """11.2 #41: only cards of the hand make a trio."""
    state = position(
        "starfish lb, crab bk", "", tables=("crab db + crab ye", ""), playing=True, rules="salt"
    )
    assert plays(state) == []
    assert refused(state, trio("crab db", "crab ye", "starfish lb"))
    assert refused(state, trio("crab bk", "crab ye", "starfish lb"))


def test_each_starfish_makes_an_option_with_each_duo() -> None:
    """Colors of starfish matter, so that each pair is offered with each of them."""
    state = position(
        "crab db, crab lb, boat db, boat ye, starfish db, starfish ye",
        "",
        playing=True,
        rules="salt",
    )
    assert [move for move in plays(state) if isinstance(move, PlayTrio)] == [
        trio(first, second, third)
        for first, second in (("crab db", "crab lb"), ("boat db", "boat ye"))
        for third in ("starfish db", "starfish ye")
    ]


def test_a_lobster_shows_what_there_is() -> None:
    """11.2 #42: of three cards one is kept and two are shuffled; one is taken; none has no effect."""
    hand = "crab db, lobster"
    state = position(hand, "", deck="boat lb, fish gn, boat ye", playing=True, rules="salt")
    events = do(state, duo("crab db", "lobster"))
    shown = tuple(sorted(cards("boat lb, fish gn, boat ye")))
    assert only(DeckSearched, events).cards == observe(state, 0).shown == shown
    assert redact(only(DeckSearched, events), 1) == DeckSearched(0, 3, None)
    assert legal_moves(state) == tuple(map(Catch, shown))
    caught = only(Caught, do(state, Catch(card("fish gn"))))
    assert (caught.deck_size, redact(caught, 1)) == (2, Caught(0, None, 2))
    assert sorted(state.deck) == sorted(cards("boat lb, boat ye"))
    assert asked(state) == (0, PLAY)
    state = position(hand, "", deck="boat lb", playing=True, rules="salt")
    do(state, duo("crab db", "lobster"), Catch(card("boat lb")))
    assert (state.deck, state.hands[0]) == ([], [card("boat lb")])
    state = position(hand, "", deck="", playing=True, rules="salt")
    assert kinds(do(state, duo("crab db", "lobster"))) == ["DuoPlayed"]
    assert asked(state) == (0, PLAY)


def test_a_lobster_shows_five_of_a_longer_deck() -> None:
    """11.2 #42: of a deck of seven the five top cards are shown, and the others are not."""
    deck = "boat db, boat lb, boat bk, fish gn, fish ye, shell db, shell lb"
    state = position("crab db, lobster", "", deck=deck, playing=True, rules="salt")
    do(state, duo("crab db", "lobster"))
    assert observe(state, 0).shown == tuple(sorted(cards(deck)[:5]))
    assert observe(state, 1).deck_size == 2


def test_after_a_lobster_the_whole_deck_is_in_another_order() -> None:
    """11.2 #42: the cards that were shown lie anywhere in the deck (K21)."""
    deck = "boat db, boat lb, boat bk, boat ye, fish db, shell db, shell lb, shell bk, shell ye"
    tops = set()
    for seed in range(30):
        state = position("crab db, lobster", "", deck=deck, playing=True, rules="salt")
        state.chance.seed = bytes([seed + 1])
        do(state, duo("crab db", "lobster"), Catch(card("boat db")))
        tops.add(state.deck[-1])
    assert len(tops) == 8


def test_each_of_the_two_searches_looks_where_it_should() -> None:
    """11.2 #43: a lobster does not search a pile, and two crabs do not look at the deck."""
    state = position("crab db, crab lb, lobster", "", playing=True, rules="salt")
    assert [(move.second, move.target) for move in plays(state)] == [
        (card("crab lb"), 0),
        (card("crab lb"), 1),
        (card("lobster"), None),
        (card("lobster"), None),
    ]
    crabs, lobster = state.copy(), state.copy()
    assert kinds(do(crabs, duo("crab db", "crab lb", 0))) == ["DuoPlayed", "PileSearched"]
    assert kinds(do(lobster, duo("crab db", "lobster"))) == ["DuoPlayed", "DeckSearched"]


def test_a_duo_with_a_lobster_and_other_crabs_is_counted_at_its_best() -> None:
    """Matching is maximal: a lobster takes one crab, and two others are a duo (8.2, S13)."""
    state = position("lobster, crab db, crab lb, crab bk", "", rules="salt")
    assert points_of(state, 0) == 2


def test_tables_and_groups_are_as_laid() -> None:
    """A trio lies as one group of three."""
    state = position("crab db, crab lb, starfish db", "", playing=True, rules="salt")
    do(state, trio("crab db", "crab lb", "starfish db"))
    assert state.tables[0] == groups("crab db + crab lb + starfish db")
    assert not [event for event in do(state, EndTurn()) if isinstance(event, DuoPlayed)]
