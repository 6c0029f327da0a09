"""The rulesets: every number and switch that differs between variants, as data."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, unique
from typing import NamedTuple

from shoal.engine.cards import FACES, Card, Kind
from shoal.engine.errors import UnknownRuleset


@unique
class DuoEffect(IntEnum):
    """What placing a duo lets its owner do; the functions are in `effects`."""

    SEARCH_PILE = 1
    ANOTHER_TURN = 2
    DRAW = 3
    STEAL = 4


class Duo(NamedTuple):
    """Two kinds that may be placed together, `first <= second`, and what that does."""

    first: Kind
    second: Kind
    effect: DuoEffect


class Collector(NamedTuple):
    """A kind scored as a set: `points[n]` for n cards of it."""

    kind: Kind
    points: tuple[int, ...]


class Multiplier(NamedTuple):
    """A kind worth `each` points for every card of the `counted` kind."""

    kind: Kind
    counted: Kind
    each: int


@dataclass(frozen=True, eq=False)
class Ruleset:
    """One variant of the game.

    `version` grows when the same moves could lead elsewhere than before. `deck` is in ascending
    order of face ids. `targets` maps the number of seats to the total that ends the match.
    `call_points` is what a seat's cards must be worth before it may end a round. `duos` are in the
    order in which their options are listed.
    """

    name: str
    version: int
    deck: tuple[Card, ...]
    targets: Mapping[int, int]
    call_points: int
    mermaids_to_win: int
    duos: tuple[Duo, ...]
    collectors: tuple[Collector, ...]
    multipliers: tuple[Multiplier, ...]


_BASE_DECK = tuple(card for card, face in enumerate(FACES) for _ in range(face.copies))

_BASE_DUOS = (
    Duo(Kind.CRAB, Kind.CRAB, DuoEffect.SEARCH_PILE),
    Duo(Kind.BOAT, Kind.BOAT, DuoEffect.ANOTHER_TURN),
    Duo(Kind.FISH, Kind.FISH, DuoEffect.DRAW),
    Duo(Kind.SWIMMER, Kind.SHARK, DuoEffect.STEAL),
)

_BASE_COLLECTORS = (
    Collector(Kind.SHELL, (0, 0, 2, 4, 6, 8, 10)),
    Collector(Kind.OCTOPUS, (0, 0, 3, 6, 9, 12)),
    Collector(Kind.PENGUIN, (0, 1, 3, 5)),
    Collector(Kind.SAILOR, (0, 0, 5)),
)

_BASE_MULTIPLIERS = (
    Multiplier(Kind.LIGHTHOUSE, Kind.BOAT, 1),
    Multiplier(Kind.SHOAL_OF_FISH, Kind.FISH, 1),
    Multiplier(Kind.PENGUIN_COLONY, Kind.PENGUIN, 2),
    Multiplier(Kind.CAPTAIN, Kind.SAILOR, 3),
)


def _base(name: str, *, target_factor: int) -> Ruleset:
    """Return the base game with its targets multiplied."""
    return Ruleset(
        name=name,
        version=1,
        deck=_BASE_DECK,
        targets={2: 40 * target_factor, 3: 35 * target_factor, 4: 30 * target_factor},
        call_points=7,
        mermaids_to_win=4,
        duos=_BASE_DUOS,
        collectors=_BASE_COLLECTORS,
        multipliers=_BASE_MULTIPLIERS,
    )


BASE = _base("base", target_factor=1)

_ALL = {rules.name: rules for rules in (BASE, _base("base-double", target_factor=2))}

RULESETS: tuple[str, ...] = tuple(_ALL)
"""The names that `ruleset` accepts."""


def ruleset(name: str) -> Ruleset:
    """Return the ruleset with this name; raise UnknownRuleset, which lists those that exist."""
    try:
        return _ALL[name]
    except KeyError:
        raise UnknownRuleset(name, RULESETS) from None
