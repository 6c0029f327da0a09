"""Worlds sampled from what a seat knows are worlds it may be in (T93)."""

from collections import Counter
from dataclasses import replace
from itertools import chain
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.engine import (
    RULESETS,
    BadSetup,
    DecisionKind,
    EndTurn,
    LastChance,
    PlayDuo,
    Shield,
    State,
    Stop,
    Swap,
    TakeDeck,
    TakePile,
    UnknownRuleset,
    apply,
    decision,
    decode,
    encode,
    legal_moves,
    observe,
    ruleset,
    sample,
)
from shoal.engine.model import Pending
from tests.engine.support import card, cards, do, full_deck, position, random_steps


def everywhere(state: State) -> Counter[int]:
    """Count the cards in all places of a state."""
    laid = chain.from_iterable(chain.from_iterable(state.tables))
    drawn = chain.from_iterable(pending.drawn for pending in state.pending)
    hidden = (shield for shield in state.shields if shield is not None)
    return Counter(chain(state.deck, *state.piles, *state.hands, laid, drawn, hidden))


def stack(state: State) -> list[Pending]:
    """Return what is asked and what is asked after it, without the drawn cards."""
    return [replace(pending, drawn=()) for pending in state.pending]


@pytest.mark.parametrize("rules", RULESETS)
@settings(max_examples=4, deadline=None)
@given(seats=st.integers(2, 4), seed=st.integers(0, 2**64))
def test_every_sample_is_observed_like_the_world_it_was_drawn_from(
    rules: str, seats: int, seed: int
) -> None:
    """T93: whoever observes, every sample gives back the same observation, and can be played on."""
    rng = Random(seed)
    for number, (state, _) in enumerate(random_steps(rules, seats, seed, leaving=True)):
        if number % 3:
            continue
        for viewer in (None, *range(seats)):
            seen = observe(state, viewer)
            world = sample(seen, rng)
            assert observe(world, viewer) == seen
            assert everywhere(world) == Counter(ruleset(rules).deck)
            assert stack(world) == stack(state)
            assert len(world.seen) == len(state.seen)
            assert encode(decode(encode(world))) == encode(world)
        for _ in range(10):
            if options := legal_moves(world):
                apply(world, rng.choice(options))


def test_hidden_cards_are_anywhere_they_may_be_and_equally_often() -> None:
    """T93: each hidden card comes up in deck, hand and pile as often as there are places."""
    state = full_deck(position("crab bk", "crab ye, boat db", deck="", piles=("", "octopus ye")))
    seen = observe(state, 0)
    hidden = Counter(ruleset("base").deck) - Counter(cards("crab bk, octopus ye"))
    rng, rounds = Random(5), 3000
    in_hand = Counter()
    for _ in range(rounds):
        in_hand.update(sample(seen, rng).hands[1])
    assert set(in_hand) == set(hidden)
    for face, copies in hidden.items():
        expected = rounds * 2 * copies / hidden.total()
        assert abs(in_hand[face] - expected) < 5 * expected**0.5


def test_samples_differ_in_what_is_hidden_and_in_later_chance() -> None:
    """T93: two samples have other hands, other decks and other seeds."""
    state = full_deck(position("crab bk", "crab ye, boat db, fish gn", deck=""))
    rng = Random(5)
    worlds = [sample(observe(state, 0), rng) for _ in range(20)]
    for facts in (
        {tuple(world.hands[1]) for world in worlds},
        {tuple(world.deck) for world in worlds},
        {world.chance.seed for world in worlds},
    ):
        assert len(facts) > 15


def test_event_cards_that_nobody_has_seen_lie_in_any_order() -> None:
    """T93: two samples turn up other event cards, and each has all that are left."""
    state = full_deck(position("", "", deck="", rules="pepper", event="kraken"))
    rng = Random(5)
    decks = {sample(observe(state, 0), rng).event_deck for _ in range(20)}
    assert len(decks) == 20
    assert {frozenset(deck) for deck in decks} == {frozenset(state.event_deck)}


def test_equal_dice_draw_equal_worlds() -> None:
    """A sample follows from the observation and the dice alone."""
    for state, _ in random_steps("salt-pepper", 3, 8):
        seen = observe(state, 1)
        assert encode(sample(seen, Random(3))) == encode(sample(seen, Random(3)))


def test_a_stolen_card_stays_where_the_victim_saw_it_go() -> None:
    """T93: in every sample of the robbed seat the thief has the card."""
    state = full_deck(
        position("swimmer db, shark lb, boat ye", "crab bk", "", deck="", playing=True)
    )
    do(state, PlayDuo(card("swimmer db"), card("shark lb"), 1))
    rng = Random(1)
    for _ in range(50):
        world = sample(observe(state, 1), rng)
        assert card("crab bk") in world.hands[0]
        assert observe(world, 2).known == ((), (), ())
    elsewhere = [sample(observe(state, 2), rng).hands[0] for _ in range(50)]
    assert not all(card("crab bk") in hand for hand in elsewhere)


def test_a_swapped_hand_stays_known_as_far_as_it_was_seen() -> None:
    """T93: who swapped knows the whole other hand, and the other the card it got and gave."""
    rules = "salt-pepper"
    state = position(
        "swimmer db, swimmer lb, crab bk",
        "shell db, mermaid",
        "",
        deck="",
        playing=True,
        rules=rules,
        event="water_rodeo",
    )
    state = full_deck(state)
    do(state, PlayDuo(card("swimmer db"), card("swimmer lb"), 1))
    rng = Random(1)
    for _ in range(20):
        assert sample(observe(state, 0), rng).hands[1] == sorted(cards("shell db, mermaid"))
    do(state, Swap(card("crab bk"), card("mermaid")))
    for _ in range(20):
        assert sample(observe(state, 0), rng).hands[1] == sorted(cards("shell db, crab bk"))
        assert sample(observe(state, 1), rng).hands[0] == [card("mermaid")]


