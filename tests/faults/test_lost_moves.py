"""What a failover loses is excused where it is told, and nowhere else."""

import time

from shoal.client import pb
from shoal.server.chaos.ending_checks import check_ending
from shoal.server.chaos.evidence import Case, Line
from shoal.server.chaos.journal import Ack, End, Journal, end_of
from shoal.server.chaos.lost_moves import LostMoves
from shoal.server.chaos.move_checks import check_moves
from shoal.server.chaos.timeline import Blame, Incident, Takeover, Timeline
from shoal.server.store.keys import new_id
from tests.faults.cases import BOT, NONE_LOST, answer, case, kinds, line


def failing_over(begin: float, end: float, partition: int = 0) -> Timeline:
    """A failover of one partition that may have lost something, at these times of the kit's clock."""
    timeline = Timeline()
    timeline.add(Incident("kind", Blame.STORE, begin, end))
    timeline.takeovers.append(Takeover(begin, end, frozenset({partition})))
    return timeline


def void(*lines: Line, reason: pb.VoidReason.ValueType = pb.VOID_REASON_LOST_MOVES) -> Case:
    """A match that is void, made now."""
    made = case(*lines, finished=True)
    made.match_id = new_id(0)
    result = pb.MatchResult(termination=pb.TERMINATION_VOID, void_reason=reason)
    result.seats.add(seat=0)
    result.seats.add(seat=1)
    made.record = pb.MatchRecord(match=pb.Match(result=result))
    return made


def test_a_move_that_a_failover_lost_is_excused_in_a_void_match_alone(journal: Journal) -> None:
    """The receipt is of 0.1 s after now began; what the log has is another answer to the same decision."""
    now = time.monotonic()
    told = answer(1, Ack(7, 2, 20, already=False, at=now + 0.1))
    lost_one, another = void(line(1)), void(line(1), line(2, think_ms=900))
    around = failing_over(now, now + 1)
    for each in (lost_one, another):
        kept, excused = LostMoves([each], around).kept(each, [told])
        assert kinds(excused) == {"lost_by_failover": 1}
        assert not kinds(check_moves(each, journal, kept))
    before, elsewhere = failing_over(now + 2, now + 3), failing_over(now, now + 1, partition=1)
    outage = void(line(1), reason=pb.VOID_REASON_OUTAGES)
    for each, timeline in (
        (lost_one, before),
        (lost_one, elsewhere),
        (outage, around),
        (case(line(1)), around),
    ):
        kept, excused = LostMoves([each], timeline).kept(each, [told])
        assert not excused
        assert kinds(check_moves(each, journal, kept)) == {"lost": 1}


def test_a_void_for_lost_moves_needs_a_failover_and_a_word_to_every_seat(journal: Journal) -> None:
    now = time.monotonic()
    ended = void(line(1))
    lost = LostMoves([ended], failing_over(now, now + 1))
    journal.begun[ended.match_id] = now
    journal.ends[ended.match_id] = [end_of(pb.MatchResult(termination=pb.TERMINATION_TARGET))]
    taken_back = check_ending(ended, {BOT: journal}, Timeline(), lost)
    assert kinds(taken_back) == {"untold": 1}
    journal.ends[ended.match_id].append(End(pb.TERMINATION_VOID, (), pb.VOID_REASON_OUTAGES))
    untold = check_ending(ended, {BOT: journal}, Timeline(), lost)
    assert kinds(untold) == {"untold": 1}
    assert ended.record is not None
    journal.ends[ended.match_id].append(end_of(ended.record.match.result))
    assert not kinds(check_ending(ended, {BOT: journal}, Timeline(), lost))
    assert kinds(check_ending(ended, {}, Timeline(), NONE_LOST)) == {"unexplained_endings": 1}


def test_a_failover_after_the_end_explains_no_void(journal: Journal) -> None:
    now = time.monotonic()
    ended = void(line(1))
    assert ended.record is not None
    journal.begins(ended.match_id)
    journal.ends_with(ended.match_id, ended.record.match.result)
    first = journal.voided[ended.match_id]
    journal.ends_with(ended.match_id, ended.record.match.result)
    assert journal.voided[ended.match_id] == first, "told again is no later end"
    journal.voided[ended.match_id] = now + 10
    for begin, found in ((now + 1, {}), (now + 20, {"unexplained_endings": 1})):
        timeline = failing_over(begin, begin + 1)
        lost = LostMoves([ended], timeline, [journal])
        assert kinds(check_ending(ended, {BOT: journal}, timeline, lost)) == found
        told = answer(1, Ack(7, 2, 20, already=False, at=begin + 0.1))
        assert bool(lost.kept(ended, [told])[1]) is not bool(found)


def test_a_match_that_is_gone_is_excused_by_a_failover_at_its_making(journal: Journal) -> None:
    now = time.monotonic()
    match_id = new_id(0)
    journal.begun[match_id] = now
    lost = LostMoves([], failing_over(now, now + 1))
    assert kinds(lost.gone(match_id, [journal])) == {"lost_by_failover": 1, "untold": 1}
    journal.ends[match_id] = [End(pb.TERMINATION_VOID, (), pb.VOID_REASON_LOST_MOVES)]
    assert kinds(lost.gone(match_id, [journal])) == {"lost_by_failover": 1}
    assert kinds(NONE_LOST.gone(match_id, [journal])) == {"lost": 1}


def test_a_place_is_excused_where_its_match_is_gone_with_a_failover_at_its_making() -> None:
    now = time.monotonic()
    ended, gone = void(line(1)), new_id(0)
    lost = LostMoves([ended], failing_over(now, now + 1))
    assert lost.vanished(gone)
    assert not lost.vanished(ended.match_id)
    assert not LostMoves([ended], failing_over(now + 2, now + 3)).vanished(gone)


def test_who_was_absent_from_a_match_made_in_a_failover_was_charged_for_it(
    journal: Journal,
) -> None:
    """That a list of live matches has lost it is put right before anybody is absent."""
    now = time.monotonic()
    absent = void(line(1, kind="no_show"))
    assert absent.record is not None
    absent.record.match.result.termination = pb.TERMINATION_NO_SHOW
    absent.record.match.result.seats[0].left = pb.LEAVE_REASON_NO_SHOW
    timeline = failing_over(now, now + 1)
    found = kinds(check_ending(absent, {BOT: journal}, timeline, LostMoves([absent], timeline)))
    assert found == {"charged_for_infrastructure": 1}
