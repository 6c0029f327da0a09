"""What placing a duo does: one row for each effect (rules 4).

A row says which targets its player may choose among, and what happens to the one chosen. The only
target None means that there is nothing to choose: the effect needs no target, or it has none and
the duo is placed for nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from shoal.engine.cards import KIND_OF, Card
from shoal.engine.chance import Purpose
from shoal.engine.events import (
    DeckSearched,
    DuoStolen,
    Event,
    FishDrawn,
    HandSeen,
    PileSearched,
    Stolen,
    Stung,
)
from shoal.engine.luck import pick
from shoal.engine.memory import look
from shoal.engine.model import DecisionKind, Pending, State
from shoal.engine.moves import PILES, laid_duo, laid_duo_of
from shoal.engine.piles import look_through
from shoal.engine.ruleset import DuoEffect
from shoal.engine.terms import Terms
from shoal.engine.zones import gain, hand_over, pass_group

Target: TypeAlias = int | None

LOBSTER_CARDS = 5
"""How many cards a lobster shows."""

NO_TARGET: tuple[Target, ...] = (None,)
_PILE_0: tuple[Target, ...] = (0,)
_PILE_1: tuple[Target, ...] = (1,)
_BOTH_PILES: tuple[Target, ...] = (0, 1)


@dataclass(frozen=True, slots=True)
class Effect:
    """The targets of an effect for a seat, ascending, and its resolution for one of them."""

    targets: Callable[[State, int], tuple[Target, ...]]
    resolve: Callable[[State, int, Target], list[Event]]


def _no_choice(_state: State, _seat: int) -> tuple[Target, ...]:
    """Offer nothing to choose."""
    return NO_TARGET


def _piles_to_search(state: State, _seat: int) -> tuple[Target, ...]:
    """Offer the piles that have a card (rules 4.1)."""
    pile_0, pile_1 = state.piles
    if pile_0:
        return _BOTH_PILES if pile_1 else _PILE_0
    return _PILE_1 if pile_1 else NO_TARGET


def _search_pile(state: State, seat: int, pile: Target) -> list[Event]:
    """Show the pile to the seat, and ask which card it takes."""
    if pile is None:
        return []
    state.pending.append(Pending(DecisionKind.PICK, seat, (), pile))
    return [show_pile(state, seat, pile)]


def _search_both_piles(state: State, seat: int, _target: Target) -> list[Event]:
    """Let the seat search each pile that has cards, pile 0 first (rules 12.2, hermit crab).

    The second is shown when the first card has been taken.
    """
    piles = [pile for pile in PILES if state.piles[pile]]
    state.pending += [Pending(DecisionKind.PICK, seat, (), pile) for pile in reversed(piles)]
    return [show_pile(state, seat, pile) for pile in piles[:1]]


def show_pile(state: State, seat: int, pile: int) -> PileSearched:
    """Show a pile to the seat that searches it, which knows all of it from now on (rules 9.1)."""
    look_through(state, seat, pile)
    cards = tuple(state.piles[pile])
    return PileSearched(seat, pile, len(cards), cards)


def _another_turn(state: State, seat: int, _target: Target) -> list[Event]:
    """Ask the seat to take again; then it goes on playing (rules 4.2)."""
    if state.deck or state.piles[0] or state.piles[1]:
        state.pending.append(Pending(DecisionKind.TAKE, seat))
    return []


def _draw(state: State, seat: int, _target: Target) -> list[Event]:
    """Draw the top card of the deck (rules 4.3)."""
    if not state.deck:
        return []
    card = state.deck.pop()
    gain(state, seat, card)
    return [FishDrawn(seat, card)]


def _draw_two(state: State, seat: int, target: Target) -> list[Event]:
    """Draw the two top cards of the deck, or the only one (rules 12.2, sunfish)."""
    return _draw(state, seat, target) + _draw(state, seat, target)


def _opponents(state: State, seat: int) -> list[int]:
    """Return the opponents that can be robbed: neither revealed nor shielded (rules 4.4, 12.2)."""
    return [
        other
        for other in range(state.seats)
        if other != seat and not state.revealed[other] and state.shields[other] is None
    ]


def _hands_to_rob(state: State, seat: int) -> tuple[Target, ...]:
    """Offer the opponents whose hand has a card to take (rules 4.4)."""
    return tuple([other for other in _opponents(state, seat) if state.hands[other]]) or NO_TARGET


def _steal(state: State, seat: int, victim: Target) -> list[Event]:
    """Move a random card from the victim's hand to the seat's."""
    if victim is None:
        return []
    hand = state.hands[victim]
    card = hand[pick(state, Purpose.STEAL, len(hand))]
    hand_over(state, victim, seat, card)
    return [Stolen(seat, victim, card)]


def _search_deck(state: State, seat: int, _target: Target) -> list[Event]:
    """Show the deck's top cards to the seat, and ask which one it keeps (rules 11.2)."""
    if not state.deck:
        return []
    shown = tuple(sorted(state.deck[-LOBSTER_CARDS:]))
    del state.deck[-LOBSTER_CARDS:]
    state.pending.append(Pending(DecisionKind.CATCH, seat, shown))
    return [DeckSearched(seat, len(shown), shown)]


