"""What applies to one seat right now, as data: `state.terms[seat]`.

Every rule that an event card changes for one seat is asked here, so that asking is reading, and
nothing else needs to know what changed it. The cards that count for a seat are the round's and its
own, in union.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeAlias

from shoal.engine.cards import Kind
from shoal.engine.counts import mermaid_count
from shoal.engine.event_cards import EventCard
from shoal.engine.moves import LastChance, Move, Stop
from shoal.engine.results import RoundEnding
from shoal.engine.ruleset import SHIELD_KIND, Collector, Duo, DuoEffect, Ruleset
from shoal.engine.worth import Worth, worth_under


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """What one seat may do and what its cards are worth.

    `rules` are the ruleset as the seat's event cards change it; the rest follows from them, in the
    form in which it is asked often: `calls` end the round, from `call_points` card points on (rules
    3.4); `winning_mermaids` are as many mermaids as win the match (rules 6), in the form of counts;
    the others are as in the rules.
    """

    rules: Ruleset
    calls: tuple[Move, ...]
    call_points: int
    winning_mermaids: int
    worth: Worth
    takes_equal_top: bool
    draws_after: frozenset[Kind]
    shield_kind: Kind | None


_CALLS: Mapping[RoundEnding, Move] = {
    RoundEnding.STOP: Stop(),
    RoundEnding.LAST_CHANCE: LastChance(),
}


@cache
def terms_under(rules: Ruleset, cards: frozenset[EventCard] = frozenset()) -> Terms:
    """Return the terms of a seat for which these event cards count, made once."""
    for card in sorted(cards):
        rules = CHANGES[card](rules)
    return Terms(
        rules=rules,
        calls=tuple(_CALLS[call] for call in rules.calls),
        call_points=rules.call_points,
        winning_mermaids=mermaid_count(rules.mermaids_to_win),
        worth=worth_under(rules),
        takes_equal_top=rules.takes_equal_top,
        draws_after=rules.draws_after,
        shield_kind=rules.shield_kind,
    )


def _hermit_crab(rules: Ruleset) -> Ruleset:
    """Crabs search both piles (rules 12.2)."""
    return _with_effect(rules, DuoEffect.SEARCH_PILE, DuoEffect.SEARCH_BOTH_PILES)


def _sunfish(rules: Ruleset) -> Ruleset:
    """Fish draw two cards."""
    return _with_effect(rules, DuoEffect.DRAW, DuoEffect.DRAW_TWO)


def _water_rodeo(rules: Ruleset) -> Ruleset:
    """Two swimmers swap, and two sharks steal a laid duo."""
    rodeo = (
        Duo(Kind.SWIMMER, Kind.SWIMMER, DuoEffect.SWAP),
        Duo(Kind.SHARK, Kind.SHARK, DuoEffect.STEAL_DUO),
    )
    return replace(rules, duos=rules.duos + rodeo)


def _dance_of_the_shells(rules: Ruleset) -> Ruleset:
    """Every shell is worth two points."""
    return _with_collector(rules, Collector(Kind.SHELL, (0, 2, 4, 6, 8, 10, 12)))


def _kraken(rules: Ruleset) -> Ruleset:
    """Every octopus is worth one point."""
    return _with_collector(rules, Collector(Kind.OCTOPUS, (0, 1, 2, 3, 4, 5)))


def _tornado(rules: Ruleset) -> Ruleset:
    """Mermaids score nothing."""
    return replace(rules, mermaids_score=False)


def _dance_of_the_mermaids(rules: Ruleset) -> Ruleset:
    """Three mermaids win the match."""
    return replace(rules, mermaids_to_win=3)


def _treasure_chest(rules: Ruleset) -> Ruleset:
    """Ending the round takes ten points."""
    return replace(rules, call_points=10)


def _diodon_fish(rules: Ruleset) -> Ruleset:
    """The round cannot be ended by STOP."""
    return replace(rules, calls=(RoundEnding.LAST_CHANCE,))


def _angelfish(rules: Ruleset) -> Ruleset:
    """At the end of the turn one of two tops of one color is taken."""
    return replace(rules, takes_equal_top=True)


def _dolphins(rules: Ruleset) -> Ruleset:
    """Who discards a collected card, or the joker, draws another one."""
    collected = {row.kind for row in rules.collectors}
    joker = set() if rules.joker is None else {rules.joker}
    return replace(rules, draws_after=frozenset(collected | joker))


def _coral_reef(rules: Ruleset) -> Ruleset:
    """A shell laid face down protects from others."""
    return replace(rules, shield_kind=SHIELD_KIND)


def _with_effect(rules: Ruleset, old: DuoEffect, new: DuoEffect) -> Ruleset:
    """Return the rules with another effect of one duo."""
    duos = (row._replace(effect=new) if row.effect is old else row for row in rules.duos)
    return replace(rules, duos=tuple(duos))


def _with_collector(rules: Ruleset, new: Collector) -> Ruleset:
    """Return the rules with another row for one kind."""
    collectors = (new if row.kind is new.kind else row for row in rules.collectors)
    return replace(rules, collectors=tuple(collectors))


_Change: TypeAlias = Callable[[Ruleset], Ruleset]

CHANGES: Mapping[EventCard, _Change] = {
    EventCard.HERMIT_CRAB: _hermit_crab,
    EventCard.SUNFISH: _sunfish,
    EventCard.WATER_RODEO: _water_rodeo,
    EventCard.DANCE_OF_THE_SHELLS: _dance_of_the_shells,
    EventCard.KRAKEN: _kraken,
    EventCard.TORNADO: _tornado,
    EventCard.DANCE_OF_THE_MERMAIDS: _dance_of_the_mermaids,
    EventCard.TREASURE_CHEST: _treasure_chest,
    EventCard.DIODON_FISH: _diodon_fish,
    EventCard.ANGELFISH: _angelfish,
    EventCard.DOLPHINS: _dolphins,
    EventCard.CORAL_REEF: _coral_reef,
}
"""What each event card changes for a seat; any order gives the same."""
