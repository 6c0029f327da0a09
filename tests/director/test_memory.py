"""What a director remembers from table to table, and of who is there."""

from dataclasses import replace

import pytest

from shoal.competition.plan import Entrant
from shoal.competition.pool import Candidate
from shoal.server.director.attendance import Attendance
from shoal.server.director.memory import Memory
from shoal.server.director.rooms import Room
from shoal.server.store.competition_nouns import Roster, Score
from shoal.server.store.presence import Presence

ROSTER = Roster(
    entrants={"a": Entrant("a", "ann"), "b": Entrant("b")},
    scores={"a": Score(30, 2, 5, 5, 5, blocks=2)},
)


def here(bot_id: str, live: int = 0) -> Presence:
    return Presence(bot_id, "p", 1, max_matches=3, rulesets=("base",), seats=(2,), live_count=live)


def candidate(
    memory: Memory, now_ms: float, live: int = 0, taken: int = 0, *, is_tick: bool = True
) -> Candidate:
    """Return bot a as the memory has it."""
    room = Room([here("a", live)], {"a": taken}, set())
    (only,) = memory.candidates(ROSTER, room, now_ms, is_tick=is_tick)
    return only


def test_matches_that_run_or_are_to_be_created_take_room() -> None:
    """Room is what a bot takes less all it has, and only a bot without any is idle (T77)."""
    memory = Memory()
    alone = candidate(memory, 0)
    assert (alone.room, alone.at_once, alone.idle) == (3, 3, True)
    both = candidate(memory, 0, live=1, taken=1)
    assert (both.room, both.idle) == (1, False)


def test_waiting_begins_anew_after_a_table() -> None:
    """A bot waits since it had room, and counts the ticks that found it so."""
    memory = Memory()
    assert (candidate(memory, 500).waited_ms, candidate(memory, 700).waited_ms) == (0, 200)
    assert candidate(memory, 800, is_tick=False).ticks == 2
    memory.seated(["a", "b"], "base")
    again = candidate(memory, 900)
    assert (again.waited_ms, again.ticks) == (0, 1)
    assert again.recent[0].opponents == {"b"}
    full = candidate(memory, 1000, live=3)
    assert (full.room, full.waited_ms, full.ticks) == (0, 0, 0)


def test_time_at_tables_and_the_length_of_matches_are_known() -> None:
    """What a bot sat at since the last look counts, and its matches are as long as the latest were."""
    memory = Memory()
    assert candidate(memory, 0, live=2).share == 0
    assert candidate(memory, 1000).share == 2
    before = candidate(memory, 1000).match_ms
    memory.lasted(["a", "stranger"], 100.0)
    assert 100 < candidate(memory, 1000).match_ms < before


def test_a_bot_that_is_away_is_not_owed_the_time() -> None:
    """If a bot comes back, its waiting begins then, and the time between counts for nothing."""
    memory = Memory()
    candidate(memory, 0)
    memory.candidates(ROSTER, Room([], {}, set()), 1000, is_tick=True)
    back = candidate(memory, 5000)
    assert (back.waited_ms, back.ticks) == (0, 1)


def test_what_changes_of_a_bot_without_room_is_seen() -> None:
    """Its tables, its rating, and what it offers; all its time at tables counts."""
    memory = Memory()
    first = candidate(memory, 0, live=3)
    assert candidate(memory, 1000, live=3) is first
    assert candidate(memory, 2000, live=4).room == -1
    room = Room([replace(here("a", 4), seats=(3,))], {}, set())
    assert memory.candidates(ROSTER, room, 3000, is_tick=True)[0].seats == {3}
    roster = replace(ROSTER, scores={"a": Score(31, 2, 6, 5, 5, blocks=2)})
    assert memory.candidates(roster, room, 4000, is_tick=True)[0].mu == 31
    free = candidate(memory, 5000, live=2)
    assert free.share == pytest.approx((2 * 3 + 3 * 4) / 5, rel=0.01)


def test_a_newcomer_has_the_rating_of_newcomers() -> None:
    """If a bot has a score, that is its rating, else that of a newcomer; who has not entered is not there."""
    room = Room([here("a"), here("b"), here("stranger")], {}, set())
    known, new = Memory().candidates(ROSTER, room, 0, is_tick=True)
    assert (known.mu, known.sigma, known.blocks, known.owner) == (30, 2, 2, "ann")
    assert (new.mu, new.blocks, new.owner) == (25, 0, "")


def test_nobody_is_a_newcomer_for_ever() -> None:
    """If the blocks of a bot are dissolved, or not rated, those that it has begun count (T69)."""
    memory = Memory()
    assert candidate(memory, 0).blocks == 2
    memory.seated(["a", "b"], "base")
    assert candidate(memory, 1).blocks == 3
    memory.resumed(["a", "b"])
    assert candidate(memory, 2).blocks == 3
    memory.begins_anew(["a"])
    assert candidate(memory, 3).blocks == 2


def test_a_table_that_goes_on_ends_the_waiting() -> None:
    """But it is no other table: its bots have met once."""
    memory = Memory()
    candidate(memory, 0)
    memory.seated(["a", "b"], "base")
    candidate(memory, 100)
    assert candidate(memory, 200).waited_ms == 100
    memory.resumed(["a", "b"])
    again = candidate(memory, 300)
    assert (again.waited_ms, len(again.recent)) == (0, 1)


def test_a_silent_bot_comes_back_after_the_cool_off() -> None:
    """If a bot did not answer, it is left alone for so long and no longer."""
    attendance = Attendance(cool_off=10, absence=60, lately=600, began=0)
    attendance.was_silent(["a"], now=100)
    assert attendance.is_cooling("a", now=109)
    assert not attendance.is_cooling("b", now=109)
    assert not attendance.is_cooling("a", now=110)


def test_who_is_away_for_too_long_is_given_up() -> None:
    """The time begins when it was first missed, and anew each time that it was there."""
    attendance = Attendance(cool_off=10, absence=60, lately=600, began=0)
    assert not attendance.is_given_up("a", now=100)
    assert not attendance.is_given_up("a", now=159)
    attendance.is_here("a", now=159)
    assert not attendance.is_given_up("a", now=160)
    assert attendance.is_given_up("a", now=220)


def test_who_was_here_not_long_ago_was_here_lately() -> None:
    """All were when the director began: it cannot know."""
    attendance = Attendance(cool_off=10, absence=60, lately=600, began=1000)
    attendance.is_here("a", now=1500)
    assert attendance.was_here_lately("b", now=1599)
    assert not attendance.was_here_lately("b", now=1600)
    assert attendance.was_here_lately("a", now=2099)
    assert not attendance.was_here_lately("a", now=2100)


def test_a_table_that_is_offered_again_is_waited_for_anew() -> None:
    """If a bot stops to offer a table a second time, it has as much time as the first time."""
    attendance = Attendance(cool_off=10, absence=60, lately=600, began=0)
    table = ("a", "base", 2)
    assert not attendance.is_lacking(table, now=100)
    assert attendance.is_lacking(table, now=160)
    attendance.offers(table)
    assert not attendance.is_lacking(table, now=200)
    assert not attendance.is_lacking(("a", "base", 3), now=200)
