"""Each use of chance of a match: what came, what it was worth, and what all that could come is on average."""

from collections.abc import Sequence
from enum import StrEnum, unique
from typing import NamedTuple, final

from shoal.engine.cards import KIND_OF, Card
from shoal.engine.event_cards import EventCard
from shoal.engine.events import (
    CardDrawn,
    DeckSearched,
    DrawCause,
    Event,
    EventRevealed,
    FishDrawn,
    RoundStarted,
    Stolen,
    Took,
)
from shoal.luck.means import Weights, mean, of_best, of_hand, of_one, of_two
from shoal.luck.scene import Scene
from shoal.luck.values import BySeat, Choice, Values, Worth


@unique
class UseKind(StrEnum):
    """What chance was used for."""

    STARTER = "starter"
    DEAL = "deal"
    EVENT_CARD = "event_card"
    DRAW = "draw"
    FISH = "fish"
    THEFT = "theft"
    LOBSTER = "lobster"
    DOLPHINS = "dolphins"
    JELLYFISH = "jellyfish"


@final
class Use(NamedTuple):
    """One use of chance.

    `seat` is the one that it came to, None where it came to all. `came` are the cards, of which the one
    that was taken to be kept comes first, and `event_card` is one. `value` and `mean` are by seat.
    """

    kind: UseKind
    round: int
    seat: int | None
    came: tuple[Card, ...]
    event_card: EventCard | None
    value: BySeat
    mean: BySeat

    @property
    def luck(self) -> BySeat:
        """By seat, how much better this was than what could have come is on average."""
        return tuple([one - other for one, other in zip(self.value, self.mean, strict=True)])


_CHANCE = frozenset({Took, FishDrawn, CardDrawn, Stolen, DeckSearched, RoundStarted, EventRevealed})
"""The events that tell of a use of chance; of what is taken, that from the deck."""

_CAUSES = {DrawCause.DOLPHINS: UseKind.DOLPHINS, DrawCause.JELLYFISH: UseKind.JELLYFISH}


def uses_in(scene: Scene, event: Event, values: Values) -> Sequence[Use]:
    """Return the uses of chance that an event tells of; the scene must be as it was before."""
    if type(event) not in _CHANCE:
        return ()
    match event:
        case Took(pile=None):
            assert event.cards is not None
            return (_draw(scene, event.seat, event.cards, values),)
        case FishDrawn():
            assert event.card is not None
            return (_gain(scene, UseKind.FISH, event.seat, event.card, values),)
        case CardDrawn():
            assert event.card is not None
            return (_gain(scene, _CAUSES[event.cause], event.seat, event.card, values),)
        case Stolen():
            return (_theft(scene, event, values),)
        case DeckSearched():
            return (_search(scene, event, values),)
        case RoundStarted():
            return _deal(scene, event, values)
        case EventRevealed():
            return (_reveal(scene, event.event_card, values),)
        case _:
            return ()


def _draw(scene: Scene, seat: int, cards: tuple[Card, ...], values: Values) -> Use:
    """Value two cards of which one is kept and the other laid on a pile; or the last one of the deck."""
    if len(cards) == 1:
        return _gain(scene, UseKind.DRAW, seat, cards[0], values)
    choice = values.choice(scene, seat)
    by_kind = choice.kept.by_kind
    better, worse = of_two(_left(scene, by_kind=by_kind), scene.deck, choice.wanted)
    other, kept = _by_wish(cards, choice)
    pairs = (
        (choice.kept, _place(kept, by_kind=by_kind), better),
        (choice.other, _place(other, by_kind=by_kind), worse),
    )
    return Use(UseKind.DRAW, scene.round, seat, (kept, other), None, *_values(scene, pairs))


def _gain(scene: Scene, kind: UseKind, seat: int, card: Card, values: Values) -> Use:
    """Value the top card of the deck, which the seat gets whatever it is."""
    worth = values.gain(scene, seat)
    weights = of_one(_left(scene, by_kind=worth.by_kind), scene.deck)
    pairs = ((worth, _place(card, by_kind=worth.by_kind), weights),)
    return Use(kind, scene.round, seat, (card,), None, *_values(scene, pairs))


