"""When to end a round: stop, bet on the last chance, or play on. Weighs chances to win the match."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from shoal.client import pb
from shoal.client.bots.seen import cards_of
from shoal.client.cards import Face, event_cards_of, face_of, table_of
from shoal.client.holding import Holding

SAMPLES = 40
"""Guesses of the other hands that a call is weighed against."""

CHOICE = 3
"""Of so many cards a seat is taken to have kept the one that gives it most: hands are no accident."""

SCALE = 11.0
"""Points of lead at which the chance to win the match is about 73 %."""

GROWTH = 1.3
"""Points that playing on one more turn adds, to each side."""


@dataclass(frozen=True, slots=True)
class Guess:
    """The other seats' cards as they may be: points and color bonus by seat, before and after a turn."""

    points: Mapping[int, int]
    bonus: Mapping[int, int]
    after: Mapping[int, int]


def guess(observation: pb.Observation, unseen: Mapping[Face, int], dice: Random) -> Guess:
    """Deal the other seats hands that fit what was seen, each a little better than chance."""
    pool = [face for face, count in unseen.items() for _ in range(count)]
    dice.shuffle(pool)
    points, bonus, after = {}, {}, {}
    for seat, player in enumerate(observation.seats):
        if seat == observation.seat:
            continue
        known = cards_of(observation, seat)
        cards = Holding(known, table_of(player), event_cards_of(observation, seat))
        for _ in range(player.hand_size - len(known)):
            _keep_best(cards, pool, CHOICE)
        points[seat] = cards.points()
        bonus[seat] = cards.color_bonus()
        _keep_best(cards, pool, 2, [face_of(pile.top) for pile in observation.piles if pile.size])
        after[seat] = cards.points()
    return Guess(points, bonus, after)


def _keep_best(cards: Holding, pool: list[Face], choice: int, others: Sequence[Face] = ()) -> None:
    """Give a holding the best of some cards; those from the pool that it does not take go back."""
    drawn = [pool.pop() for _ in range(min(choice, len(pool)))]
    best, most = None, -1
    for face in [*drawn, *others]:
        gain = cards.gain(face)
        if gain > most:
            best, most = face, gain
    if best is None:
        return
    cards.add(best)
    if best in drawn:
        drawn.remove(best)
    pool[:0] = drawn


def chance_to_win(totals: Sequence[float], seat: int, target: int) -> float:
    """Return how likely a seat is to win the match with these totals after a round."""
    own = totals[seat]
    others = [total for other, total in enumerate(totals) if other != seat]
    if max(totals) >= target:
        best = max(others)
        return 1.0 if own > best else 0.5 if own == best else 0.0
    return 1.0 / (1.0 + sum(math.exp((total - own) / SCALE) for total in others))


class Call:
    """The three ways to go on from a position in which the round may be ended, as chances to win."""

    def __init__(self, observation: pb.Observation, guesses: Sequence[Guess]) -> None:
        """Weigh the position against guesses of the other hands."""
        self._observation = observation
        self._guesses = guesses
        self._totals = [player.total for player in observation.seats]

    def stop(self) -> float:
        """Return the chance to win after a stop."""
        return self._mean(lambda guess: {self._seat: self._points, **guess.points})

    def last_chance(self) -> float:
        """Return the chance to win after calling the last chance."""
        own, bonus = self._points, self._observation.color_bonus

        def gains(guess: Guess) -> Mapping[int, float]:
            if own >= max(guess.after.values()):
                return {self._seat: own + bonus, **guess.bonus}
            return {self._seat: bonus, **guess.after}

        return self._mean(gains)

    def play_on(self) -> float:
        """Return the chance to win when the round goes on: both sides gain, and either may end it."""
        if self._observation.deck_size <= 2:
            return self._mean(lambda _: {})
        own = self._points + GROWTH
        bonus = self._observation.color_bonus

        def we_stop(guess: Guess) -> Mapping[int, float]:
            return {self._seat: own, **guess.after}

        def they_bet(guess: Guess) -> Mapping[int, float]:
            strongest = max(guess.after, key=lambda seat: guess.after[seat])
            most = guess.after[strongest]
            if most < self._observation.call_points or own > most:
                return {self._seat: own, **guess.after}
            won = dict(guess.bonus)
            won[strongest] = most + guess.bonus[strongest]
            return {self._seat: bonus, **won}

        return (self._mean(we_stop) + self._mean(they_bet)) / 2

    @property
    def _seat(self) -> int:
        return self._observation.seat

    @property
    def _points(self) -> int:
        return self._observation.points

    def _mean(self, gains: Callable[[Guess], Mapping[int, float]]) -> float:
        total = 0.0
        for one in self._guesses:
            gained = gains(one)
            totals = [have + gained.get(seat, 0) for seat, have in enumerate(self._totals)]
            total += chance_to_win(totals, self._seat, self._observation.target)
        return total / len(self._guesses)
