"""A scene made of events alone shows what the engine's state does, whatever happens in a match."""

from collections import Counter
from itertools import chain

import pytest

from shoal.engine import RULESETS, State
from shoal.engine.counts import UNIT
from shoal.engine.scoring import color_bonus_of, points_of
from shoal.luck import Model, Scene, follow, model
from shoal.luck.strength import Strength
from tests.luck.playing import played


def picture_of_state(state: State) -> dict[str, object]:
    return {
        "deck": Counter(state.deck),
        "piles": [Counter(pile) for pile in state.piles],
        "hands": [sorted(hand) for hand in state.hands],
        "in_hand": state.in_hand,
        "on_table": state.on_table,
        "groups": [len(table) for table in state.tables],
        "shields": state.shields,
        "totals": state.totals,
        "round": state.round,
        "left": state.left,
        "terms": state.terms,
        "event_cards": state.event_cards,
        "caller": state.caller,
        "drawn": sorted(chain(*(pending.drawn for pending in state.pending))),
        "events": set(state.event_deck) or set(state.event_discards),
    }


def picture_of_scene(scene: Scene) -> dict[str, object]:
    return {
        "deck": Counter({card: count for card, count in enumerate(scene.unseen) if count}),
        "piles": [Counter(pile) for pile in scene.piles],
        "hands": [sorted(hand) for hand in scene.hands],
        "in_hand": scene.in_hand,
        "on_table": scene.on_table,
        "groups": scene.groups,
        "shields": scene.shields,
        "totals": list(scene.totals),
        "round": scene.round,
        "left": list(scene.left),
        "terms": scene.terms,
        "event_cards": tuple(scene.event_cards),
        "caller": scene.caller,
        "drawn": sorted(scene.drawn),
        "events": set(scene.events) or set(scene.used),
    }


@pytest.mark.parametrize("rules", RULESETS)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_scene_shows_what_the_state_does(rules: str, seats: int) -> None:
    for seed in range(3):
        scene = None
        for state, events in played(rules, seats, seed, leaving=0.002):
            scene = scene or Scene(state.rules, seats)
            for event in events:
                follow(scene, event)
            if state.result is None:
                assert picture_of_scene(scene) == picture_of_state(state)
                assert scene.deck == len(state.deck)


@pytest.mark.parametrize("rules", ["base", "salt", "salt-pepper"])
def test_the_points_of_a_strength_are_those_of_the_engine_and_so_is_what_a_card_adds(
    rules: str,
) -> None:
    luck: Model = model()
    for seed in range(2):
        scene = None
        for state, events in played(rules, 3, seed):
            scene = scene or Scene(state.rules, 3)
            for event in events:
                follow(scene, event)
            if state.result is not None:
                continue
            for seat in range(3):
                strength = Strength(luck, scene, seat, 0.5)
                more = strength.more_by_card()
                assert strength.points == points_of(state, seat)
                assert max(strength.colors) == color_bonus_of(state, seat)
                for card in set(state.deck):
                    trial = Scene(state.rules, 3)
                    trial.terms, trial.groups = scene.terms, scene.groups
                    trial.on_table, trial.deck = scene.on_table, scene.deck
                    trial.in_hand = scene.in_hand.copy()
                    trial.in_hand[seat] += UNIT[card]
                    after = Strength(luck, trial, seat, 0.5)
                    assert more[card] == after.points - strength.points
