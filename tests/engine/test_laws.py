"""Laws that hold at every step of every match, on random play."""

from collections import Counter
from itertools import chain
from random import Random
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.engine import (
    RULESETS,
    IllegalMove,
    Move,
    State,
    all_moves,
    apply,
    decision,
    decode,
    encode,
    legal_moves,
    new_match,
    result,
    ruleset,
    score,
)
from shoal.engine.counts import counts_of
from shoal.engine.play import _CARRY_OUT
from shoal.engine.scoring import color_bonus_of, points_of
from tests.engine.support import random_steps

MATCHES = {
    "rules": st.sampled_from(RULESETS),
    "seats": st.integers(2, 4),
    "seed": st.integers(0, 2**64),
    "leaving": st.booleans(),
}
few = settings(max_examples=12, deadline=None)


def play_on(state: State, dice: Random, moves: int) -> None:
    """Apply so many random moves, or fewer if the match ends."""
    for _ in range(moves):
        if options := legal_moves(state):
            apply(state, dice.choice(options))


@few
@given(**MATCHES)
def test_no_card_is_lost_or_made(*, rules: str, seats: int, seed: int, leaving: bool) -> None:
    """Deck, piles, hands, tables and drawn cards together are the ruleset's deck."""
    for state, _ in random_steps(rules, seats, seed, leaving=leaving):
        laid = chain.from_iterable(chain.from_iterable(state.tables))
        drawn = chain.from_iterable(pending.drawn for pending in state.pending)
        everywhere = chain(state.deck, *state.piles, *state.hands, laid, drawn)
        assert Counter(everywhere) == Counter(ruleset(rules).deck)


@few
@given(**MATCHES)
def test_apply_accepts_exactly_the_legal_moves(
    *, rules: str, seats: int, seed: int, leaving: bool
) -> None:
    """A move is accepted if and only if it is an option, and a refused one changes nothing."""
    dice = Random(seed)
    every_move = all_moves()
    for number, (state, _) in enumerate(random_steps(rules, seats, seed, leaving=leaving)):
        if number % 7:
            continue
        options = legal_moves(state)
        before = encode(state)
        for move in (*options, *dice.sample(every_move, 40)):
            if move in options:
                apply(state.copy(), move)
            else:
                with pytest.raises(IllegalMove):
                    apply(state, move)
        assert encode(state) == before


@few
@given(**MATCHES)
def test_options_are_different_and_the_default_is_one_of_them(
    *, rules: str, seats: int, seed: int, leaving: bool
) -> None:
    """A decision has at least one option, none twice, and its default among them."""
    for state, _ in random_steps(rules, seats, seed, leaving=leaving):
        open_decision = decision(state)
        if open_decision is None:
            assert legal_moves(state) == ()
        else:
            options = open_decision.options
            assert len(set(options)) == len(options) > 0
            assert open_decision.default in options
            assert open_decision.seat not in state.left


@few
@given(**MATCHES)
def test_a_copy_shares_nothing_that_changes(
    *, rules: str, seats: int, seed: int, leaving: bool
) -> None:
    """Moves on a copy do not show in the original, nor the other way round."""
    dice = Random(seed)
    for number, (state, _) in enumerate(random_steps(rules, seats, seed, leaving=leaving)):
        if number % 11:
            continue
        before = encode(state)
        first, second = state.copy(), state.copy()
        assert encode(first) == before
        play_on(first, dice, 12)
        assert encode(state) == encode(second) == before


@few
@given(**MATCHES)
def test_states_survive_encoding(*, rules: str, seats: int, seed: int, leaving: bool) -> None:
    """A decoded state is encoded the same, asks the same and plays on the same."""
    for number, (state, _) in enumerate(random_steps(rules, seats, seed, leaving=leaving)):
        twin = decode(encode(state))
        assert encode(twin) == encode(state)
        assert decision(twin) == decision(state)
        assert result(twin) == result(state)
        if number % 11 == 0:
            original = state.copy()
            play_on(original, Random(seed), 12)
            play_on(twin, Random(seed), 12)
            assert encode(twin) == encode(original)


@few
@given(**MATCHES)
def test_the_same_seed_and_moves_make_the_same_match(
    *, rules: str, seats: int, seed: int, leaving: bool
) -> None:
    """Two matches in one process from one seed go the same way, event by event (T92, T97)."""
    first, second = (random_steps(rules, seats, seed, leaving=leaving) for _ in range(2))
    for (state, events), (twin, twin_events) in zip(first, second, strict=True):
        assert encode(state) == encode(twin)
        assert events == twin_events


@few
@given(**MATCHES)
def test_kept_counts_are_those_of_the_cards(
    *, rules: str, seats: int, seed: int, leaving: bool
) -> None:
    """What the state keeps for speed equals what its cards say, and so do the points."""
    for state, _ in random_steps(rules, seats, seed, leaving=leaving):
        for seat in range(seats):
            hand, table = state.hands[seat], state.tables[seat]
            worth = score(hand, table, ruleset(rules))
            assert hand == sorted(hand)
            assert state.in_hand[seat] == counts_of(hand)
            assert state.on_table[seat] == counts_of(chain(*table))
            assert points_of(state, seat) == worth.points
            assert color_bonus_of(state, seat) == worth.color_bonus


@few
@given(**MATCHES)
def test_every_match_ends_with_a_result(
    *, rules: str, seats: int, seed: int, leaving: bool
) -> None:
    """Random matches end; ranks start at 1, and the winners are the seats ranked 1."""
    *_, (state, events) = random_steps(rules, seats, seed, leaving=leaving)
    outcome = result(state)
    assert outcome is not None
    assert events[-1].result == outcome
    assert outcome.winners == tuple(seat for seat in range(seats) if outcome.ranks[seat] == 1)
    assert min(outcome.ranks) == 1
    for rank in outcome.ranks:
        assert rank == 1 + sum(other < rank for other in outcome.ranks)


@settings(max_examples=12, deadline=None)
@given(seats=st.integers(2, 4), seed=st.integers(0, 2**64))
def test_different_play_meets_the_same_deals(seats: int, seed: int) -> None:
    """The deal of a round follows from seed and round alone, whatever was played before."""
    deals = []
    for player in range(2):
        dice = Random(player)
        state = new_match(ruleset("base-double"), seats, seed.to_bytes(32, "big"))
        seen = {}
        while options := legal_moves(state):
            if state.round not in seen:
                seen[state.round] = (tuple(state.deck), tuple(map(tuple, state.piles)))
            apply(state, dice.choice(options))
        deals.append(seen)
    for round_ in deals[0].keys() & deals[1].keys():
        assert deals[0][round_] == deals[1][round_]


def test_every_class_of_moves_can_be_carried_out() -> None:
    """The table of what moves do has a row for each class."""
    assert set(_CARRY_OUT) == set(get_args(Move))


def test_every_class_of_moves_is_played() -> None:
    """Random play meets every class of moves there is."""
    met = set()
    for seed in range(12):
        for state, _ in random_steps("base", 3, seed):
            met |= set(map(type, legal_moves(state)))
    assert met == set(get_args(Move))
