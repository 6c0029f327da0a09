"""Options come in the order that docs/engine.md promises ("Options")."""

from collections.abc import Callable, Mapping
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.engine import (
    RULESETS,
    Catch,
    EndTurn,
    Keep,
    KeepEventCard,
    Kind,
    LastChance,
    Move,
    NoSwap,
    PickCard,
    PlayDuo,
    PlayTrio,
    Shield,
    State,
    Stop,
    Swap,
    TakeDeck,
    TakeEqualTop,
    TakePile,
    legal_moves,
)
from shoal.engine.cards import FACES
from tests.engine.support import random_steps

DUOS = [
    (Kind.CRAB, Kind.CRAB),
    (Kind.BOAT, Kind.BOAT),
    (Kind.FISH, Kind.FISH),
    (Kind.SWIMMER, Kind.SHARK),
    (Kind.CRAB, Kind.LOBSTER),
    (Kind.SWIMMER, Kind.JELLYFISH),
    (Kind.SWIMMER, Kind.SWIMMER),
    (Kind.SHARK, Kind.SHARK),
]


def pair(move: PlayDuo | PlayTrio) -> tuple[int, ...]:
    """Return where the duo of a move stands in the order of duos, and then its cards."""
    place = DUOS.index((FACES[move.first].kind, FACES[move.second].kind))
    return place, move.first, move.second


def depth(state: State, move: PickCard) -> int:
    """Return how many cards lie on the one that is picked."""
    pile = state.piles[state.pending[-1].pile][::-1]
    return [above for above, face in enumerate(pile) if face == move.card][move.copy]


def owned_place(state: State, move: KeepEventCard) -> int:
    """Return where an event card stands among those of the seat that is asked."""
    return state.event_cards[state.pending[-1].seat].index(move.event_card)


PLACES: Mapping[type[Move], Callable[[State, Any], tuple[int, ...]]] = {
    TakeDeck: lambda *_: (0,),
    TakePile: lambda _, move: (1, move.pile),
    Keep: lambda _, move: (move.card, move.pile or 0),
    EndTurn: lambda *_: (0,),
    Stop: lambda *_: (1,),
    LastChance: lambda *_: (2,),
    PlayDuo: lambda _, move: (3, *pair(move), move.target or 0),
    PlayTrio: lambda _, move: (4, *pair(move), move.third),
    Shield: lambda _, move: (5, move.card),
    PickCard: lambda state, move: (depth(state, move),),
    Catch: lambda _, move: (move.card,),
    NoSwap: lambda *_: (-1,),
    Swap: lambda _, move: (move.given, move.gained),
    TakeEqualTop: lambda _, move: (move.pile,),
    KeepEventCard: lambda state, move: (owned_place(state, move),),
}
"""What orders the options of a decision, by the class of a move."""


@pytest.mark.parametrize("rules", RULESETS)
@settings(max_examples=5, deadline=None)
@given(seats=st.integers(2, 4), seed=st.integers(0, 2**64), leaving=st.booleans())
def test_options_are_in_the_documented_order(
    *, rules: str, seats: int, seed: int, leaving: bool
) -> None:
    """The options of every decision of a random match ascend in what they are ordered by."""
    for state, _ in random_steps(rules, seats, seed, leaving=leaving):
        places = [PLACES[type(move)](state, move) for move in legal_moves(state)]
        assert places == sorted(places)


def test_every_class_of_moves_has_its_place() -> None:
    """No move is without an order."""
    assert set(PLACES) == set(get_args(Move))
