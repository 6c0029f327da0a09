"""Nothing that a seat may not know reaches it (T88, T89).

Two worlds that differ only in what is hidden from a seat must look the same to it: in what it
observes, and in what it is told while others act.
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import fields, replace
from random import Random
from typing import TypeAlias, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.engine import (
    RULESETS,
    Card,
    Catch,
    Event,
    HandRevealed,
    Keep,
    Kind,
    Move,
    Observation,
    PickCard,
    PlayDuo,
    PlayTrio,
    Shield,
    State,
    Stolen,
    apply,
    decision,
    observe,
    redact,
)
from shoal.engine.cards import KIND_OF
from shoal.engine.memory import known_cards
from shoal.engine.observation import _HIDE
from shoal.engine.piles import known_pile
from shoal.engine.questions import QUESTIONS
from shoal.engine.zones import recount
from tests.engine.support import card, position, random_steps

MATCHES = {
    "seats": st.integers(2, 4),
    "seed": st.integers(0, 2**64),
}
few = settings(max_examples=3, deadline=None)
Place: TypeAlias = tuple[list[Card], int]
every_ruleset = pytest.mark.parametrize("rules", RULESETS)


def redeal(
    state: State,
    seat: int | None,
    dice: Random,
    *,
    fixed: Collection[Card] = (),
    fixed_hands: Collection[int] = (),
    fixed_top: int | None = None,
    piles: bool = False,
) -> State:
    """Return a world that differs in the cards hidden from a seat, and in nothing else.

    `fixed` cards and hands stay where they are, and so does what the seat knows of other hands.
    With `fixed_top`, so many cards on top of the deck stay too, and so do the event cards. With
    `piles`, the cards of piles that the seat does not know are dealt anew too.
    """
    while True:
        world = state.copy()
        pending = world.pending[-1]
        drawn = list(pending.drawn)
        places = hidden_places(world, seat, fixed_hands, fixed_top or 0)
        if pending.seat != seat:
            places += [(drawn, at) for at in range(len(drawn))]
        if piles:
            places += buried_places(world, seat)
        places = [(zone, at) for zone, at in places if zone[at] not in fixed]
        shuffle_places(places, dice)
        shuffle_shields(world, seat, [place for place in places if place[0] is not drawn], dice)
        for hand in world.hands:
            hand.sort()
        world.pending[-1] = replace(pending, drawn=tuple(sorted(drawn)))
        if fixed_top is None:
            world.event_deck = tuple(dice.sample(world.event_deck, len(world.event_deck)))
        recount(world)
        world.asked = QUESTIONS[pending.kind](world, world.pending[-1])
        if world.asked is not None:  # else mermaids would have won there
            return world


def hidden_places(
    world: State, seat: int | None, fixed_hands: Collection[int], fixed_top: int
) -> list[Place]:
    """Return where cards lie that a seat does not know: in the deck, and in hands of others."""
    places = [(world.deck, at) for at in range(len(world.deck) - fixed_top)]
    for other, hand in enumerate(world.hands):
        if other == seat or world.revealed[other] or other in fixed_hands:
            continue
        known = Counter(known_cards(world, seat, other))
        for at, held in enumerate(hand):
            if known[held]:
                known[held] -= 1
            else:
                places.append((hand, at))
    return places


def buried_places(world: State, seat: int | None) -> list[Place]:
    """Return where cards lie in the piles under those that a seat knows."""
    return [
        (pile, at)
        for number, pile in enumerate(world.piles)
        for at in range(len(pile) - len(known_pile(world, seat, number)))
    ]


def shuffle_places(places: list[Place], dice: Random) -> None:
    """Deal the cards at these places anew."""
    hidden = [zone[at] for zone, at in places]
    dice.shuffle(hidden)
    for (zone, at), moved in zip(places, hidden, strict=True):
        zone[at] = moved


def shuffle_shields(world: State, seat: int | None, places: list[Place], dice: Random) -> None:
    """Exchange the face-down shells of others with hidden ones."""
    shells = [(zone, at) for zone, at in places if KIND_OF[zone[at]] == Kind.SHELL]
    for other, shield in enumerate(world.shields):
        if other != seat and shield is not None and shells:
            zone, at = dice.choice(shells)
            world.shields[other], zone[at] = zone[at], shield


def viewers(seats: int) -> list[int | None]:
    return [None, *range(seats)]


@every_ruleset
@few
@given(**MATCHES)
def test_worlds_that_differ_in_hidden_cards_are_observed_the_same(
    rules: str, seats: int, seed: int
) -> None:
    """However the hidden cards are dealt anew, a seat's observation is the same."""
    dice = Random(seed)
    for state, _ in random_steps(rules, seats, seed):
        if decision(state) is None:
            break
        for viewer in viewers(seats):
            world = redeal(state, viewer, dice, piles=True)
            assert observe(world, viewer) == observe(state, viewer)