def test_a_shield_is_a_shell_whichever_it_may_be() -> None:
    """T93: what lies face down is sampled among the hidden shells, each of them."""
    state = position(
        "shell db, crab bk",
        "shell lb",
        deck="",
        piles=("octopus lb", "shell gy"),
        playing=True,
        rules="pepper",
        event="coral_reef",
    )
    state = full_deck(state)
    do(state, Shield(card("shell db")), EndTurn())
    rng = Random(1)
    shields = {sample(observe(state, 1), rng).shields[0] for _ in range(200)}
    assert shields == set(cards("shell db, shell bk, shell ye, shell gn"))
    assert sample(observe(state, 0), rng).shields == [card("shell db"), None]


def test_a_shield_is_sampled_though_its_event_card_has_left_the_round() -> None:
    """T93: while a seat chooses between event cards, a shield lies where it lay."""
    state = position(
        "octopus gn, octopus pu, octopus gy, penguin pk",
        "crab bk",
        deck="",
        playing=True,
        rules="pepper",
        event="coral_reef",
        owned=("", "sunfish"),
        shields=("shell db", ""),
    )
    state = full_deck(state)
    do(state, Stop())
    assert decision(state).kind is DecisionKind.KEEP_EVENT_CARD
    seen = observe(state, 1)
    worlds = [sample(seen, Random(seed)) for seed in range(20)]
    assert all(observe(world, 1) == seen for world in worlds)
    assert len({world.shields[0] for world in worlds}) > 1


def test_cards_that_another_seat_has_drawn_are_sampled_too() -> None:
    """T93: while a seat decides what to keep, others do not know its two cards."""
    state = full_deck(position("", "", deck=""))
    do(state, TakeDeck())
    rng = Random(1)
    worlds = [sample(observe(state, 1), rng) for _ in range(20)]
    assert {decision(world).kind for world in worlds} == {DecisionKind.KEEP}
    drawn = {world.pending[-1].drawn for world in worlds}
    assert len(drawn) > 10
    assert all(list(pair) == sorted(pair) for pair in drawn)
    assert sample(observe(state, 0), rng).pending[-1] == state.pending[-1]


def test_a_second_search_follows_the_first_in_a_sample_too() -> None:
    """T93: under the hermit crab the second pile is searched after the first."""
    state = position(
        "crab db, crab lb", "", deck="", playing=True, rules="pepper", event="hermit_crab"
    )
    state = full_deck(state)
    do(state, PlayDuo(card("crab db"), card("crab lb"), None))
    for viewer in (0, 1):
        world = sample(observe(state, viewer), Random(1))
        assert [pending.pile for pending in world.pending] == [None, 1, 0]


@pytest.mark.parametrize(
    ("event", "target", "piles", "searched"),
    [
        ("hermit_crab", None, ("octopus lb", ""), [0]),
        ("hermit_crab", None, ("", "octopus lb"), [1]),
        ("kraken", 0, ("octopus lb", "octopus ye"), [0]),
        ("kraken", 1, ("octopus lb", "octopus ye"), [1]),
    ],
)
def test_no_second_search_follows_where_there_is_none(
    event: str, target: int | None, piles: tuple[str, str], searched: list[int]
) -> None:
    """T93: one pile with cards, or crabs without their hermit, are searched once in a sample too."""
    state = position(
        "crab db, crab lb", "", deck="", piles=piles, playing=True, rules="pepper", event=event
    )
    state = full_deck(state)
    do(state, PlayDuo(card("crab db"), card("crab lb"), target))
    for viewer in (0, 1):
        world = sample(observe(state, viewer), Random(1))
        assert [pending.pile for pending in world.pending] == [None, *searched]


def test_nothing_follows_the_choice_of_one_of_two_equal_tops() -> None:
    """T93: the turn is over then, so that a sample asks nothing after it."""
    state = position(
        "", "", piles=("octopus gn", "shell gn"), playing=True, rules="pepper", event="angelfish"
    )
    state = full_deck(state)
    do(state, EndTurn())
    world = sample(observe(state, 1), Random(1))
    assert [pending.kind for pending in world.pending] == [DecisionKind.EQUAL_TOP]


def test_a_revealed_hand_is_told_once() -> None:
    """What is known of a hand that was revealed is the hand, and not told again (9.1)."""
    state = position("octopus gn, octopus pu, octopus gy, penguin pk", "")
    do(state, TakePile(0))
    assert observe(state, 1).known == ((card("octopus lb"),), ())
    do(state, LastChance())
    seen = observe(state, 1)
    assert (seen.known, len(seen.players[0].revealed_hand)) == (((), ()), 5)


def test_what_another_engine_observed_is_refused() -> None:
    """An observation of an unknown ruleset, or of another version of one, is no basis."""
    seen = observe(position("", ""), 0)
    with pytest.raises(UnknownRuleset):
        sample(replace(seen, ruleset="base-triple"), Random(1))
    with pytest.raises(BadSetup):
        sample(replace(seen, ruleset_version=2), Random(1))
