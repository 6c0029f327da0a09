"""How strong a hand is: its points now and what it may become, in points of the round.

A strength is `late + early * d`, where d is the part of the deck that is left. What a card adds to it is
a part by its kind and a part by its color. Few different counts of the kinds that play together ever
occur, so that what they add is worked out once for each.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import NamedTuple, TypeAlias, final

from shoal.engine.cards import COLOR_OF, DUO_KINDS, FACES, KIND_OF, Color, Kind
from shoal.engine.counts import count, mask_of, unit_of
from shoal.engine.remembered import Remembered
from shoal.engine.worth import TRIO_BONUS, Worth
from shoal.luck.model import Model
from shoal.luck.scene import Scene

_COPIES = tuple(sum(face.copies for face in FACES if face.kind is kind) for kind in Kind)
_FACES = tuple(zip(KIND_OF, COLOR_OF, strict=True))
_COLOR_BIT = 4 * len(Kind)
_COLORS = tuple(_COLOR_BIT + 8 * color for color in Color)
_HAND_MASK = mask_of([*DUO_KINDS, Kind.STARFISH])  # a starfish adds to the duos in hand
_SETS = (Kind.SHELL, Kind.OCTOPUS, Kind.PENGUIN, Kind.SAILOR, Kind.SEAHORSE)
_SET_MASK = mask_of(_SETS)
_RARE = tuple(kind for kind in Kind if kind not in {*DUO_KINDS, *_SETS})
_RARE_MASK = mask_of(_RARE)
_IN_HAND = tuple(sorted(DUO_KINDS))
_SHARKS = (Kind.SHARK, Kind.JELLYFISH)


_Worth: TypeAlias = tuple[int, float]
"""Points, and worth beyond them."""


class _Parts(NamedTuple):
    """Points and worth beyond them of some counts, and by kind what one card more adds to both."""

    points: int
    value: float
    more: tuple[int, ...]
    gains: tuple[float, ...]


@final
@dataclass(frozen=True, eq=False, slots=True)
class _Tables:
    """What the counts in hand are worth, those of sets, and those of which there are few."""

    in_hand: Remembered[int, _Parts]
    sets: Remembered[int, _Parts]
    rare: Remembered[int, _Parts]


@final
class Strength:
    """The strength of one seat, and what each card would add to it.

    `points` are its card points now, `value` is its strength. `more` and `gains` are by kind what one
    more card would add to both; `matches` is by color what it would add besides, of the points, None where
    it is nothing for all. `colors` are how many cards the seat has of each.
    """

    __slots__ = ("_point", "colors", "gains", "matches", "more", "points", "value")

    def __init__(self, model: Model, scene: Scene, seat: int, d: float) -> None:
        """Work it out for a scene as it is; `d` is about the part of the deck that is left, a few values."""
        terms = scene.terms[seat]
        worth = terms.worth
        in_hand, on_table = scene.in_hand[seat], scene.on_table[seat]
        held = in_hand + on_table
        tables = _tables(model, worth, d)
        hand = tables.in_hand[in_hand & _HAND_MASK]
        sets, rare = tables.sets[held & _SET_MASK], tables.rare[held & _RARE_MASK]
        points = scene.groups[seat] + hand.points + sets.points
        more = [one + other for one, other in zip(hand.more, sets.more, strict=True)]
        for multiplier, counted, each in terms.rules.multipliers:
            number = each * count(held, counted)
            more[multiplier] += number
            if has := count(held, multiplier):
                points += has * number
                more[counted] += has * each
        if worth.trio_kind is not None:
            points += TRIO_BONUS * count(on_table, worth.trio_kind)
        self.colors = colors = [held >> bit & 255 for bit in _COLORS]
        self.matches: list[int] | None = None
        if worth.mermaid_mask:
            white = colors[Color.WHITE]
            if mermaids := count(held, Kind.MERMAID):
                ordered = sorted(colors, reverse=True)
                more[Kind.MERMAID] += _one_mermaid_more(ordered, white, mermaids)
                points += sum(ordered[:mermaids])
                least = ordered[mermaids - 1]
                self.matches = [int(size >= least) for size in colors]
                more[Kind.MERMAID] -= self.matches[Color.WHITE]
            else:
                more[Kind.MERMAID] += max(*colors, white + 1)
        self.points, self.more = points, more
        point, ready = (late + early * d for late, early in (model.point, model.ready))
        self._point = point
        self.value = point * points + hand.value + sets.value + rare.value
        self.gains = [
            point * added + one + other + third
            for added, one, other, third in zip(
                more, hand.gains, sets.gains, rare.gains, strict=True
            )
        ]
        needed = terms.call_points - points
        if needed <= 0:
            self.value += ready
        elif max(more) >= needed:
            for kind, added in enumerate(more):
                if added >= needed:
                    self.gains[kind] += ready

    def more_by_card(self) -> list[int]:
        """Return by card what it would add to the points."""
        more, matches = self.more, self.matches
        if matches is None:
            return [more[kind] for kind in KIND_OF]
        return [more[kind] + matches[color] for kind, color in _FACES]

    def gains_by_card(self) -> list[float]:
        """Return by card what it would add to the strength."""
        gains, matches = self.gains, self.matches
        if matches is None:
            return [gains[kind] for kind in KIND_OF]
        besides = [self._point * number for number in matches]
        return [gains[kind] + besides[color] for kind, color in _FACES]


def _one_mermaid_more(ordered: list[int], white: int, mermaids: int) -> int:
    """Return what one more mermaid scores: one more group, with itself among the white."""
    after = ordered.copy()
    after.remove(white)
    after.append(white + 1)
    after.sort(reverse=True)
    return sum(after[: mermaids + 1]) - sum(ordered[:mermaids])


@cache
def _tables(model: Model, worth: Worth, d: float) -> _Tables:
    """Return what counts are worth under a seat's terms, made once."""

    def hand(counts: int) -> _Worth:
        surplus = count(counts, Kind.SWIMMER) - sum([count(counts, kind) for kind in _SHARKS])
        late, early = model.surplus[surplus]
        value = late + early * d + _worth_of(model, _IN_HAND, counts, d)
        return worth.duos[counts & worth.duo_mask].points, value

    def sets(counts: int) -> _Worth:
        points = worth.collectors[counts & worth.collector_mask]
        return points, _worth_of(model, _SETS, counts, d)

    def rare(counts: int) -> _Worth:
        return 0, _worth_of(model, _RARE, counts, d)

    return _Tables(
        Remembered(partial(_parts, hand, (*_IN_HAND, Kind.STARFISH))),
        Remembered(partial(_parts, sets, _SETS)),
        Remembered(partial(_parts, rare, _RARE)),
    )


def _parts(worth_of: Callable[[int], _Worth], kinds: Sequence[Kind], counts: int) -> _Parts:
    """Return what counts of some kinds are worth, and what one more card of each adds."""
    points, value = worth_of(counts)
    more = [0] * len(Kind)
    gains = [0.0] * len(Kind)
    for kind in kinds:
        if count(counts, kind) < _COPIES[kind]:
            then = worth_of(counts + unit_of(kind))
            more[kind], gains[kind] = then[0] - points, then[1] - value
    return _Parts(points, value, tuple(more), tuple(gains))


def _worth_of(model: Model, kinds: Sequence[Kind], counts: int, d: float) -> float:
    """Return what counts of some kinds are worth beyond their points."""
    pairs = [model.steps[kind][count(counts, kind)] for kind in kinds]
    return sum([late + early * d for late, early in pairs])
