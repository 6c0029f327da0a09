"""What a director remembers from table to table."""

from shoal.server.director.memory import Memory
from shoal.server.director.pairing import Candidate
from shoal.server.director.rating import Rating
from shoal.server.store.ladders import Member, Roster, Score
from shoal.server.store.presence import Presence

ROSTER = Roster(
    members={
        "a": Member("a", "ann", baseline=False),
        "b": Member("b", "operator", baseline=True),
    },
    scores={"a": Score(30, 2, 5, 5, 5)},
)


def here(bot_id: str, live: int = 0) -> Presence:
    return Presence(bot_id, "p", 1, max_matches=3, rulesets=("base",), seats=(2,), live_count=live)


def candidate(memory: Memory, now: float, live: int = 0, pending: int = 0) -> Candidate:
    """Return bot a as the memory has it."""
    (only,) = memory.candidates(ROSTER, {"a": here("a", live)}, {"a": pending}, now)
    return only


def test_an_absent_bot_comes_back_after_the_cool_off() -> None:
    """If a bot did not answer, it is left alone for so long and no longer."""
    memory = Memory(cool_off=10)
    memory.was_absent("a", now=100)
    assert memory.candidates(ROSTER, {"a": here("a")}, {}, now=109) == []
    assert len(memory.candidates(ROSTER, {"a": here("a")}, {}, now=110)) == 1


def test_matches_that_run_or_are_to_be_created_take_room() -> None:
    """Room is what a bot takes less all it has, and only a bot without any is idle (T77)."""
    memory = Memory(cool_off=10)
    assert (candidate(memory, 0).room, candidate(memory, 0).idle) == (3, True)
    both = candidate(memory, 0, live=1, pending=1)
    assert (both.room, both.idle) == (1, False)


def test_waiting_begins_anew_after_a_table() -> None:
    """A bot waits since it came, then since its last table."""
    memory = Memory(cool_off=10)
    assert candidate(memory, 5).waiting_since == 5
    assert candidate(memory, 6).waiting_since == 5
    memory.seated(("a", "b"))
    again = candidate(memory, 7)
    assert again.waiting_since == 7
    assert again.met == (frozenset("b"),)


def test_a_baseline_is_nobodys() -> None:
    """If a bot is a baseline, its owner keeps it from no table (T59)."""
    memory = Memory(cool_off=10)
    there = {"a": here("a"), "b": here("b"), "stranger": here("stranger")}
    owners = {who.bot_id: who.owner for who in memory.candidates(ROSTER, there, {}, 0)}
    assert owners == {"a": "ann", "b": ""}


def test_a_newcomer_has_the_rating_of_newcomers() -> None:
    """If a bot has a score, that is its rating, else that of a newcomer."""
    memory = Memory(cool_off=10)
    both = memory.candidates(ROSTER, {"a": here("a"), "b": here("b")}, {}, 0)
    assert {who.bot_id: who.rating for who in both} == {"a": Rating(30, 2), "b": Rating()}
