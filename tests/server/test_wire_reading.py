"""Laws of reading messages: what a seat was told is what the engine observed, so that it can search."""

from dataclasses import replace
from random import Random

import pytest

from shoal.engine import RULESETS, Observation, State, decision, observe, sample
from shoal.v1 import decision_pb2, observation_pb2
from shoal.wire.observation import decision_bytes, observation_bytes
from shoal.wire.reading import UnknownValue, observation_of
from tests.engine.support import random_steps


def told(state: State, seat: int | None) -> Observation:
    """What a seat, or a spectator, makes of the messages that a server would send."""
    message = observation_pb2.Observation.FromString(observation_bytes(observe(state, seat)))
    asked = decision(state)
    if asked is None or asked.seat != seat:
        return observation_of(message)
    question = decision_pb2.Decision.FromString(decision_bytes(asked, "1.x", 1000, 1000))
    return observation_of(message, question)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("rules", RULESETS)
def test_what_is_read_is_what_was_observed(rules: str, seats: int) -> None:
    """For every seat and spectators, after every step; how a match ended is told elsewhere."""
    for state, _ in random_steps(rules, seats, seats, leaving=True):
        for viewer in (None, *range(seats)):
            assert told(state, viewer) == replace(observe(state, viewer), result=None)


@pytest.mark.parametrize("rules", RULESETS)
def test_a_bot_can_search_in_what_it_was_told(rules: str) -> None:
    """A state that is sampled from the messages is observed as they say (T93)."""
    rng = Random(rules)
    for number, (state, _) in enumerate(random_steps(rules, 3, 5)):
        asked = decision(state)
        if asked is not None and number % 10 == 0:
            view = told(state, asked.seat)
            assert observe(sample(view, rng), asked.seat) == view


@pytest.mark.parametrize(
    ("field", "value"),
    [("hand", [{"kind": 99}]), ("event_card", 99), ("pending_seat", 0)],
)
def test_what_a_newer_server_may_say_is_an_error(field: str, value: object) -> None:
    """Nothing is guessed."""
    message = observation_pb2.Observation(**{field: value})
    with pytest.raises(UnknownValue, match="not known here"):
        observation_of(message)


def test_an_option_of_a_newer_server_is_an_error() -> None:
    """Nor is it left out, since the bot would count the wrong ones."""
    options = [decision_pb2.Option(option_id=999_999)]
    with pytest.raises(UnknownValue, match="not known here"):
        observation_of(observation_pb2.Observation(), decision_pb2.Decision(options=options))
