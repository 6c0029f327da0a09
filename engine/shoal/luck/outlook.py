"""The value function of a frozen model: each seat's expected part of the win."""

from collections.abc import Mapping, Sequence
from math import exp, log, sqrt
from typing import final

from shoal.engine.cards import COLOR_OF, FACES
from shoal.engine.counts import UNIT as _UNIT
from shoal.engine.event_cards import EventCard
from shoal.engine.rounds import settle_bet
from shoal.luck.model import Model
from shoal.luck.scene import Scene
from shoal.luck.strength import Strength
from shoal.luck.values import BySeat, Choice, Part, Worth

_LEAST = 1e-4
"""No seat is expected to have a smaller part of the win."""

_MOST = 40.0
"""Exponents beyond this make no difference."""


@final
class Outlook:
    """Values cards by the part of the win that they are expected to bring.

    A seat's total, the strength of its hand, and how far it was expected to be ahead of others make a
    number of points; the seats' parts of the win are as the exponentials of these over the spread.
    """

    def __init__(self, model: Model, seats: int, expected: BySeat | None = None) -> None:
        """Begin a match. `expected` are the parts of the win that were to be expected, by the ratings say.

        They must have been known before the match; without them all seats are taken for equals.
        """
        self.model = model
        self._spread = model.spread[seats]
        self._expected = [1 / seats] * seats if expected is None else [*expected]
        self._logs = [log(max(part, _LEAST)) for part in self._expected]
        self._widest: float | None = None
        self._known: dict[tuple[object, ...], Strength] = {}

    def start(self, scene: Scene) -> Sequence[BySeat]:
        """Value beginning as one point of strength."""
        width = self.width(scene, scene.totals, 1.0)
        shares = self._expected
        return [
            _to_seats(shares, seat, _raised(shares[seat], 1.0, width))
            for seat in range(scene.seats)
        ]

    def tops(self, scene: Scene, starter: int) -> Worth:
        """Value a card that the first seat may take."""
        fresh = Scene(scene.rules, scene.seats)
        fresh.totals, fresh.terms = scene.totals, scene.terms
        position = _Position(self, fresh)
        return Worth((self._left(position, starter, by_kind=True),), by_kind=True)

    def events(self, scene: Scene) -> Mapping[EventCard, BySeat]:
        """Value all event cards alike: they change the game for everybody."""
        return dict.fromkeys(scene.rules.event_cards, (0.0,) * scene.seats)

    def gain(self, scene: Scene, seat: int) -> Worth:
        """Value cards in a seat's hand."""
        position = _Position(self, scene)
        by_kind = scene.caller is None and position.strengths[seat].matches is None
        return self._kept(position, seat, by_kind=by_kind)

    def choice(self, scene: Scene, seat: int) -> Choice:
        """Value cards of which the seat keeps one, and leaves the other to the next seat."""
        position = _Position(self, scene)
        following = (seat + 1) % scene.seats
        strengths = position.strengths
        by_kind = scene.caller is None and (
            strengths[seat].matches is None and strengths[following].matches is None
        )
        kept = self._kept(position, seat, by_kind=by_kind)
        own = kept.parts[0 if len(kept.parts) == 1 else seat].numbers
        if following == scene.caller:
            return Choice(own, kept, Worth(()))
        left = self._left(position, following, by_kind=by_kind)
        lost = left.to_seats[seat]
        wanted = [one - lost * number for one, number in zip(own, left.numbers, strict=True)]
        return Choice(wanted, kept, Worth((left,), by_kind=by_kind))

    def theft(self, scene: Scene, thief: int, victim: int) -> Worth:
        """Value cards of a hand: what they add to one and take from the other."""
        position = _Position(self, scene)
        kept = self._kept(position, thief, by_kind=False)
        lost = Part(position.losses(victim), _to_seats(position.shares, victim, 1.0))
        return Worth((*kept.parts, lost))

    def strength(self, scene: Scene, seat: int) -> Strength:
        """Return the strength of a seat; the part of the deck that is left is taken in eighths."""
        eighths = 8 * scene.deck // len(scene.rules.deck)
        in_hand, on_table = scene.in_hand[seat], scene.on_table[seat]
        key = in_hand, on_table, scene.groups[seat], scene.terms[seat], eighths
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = Strength(self.model, scene, seat, eighths / 8)
        return known

    def _kept(self, position: "_Position", seat: int, *, by_kind: bool) -> Worth:
        """Return what cards are worth in a seat's hand."""
        strength = position.strengths[seat]
        gains = strength.gains if by_kind else strength.gains_by_card()
        if position.scene.caller is not None:
            return Worth(position.last_gains(seat))
        numbers = position.gains(seat, gains, by_kind=by_kind)
        part = Part(numbers, _to_seats(position.shares, seat, 1.0))
        return Worth((part,), by_kind=by_kind)

    def _left(self, position: "_Position", seat: int, *, by_kind: bool) -> Part:
        """Return what cards are worth on a pile, for the seat that may take them."""
        take, least = self.model.take, self.model.take_from
        strength = position.strengths[seat]
        gains = strength.gains if by_kind else strength.gains_by_card()
        share, width = position.shares[seat], position.width
        rest = 1 - share
        # As _raised has it; a call for each would be a tenth of all that a match costs.
        worth = {
            gain: take * ((raised := share * exp((gain - least) / width)) / (rest + raised) - share)
            if gain > least
            else 0.0
            for gain in set(gains)
        }
        numbers = list(map(worth.__getitem__, gains))
        return Part(numbers, _to_seats(position.shares, seat, 1.0))

    def width(self, scene: Scene, totals: Sequence[float], d: float) -> float:
        """Return the points by which the exponents are divided."""
        base, by_total, by_deck = self._spread
        lacking = max(scene.rules.targets[scene.seats] - max(totals), 0)
        return sqrt(base + by_total * lacking + by_deck * d)

    def settled(self, scene: Scene, totals: Sequence[float]) -> list[float]:
        """Return the parts of the win after a round that ends with these totals."""
        best = max(totals)
        if best >= scene.rules.targets[scene.seats]:
            winners = [total == best for total in totals]
            return [won / sum(winners) for won in winners]
        return self.shares(scene, totals, totals, self.width(scene, totals, 1.0))

    def shares(
        self, scene: Scene, totals: Sequence[float], points: Sequence[float], width: float
    ) -> list[float]:
        """Return the parts of the win of seats with these totals, and more points in prospect."""
        target = scene.rules.targets[scene.seats]
        if self._widest is None:
            self._widest = self.width(scene, (0,), 1.0)
        ahead = self._widest * max(target - max(totals), 0) / target
        numbers = [each + ahead * of for each, of in zip(points, self._logs, strict=True)]
        return _shares(numbers, width)


