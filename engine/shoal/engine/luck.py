"""How a state uses chance: it counts every use, so that no two uses are the same."""

from shoal.engine.cards import Card
from shoal.engine.chance import Purpose, Use
from shoal.engine.model import State


def pick(state: State, purpose: Purpose, count: int) -> int:
    """Return a number from 0 to count - 1, and count the use."""
    return state.chance.pick(_next_use(state, purpose), count)


def shuffle(state: State, purpose: Purpose, cards: list[Card]) -> None:
    """Shuffle the cards in place, and count the use."""
    state.chance.shuffle(_next_use(state, purpose), cards)


def _next_use(state: State, purpose: Purpose) -> Use:
    """Return the next use for this purpose in this round."""
    counter = state.uses.get(purpose, 0)
    state.uses[purpose] = counter + 1
    return Use(purpose, state.round, counter)
