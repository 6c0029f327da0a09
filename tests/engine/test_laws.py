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
    DecisionKind,
    Event,
    IllegalMove,
    Move,
    State,
    all_moves,
    apply,
    decision,
    decode,
    encode,
    leave,
    legal_moves,
    new_match,
    result,
    ruleset,
    score,
)
from shoal.engine.answers import CARRY_OUT
from shoal.engine.counts import counts_of
from shoal.engine.memory import known_cards
from shoal.engine.piles import known_pile
from shoal.engine.scoring import color_bonus_of, has_winning_mermaids, points_of
from tests.engine.support import random_steps

MATCHES = {
    "seats": st.integers(2, 4),
    "seed": st.integers(0, 2**64),
    "leaving": st.booleans(),
}
few = settings(max_examples=5, deadline=None)
every_ruleset = pytest.mark.parametrize("rules", RULESETS)


def play_on(state: State, dice: Random, moves: int) -> None:
    """Apply so many random moves, or fewer if the match ends."""
    for _ in range(moves):
        if options := legal_moves(state):
            apply(state, dice.choice(options))


@every_ruleset
@few
@given(**MATCHES)
def test_no_card_is_lost_or_made(*, rules: str, seats: int, seed: int, leaving: bool) -> None:
    """All cards everywhere are the ruleset's deck, and all event cards its event cards."""
    for state, _ in random_steps(rules, seats, seed, leaving=leaving):
        laid = chain.from_iterable(chain.from_iterable(state.tables))
        drawn = chain.from_iterable(pending.drawn for pending in state.pending)
        hidden = (card for card in state.shields if card is not None)
        everywhere = chain(state.deck, *state.piles, *state.hands, laid, drawn, hidden)
        assert Counter(everywhere) == Counter(ruleset(rules).deck)
        owned = chain.from_iterable(state.event_cards)
        event_cards = [*state.event_deck, *state.event_discards, *owned]
        event_cards += [] if state.event_card is None else [state.event_card]
        assert sorted(event_cards) == list(ruleset(rules).event_cards)


@every_ruleset
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


@every_ruleset
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


@every_ruleset
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


@every_ruleset
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


@every_ruleset
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


@every_ruleset
@few
@given(**MATCHES)
def test_kept_counts_are_those_of_the_cards(
    *, rules: str, seats: int, seed: int, leaving: bool
) -> None:
    """What the state keeps for speed equals what its cards say, and so do the points."""
    for state, _ in random_steps(rules, seats, seed, leaving=leaving):
        for seat in range(seats):
            hand, table = state.hands[seat], state.tables[seat]
            in_force = {card for card in [state.event_card] if card is not None}
            in_force |= set(state.event_cards[seat])
            worth = score(hand, table, ruleset(rules), in_force)
            assert hand == sorted(hand)
            assert state.in_hand[seat] == counts_of(hand)
            assert state.on_table[seat] == counts_of(chain(*table))
            assert points_of(state, seat) == worth.points
            assert color_bonus_of(state, seat) == worth.color_bonus


@every_ruleset
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
        state = new_match(ruleset("salt-pepper-double"), seats, seed.to_bytes(32, "big"))
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
    assert set(CARRY_OUT) == set(get_args(Move))


def test_every_class_of_moves_and_events_is_met() -> None:
    """Random play, in which half of the swaps are declined, meets all moves and events there are."""
    moves, told = set(), set()
    for seed in range(60):
        dice = Random(seed)
        state = new_match(ruleset("salt-pepper"), 3, seed.to_bytes(32, "big"))
        told |= set(map(type, leave(state, 0))) if seed % 9 == 0 else set()
        while (asked := decision(state)) is not None:
            moves |= set(map(type, asked.options))
            declined = asked.kind is DecisionKind.SWAP and dice.random() < 0.5
            move = asked.default if declined else dice.choice(asked.options)
            told |= set(map(type, apply(state, move)))
    assert moves == set(get_args(Move))
    assert told == set(get_args(Event))


@every_ruleset
@few
@given(**MATCHES)
def test_what_seats_know_of_each_other_is_true(
    *, rules: str, seats: int, seed: int, leaving: bool
) -> None:
    """A card that a seat knows to be in a hand is there, and seats know what a spectator knows."""
    for state, _ in random_steps(rules, seats, seed, leaving=leaving):
        for holder in range(seats):
            outside = Counter(known_cards(state, None, holder))
            for observer in range(seats):
                known = Counter(known_cards(state, observer, holder))
                assert not known - Counter(state.hands[holder])
                assert not outside - known


@every_ruleset
@few
@given(**MATCHES)
def test_what_seats_know_of_piles_is_true(
    *, rules: str, seats: int, seed: int, leaving: bool
) -> None:
    """The cards that somebody knows on a pile lie there; the top is among them."""
    for state, _ in random_steps(rules, seats, seed, leaving=leaving):
        for number, pile in enumerate(state.piles):
            for observer in (None, *range(seats)):
                known = known_pile(state, observer, number)
                assert list(known) == pile[len(pile) - len(known) :]
                assert bool(known) == bool(pile)


@every_ruleset
@few
@given(**MATCHES)
def test_nobody_with_winning_mermaids_is_asked_to_play(
    *, rules: str, seats: int, seed: int, leaving: bool
) -> None:
    """Who is about to play with enough mermaids has won instead (rules 6)."""
    for state, _ in random_steps(rules, seats, seed, leaving=leaving):
        open_decision = decision(state)
        if open_decision is not None and open_decision.kind is DecisionKind.PLAY:
            assert not has_winning_mermaids(state, open_decision.seat)
