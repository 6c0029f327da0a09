"""The frozen numbers of a value function, by name.

Nothing in them can make the adjustment unfair: whatever they are its mean is zero. Better ones make it
sharper.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple, TypeAlias, final

from shoal.engine.cards import Kind

NEWEST = "luck-1"
"""The model that is used where none is named."""

MODELS = (NEWEST,)
"""The names of all models."""

_MOST = 16

Pair: TypeAlias = tuple[float, float]
"""A number when the deck is empty, and what a full one adds to it."""


@final
class Spread(NamedTuple):
    """How far apart the seats may still end, as points: the square is `base + total * t + deck * d`.

    t are the points that the best total lacks to the target, d is the part of the deck that is left.
    """

    base: float
    total: float
    deck: float


@final
@dataclass(frozen=True, eq=False, slots=True)
class Model:
    """A value function.

    `point` and `ready` are what a point and enough of them to end the round are worth. `steps` are by kind
    what so many cards of it may become: of the kinds that make duos those in hand, of the others all;
    `surplus` is the same by how many more swimmers there are in hand than cards that they are played with.
    `spread` is by number of seats. `stop` is how far a seat that can end the round is taken to do so where
    that is better for it. `take` is how much of a card on a pile the next seat is taken to have, beyond
    `take_from` points of strength.
    """

    name: str
    point: Pair
    ready: Pair
    steps: tuple[tuple[Pair, ...], ...]
    surplus: Mapping[int, Pair]
    spread: Mapping[int, Spread]
    stop: float
    take: float
    take_from: float


class UnknownModel(LookupError):
    """There is no model of this name."""


@cache
def model(name: str = NEWEST) -> Model:
    """Return a model; raise UnknownModel."""
    if name not in MODELS:
        raise UnknownModel(f"{name}: there are {', '.join(MODELS)}")
    text = files("shoal.luck").joinpath(f"{name}.json").read_text(encoding="utf-8")
    return model_of(json.loads(text))


def model_of(fields: Mapping[str, Any]) -> Model:
    """Return the model of a document."""
    tables: Mapping[str, list[Pair]] = fields["steps"]
    steps = tuple(_filled(tables.get(kind.name.lower(), [])) for kind in Kind)
    surplus = {int(number): _pair(pair) for number, pair in fields["surplus"].items()}
    most = max(surplus)
    return Model(
        name=fields["name"],
        point=_pair(fields["point"]),
        ready=_pair(fields["ready"]),
        steps=steps,
        surplus={number: surplus[max(-most, min(most, number))] for number in range(-_MOST, _MOST)},
        spread={int(seats): Spread(*numbers) for seats, numbers in fields["spread"].items()},
        stop=fields["stop"],
        take=fields["take"],
        take_from=fields["take_from"],
    )


def _pair(numbers: Any) -> Pair:  # noqa: ANN401 - of a document
    late, early = numbers
    return float(late), float(early)


def _filled(table: list[Pair]) -> tuple[Pair, ...]:
    """Return a table by count from 0 on; beyond its end it stays as it is."""
    pairs = [(0.0, 0.0), *map(_pair, table)]
    return (*pairs, *[pairs[-1]] * (_MOST + 1 - len(pairs)))
