"""The tricky cases of the water rodeo and the coral reef (numbers of 11.2), one test each."""

from collections.abc import Sequence

import pytest

from shoal.engine import (
    DecisionKind,
    DuoStolen,
    EndTurn,
    HandSeen,
    NoSwap,
    Shield,
    Shielded,
    State,
    Swap,
    Swapped,
    TakeDeck,
    TakePile,
    decision,
    laid_duo,
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


def end_round(state: State) -> list[object]:
    """End the round with the deck, so that no total changes."""
    state.deck = []
    return do(state, EndTurn())


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
    assert (seen.seat, seen.victim) == (0, 1)
    assert seen.hand == observe(state, 0).shown == tuple(sorted(cards("crab bk, boat db")))
    assert [redact(seen, viewer).hand for viewer in (None, 1, 2)] == [None, seen.hand, None]
    assert legal_moves(state) == (NoSwap(),)
    do(state, NoSwap())
    assert asked(state) == (0, PLAY)
    assert observe(state, 0).known[1] == seen.hand


def test_a_swap_offers_each_different_card_of_both_hands() -> None:
    """Equal cards of a hand are one option, on either side; no swap comes first, and is the default."""
    state = position(
        "swimmer db, swimmer lb, crab db x2, octopus lb, octopus gn",
        "boat db x2, sailor pk, sailor or",
        playing=True,
        rules="pepper",
        event="water_rodeo",
    )
    do(state, duo("swimmer db", "swimmer lb", 1))
    own = sorted(cards("crab db, octopus lb, octopus gn"))
    others = sorted(cards("boat db, sailor pk, sailor or"))
    swaps = [Swap(given, gained) for given in own for gained in others]
    assert legal_moves(state) == (NoSwap(), *swaps)
    assert decision(state).default == NoSwap()


def test_swimmers_find_no_hand() -> None:
    """11.2 #52: with no card in any other hand two swimmers are placed for nothing."""
    state = position(
        "swimmer db, swimmer lb, crab bk", "", playing=True, rules="pepper", event="water_rodeo"
    )
    assert plays(state) == [duo("swimmer db", "swimmer lb")]
    assert kinds(do(state, duo("swimmer db", "swimmer lb"))) == ["DuoPlayed"]
    assert asked(state) == (0, PLAY)


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


def test_a_shield_returns_to_the_deck_with_the_next_round() -> None:
    """A shell that lay face down is dealt again, and its seat is shielded no longer (12.2)."""
    state = position("shell db", "", playing=True, rules="pepper", event="coral_reef")
    do(state, Shield(card("shell db")))
    end_round(state)
    assert state.shields == [None, None]
    assert card("shell db") in [*state.deck, *state.piles[0], *state.piles[1]]