def _sting(state: State, seat: int, _target: Target) -> list[Event]:
    """Make all opponents lose their next turn (rules 11.1)."""
    state.stung = tuple(other for other in range(state.seats) if other != seat)
    return [Stung(seat)]


def _look_to_swap(state: State, seat: int, victim: Target) -> list[Event]:
    """Show a hand to the seat, and ask what it swaps (rules 12.2, water rodeo)."""
    if victim is None:
        return []
    look(state, seat, victim)
    state.pending.append(Pending(DecisionKind.SWAP, seat, victim=victim))
    hand = tuple(state.hands[victim])
    return [HandSeen(seat, victim, len(hand), hand)]


def _duos_to_rob(state: State, seat: int) -> tuple[Target, ...]:
    """Offer the laid duos of opponents, of equal ones on a table the first (rules 12.2)."""
    return (
        tuple(
            [
                laid_duo(other, position)
                for other in _opponents(state, seat)
                for position, group in enumerate(state.tables[other])
                if len(group) == 2 and state.tables[other].index(group) == position
            ]
        )
        or NO_TARGET
    )


def _steal_duo(state: State, seat: int, target: Target) -> list[Event]:
    """Move a laid duo to the seat's table; it has no effect there."""
    if target is None:
        return []
    victim, position = laid_duo_of(target)
    return [DuoStolen(seat, victim, pass_group(state, victim, position, seat))]


EFFECTS: Mapping[DuoEffect, Effect] = {
    DuoEffect.SEARCH_PILE: Effect(_piles_to_search, _search_pile),
    DuoEffect.ANOTHER_TURN: Effect(_no_choice, _another_turn),
    DuoEffect.DRAW: Effect(_no_choice, _draw),
    DuoEffect.STEAL: Effect(_hands_to_rob, _steal),
    DuoEffect.SEARCH_DECK: Effect(_no_choice, _search_deck),
    DuoEffect.STING: Effect(_no_choice, _sting),
    DuoEffect.SEARCH_BOTH_PILES: Effect(_no_choice, _search_both_piles),
    DuoEffect.DRAW_TWO: Effect(_no_choice, _draw_two),
    DuoEffect.SWAP: Effect(_hands_to_rob, _look_to_swap),
    DuoEffect.STEAL_DUO: Effect(_duos_to_rob, _steal_duo),
}


@cache
def effect_of(terms: Terms, first: Card, second: Card) -> Effect:
    """Return what this duo does; the two cards must be one of the seat's duos, in its order."""
    kinds = (KIND_OF[first], KIND_OF[second])
    return next(EFFECTS[duo.effect] for duo in terms.rules.duos if duo[:2] == kinds)
