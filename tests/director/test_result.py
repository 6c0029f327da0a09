"""What a finished match means for a ladder."""

import json

import pytest

from shoal.server.director.result import NEWCOMER, absent, finished, scores_after
from shoal.server.store.competition_nouns import Score


def payload(**more: object) -> bytes:
    """Return an outbox entry of a match of three, but for what is given."""
    fields = {
        "match": "m",
        "ladder": "main",
        "rated": True,
        "ruleset": "base",
        "bots": ["a", "b", "c"],
        "placements": [2, 1, 2],
        "totals": [20, 31, 20],
        "termination": "target",
        "left": ["", "", "strikes"],
        "ended_ms": 0,
    }
    return json.dumps({**fields, **more}).encode()


def test_a_rated_match_moves_every_score() -> None:
    """Matches, wins and placements add up, and an unknown bot begins as a newcomer."""
    known = Score(30, 5, 4, 2, 6)
    after = scores_after(finished(payload()), [known, None, None])
    assert [(s.matches, s.wins, s.placement_sum) for s in after.values()] == [
        (5, 2, 8),
        (1, 1, 1),
        (1, 0, 2),
    ]
    assert after["a"].mu < known.mu
    assert after["b"].mu > NEWCOMER.mu


@pytest.mark.parametrize(
    "fields",
    [
        {"rated": False},
        {"termination": "void", "placements": [0, 0, 0]},
        {"termination": "no_show", "placements": []},
    ],
)
def test_a_match_that_was_not_played_for_ratings_moves_none(fields: dict[str, object]) -> None:
    """If a match is void, not begun, or not rated, every score stays."""
    assert scores_after(finished(payload(**fields)), [None, None, None]) == {}


def test_only_the_silent_are_absent() -> None:
    """A bot that resigned has answered; one that struck out or did not come has not."""
    match = finished(payload(left=["resigned", "no_show", "strikes"]))
    assert absent(match) == ("b", "c")
