"""The local table: deals, asks, and tells each seat what it may know. The only owner of the state."""

from collections.abc import Sequence
from typing import Protocol

from shoal.engine import (
    Event,
    Move,
    Observation,
    Result,
    Ruleset,
    State,
    apply,
    new_match,
    observe,
    opening_events,
    redact,
)

SEED_BYTES = 8
"""A seed is a number of so many bytes: short enough to be typed again."""


class Player(Protocol):
    """Who sits at a seat."""

    def hear(self, events: Sequence[Event], view: Observation) -> None:
        """Hear what happened, as this seat may know it, and what it sees now."""

    def choose(self, view: Observation) -> Move:
        """Return one of the options of this view."""


def play(rules: Ruleset, seed: int, players: Sequence[Player]) -> Result:
    """Play a match to its end and return how it ended; whatever a player raises ends it."""
    state = new_match(rules, len(players), seed.to_bytes(SEED_BYTES, "big"))
    _tell(state, players, opening_events(state))
    while state.asked is not None:
        seat = state.asked.seat
        move = players[seat].choose(observe(state, seat))
        _tell(state, players, apply(state, move))
    assert state.result is not None
    return state.result


def _tell(state: State, players: Sequence[Player], events: Sequence[Event]) -> None:
    """Tell every seat what it may know of these events."""
    for seat, player in enumerate(players):
        player.hear([redact(event, seat) for event in events], observe(state, seat))
