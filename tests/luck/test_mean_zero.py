"""The mean of luck is zero: exactly, over all that could have come, for any value function (docs/luck.md)."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations, permutations
from math import sqrt
from random import Random
from statistics import fmean, stdev

import pytest

from shoal.engine import (
    RULESETS,
    CardDrawn,
    DeckSearched,
    Event,
    EventRevealed,
    FishDrawn,
    RoundStarted,
    Stolen,
    Took,
    ruleset,
)
from shoal.luck import (
    BySeat,
    Outlook,
    Scene,
    Use,
    UseKind,
    Values,
    follow,
    luck_of,
    model,
    uses_in,
    uses_of,
)
from tests.luck.playing import Dice, events_of

SMALL = 9
"""Cards of a deck whose sets of five are few enough to try them all."""


def cards_left(scene: Scene) -> list[int]:
    """Return each card of the deck, equal ones too."""
    return [card for card, count in enumerate(scene.unseen) for _ in range(count)]


def possible(scene: Scene, event: Event) -> Iterator[Event]:
    """Yield everything that could have come in place of an event, each as likely as any other."""
    deck = cards_left(scene)
    match event:
        case Took(pile=None):
            for cards in combinations(deck, event.count):
                yield replace(event, cards=tuple(sorted(cards)))
        case DeckSearched():
            for cards in combinations(deck, event.count):
                yield replace(event, cards=tuple(sorted(cards)))
        case FishDrawn() | CardDrawn():
            for card in deck:
                yield replace(event, card=card)
        case Stolen():
            for card in scene.hands[event.victim]:
                yield replace(event, card=card)
        case RoundStarted():
            starters = range(scene.seats) if event.round == 1 else [event.starter]
            for starter in starters:
                for tops in permutations(sorted(scene.rules.deck), 2):
                    yield replace(event, starter=starter, pile_tops=tops)
        case EventRevealed():
            for card in scene.events or scene.used:
                yield replace(event, event_card=card)


def is_few(scene: Scene, event: Event) -> bool:
    """Tell whether all that could have come can be tried."""
    match event:
        case DeckSearched():
            return scene.deck <= SMALL
        case RoundStarted():
            return len(scene.rules.deck) <= SMALL
        case _:
            return True


def check(scene: Scene, event: Event, make: Callable[[], Values]) -> set[UseKind]:
    """Assert that the mean of luck is zero for the uses of an event; return their kinds."""
    all_uses = [uses_in(scene, other, make()) for other in possible(scene, event)]
    for same in zip(*all_uses, strict=True):
        assert len({use.kind for use in same}) == 1
        if same[0].kind is not UseKind.DEAL or event.round != 1:  # type: ignore[union-attr]
            # What the mean is does not depend on what came.
            assert len({use.mean for use in same}) == 1
        for seat in range(scene.seats):
            assert abs(sum(use.luck[seat] for use in same)) < 1e-9 * len(same)
    return {use.kind for use in all_uses[0]} if all_uses else set()


@pytest.mark.parametrize("rules", ["base", "salt", "pepper", "salt-pepper"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_mean_of_luck_is_zero_over_all_that_could_have_come(rules: str, seats: int) -> None:
    seen: Counter[UseKind] = Counter()
    dice = Random(f"{rules} {seats}")
    scene = Scene(ruleset(rules), seats)
    for event in events_of(rules, seats, 7):
        rare = not isinstance(event, Took)
        if is_few(scene, event) and (rare or dice.random() < 0.02):
            seen.update(check(scene, event, partial(Dice, dice.random())))
            seen.update(check(scene, event, partial(Outlook, model(), seats)))
        follow(scene, event)
    assert seen[UseKind.DRAW]
    assert seen[UseKind.FISH] + seen[UseKind.THEFT] > 1
    assert bool(seen[UseKind.EVENT_CARD]) == ("pepper" in rules)


def rare_events(scene: Scene) -> Iterable[Event]:
    """Return events that hardly happen in a random match, for a scene of two seats."""
    yield DeckSearched(0, min(5, scene.deck), tuple(sorted(cards_left(scene))[:5]))
    yield Took(1, None, 1, (cards_left(scene)[0],))


@pytest.mark.parametrize("size", [1, 2, 4, 5, 6, SMALL])
def test_the_mean_of_a_lobster_is_zero_on_small_decks(size: int) -> None:
    rules = ruleset("salt")
    for seed in range(4):
        dice = Random(seed)
        deck = tuple(sorted(dice.sample(rules.deck, size)))
        scene = Scene(replace(rules, deck=deck), 2)
        for event in rare_events(scene):
            if not isinstance(event, Took) or size == 1:
                check(scene, event, partial(Dice, seed))
                check(scene, event, partial(Outlook, model(), 2))


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("number", [1, 2])
def test_the_mean_of_the_first_player_and_of_a_deal_is_zero_on_small_decks(
    seats: int, number: int
) -> None:
    for seed in range(3):
        deck = tuple(sorted(Random(seed).choices(ruleset("salt").deck, k=SMALL)))
        scene = Scene(replace(ruleset("salt"), deck=deck), seats)
        event = RoundStarted(number, 0, (), SMALL - 2)
        kinds = {UseKind.DEAL, UseKind.STARTER} if number == 1 else {UseKind.DEAL}
        assert check(scene, event, partial(Dice, seed)) == kinds
        assert check(scene, event, partial(Outlook, model(), seats)) == kinds


@pytest.mark.parametrize(("rules", "seats"), [("base", 2), ("salt-pepper", 3)])
def test_the_luck_of_whole_matches_is_zero_on_average_whatever_the_value_function(
    rules: str, seats: int
) -> None:
    for make in (Dice, lambda _: Outlook(model(), seats)):
        luck = [
            luck_of(
                uses_of(ruleset(rules), seats, events_of(rules, seats, seed), make(seed)), seats
            )
            for seed in range(60)
        ]
        for numbers in zip(*luck, strict=True):
            error = stdev(numbers) / sqrt(len(numbers))
            assert abs(fmean(numbers)) < 4 * error


@pytest.mark.parametrize("rules", RULESETS)
def test_every_use_of_chance_is_found(rules: str) -> None:
    events = events_of(rules, 3, 11)
    uses = uses_of(ruleset(rules), 3, events)
    by_kind = Counter(use.kind for use in uses)
    rounds = sum(isinstance(event, RoundStarted) for event in events)
    assert by_kind[UseKind.STARTER] == 1
    assert by_kind[UseKind.DEAL] == rounds
    assert by_kind[UseKind.EVENT_CARD] == (rounds if ruleset(rules).event_cards else 0)
    assert by_kind[UseKind.DRAW] == sum(
        isinstance(event, Took) and event.pile is None for event in events
    )
    assert by_kind[UseKind.THEFT] == sum(isinstance(event, Stolen) for event in events)
    assert by_kind[UseKind.FISH] == sum(isinstance(event, FishDrawn) for event in events)
    assert by_kind[UseKind.LOBSTER] == sum(isinstance(event, DeckSearched) for event in events)
    assert by_kind[UseKind.DOLPHINS] + by_kind[UseKind.JELLYFISH] == sum(
        isinstance(event, CardDrawn) for event in events
    )


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_one_seat_gains_by_luck_the_others_lose(seats: int) -> None:
    uses: list[Use] = uses_of(ruleset("salt-pepper"), seats, events_of("salt-pepper", seats, 5))
    total: BySeat = luck_of(uses, seats)
    assert abs(sum(total)) < 1e-9
    assert any(abs(number) > 0.01 for number in total)
