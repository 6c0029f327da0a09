"""What happens when seats leave (rules 7.2)."""

import pytest

from shoal.engine import (
    DecisionKind,
    Ending,
    EndTurn,
    EventCard,
    IllegalMove,
    MatchEnded,
    PlayDuo,
    Reason,
    SeatLeft,
    Stolen,
    Stop,
    SwapDeclined,
    TakeDeck,
    TakePile,
    Took,
    TurnEnded,
    apply,
    decision,
    encode,
    leave,
    legal_moves,
    observe,
    result,
)
from tests.engine.support import asked, card, cards, do, only, position


def test_the_open_decision_of_a_leaving_seat_takes_its_default_at_once() -> None:
    """A seat that leaves when asked to take draws, keeps the first card and ends its turn."""
    state = position("", "", "", deck="crab ye, crab bk, shell db")
    events = leave(state, 0)
    assert [type(event).__name__ for event in events] == ["SeatLeft", "Took", "Kept", "TurnEnded"]
    assert state.hands[0] == [min(cards("crab bk, crab ye"))]
    assert asked(state) == (1, DecisionKind.TAKE)


def test_a_search_left_open_takes_the_top_card() -> None:
    """A seat that leaves while searching a pile takes its top card."""
    state = position("crab bk, crab ye", "", "", piles=("shell db, shell lb", ""), playing=True)
    apply(state, PlayDuo(*sorted(cards("crab bk, crab ye")), 0))
    leave(state, 0)
    assert state.hands[0] == [card("shell lb")]


def test_a_catch_left_open_takes_the_lowest_card() -> None:
    """A seat that leaves while a lobster shows cards keeps the first option."""
    deck = "shell lb, shell db, boat ye"
    state = position("crab bk, lobster", "", "", deck=deck, playing=True, rules="salt")
    apply(state, PlayDuo(*sorted(cards("crab bk, lobster")), None))
    leave(state, 0)
    assert state.hands[0] == [min(cards(deck))]


def test_a_swap_left_open_is_declined() -> None:
    """A seat that leaves while looking at a hand swaps nothing."""
    state = position(
        "swimmer db, swimmer lb, crab bk", "boat ye", "", playing=True, rules="pepper",
        event="water_rodeo",
    )  # fmt: skip
    apply(state, PlayDuo(*sorted(cards("swimmer db, swimmer lb")), 1))
    assert only(SwapDeclined, leave(state, 0)) == SwapDeclined(0, 1)
    assert state.hands[:2] == [cards("crab bk"), cards("boat ye")]


def test_two_equal_tops_left_open_give_the_first() -> None:
    """A seat that leaves when it is to take one of two tops of one color takes that of pile 0."""
    piles = ("octopus gn", "shell gn")
    state = position("", "", "", piles=piles, playing=True, rules="pepper", event="angelfish")
    apply(state, EndTurn())
    leave(state, 0)
    assert state.hands[0] == [card("octopus gn")]


def test_two_event_cards_left_open_leave_the_older() -> None:
    """A seat that leaves when it is to choose among two event cards keeps the one it had."""
    seven = "octopus gn, octopus pu, octopus gy, penguin pk"
    state = position(
        seven, "", "", totals=(0, 20, 20), playing=True, rules="pepper", event="sunfish",
        owned=("dolphins", "", ""),
    )  # fmt: skip
    do(state, Stop())
    assert asked(state) == (0, DecisionKind.KEEP_EVENT_CARD)
    leave(state, 0)
    assert state.event_cards[0] == (EventCard.DOLPHINS,)


def test_later_turns_of_a_seat_that_left_pass_within_the_move_before_them() -> None:
    """The turn of a seat that left is played inside the move that leads to it."""
    state = position("", "", "")
    assert leave(state, 1) == [SeatLeft(1)]
    events = do(state, TakePile(0), EndTurn())
    assert TurnEnded(1) in events
    assert asked(state) == (2, DecisionKind.TAKE)


def test_cards_of_a_seat_that_left_can_be_stolen() -> None:
    """A seat that left keeps its cards, which remain a target."""
    state = position("swimmer db, shark lb", "crab bk", "", playing=True)
    leave(state, 1)
    events = do(state, PlayDuo(card("swimmer db"), card("shark lb"), 1))
    assert only(Stolen, events).card == card("crab bk")


def test_the_last_seat_in_play_wins() -> None:
    """With one seat left the match ends, and those that left rank in reverse order of leaving."""
    state = position("", "", "", "", totals=(29, 0, 10, 0))
    leave(state, 0)
    leave(state, 3)
    events = leave(state, 2)
    assert only(MatchEnded, events).result.ending is Ending.LAST_SEAT
    assert result(state).ranks == (4, 1, 2, 3)
    assert result(state).winners == (1,)
    assert decision(state) is None


def test_a_seat_that_left_ranks_last_whatever_its_total() -> None:
    """A seat that left with the most points ranks behind all seats in play."""
    seven = "octopus gn, octopus pu, octopus gy, penguin pk"
    state = position(seven, "", "", totals=(30, 34, 0), playing=True)
    leave(state, 1)
    do(state, Stop())
    assert result(state).ending is Ending.TARGET
    assert result(state).ranks == (1, 3, 2)


def test_a_seat_in_play_without_a_point_ranks_before_all_that_left() -> None:
    """Nothing but leaving puts a seat last: no order of leaving is worth more than a total of 0."""
    seven = "octopus gn, octopus pu, octopus gy, penguin pk"
    state = position(seven, "", "", "", totals=(29, 0, 0, 0), playing=True)
    leave(state, 2)
    leave(state, 3)
    do(state, Stop())
    assert result(state).ranks == (1, 2, 4, 3)


def test_a_win_by_mermaids_ranks_seats_in_play_before_all_that_left() -> None:
    """Behind the mermaids, too, a total of 0 is worth more than any order of leaving."""
    state = position("mermaid x3", "", "", "", piles=("mermaid", ""))
    leave(state, 2)
    leave(state, 3)
    do(state, TakePile(0))
    assert result(state).ending is Ending.MERMAIDS
    assert result(state).ranks == (1, 2, 4, 3)


def test_a_seat_that_left_claims_no_mermaids() -> None:
    """Four mermaids of a seat that left do not win the match."""
    state = position("mermaid x3", "", "", deck="mermaid x2, shell db")
    events = leave(state, 0)
    assert only(Took, events).count == 2
    assert (len(state.hands[0]), result(state)) == (4, None)


def test_leaving_is_public() -> None:
    """Everybody sees who has left."""
    state = position("", "", "")
    leave(state, 2)
    assert [player.left for player in observe(state, None).players] == [False, False, True]


@pytest.mark.parametrize(
    ("seat", "reason"),
    [(1, Reason.SEAT_HAS_LEFT), (3, Reason.NO_SUCH_SEAT), (-1, Reason.NO_SUCH_SEAT)],
)
def test_a_refused_leaving_says_why_and_changes_nothing(seat: int, reason: Reason) -> None:
    """A seat can leave once, if it exists."""
    state = position("", "", "")
    leave(state, 1)
    before = encode(state)
    with pytest.raises(IllegalMove) as refusal:
        leave(state, seat)
    assert refusal.value.reason is reason
    assert encode(state) == before


def test_nobody_leaves_or_plays_after_the_end() -> None:
    """After the end both leaving and moving are refused."""
    state = position("", "")
    leave(state, 0)
    assert legal_moves(state) == ()
    for act in (lambda: leave(state, 1), lambda: apply(state, TakeDeck())):
        with pytest.raises(IllegalMove) as refusal:
            act()
        assert refusal.value.reason is Reason.MATCH_OVER
