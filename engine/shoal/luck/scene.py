"""The table as somebody sees it who sees all but what the deck will bring, and how events change it.

The only place that follows a match by its events. Whoever sees so much knows which cards are left in
the deck, and nothing of their order: that is what makes means over what could have come exact.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeAlias, final

from shoal.engine.cards import FACES, KIND_OF, Card, Kind
from shoal.engine.counts import UNIT
from shoal.engine.event_cards import EventCard
from shoal.engine.events import (
    Called,
    CardDrawn,
    CardPicked,
    Caught,
    DeckSearched,
    DuoPlayed,
    DuoStolen,
    Event,
    EventAwarded,
    EventDiscarded,
    EventRevealed,
    FishDrawn,
    Kept,
    RoundEnded,
    RoundStarted,
    SeatLeft,
    Shielded,
    Stolen,
    Swapped,
    Took,
    TrioPlayed,
)
from shoal.engine.ruleset import Ruleset
from shoal.engine.terms import Terms, terms_under


@final
class Scene:
    """All facts about a match but the order of what is still face down.

    By seat: `hands`, `in_hand` and `on_table` (as `shoal.engine.counts` packs them), `groups` (how many
    lie on its table), `shields`, `totals`, `terms`, and `event_cards`. `unseen` has by face how many
    cards are left in the deck, `unseen_kinds` the same by kind, `deck` how many that is. `piles` have
    their top card last. `drawn` left the deck and wait for a choice. `caller` is the seat that ended the
    round. `events` are the event cards one of which is revealed next, `used` those that are shuffled when
    there is none.
    """

    __slots__ = (
        "caller",
        "deck",
        "drawn",
        "event_card",
        "event_cards",
        "events",
        "groups",
        "hands",
        "in_hand",
        "left",
        "on_table",
        "piles",
        "round",
        "rules",
        "seats",
        "shields",
        "terms",
        "totals",
        "unseen",
        "unseen_kinds",
        "used",
    )

    def __init__(self, rules: Ruleset, seats: int) -> None:
        """Begin before the first deal."""
        self.rules = rules
        self.seats = seats
        self.round = 0
        self.totals: tuple[int, ...] = (0,) * seats
        self.left: tuple[int, ...] = ()
        self.event_card: EventCard | None = None
        self.event_cards: list[tuple[EventCard, ...]] = [()] * seats
        self.events: tuple[EventCard, ...] = rules.event_cards
        self.used: tuple[EventCard, ...] = ()
        self.terms: tuple[Terms, ...] = (terms_under(rules, frozenset()),) * seats
        self.clear()

    def clear(self) -> None:
        """Put all cards into the deck."""
        seats = self.seats
        self.caller: int | None = None
        by_face, by_kind = _counted(self.rules.deck)
        self.unseen = [*by_face]
        self.unseen_kinds = [*by_kind]
        self.deck = len(self.rules.deck)
        self.piles: list[list[Card]] = [[], []]
        self.drawn: tuple[Card, ...] = ()
        self.hands: list[list[Card]] = [[] for _ in range(seats)]
        self.in_hand = [0] * seats
        self.on_table = [0] * seats
        self.groups = [0] * seats
        self.shields: list[Card | None] = [None] * seats


@lru_cache(maxsize=16)
def _counted(deck: tuple[Card, ...]) -> tuple[list[int], list[int]]:
    """Return how many cards a whole deck has, by face and by kind."""
    by_face, by_kind = [0] * len(FACES), [0] * len(Kind)
    for card in deck:
        by_face[card] += 1
        by_kind[KIND_OF[card]] += 1
    return by_face, by_kind


def follow(scene: Scene, event: Event) -> None:
    """Change the scene as the event says, which must have its secrets."""
    change = _CHANGES.get(type(event))
    if change is not None:
        change(scene, event)


def _gain(scene: Scene, seat: int, card: Card) -> None:
    scene.hands[seat].append(card)
    scene.in_hand[seat] += UNIT[card]


def _lose(scene: Scene, seat: int, card: Card) -> None:
    scene.hands[seat].remove(card)
    scene.in_hand[seat] -= UNIT[card]


def _remove_last(pile: list[Card], card: Card) -> None:
    """Take the topmost of these cards off a pile: the top, unless crabs took one of equal cards before."""
    place = len(pile) - 1
    while pile[place] != card:
        place -= 1
    del pile[place]


def _draw(scene: Scene, card: Card) -> None:
    """Take a card off the deck."""
    scene.unseen[card] -= 1
    scene.unseen_kinds[KIND_OF[card]] -= 1
    scene.deck -= 1


def _lay(scene: Scene, seat: int, *cards: Card) -> None:
    """Lay cards of a hand on the table, as one group."""
    for card in cards:
        _lose(scene, seat, card)
        scene.on_table[seat] += UNIT[card]
    scene.groups[seat] += 1


def _start_round(scene: Scene, event: RoundStarted) -> None:
    scene.clear()
    scene.round = event.round
    for pile, card in zip(scene.piles, event.pile_tops, strict=True):
        _draw(scene, card)
        pile.append(card)


def _take(scene: Scene, event: Took) -> None:
    assert event.cards is not None
    if event.pile is None:
        for card in event.cards:
            _draw(scene, card)
        scene.drawn = event.cards
    else:
        _remove_last(scene.piles[event.pile], event.cards[0])
        _gain(scene, event.seat, event.cards[0])


def _keep(scene: Scene, event: Kept) -> None:
    assert event.card is not None
    scene.drawn = ()
    _gain(scene, event.seat, event.card)
    if event.pile is not None and event.discarded is not None:
        scene.piles[event.pile].append(event.discarded)


def _play_duo(scene: Scene, event: DuoPlayed) -> None:
    _lay(scene, event.seat, event.first, event.second)


def _play_trio(scene: Scene, event: TrioPlayed) -> None:
    _lay(scene, event.seat, event.first, event.second, event.third)


def _pick(scene: Scene, event: CardPicked) -> None:
    assert event.card is not None
    pile = scene.piles[event.pile]
    # Which of equal cards it was is told by the top alone: for those below, the lowest is taken off.
    if pile[-1] == event.card != event.top:
        pile.pop()
    else:
        pile.remove(event.card)
    _gain(scene, event.seat, event.card)


def _gain_drawn(scene: Scene, event: FishDrawn | CardDrawn) -> None:
    assert event.card is not None
    _draw(scene, event.card)
    _gain(scene, event.seat, event.card)


def _steal(scene: Scene, event: Stolen) -> None:
    assert event.card is not None
    _lose(scene, event.victim, event.card)
    _gain(scene, event.thief, event.card)


def _search_deck(scene: Scene, event: DeckSearched) -> None:
    assert event.cards is not None
    for card in event.cards:
        _draw(scene, card)
    scene.drawn = event.cards


def _catch(scene: Scene, event: Caught) -> None:
    assert event.card is not None
    others = list(scene.drawn)
    others.remove(event.card)
    for card in others:
        scene.unseen[card] += 1
        scene.unseen_kinds[KIND_OF[card]] += 1
    scene.deck += len(others)
    scene.drawn = ()
    _gain(scene, event.seat, event.card)


def _shield(scene: Scene, event: Shielded) -> None:
    assert event.card is not None
    _lose(scene, event.seat, event.card)
    scene.shields[event.seat] = event.card


def _swap(scene: Scene, event: Swapped) -> None:
    assert event.given is not None
    assert event.gained is not None
    _lose(scene, event.seat, event.given)
    _lose(scene, event.victim, event.gained)
    _gain(scene, event.seat, event.gained)
    _gain(scene, event.victim, event.given)


def _steal_duo(scene: Scene, event: DuoStolen) -> None:
    for card in event.group:
        scene.on_table[event.victim] -= UNIT[card]
        scene.on_table[event.thief] += UNIT[card]
    scene.groups[event.victim] -= 1
    scene.groups[event.thief] += 1


def _call(scene: Scene, event: Called) -> None:
    scene.caller = event.seat


def _end_round(scene: Scene, event: RoundEnded) -> None:
    scene.totals = event.totals


def _leave(scene: Scene, event: SeatLeft) -> None:
    scene.left += (event.seat,)


def _reveal_event(scene: Scene, event: EventRevealed) -> None:
    if not scene.events:
        scene.events, scene.used = scene.used, ()
    scene.events = tuple(card for card in scene.events if card is not event.event_card)
    scene.event_card = event.event_card
    _set_terms(scene)


def _award_event(scene: Scene, event: EventAwarded) -> None:
    scene.event_card = None
    if event.seat is None:
        scene.used += (event.event_card,)
    else:
        scene.event_cards[event.seat] += (event.event_card,)
    _set_terms(scene)


def _discard_event(scene: Scene, event: EventDiscarded) -> None:
    owned = scene.event_cards[event.seat]
    scene.event_cards[event.seat] = tuple(card for card in owned if card is not event.event_card)
    scene.used += (event.event_card,)
    _set_terms(scene)


def _set_terms(scene: Scene) -> None:
    of_the_round = () if scene.event_card is None else (scene.event_card,)
    scene.terms = tuple(
        terms_under(scene.rules, frozenset(of_the_round + owned)) for owned in scene.event_cards
    )


_Change: TypeAlias = Callable[[Scene, Any], None]

_CHANGES: Mapping[type, _Change] = {
    RoundStarted: _start_round,
    Took: _take,
    Kept: _keep,
    DuoPlayed: _play_duo,
    TrioPlayed: _play_trio,
    CardPicked: _pick,
    FishDrawn: _gain_drawn,
    CardDrawn: _gain_drawn,
    Stolen: _steal,
    DeckSearched: _search_deck,
    Caught: _catch,
    Shielded: _shield,
    Swapped: _swap,
    DuoStolen: _steal_duo,
    Called: _call,
    RoundEnded: _end_round,
    SeatLeft: _leave,
    EventRevealed: _reveal_event,
    EventAwarded: _award_event,
    EventDiscarded: _discard_event,
}
"""Every other event tells what is on the table already."""
