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
from shoal.engine.events import Event, FishDrawn, PileSearched, Stolen
from shoal.engine.luck import pick
from shoal.engine.model import DecisionKind, Pending, State
from shoal.engine.ruleset import DuoEffect, Ruleset
from shoal.engine.zones import gain, lose

Target: TypeAlias = int | None

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
    cards = tuple(state.piles[pile])
    state.pending.append(Pending(DecisionKind.PICK, seat, (), pile))
    return [PileSearched(seat, pile, len(cards), cards)]


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


def _opponents_to_rob(state: State, seat: int) -> tuple[Target, ...]:
    """Offer the opponents whose hand can be stolen from: not empty, not revealed (rules 4.4)."""
    return (
        tuple(
            [
                other
                for other in range(state.seats)
                if other != seat and state.hands[other] and not state.revealed[other]
            ]
        )
        or NO_TARGET
    )


def _steal(state: State, seat: int, victim: Target) -> list[Event]:
    """Move a random card from the victim's hand to the seat's."""
    if victim is None:
        return []
    hand = state.hands[victim]
    card = hand[pick(state, Purpose.STEAL, len(hand))]
    lose(state, victim, card)
    gain(state, seat, card)
    return [Stolen(seat, victim, card)]


EFFECTS: Mapping[DuoEffect, Effect] = {
    DuoEffect.SEARCH_PILE: Effect(_piles_to_search, _search_pile),
    DuoEffect.ANOTHER_TURN: Effect(_no_choice, _another_turn),
    DuoEffect.DRAW: Effect(_no_choice, _draw),
    DuoEffect.STEAL: Effect(_opponents_to_rob, _steal),
}


@cache
def effect_of(rules: Ruleset, first: Card, second: Card) -> Effect:
    """Return what this duo does; the two cards must be one of the ruleset's duos, in its order."""
    kinds = (KIND_OF[first], KIND_OF[second])
    return next(EFFECTS[duo.effect] for duo in rules.duos if duo[:2] == kinds)
