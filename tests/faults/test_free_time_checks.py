"""Thinking that was charged too little is found, unless our own side has taken the time."""

import pytest

from shoal.server.chaos.free_time_checks import check_free_time
from shoal.server.chaos.journal import Journal
from shoal.server.chaos.timeline import Blame, Incident, Timeline
from tests.faults.cases import BOT, answer, case, kinds, line

THOUGHT = 5.0
"""Seconds from when the bot read the decision to when it answered."""


def found(
    journal: Journal, think_ms: int, *incidents: Incident, kind: str = "move"
) -> dict[str, int]:
    """What is found when a bot that thought for so long was charged this."""
    timeline = Timeline()
    for each in incidents:
        timeline.add(each)
    answers = {"0.abc": answer(0, seen=10.0, sent=10.0 + THOUGHT)}
    made = case(line(1, kind=kind, think_ms=think_ms))
    return dict(kinds(check_free_time(made, {BOT: journal}, answers, timeline)))


@pytest.mark.parametrize("think_ms", [0, 12, 3_900])
def test_what_was_thought_for_free_is_found(journal: Journal, think_ms: int) -> None:
    assert found(journal, think_ms) == {"uncharged": 1}


@pytest.mark.parametrize("think_ms", [4_100, 5_000, 9_000])
def test_what_was_charged_is_not(journal: Journal, think_ms: int) -> None:
    assert not found(journal, think_ms)


@pytest.mark.parametrize("blame", [Blame.SERVER, Blame.STORE])
def test_what_our_side_took_is_free(journal: Journal, blame: Blame) -> None:
    """For that bot, at that time, and as long as it took with what comes after it."""
    assert not found(journal, 1_000, Incident("kind", blame, 10.0, 12.0))
    assert found(journal, 0, Incident("kind", blame, 6.0, 7.5)) == {"uncharged": 1}
    others = Incident("kind", blame, 10.0, 12.0, frozenset({"raw-2"}))
    assert found(journal, 1_000, others) == {"uncharged": 1}


def test_what_its_own_network_took_is_not(journal: Journal) -> None:
    incident = Incident("kind", Blame.NETWORK, 10.0, 15.0)
    assert found(journal, 0, incident) == {"uncharged": 1}


def test_a_default_is_no_answer_of_the_bot(journal: Journal) -> None:
    assert not found(journal, 0, kind="default")