@every_ruleset
@few
@given(**MATCHES)
def test_worlds_that_differ_in_hidden_cards_are_told_the_same(
    rules: str, seats: int, seed: int
) -> None:
    """While another seat makes the same visible move in both worlds, a seat is told the same."""
    dice = Random(seed)
    compared = 0
    for state, _ in random_steps(rules, seats, seed):
        open_decision = decision(state)
        if open_decision is None:
            break
        move = dice.choice(open_decision.options)
        trial = state.copy()
        events = apply(trial, move)
        shown = {event.seat for event in events if isinstance(event, HandRevealed)}
        for viewer in viewers(seats):
            if viewer == open_decision.seat:
                continue
            world, same_move = another_world(state, move, viewer, shown, dice)
            told = [redact(event, viewer) for event in apply(world, same_move)]
            assert told == [redact(event, viewer) for event in events]
            assert observe(world, viewer) == observe(trial, viewer)
            compared += 1
    assert compared


def another_world(
    state: State, move: Move, viewer: int | None, shown: Collection[int], dice: Random
) -> tuple[State, Move]:
    """Return a world that looks the same to the viewer, and the move that looks the same in it.

    What the move makes public stays: its cards, its discard, the hands shown. So do mermaids, which
    would end the match in one world alone, and what others draw who lose their turn.
    """
    mermaid = card("mermaid")
    fixed = {mermaid}
    fixed |= {
        getattr(move, name)
        for name in ("first", "second", "third", "given", "gained")
        if hasattr(move, name)
    }

    def other(*more: Card, piles: bool = False) -> State:
        return redeal(
            state,
            viewer,
            dice,
            fixed=fixed | set(more),
            fixed_hands=shown,
            fixed_top=len(state.stung),
            piles=piles,
        )

    world, same = other(piles=isinstance(move, PlayDuo | PlayTrio)), move
    match move:
        case PickCard():
            world, same = state.copy(), another_pick(state, move, dice)
        case Shield(shell):
            world = other(shell)
        case Catch(caught) if caught != mermaid:
            hidden = [card for card in world.pending[-1].drawn if card != mermaid]
            same = Catch(dice.choice(hidden))
        case Keep(kept, pile) if pile is not None:
            first, second = state.pending[-1].drawn
            discarded = second if first == kept else first
            world = other(discarded)
            (kept,) = Counter(world.pending[-1].drawn) - Counter([discarded])
            same = Keep(kept, pile)
        case Keep():
            same = world.asked.default
        case _:
            pass
    return world, same


def another_pick(state: State, move: PickCard, dice: Random) -> PickCard:
    """Return a pick that leaves the same pile size and top card, perhaps of another card."""
    number = state.pending[-1].pile
    tops = {}
    for option in state.asked.options:
        world = state.copy()
        apply(world, option)
        pile = world.piles[number]
        # Four mermaids would end the match in one world alone.
        over = world.result is not None
        tops.setdefault((pile[-1] if pile else None, over), []).append(option)
    return dice.choice(next(group for group in tops.values() if move in group))


@every_ruleset
@few
@given(**MATCHES)
def test_a_spectator_sees_no_more_than_any_seat(rules: str, seats: int, seed: int) -> None:
    """What a spectator observes and is told, every seat observes and is told."""
    private = {
        "seat", "hand", "points", "color_bonus", "call_points", "shown", "options", "default",
        "shield", "known", "pile_cards",
    }  # fmt: skip
    for state, events in random_steps(rules, seats, seed):
        outside = observe(state, None)
        assert (outside.hand, outside.shown, outside.options) == ((), (), ())
        assert {outside.points, outside.color_bonus, outside.call_points} == {None}
        assert (outside.default, outside.shield) == (None, None)
        for seat in range(seats):
            inside = observe(state, seat)
            for field in fields(Observation):
                if field.name not in private:
                    assert getattr(inside, field.name) == getattr(outside, field.name)
            for own, public in zip(inside.pile_cards, outside.pile_cards, strict=True):
                assert own[len(own) - len(public) :] == public
            for event in events:
                public, own = redact(event, None), redact(event, seat)
                for field in fields(public):
                    told = getattr(public, field.name)
                    assert told is None or told == getattr(own, field.name)


def test_every_class_of_events_says_what_it_hides() -> None:
    """No event can be shown before somebody has decided what of it is secret."""
    assert set(_HIDE) == set(get_args(Event))


@pytest.mark.parametrize("rules", RULESETS)
def test_only_the_seat_that_is_asked_sees_its_options(rules: str) -> None:
    """Options, default and shown cards reach nobody but the seat that is asked."""
    for state, _ in random_steps(rules, 3, 5):
        open_decision = decision(state)
        for seat in range(3):
            seen = observe(state, seat)
            if open_decision is not None and open_decision.seat == seat:
                assert (seen.options, seen.default) == (
                    open_decision.options,
                    open_decision.default,
                )
            else:
                assert (seen.options, seen.default, seen.shown) == ((), None, ())


def test_thief_and_victim_know_the_stolen_card_and_others_do_not() -> None:
    """A stolen card is told to the two seats between which it went."""
    state = position("swimmer db, shark lb", "crab bk", "", playing=True)
    events = apply(state, PlayDuo(card("swimmer db"), card("shark lb"), 1))
    stolen = next(event for event in events if isinstance(event, Stolen))
    seen = [redact(stolen, viewer).card for viewer in viewers(3)]
    assert seen == [None, card("crab bk"), card("crab bk"), None]
    assert KIND_OF[stolen.card] == Kind.CRAB
