"""Nothing that a seat may not know reaches it (T88, T89).

Two worlds that differ only in what is hidden from a seat must look the same to it: in what it
observes, and in what it is told while others act.
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import fields
from random import Random
from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.engine import (
    RULESETS,
    Card,
    Event,
    HandRevealed,
    Keep,
    Kind,
    Move,
    Observation,
    PickCard,
    PlayDuo,
    State,
    Stolen,
    apply,
    decision,
    observe,
    redact,
)
from shoal.engine.cards import KIND_OF
from shoal.engine.model import Pending
from shoal.engine.observation import _HIDE
from shoal.engine.questions import QUESTIONS
from shoal.engine.zones import recount
from tests.engine.support import card, position, random_steps

MATCHES = {
    "rules": st.sampled_from(RULESETS),
    "seats": st.integers(2, 4),
    "seed": st.integers(0, 2**64),
}
few = settings(max_examples=8, deadline=None)


def redeal(
    state: State,
    seat: int | None,
    dice: Random,
    *,
    fixed: Collection[Card] = (),
    fixed_hands: Collection[int] = (),
    piles: bool = False,
) -> State:
    """Return a world that differs in the cards hidden from a seat, and in nothing else.

    `fixed` cards and hands stay where they are. With `piles`, the cards under their tops are hidden
    too: nobody is shown them, though whoever watched remembers some.
    """
    world = state.copy()
    pending = world.pending[-1]
    drawn = list(pending.drawn)
    zones = [world.deck]
    zones += [
        hand
        for other, hand in enumerate(world.hands)
        if other != seat and not world.revealed[other] and other not in fixed_hands
    ]
    if pending.seat != seat:
        zones.append(drawn)
    places = [(zone, at) for zone in zones for at in range(len(zone)) if zone[at] not in fixed]
    if piles:
        own = pending.pile if pending.seat == seat else None
        places += [
            (pile, at)
            for number, pile in enumerate(world.piles)
            if number != own
            for at in range(len(pile) - 1)
            if pile[at] not in fixed
        ]
    hidden = [zone[at] for zone, at in places]
    dice.shuffle(hidden)
    for (zone, at), moved in zip(places, hidden, strict=True):
        zone[at] = moved
    for hand in world.hands:
        hand.sort()
    shown = tuple(sorted(drawn))
    world.pending[-1] = Pending(pending.kind, pending.seat, shown, pending.pile)
    recount(world)
    world.asked = QUESTIONS[pending.kind](world, world.pending[-1])
    return world


def viewers(seats: int) -> list[int | None]:
    return [None, *range(seats)]


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
            compared += 1
    assert compared


def another_world(
    state: State, move: Move, viewer: int | None, shown: Collection[int], dice: Random
) -> tuple[State, Move]:
    """Return a world that looks the same to the viewer, and the move that looks the same in it.

    What the move makes public stays: its duo, its discard, the hands shown. So do mermaids, which
    would end the match in one world alone.
    """
    fixed = {card("mermaid")}
    match move:
        case PickCard():
            return state.copy(), another_pick(state, move, dice)
        case PlayDuo(first, second, _):
            fixed |= {first, second}
            return redeal(state, viewer, dice, fixed=fixed, fixed_hands=shown, piles=True), move
        case Keep(kept, pile) if pile is not None:
            first, second = state.pending[-1].drawn
            discarded = second if first == kept else first
            world = redeal(state, viewer, dice, fixed=fixed | {discarded}, fixed_hands=shown)
            (kept,) = Counter(world.pending[-1].drawn) - Counter([discarded])
            return world, Keep(kept, pile)
        case Keep():
            world = redeal(state, viewer, dice, fixed=fixed, fixed_hands=shown)
            return world, world.asked.default
        case _:
            pass
    return redeal(state, viewer, dice, fixed=fixed, fixed_hands=shown), move


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


@few
@given(**MATCHES)
def test_a_spectator_sees_no_more_than_any_seat(rules: str, seats: int, seed: int) -> None:
    """What a spectator observes and is told, every seat observes and is told."""
    private = {
        "seat", "hand", "points", "color_bonus", "call_points", "shown", "options", "default"
    }  # fmt: skip
    for state, events in random_steps(rules, seats, seed):
        outside = observe(state, None)
        assert (outside.hand, outside.shown, outside.options) == ((), (), ())
        assert {outside.points, outside.color_bonus, outside.call_points, outside.default} == {None}
        for seat in range(seats):
            inside = observe(state, seat)
            for field in fields(Observation):
                if field.name not in private:
                    assert getattr(inside, field.name) == getattr(outside, field.name)
            for event in events:
                public, own = redact(event, None), redact(event, seat)
                for field in fields(public):
                    told = getattr(public, field.name)
                    assert told is None or told == getattr(own, field.name)


def test_every_class_of_events_says_what_it_hides() -> None:
    """No event can be shown before somebody has decided what of it is secret."""
    assert set(_HIDE) == set(get_args(Event))


def test_only_the_seat_that_is_asked_sees_its_options() -> None:
    """Options, default and shown cards reach nobody but the seat that is asked."""
    for state, _ in random_steps("base", 3, 5):
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
