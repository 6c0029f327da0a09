"""The rulesets: every number and switch that differs between variants, as data.

A name says its parts: `base`, `salt`, `pepper` or `salt-pepper`, and `-double` for double points.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, unique
from typing import NamedTuple

from shoal.engine.cards import FACES, SALT_KINDS, Card, Kind
from shoal.engine.errors import UnknownRuleset
from shoal.engine.event_cards import EventCard
from shoal.engine.results import RoundEnding


@unique
class DuoEffect(IntEnum):
    """What placing a duo lets its owner do; the functions are in `effects`."""

    SEARCH_PILE = 1
    ANOTHER_TURN = 2
    DRAW = 3
    STEAL = 4
    SEARCH_DECK = 5
    STING = 6
    SEARCH_BOTH_PILES = 7
    DRAW_TWO = 8
    SWAP = 9
    STEAL_DUO = 10


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
    """One variant of the game; an event card is a change of it for one seat (`terms`).

    `version` grows when the same moves could lead elsewhere than before. `deck` is in ascending
    order of face ids. `targets` maps the number of seats to the total that ends the match.

    `calls` are the ways to end a round, and `call_points` what a seat's cards must be worth for it.
    `duos` are in the order in which their options are listed. A card of the `trio_kind` may be laid
    with a duo; a `joker` is one more card of a collected kind. `event_cards` are those in the box.

    What only event cards switch on: a seat `takes_equal_top` at the end of its turn, draws again
    after discarding one of `draws_after`, or hides behind a card of the `shield_kind`.
    """

    name: str
    version: int
    deck: tuple[Card, ...]
    targets: Mapping[int, int]
    call_points: int
    calls: tuple[RoundEnding, ...]
    mermaids_to_win: int
    mermaids_score: bool
    duos: tuple[Duo, ...]
    collectors: tuple[Collector, ...]
    multipliers: tuple[Multiplier, ...]
    trio_kind: Kind | None = None
    joker: Kind | None = None
    event_cards: tuple[EventCard, ...] = ()
    takes_equal_top: bool = False
    draws_after: frozenset[Kind] = frozenset()
    shield_kind: Kind | None = None


SHIELD_KIND = Kind.SHELL
"""The kind behind which a seat can hide, where its event cards allow it."""

_BASE_DUOS = (
    Duo(Kind.CRAB, Kind.CRAB, DuoEffect.SEARCH_PILE),
    Duo(Kind.BOAT, Kind.BOAT, DuoEffect.ANOTHER_TURN),
    Duo(Kind.FISH, Kind.FISH, DuoEffect.DRAW),
    Duo(Kind.SWIMMER, Kind.SHARK, DuoEffect.STEAL),
)

_SALT_DUOS = (
    Duo(Kind.CRAB, Kind.LOBSTER, DuoEffect.SEARCH_DECK),
    Duo(Kind.SWIMMER, Kind.JELLYFISH, DuoEffect.STING),
)

_COLLECTORS = (
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

_SALT_MULTIPLIERS = (Multiplier(Kind.CAST_OF_CRABS, Kind.CRAB, 1),)


def _deck(*, salt: bool) -> tuple[Card, ...]:
    """Return the cards of the base game, and those of Extra Salt if asked for."""
    return tuple(
        card
        for card, face in enumerate(FACES)
        for _ in range(face.copies)
        if salt or face.kind not in SALT_KINDS
    )


def _variant(*, salt: bool, pepper: bool, double: bool) -> Ruleset:
    """Return the game with these expansions, and with its targets doubled if asked for."""
    parts = [part for part, is_in in (("salt", salt), ("pepper", pepper)) if is_in] or ["base"]
    factor = 2 if double else 1
    return Ruleset(
        name="-".join([*parts, *(["double"] if double else [])]),
        version=1,
        deck=_deck(salt=salt),
        targets={2: 40 * factor, 3: 35 * factor, 4: 30 * factor},
        call_points=7,
        calls=(RoundEnding.STOP, RoundEnding.LAST_CHANCE),
        mermaids_to_win=4,
        mermaids_score=True,
        duos=_BASE_DUOS + (_SALT_DUOS if salt else ()),
        collectors=_COLLECTORS,
        multipliers=_BASE_MULTIPLIERS + (_SALT_MULTIPLIERS if salt else ()),
        trio_kind=Kind.STARFISH if salt else None,
        joker=Kind.SEAHORSE if salt else None,
        event_cards=tuple(EventCard) if pepper else (),
    )


_ALL = {
    rules.name: rules
    for pepper in (False, True)
    for salt in (False, True)
    for double in (False, True)
    for rules in [_variant(salt=salt, pepper=pepper, double=double)]
}

BASE = _ALL["base"]

RULESETS: tuple[str, ...] = tuple(_ALL)
"""The names that `ruleset` accepts."""


def ruleset(name: str) -> Ruleset:
    """Return the ruleset with this name; raise UnknownRuleset, which lists those that exist."""
    try:
        return _ALL[name]
    except KeyError:
        raise UnknownRuleset(name, RULESETS) from None