def _theft(scene: Scene, event: Stolen, values: Values) -> Use:
    """Value a card of a hand, each of which could have been stolen."""
    assert event.card is not None
    worth = values.theft(scene, event.thief, event.victim)
    assert not worth.by_kind
    pairs = ((worth, event.card, of_hand(scene.hands[event.victim])),)
    return Use(UseKind.THEFT, scene.round, event.thief, (event.card,), None, *_values(scene, pairs))


def _search(scene: Scene, event: DeckSearched, values: Values) -> Use:
    """Value the cards that a lobster shows by the best of them; the others go back into the deck."""
    assert event.cards is not None
    choice = values.choice(scene, event.seat)
    by_kind = choice.kept.by_kind
    left = _left(scene, by_kind=by_kind)
    weights = of_best(left, scene.deck, event.count, choice.wanted)
    cards = tuple(reversed(_by_wish(event.cards, choice)))
    pairs = ((choice.kept, _place(cards[0], by_kind=by_kind), weights),)
    return Use(UseKind.LOBSTER, scene.round, event.seat, cards, None, *_values(scene, pairs))


def _deal(scene: Scene, event: RoundStarted, values: Values) -> tuple[Use, ...]:
    """Value who begins the match, and the two cards that begin the piles."""
    uses = []
    if event.round == 1:
        each = values.start(scene)
        average = tuple([sum(numbers) / scene.seats for numbers in zip(*each, strict=True)])
        begins = event.starter
        uses.append(Use(UseKind.STARTER, 1, begins, (), None, each[begins], average))
    fresh = Scene(scene.rules, scene.seats)
    worth = values.tops(scene, event.starter)
    by_kind = worth.by_kind
    weights = of_one(_left(fresh, by_kind=by_kind), fresh.deck)
    pairs = tuple((worth, _place(card, by_kind=by_kind), weights) for card in event.pile_tops)
    valued = _values(scene, pairs)
    uses.append(Use(UseKind.DEAL, event.round, None, event.pile_tops, None, *valued))
    return tuple(uses)


def _reveal(scene: Scene, card: EventCard, values: Values) -> Use:
    """Value the event card of a round; any that is not face up or owned could have come."""
    each = values.events(scene)
    possible = scene.events or scene.used
    total = [sum([each[one][seat] for one in possible]) for seat in range(scene.seats)]
    average = tuple([number / len(possible) for number in total])
    return Use(UseKind.EVENT_CARD, scene.round, None, (), card, each[card], average)


def _left(scene: Scene, *, by_kind: bool) -> Sequence[int]:
    """Return how many cards are left of each."""
    return scene.unseen_kinds if by_kind else scene.unseen


def _place(card: Card, *, by_kind: bool) -> int:
    """Return where numbers have a card."""
    return KIND_OF[card] if by_kind else card


def _by_wish(cards: Sequence[Card], choice: Choice) -> list[Card]:
    """Return some cards, the most wanted last, in the order that the means are about."""
    wanted, by_kind = choice.wanted, choice.kept.by_kind
    places = [(KIND_OF[card] if by_kind else card, card) for card in cards]
    wishes = [(wanted[place], place, number) for number, (place, _) in enumerate(places)]
    return [cards[number] for *_, number in sorted(wishes)]


def _values(scene: Scene, pairs: Sequence[tuple[Worth, Card, Weights]]) -> tuple[BySeat, BySeat]:
    """Return by seat the value of the cards that came, and the mean."""
    value, average = [0.0] * scene.seats, [0.0] * scene.seats
    for worth, card, weights in pairs:
        for numbers, to_seats in worth.parts:
            number, usual = numbers[card], mean(weights, numbers)
            for seat, one in enumerate(to_seats):
                value[seat] += one * number
                average[seat] += one * usual
    return tuple(value), tuple(average)