@final
class _Position:
    """A scene, valued."""

    __slots__ = ("_outlook", "scene", "shares", "strengths", "width")

    def __init__(self, outlook: Outlook, scene: Scene) -> None:
        self._outlook = outlook
        self.scene = scene
        self.strengths = strengths = [outlook.strength(scene, seat) for seat in range(scene.seats)]
        points = [total + each.value for total, each in zip(scene.totals, strengths, strict=True)]
        d = scene.deck / len(scene.rules.deck)
        self.width = outlook.width(scene, scene.totals, d)
        self.shares = outlook.shares(scene, scene.totals, points, self.width)

    def gains(self, seat: int, gains: Sequence[float], *, by_kind: bool) -> list[float]:
        """Return what a seat gains with each card, where nobody has called yet.

        A seat that has enough points then may end the round, if that is better for it.
        """
        strength, scene, outlook = self.strengths[seat], self.scene, self._outlook
        share, width = self.shares[seat], self.width
        rest = 1 - share
        # As _raised has it, here too.
        worth = {
            gain: (raised := share * exp(gain / width)) / (rest + raised) - share
            for gain in set(gains)
        }
        numbers = list(map(worth.__getitem__, gains))
        needed = scene.terms[seat].call_points - strength.points
        stop = outlook.model.stop
        if not stop or strength.most + (strength.matches is not None) < needed:
            return numbers
        more = strength.more if by_kind else strength.more_by_card()
        totals = [
            total + other.points for total, other in zip(scene.totals, self.strengths, strict=True)
        ]
        mine = totals[seat]
        stops: dict[float, float] = {}
        for card, added in enumerate(more):
            if added >= needed:
                if added not in stops:
                    totals[seat] = mine + added
                    stops[added] = outlook.settled(scene, totals)[seat] - share
                if stops[added] > numbers[card]:
                    numbers[card] += stop * (stops[added] - numbers[card])
        return numbers

    def last_gains(self, seat: int) -> list[Part]:
        """Return by seat what it gains with each card that comes to a seat in the last turns."""
        scene = self.scene
        caller = scene.caller
        assert caller is not None
        seats = range(scene.seats)
        points = [strength.points for strength in self.strengths]
        bonus = [max(strength.colors) for strength in self.strengths]
        colors, largest = self.strengths[seat].colors, bonus[seat]
        mine = points[seat]
        found: dict[tuple[int, int], list[float]] = {}
        numbers: list[list[float]] = [[] for _ in seats]
        for card, added in enumerate(self.strengths[seat].more_by_card()):
            key = added, max(largest, colors[COLOR_OF[card]] + 1)
            if key not in found:
                points[seat], bonus[seat] = mine + key[0], key[1]
                _, gained = settle_bet(caller, tuple(points), tuple(bonus))
                totals = [one + more for one, more in zip(scene.totals, gained, strict=True)]
                found[key] = self._outlook.settled(scene, totals)
            for each, share in enumerate(found[key]):
                numbers[each].append(share)
        return [Part(numbers[each], _of_seat(scene.seats, each)) for each in seats]

    def losses(self, seat: int) -> list[float]:
        """Return by card what a seat loses with it."""
        scene = self.scene
        strength = self.strengths[seat]
        numbers = [0.0] * len(FACES)
        in_hand = scene.in_hand[seat]
        for card in set(scene.hands[seat]):
            scene.in_hand[seat] = in_hand - _UNIT[card]
            without = self._outlook.strength(scene, seat)
            scene.in_hand[seat] = in_hand
            numbers[card] = _raised(self.shares[seat], without.value - strength.value, self.width)
        return numbers


def _shares(numbers: Sequence[float], width: float) -> list[float]:
    """Return parts of the win as the exponentials of numbers over a width."""
    most = max(numbers)
    weights = [exp(max((number - most) / width, -_MOST)) for number in numbers]
    total = sum(weights)
    return [weight / total for weight in weights]


def _raised(share: float, gain: float, width: float) -> float:
    """Return what a seat with this part of the win gains with so many points."""
    weight = share * exp(gain / width)
    return weight / (1 - share + weight) - share


def _to_seats(shares: Sequence[float], seat: int, number: float) -> BySeat:
    """Return what a seat gains and the others lose, each by its part."""
    rest = 1 - shares[seat]
    if rest <= 0:
        return (0.0,) * len(shares)
    return tuple(
        [number if each == seat else -number * share / rest for each, share in enumerate(shares)]
    )


def _of_seat(seats: int, seat: int) -> BySeat:
    """Return one for a seat, and nothing for the others."""
    return tuple([1.0 if each == seat else 0.0 for each in range(seats)])
