"""What hands come to: the points of a round that a seat gets more than another, by what both have."""

from collections.abc import Iterable, Iterator
from itertools import combinations

from shoal.engine import Event, Kept, RoundEnded, RoundStarted, Took, ruleset
from shoal.luck import Model, Scene, follow, model_of
from shoal.server.bench.tables import Block, events_of
from shoal.server.training.hands import hand_row, model_fields
from shoal.server.training.least_squares import LeastSquares, Row

PENALTY = 60.0
"""As if so many rows said that a number is zero."""

MOST_POINTS = 35
"""A difference beyond this, as by mermaids, counts as this."""

NOISY = "random"
NOISE_WEIGHT = 0.4
"""Rows of a bot that plays at random weigh less: its hands come to what they would under nobody else."""


def fitted(rules: str, blocks: Iterable[Block], name: str) -> tuple[dict[str, object], int]:
    """Return the document of a model for some matches, and how many rows it was fitted to."""
    sums = LeastSquares()
    empty = model_of(model_fields({}, name))
    for block in blocks:
        for match in block.matches:
            names = [block.names[entrant] for entrant in match.entrants]
            for row, result, weight in rows(rules, names, events_of(rules, match), empty):
                sums.add(row, result, weight)
    return model_fields(sums.solved(PENALTY), name), sums.rows


def rows(
    rules: str, names: list[str], events: Iterable[Event], model: Model
) -> Iterator[tuple[Row, float, float]]:
    """Yield row, result and weight for each pair of seats after each card that was taken."""
    scene = Scene(ruleset(rules), len(names))
    waiting: list[tuple[int, int, Row]] = []
    for event in events:
        follow(scene, event)
        match event:
            case RoundStarted():
                waiting = []
            case RoundEnded(round_points=points):
                for one, other, row in waiting:
                    result = float(max(-MOST_POINTS, min(MOST_POINTS, points[one] - points[other])))
                    noisy = NOISY in (names[one], names[other])
                    yield row, result, NOISE_WEIGHT if noisy else 1.0
            case Kept() | Took(pile=0 | 1) if scene.caller is None:
                waiting += _pairs(scene, names, event.seat, model)
            case _:
                pass


def _pairs(
    scene: Scene, names: list[str], active: int, model: Model
) -> Iterator[tuple[int, int, Row]]:
    """Yield each pair of seats, and what one has more than the other; who they are is a part of it."""
    hands = [hand_row(scene, seat, model) for seat in range(scene.seats)]
    for seat, name in enumerate(names):
        hands[seat][f"bot {name}"] = 1.0
    hands[active]["active"] = 1.0
    for one, other in combinations(range(scene.seats), 2):
        yield one, other, _less(hands[one], hands[other])


def _less(one: dict[str, float], other: dict[str, float]) -> dict[str, float]:
    """Return the difference of two rows, without what is zero."""
    found = one.copy()
    for name, number in other.items():
        found[name] = found.get(name, 0.0) - number
    return {name: number for name, number in found.items() if number}
