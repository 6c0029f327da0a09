"""The baselines, on positions of the engine."""

from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.client import Bot, pb
from shoal.client.bots import BASELINES
from shoal.client.bots.greedy import GreedyBot
from shoal.client.bots.planner import PlannerBot
from shoal.client.bots.random import RandomBot
from shoal.client.bots.seen import unseen
from shoal.client.cards import face_of
from shoal.engine import (
    FACES,
    RULESETS,
    Event,
    apply,
    decision,
    move_from_code,
    new_match,
    observe,
    opening_events,
    redact,
    result,
    ruleset,
)
from shoal.wire.events import event_bytes
from shoal.wire.observation import decision_bytes, observation_bytes


def card_message(card: int) -> pb.Card:
    """Return a card of the engine as a message."""
    face = FACES[card]
    return pb.Card(
        kind=pb.CardKind.Value(f"CARD_KIND_{face.kind.name}"),
        color=pb.CardColor.Value(f"CARD_COLOR_{face.color.name}"),
    )


class Game:
    """A match on the engine alone, with what each seat sees as messages."""

    def __init__(self, seats: int, seed: int, rules: str = "base") -> None:
        self.state = new_match(ruleset(rules), seats, seed.to_bytes(8, "big"))
        self.heard: list[list[pb.Event]] = [[] for _ in range(seats)]
        self.tell(opening_events(self.state))

    def tell(self, events: list[Event]) -> None:
        """Tell every seat what it may know of these events."""
        for seat, heard in enumerate(self.heard):
            for event in events:
                heard.append(pb.Event.FromString(event_bytes(1, redact(event, seat))))

    def questions(self) -> Iterator[tuple[pb.Observation, pb.Decision]]:
        """Yield what is asked until the match is over; the caller answers in between."""
        while (asked := decision(self.state)) is not None:
            observation = observation_bytes(observe(self.state, asked.seat))
            message = decision_bytes(asked, "d", 10_000, 10_000)
            yield pb.Observation.FromString(observation), pb.Decision.FromString(message)

    def answer(self, option: pb.Option) -> None:
        """Carry out an option."""
        self.tell(apply(self.state, move_from_code(option.option_id)))

    def play(self, players: list[Bot]) -> None:
        """Let bots play to the end."""
        for observation, message in self.questions():
            seat = message.seat
            events, self.heard[seat] = self.heard[seat], []
            players[seat].on_events("m", events)
            option = players[seat].choose(observation, message)
            assert option in message.options
            self.answer(option)


def duel(
    first: Callable[[int], Bot], second: Callable[[int], Bot], matches: int, rules: str = "base"
) -> float:
    """Return the share of two-seat matches that the first one wins, in turns on both seats."""
    wins = 0.0
    for number in range(matches):
        players = [first(number), second(number)]
        own = number % 2
        if own:
            players.reverse()
        game = Game(2, number, rules)
        game.play(players)
        end = result(game.state)
        assert end is not None
        wins += (own in end.winners) / len(end.winners)
    return wins / matches


@pytest.mark.parametrize("name", BASELINES)
@pytest.mark.parametrize("rules", RULESETS)
@settings(deadline=None, max_examples=3)
@given(seats=st.integers(2, 4), seed=st.integers(0, 2**32))
def test_a_baseline_always_returns_one_of_the_options(
    name: str, rules: str, seats: int, seed: int
) -> None:
    """Whole matches against itself, at every size of table, bring nothing illegal and no exception."""
    players = [BASELINES[name](seed=seed + seat) for seat in range(seats)]
    assert rules in players[0].rulesets
    Game(seats, seed, rules).play(players)


@pytest.mark.parametrize("name", BASELINES)
@settings(deadline=None, max_examples=8)
@given(seed=st.integers(0, 2**32), skip=st.integers(0, 60))
def test_a_baseline_plays_on_where_it_heard_nothing_before(name: str, seed: int, skip: int) -> None:
    """A process that joins a match in its middle, with no events, plays it without an exception."""
    player, anyone = BASELINES[name](seed=1), RandomBot(seed)
    game = Game(2, seed)
    for number, (observation, message) in enumerate(game.questions()):
        chosen = (anyone if number < skip else player).choose(observation, message)
        assert chosen in message.options
        game.answer(chosen)


@pytest.mark.parametrize("name", BASELINES)
def test_the_same_seed_makes_the_same_choices(name: str) -> None:
    """Two bots with one seed play the same match; the global dice are not used."""
    logs: list[list[int]] = []
    for _ in range(2):
        parent = BASELINES[name](seed=5)
        players = [parent.for_match(pb.Match()), parent.for_match(pb.Match())]
        game, log = Game(2, 9), []
        for observation, message in game.questions():
            option = players[message.seat].choose(observation, message)
            log.append(option.option_id)
            game.answer(option)
        logs.append(log)
    assert logs[0] == logs[1]


@settings(deadline=None, max_examples=30)
@given(seats=st.integers(2, 4), seed=st.integers(0, 2**32), rules=st.sampled_from(RULESETS))
def test_what_is_unseen_is_what_lies_hidden(seats: int, seed: int, rules: str) -> None:
    """Every unseen card is in the deck, or unknown in a pile or hand, or face down; and no other is."""
    dice, game = RandomBot(seed), Game(seats, seed, rules)
    for observation, message in game.questions():
        state, seat = game.state, message.seat
        hidden = Counter(state.deck)
        view = observe(state, seat)
        for pile, known in zip(state.piles, view.pile_cards, strict=True):
            hidden.update(pile[: len(pile) - len(known)])
        for other in range(seats):
            if other != seat and not state.revealed[other]:
                hidden.update((Counter(state.hands[other]) - Counter(view.known[other])).elements())
            shield = state.shields[other]
            if other != seat and shield is not None:
                hidden[shield] += 1
        expected = Counter(face_of(card_message(card)) for card in hidden.elements())
        assert unseen(observation) == expected
        game.answer(dice.choose(observation, message))


@pytest.mark.parametrize("rules", ["base", "salt-pepper"])
def test_greedy_beats_random_and_planner_beats_greedy(rules: str) -> None:
    """Each baseline is clearly stronger than the one before it."""
    assert duel(GreedyBot, RandomBot, 40, rules) > 0.85
    assert duel(PlannerBot, GreedyBot, 40, rules) > 0.65
