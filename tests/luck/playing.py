"""Matches played at random for the tests of luck, and value functions that know nothing of the game."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from shoal.engine import (
    FACES,
    Event,
    EventCard,
    State,
    apply,
    leave,
    new_match,
    opening_events,
    ruleset,
)
from shoal.luck import BySeat, Choice, Part, Scene, Worth


def played(
    rules: str, seats: int, seed: int, leaving: float = 0.0
) -> Iterator[tuple[State, list[Event]]]:
    """Yield a random match: the state after each step, and what happened in it."""
    dice = Random(f"{rules} {seats} {seed}")
    state = new_match(ruleset(rules), seats, f"luck {seed}".encode())
    yield state, opening_events(state)
    while state.asked is not None:
        if dice.random() < leaving:
            gone = dice.choice([seat for seat in range(seats) if seat not in state.left])
            yield state, leave(state, gone)
        else:
            yield state, apply(state, dice.choice(state.asked.options))


def events_of(rules: str, seats: int, seed: int, leaving: float = 0.0) -> list[Event]:
    """Return all that happened in a random match."""
    return [event for _, events in played(rules, seats, seed, leaving) for event in events]


class Dice:
    """A value function of random numbers, the same for the same scene and question."""

    def __init__(self, seed: object) -> None:
        self._seed = seed

    def start(self, scene: Scene) -> Sequence[BySeat]:
        dice = self._dice(scene)
        return [self._by_seat(dice, scene) for _ in range(scene.seats)]

    def tops(self, scene: Scene, starter: int) -> Worth:
        return self._worth(self._dice(scene, starter), scene)

    def events(self, scene: Scene) -> Mapping[EventCard, BySeat]:
        dice = self._dice(scene)
        return {card: self._by_seat(dice, scene) for card in EventCard}

    def gain(self, scene: Scene, seat: int) -> Worth:
        return self._worth(self._dice(scene, seat), scene)

    def choice(self, scene: Scene, seat: int) -> Choice:
        dice = self._dice(scene, seat)
        # Few different wishes, so that many cards are wanted as much as others.
        wanted = [float(dice.randrange(8)) for _ in FACES]
        return Choice(wanted, self._worth(dice, scene), self._worth(dice, scene))

    def theft(self, scene: Scene, thief: int, victim: int) -> Worth:
        return self._worth(self._dice(scene, thief, victim), scene)

    def _dice(self, scene: Scene, *asked: int) -> Random:
        known = (self._seed, scene.round, scene.totals, scene.unseen, scene.hands, asked)
        return Random(repr(known))

    def _worth(self, dice: Random, scene: Scene) -> Worth:
        parts = [self._part(dice, scene) for _ in range(dice.randrange(1, 3))]
        return Worth(parts)

    def _part(self, dice: Random, scene: Scene) -> Part:
        return Part([dice.uniform(-1, 1) for _ in FACES], self._by_seat(dice, scene))

    def _by_seat(self, dice: Random, scene: Scene) -> BySeat:
        return tuple(dice.uniform(-1, 1) for _ in range(scene.seats))
