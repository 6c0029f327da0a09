"""Who may hold winning mermaids in a sampled world: nobody who would have won before (T93)."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.engine import (
    RULESETS,
    DecisionKind,
    EndTurn,
    PlayDuo,
    State,
    decision,
    legal_moves,
    observe,
    sample,
)
from shoal.engine.determinization import _would_be_over
from tests.engine.support import card, cards, do, full_deck, position, random_steps

MANY = (
    "crab db x2, crab ye x2, crab bk, crab gn, crab gy, boat db x2, boat lb x2, boat bk x2,"
    " boat ye x2, fish db x2, fish bk x2, shell db, shell bk, shell ye, shell gn, octopus gn,"
    " octopus gy, penguin pk"
)
"""What a seat may hold, none of it mermaids; laid down in part, it leaves most hidden cards to it."""


def mermaids_sampled(state: State, seat: int, viewer: int) -> set[int]:
    """Return how many mermaids a seat holds in worlds that another one may be in."""
    seen, rng = observe(state, viewer), Random(2)
    return {sample(seen, rng).hands[seat].count(card("mermaid")) for _ in range(1000)}


def answering(kind: DecisionKind) -> State:
    """Return a state in which seat 0, with a large hand, is asked for this in its turn."""
    rules, event, duo = {
        DecisionKind.PICK: ("pepper", "hermit_crab", "crab lb x2"),
        DecisionKind.CATCH: ("salt-pepper", "hermit_crab", "crab lb, lobster"),
        DecisionKind.SWAP: ("salt-pepper", "water_rodeo", "swimmer db, swimmer lb"),
        DecisionKind.EQUAL_TOP: ("salt-pepper", "angelfish", "crab lb x2"),
        DecisionKind.TAKE: ("base", None, "boat db, boat lb"),
    }[kind]
    hand = MANY.replace("boat db x2, boat lb x2", "boat db, boat lb")
    piles = ("octopus lb", "shell lb")
    state = position(
        f"{duo}, {hand}",
        "crab ye",
        "",
        deck="",
        piles=piles,
        playing=True,
        rules=rules,
        event=event,
    )
    state = full_deck(state)
    first, second = sorted(cards(duo))
    options = legal_moves(state)
    duos = [move for move in options if isinstance(move, PlayDuo)]
    played = [move for move in duos if (move.first, move.second) == (first, second)]
    do(state, EndTurn() if kind is DecisionKind.EQUAL_TOP else played[0])
    assert decision(state).kind is kind
    return state


def test_who_is_asked_to_play_does_not_hold_winning_mermaids() -> None:
    """T93: a seat with four mermaids would have shown them, so that no sample has one that plays."""
    many = (
        "crab db x2, crab lb x2, crab ye x2, crab bk, boat db x2, boat lb x2, boat bk x2, boat ye x2,"
        " fish db x2, fish bk x2, shell db, shell lb, shell bk, shell ye, octopus lb, octopus ye"
    )
    state = full_deck(position(many, "", deck="", piles=("", ""), playing=True))
    rng = Random(2)
    worlds = [sample(observe(state, 1), rng) for _ in range(400)]
    assert {decision(world).kind for world in worlds} == {DecisionKind.PLAY}
    mermaids = [world.hands[0].count(card("mermaid")) for world in worlds]
    assert max(mermaids) == 3


@pytest.mark.parametrize(
    "kind",
    [
        DecisionKind.PICK,
        DecisionKind.CATCH,
        DecisionKind.SWAP,
        DecisionKind.EQUAL_TOP,
        DecisionKind.TAKE,
    ],
)
def test_who_was_asked_to_play_before_does_not_hold_winning_mermaids(kind: DecisionKind) -> None:
    """T93: with four mermaids a seat would have won before it came to a later question of its turn."""
    assert max(mermaids_sampled(answering(kind), 0, 1)) == 3


def test_who_is_asked_to_play_has_shown_what_came_in_turns_of_others_too() -> None:
    """T93: with jellyfish about as well, four mermaids would have been shown instead of the question."""
    state = full_deck(position(MANY, "", deck="", piles=("", ""), playing=True, rules="salt"))
    assert max(mermaids_sampled(state, 0, 1)) == 3


def test_nobody_holds_winning_mermaids_where_all_cards_come_in_own_turns() -> None:
    """T93: without jellyfish and swaps a seat had a chance to show whatever it holds."""
    state = full_deck(position("", MANY, "", deck="", piles=("", "")))
    assert max(mermaids_sampled(state, 1, 2)) == 3


def test_who_may_have_got_mermaids_since_it_played_may_hold_winning_ones() -> None:
    """T93: a stung seat draws, and a second search follows a pick, before mermaids are looked at."""
    state = full_deck(position(MANY, "", piles=("", ""), rules="salt"))
    assert decision(state).kind is DecisionKind.TAKE
    assert max(mermaids_sampled(state, 0, 1)) == 4
    state = answering(DecisionKind.PICK)
    do(state, decision(state).default)
    assert decision(state).kind is DecisionKind.PICK
    assert max(mermaids_sampled(state, 0, 1)) == 4


def test_others_may_hold_winning_mermaids_while_a_seat_searches() -> None:
    """T93: what is known of the seat that is in the midst of its turn is not known of the others."""
    state = full_deck(position("crab lb x2", MANY, "", deck="", playing=True, rules="salt"))
    do(state, PlayDuo(card("crab lb"), card("crab lb"), 1))
    assert max(mermaids_sampled(state, 1, 2)) == 4


def test_a_search_of_the_second_pile_alone_gives_no_mermaids_before() -> None:
    """T93: nothing is picked before the only search of a turn, whichever pile it is in."""
    hand, piles = f"crab lb x2, {MANY}", ("", "octopus lb")
    state = full_deck(position(hand, "", deck="", piles=piles, playing=True))
    do(state, PlayDuo(card("crab lb"), card("crab lb"), 1))
    assert max(mermaids_sampled(state, 0, 1)) == 3


def test_who_may_have_swapped_under_a_card_that_is_gone_may_hold_winning_mermaids() -> None:
    """T93: while a seat chooses between event cards, those that counted in the round count no more."""
    state = position(
        "mermaid x2",
        f"mermaid x2, {MANY}",
        "crab lb",
        totals=(4, 10, 10),
        playing=True,
        rules="pepper",
        event="dolphins",
        owned=("sunfish", "", "water_rodeo"),
    )
    state = full_deck(state)
    state.piles[0] += state.deck
    state.deck = []
    do(state, EndTurn())
    assert decision(state).kind is DecisionKind.KEEP_EVENT_CARD
    assert max(mermaids_sampled(state, 1, 2)) == 4


@pytest.mark.parametrize("rules", RULESETS)
@settings(max_examples=4, deadline=None)
@given(seats=st.integers(2, 4), seed=st.integers(0, 2**64))
def test_no_match_is_taken_to_be_over_that_goes_on(rules: str, seats: int, seed: int) -> None:
    """T93: what samples exclude never happens."""
    for state, _ in random_steps(rules, seats, seed, leaving=True):
        if decision(state) is not None:
            assert not _would_be_over(state, observe(state, None))
