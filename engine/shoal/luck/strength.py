"""How strong a hand is: its points now and what it may become, in points of the round.

A strength is `late + early * d`, where d is the part of the deck that is left. What a card adds to it is
a part by its kind and a part by its color. Few different counts of the kinds that play together ever
occur, so that what they add is worked out once for each.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from operator import add, itemgetter
from typing import NamedTuple, Protocol, TypeAlias, TypeVar, final

from shoal.engine.cards import COLOR_OF, DUO_KINDS, FACES, KIND_OF, Color, Kind
from shoal.engine.counts import count, count_mermaids, largest_groups, mask_of, unit_of
from shoal.engine.remembered import Remembered
from shoal.engine.terms import Terms
from shoal.engine.worth import TRIO_BONUS
from shoal.luck.model import Model
from shoal.luck.scene import Scene

_COPIES = tuple(sum(face.copies for face in FACES if face.kind is kind) for kind in Kind)
_KIND_BITS = 4
_COUNT = 15
_COLOR_BIT = _KIND_BITS * len(Kind)
_COLORS = tuple(_COLOR_BIT + 8 * color for color in Color)
_WHITE_BIT = _COLORS[Color.WHITE]
_HAND_MASK = mask_of([*DUO_KINDS, Kind.STARFISH])  # a starfish adds to the duos in hand
_SETS = (Kind.SHELL, Kind.OCTOPUS, Kind.PENGUIN, Kind.SAILOR, Kind.SEAHORSE)
_SET_MASK = mask_of(_SETS)
_RARE = tuple(kind for kind in Kind if kind not in {*DUO_KINDS, *_SETS})
_RARE_MASK = mask_of(_RARE)
_IN_HAND = tuple(sorted(DUO_KINDS))
_SHARKS = (Kind.SHARK, Kind.JELLYFISH)

_MOST_KNOWN = 8192
"""So many different hands are kept in mind; half of those of a match have been in one of the last hundred."""


_Worth: TypeAlias = tuple[int, float]
"""Points, and worth beyond them."""


class _Parts(NamedTuple):
    """Points and worth beyond them of some counts, and by kind what one card more adds to both."""

    points: int
    value: float
    more: tuple[int, ...]
    gains: tuple[float, ...]


N = TypeVar("N", bound=float)


class _Spread(Protocol):
    """Gives each face of a deck its number."""

    def __call__(self, numbers: Sequence[N], /) -> tuple[N, ...]: ...


@final
@dataclass(frozen=True, eq=False, slots=True)
class _Tables:
    """What the counts in hand are worth, those of sets, and those of which there are few.

    `point` and `ready` are what a point and enough of them to end the round are worth. `multipliers` are
    kinds with the bit of their count, those that they count with theirs, and the points of each. `kinds` is
    how many there may be something to say of. `by_face` spreads what is by kind over the faces of the deck,
    `by_color` what is by color.
    """

    in_hand: Remembered[int, _Parts]
    sets: Remembered[int, _Parts]
    rare: Remembered[int, _Parts]
    point: float
    ready: float
    multipliers: tuple[tuple[int, int, int, int, int], ...]
    kinds: int
    by_face: "_Spread"
    by_color: "_Spread"


class _Whole(NamedTuple):
    """What all counts but those of multipliers and mermaids are worth, and what one card more adds, by kind.

    `besides` are what one more adds to the worth beyond points, `of_rare` the same of those of which there
    are few; they are added one after the other.
    """

    points: int
    values: tuple[float, float, float]
    more: tuple[int, ...]
    gains: tuple[float, ...]
    besides: tuple[float, ...]
    of_rare: tuple[float, ...]


@final
class Strength:
    """The strength of one seat, and what each card would add to it.

    `points` are its card points now, `value` is its strength. `more` and `gains` are by kind what one
    more card would add to both; `matches` is by color what it would add besides, of the points, None where
    it is nothing for all. `most` is the largest of `more`, and `held` are all its cards. Lists end with the
    last kind, or face, of the deck.
    """

    __slots__ = ("_tables", "gains", "held", "matches", "more", "most", "points", "value")

    def __init__(self, model: Model, scene: Scene, seat: int, d: float) -> None:
        """Work it out for a scene as it is; `d` is about the part of the deck that is left, a few values."""
        terms = scene.terms[seat]
        worth = terms.worth
        in_hand, on_table = scene.in_hand[seat], scene.on_table[seat]
        self.held = held = in_hand + on_table
        self._tables = tables = _tables(model, terms, d)
        whole = _whole(tables, in_hand & _HAND_MASK, held & _SET_MASK, held & _RARE_MASK)
        points = scene.groups[seat] + whole.points
        more, gains = [*whole.more], [*whole.gains]
        point = tables.point
        changed = []
        for multiplier, its_bit, counted, bit, each in tables.multipliers:
            if number := each * (held >> bit & _COUNT):
                more[multiplier] += number
                changed.append(multiplier)
            if has := held >> its_bit & _COUNT:
                points += has * number
                more[counted] += has * each
                changed.append(counted)
        if worth.trio_kind is not None:
            points += TRIO_BONUS * count(on_table, worth.trio_kind)
        self.matches: list[int] | None = None
        if worth.mermaid_mask:
            points += self._count_mermaids(more)
            changed.append(Kind.MERMAID)
        for kind in changed:
            gains[kind] = point * more[kind] + whole.besides[kind] + whole.of_rare[kind]
        self.points, self.more, self.gains = points, more, gains
        in_hands, in_sets, in_rare = whole.values
        self.value = point * points + in_hands + in_sets + in_rare
        self.most = max(more)
        needed = terms.call_points - points
        if needed <= 0:
            self.value += tables.ready
        elif self.most >= needed:
            self.gains = [
                gain + tables.ready if added >= needed else gain
                for gain, added in zip(gains, more, strict=True)
            ]

    def _count_mermaids(self, more: list[int]) -> int:
        """Return the points of the mermaids; put what one more of them adds where that belongs."""
        held = self.held
        white = held >> _WHITE_BIT & 255
        mermaids = count_mermaids(held)
        if not mermaids:
            more[Kind.MERMAID] += max(largest_groups(held, 1), white + 1)
            return 0
        colors = self.colors
        ordered = sorted(colors, reverse=True)
        least = ordered[mermaids - 1]
        self.matches = [int(size >= least) for size in colors]
        more[Kind.MERMAID] += _one_mermaid_more(ordered, white, mermaids)
        more[Kind.MERMAID] -= self.matches[Color.WHITE]
        return sum(ordered[:mermaids])

    @property
    def colors(self) -> list[int]:
        """How many cards the seat has of each color."""
        held = self.held
        return [held >> bit & 255 for bit in _COLORS]

    def more_by_card(self) -> Sequence[int]:
        """Return by card what it would add to the points."""
        tables, matches = self._tables, self.matches
        more = tables.by_face(self.more)
        return more if matches is None else list(map(add, more, tables.by_color(matches)))

    def gains_by_card(self) -> Sequence[float]:
        """Return by card what it would add to the strength."""
        tables, matches = self._tables, self.matches
        gains = tables.by_face(self.gains)
        if matches is None:
            return gains
        besides = [tables.point * number for number in matches]
        return list(map(add, gains, tables.by_color(besides)))


def _one_mermaid_more(ordered: list[int], white: int, mermaids: int) -> int:
    """Return what one more mermaid scores: one more group, with itself among the white."""
    after = ordered.copy()
    after.remove(white)
    after.append(white + 1)
    after.sort(reverse=True)
    return sum(after[: mermaids + 1]) - sum(ordered[:mermaids])


@cache
def _tables(model: Model, terms: Terms, d: float) -> _Tables:
    """Return what counts are worth under a seat's terms, made once."""
    worth = terms.worth

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

    rules = terms.rules
    point, ready = (late + early * d for late, early in (model.point, model.ready))
    multipliers = tuple(
        (multiplier, _KIND_BITS * multiplier, counted, _KIND_BITS * counted, each)
        for multiplier, counted, each in rules.multipliers
    )
    in_deck = {KIND_OF[card] for card in rules.deck}
    changing = {
        kind for multiplier, _, counted, *_ in multipliers for kind in (multiplier, counted)
    }
    faces = 1 + max(rules.deck)
    return _Tables(
        Remembered(partial(_parts, hand, (*_IN_HAND, Kind.STARFISH))),
        Remembered(partial(_parts, sets, _SETS)),
        Remembered(partial(_parts, rare, _RARE)),
        point,
        ready,
        multipliers,
        1 + max(in_deck | changing | {Kind.MERMAID}),
        itemgetter(*KIND_OF[:faces]),
        itemgetter(*COLOR_OF[:faces]),
    )


@lru_cache(maxsize=_MOST_KNOWN)
def _whole(tables: _Tables, in_hand: int, in_sets: int, in_rare: int) -> _Whole:
    """Put together what the counts of a seat are worth."""
    hand, sets, rare = tables.in_hand[in_hand], tables.sets[in_sets], tables.rare[in_rare]
    of_kinds = slice(tables.kinds)
    more = tuple([one + other for one, other in zip(hand.more, sets.more, strict=True)])[of_kinds]
    besides = tuple([one + other for one, other in zip(hand.gains, sets.gains, strict=True)])[
        of_kinds
    ]
    of_rare = rare.gains[of_kinds]
    return _Whole(
        hand.points + sets.points,
        (hand.value, sets.value, rare.value),
        more,
        tuple(
            [
                tables.point * added + one + other
                for added, one, other in zip(more, besides, of_rare, strict=True)
            ]
        ),
        besides,
        of_rare,
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
