"""Running matches as lines for people."""

from shoal.cli.view import clock_text, present_lines
from shoal.client import pb
from shoal.engine import new_match, observe, ruleset
from shoal.wire.observation import observation_bytes


def test_a_running_match_says_whom_it_waits_for_and_how_long() -> None:
    """As spectators see it: the seat that is asked, and the time that it has left."""
    state = new_match(ruleset("base"), 3, b"any")
    observation = pb.Observation.FromString(observation_bytes(observe(state, None)))
    present = pb.SpectateMatchResponse(observation=observation, remaining_ms=7_250)
    assert state.asked is not None
    lines = list(present_lines(present))
    assert lines[0] == "round 1, to 35 points"
    assert lines[-1] == f"seat {state.asked.seat} decides, and has 7.25 s left"


def test_who_was_given_no_time_has_that_of_the_server() -> None:
    """A ladder that leaves it out is not played in 0 s."""
    assert clock_text(pb.TimeControl()) == "10 s for a decision (the default)"
    given = pb.TimeControl(move_ms=500, bank_ms=60_000, increment_ms=1_000)
    said = "0.5 s for a decision, 60 s beyond that in the match, 1 s more with each move"
    assert clock_text(given) == said
