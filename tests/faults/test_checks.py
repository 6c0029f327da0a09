"""Every lie and every loss is found, told by hand-made journals and logs; and what is true is not."""

import json
import re
import time
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime

import pytest

from shoal.client import Tally, pb
from shoal.server.chaos.clock_checks import check_clock
from shoal.server.chaos.ending_checks import check_ending, check_ladder
from shoal.server.chaos.evidence import Line
from shoal.server.chaos.journal import Ack, End, Journal, Refused
from shoal.server.chaos.leak_checks import check_keys
from shoal.server.chaos.log_checks import is_bug
from shoal.server.chaos.move_checks import check_log, check_moves, check_tally
from shoal.server.chaos.timeline import Blame, Incident, Timeline
from shoal.server.store.keys import new_id
from tests.faults.cases import BOT, MATCH, NONE_LOST, OTHER, ack, answer, case, kinds, line, over
from tests.faults.running import ROOT


def test_what_is_true_is_not_found(journal: Journal) -> None:
    first = case(line(1), line(2))
    answers = [answer(0, ack(1), ack(1, already=True)), answer(1, ack(2))]
    assert not kinds(check_moves(first, journal, answers))
    assert not kinds(check_log(first, {("0.abc", 7), ("1.abc", 7)}))


@pytest.mark.parametrize(
    ("logged", "told"),
    [
        ([], "lost"),
        ([line(1, option=8)], "lost"),
        ([line(1, kind="default")], "lost"),
        ([line(1, think_ms=900)], "contradicted"),
    ],
)
def test_an_acknowledged_move_that_the_log_does_not_have_is_lost(
    journal: Journal, logged: list[Line], told: str
) -> None:
    assert kinds(check_moves(case(*logged), journal, [answer(0, ack(1))])) == {told: 1}


def test_two_fresh_receipts_for_one_move_mean_that_the_first_was_lost(journal: Journal) -> None:
    answers = [answer(0, ack(1), ack(1))]
    assert kinds(check_moves(case(line(1)), journal, answers)) == {"lost": 1}


def test_a_move_that_counts_twice_is_doubled(journal: Journal) -> None:
    twice = case(line(1), line(2, asked=0))
    assert kinds(check_log(twice, {("0.abc", 7)}))["doubled"] == 1
    answers = [answer(0, ack(1), ack(2, already=True))]
    assert kinds(check_moves(twice, journal, answers))["doubled"] == 1


def test_receipts_out_of_order_are_found(journal: Journal) -> None:
    mixed = case(line(1, asked=1), line(2, asked=0))
    answers = [answer(0, ack(2)), answer(1, ack(1))]
    assert kinds(check_moves(mixed, journal, answers))["disordered"] > 0


def test_a_move_that_nobody_made_is_found() -> None:
    assert kinds(check_log(case(line(1)), set())) == {"contradicted": 1}


@pytest.mark.parametrize(
    ("reason", "metadata", "logged", "is_so"),
    [
        ("DECISION_ALREADY_MADE", {"option_id": "7"}, [line(1)], True),
        ("DECISION_ALREADY_MADE", {"option_id": "9"}, [line(1)], False),
        ("DECISION_ALREADY_MADE", {"option_id": "7"}, [], False),
        ("TIME_EXPIRED", {}, [line(1, kind="default")], True),
        ("TIME_EXPIRED", {}, [line(1)], False),
        ("MATCH_OVER", {}, [], True),
        ("STORE_UNAVAILABLE", {}, [line(1)], True),
        ("STALE_DECISION", {}, [], False),
        ("INTERNAL", {}, [], False),
    ],
)
def test_a_refusal_is_held_against_the_log(
    journal: Journal, reason: str, metadata: dict[str, str], logged: list[Line], *, is_so: bool
) -> None:
    asked = answer(0)
    asked.refusals.append(Refused(8, reason, metadata))
    found = kinds(check_moves(case(*logged), journal, [asked]))
    assert found == ({} if is_so else {"contradicted": 1})


def test_what_the_kit_counted_is_in_the_logs() -> None:
    assert kinds(check_tally("kit-1", Tally(moves=3), made=2)) == {"lost": 1}
    assert not kinds(check_tally("kit-1", Tally(moves=2), made=2))


@pytest.mark.parametrize(
    ("moves", "stale", "unmade", "found"),
    [
        (4, 0, 0, {}),
        (3, 1, 0, {}),
        (1, 1, 1, {}),
        (5, 0, 0, {"lost": 1}),
        (4, 1, 0, {"contradicted": 1}),
        (3, 1, 1, {"contradicted": 2}),
        (2, 3, 0, {"contradicted": 1}),
    ],
)
def test_what_is_lost_excuses_a_receipt_or_a_refusal_and_not_both(
    moves: int, stale: int, unmade: int, found: dict[str, int]
) -> None:
    """Two are lost with an excuse, and the logs have two."""
    refused = Counter({"STALE_DECISION": stale, "NO_OPEN_DECISION": unmade})
    told = Tally(moves=moves, refused=+refused)
    assert kinds(check_tally("kit-1", told, made=2, lost=2)) == found


def charged(line_: Line, incidents: Iterable[Incident], journal: Journal) -> dict[str, int]:
    """What is found when this entry answers a decision that was seen at 0 and known over at 20 s."""
    timeline = Timeline()
    for incident in incidents:
        timeline.add(incident)
    asked = answer(0)
    later = answer(line_.version, seen=20.0)
    found = check_clock(case(line_), {BOT: journal}, {"0.abc": asked, "1.abc": later}, timeline)
    return dict(kinds(found))


def incident(blame: Blame, begin: float, end: float, *bots: str) -> Incident:
    return Incident("kind", blame, begin, end, frozenset(bots))


def test_a_prompt_bot_pays_for_its_own_network_alone(journal: Journal) -> None:
    silent = line(1, kind="default", think_ms=11_000)
    long = incident(Blame.NETWORK, 1, 9, "raw-0")
    assert charged(silent, [long], journal) == {"charged_to_network": 1}
    elsewhere = incident(Blame.NETWORK, 1, 9, "raw-2")
    short = incident(Blame.NETWORK, 1, 2, "raw-0")
    for excuses in ([], [elsewhere], [short], [incident(Blame.SERVER, 1, 9)]):
        assert charged(silent, excuses, journal) == {"charged_for_infrastructure": 1}


def test_a_default_that_mostly_the_own_network_took_is_its_own_risk(journal: Journal) -> None:
    """What a server may take of any move without a word, it may take of this one too."""
    silent = line(1, kind="default", think_ms=12_000)
    own = incident(Blame.NETWORK, 1, 6, "raw-0")
    both = [own, incident(Blame.SERVER, 4, 6)]
    assert charged(silent, both, journal) == {"charged_to_network": 1}
    assert charged(silent, [own], journal) == {"charged_for_infrastructure": 1}


def test_a_time_that_a_server_took_is_noted_and_costs_no_seat(journal: Journal) -> None:
    late, slow = line(1, think_ms=4_000), line(1, think_ms=5_000)
    assert charged(late, [incident(Blame.SERVER, 1, 4)], journal) == {"uncredited": 1}
    assert charged(slow, [incident(Blame.SERVER, 1, 4)], journal) == {
        "charged_for_infrastructure": 1
    }
    assert charged(slow, [incident(Blame.STORE, 1, 4)], journal) == {
        "charged_for_infrastructure": 1
    }
    assert charged(slow, [], journal) == {"charged_for_infrastructure": 1}
    assert charged(line(1), [], journal) == {}


def test_a_first_decision_may_be_open_since_the_match_began(journal: Journal) -> None:
    timeline = Timeline()
    timeline.add(incident(Blame.NETWORK, 1, 18, "raw-0"))
    first = answer(0, Ack(7, 1, 15_000, already=False, at=20.1), seen=20.0, sent=20.02)
    late = case(line(1, think_ms=15_000))
    for begun, found in ((0.5, {}), (19.0, {"charged_for_infrastructure": 1})):
        journal.begun[MATCH] = begun
        assert kinds(check_clock(late, {BOT: journal}, {"0.abc": first}, timeline)) == found


def test_an_ending_that_the_table_does_not_have_is_found(journal: Journal) -> None:
    strikes, resigned = pb.LEAVE_REASON_STRIKES, pb.LEAVE_REASON_RESIGNED
    fine = over(pb.TERMINATION_TARGET, None, None)
    assert not kinds(check_ending(fine, {}, Timeline(), NONE_LOST))
    for odd in (
        over(pb.TERMINATION_VOID, None, None),
        over(pb.TERMINATION_LAST_SEAT, None, None),
        over(pb.TERMINATION_LAST_SEAT, None, strikes),
        over(pb.TERMINATION_LAST_SEAT, resigned, None),
    ):
        assert kinds(check_ending(odd, {}, Timeline(), NONE_LOST))["unexplained_endings"] == 1
    journal.resigned[MATCH] = True
    left = over(pb.TERMINATION_LAST_SEAT, resigned, None)
    assert not kinds(check_ending(left, {BOT: journal}, Timeline(), NONE_LOST))
    assert kinds(check_ending(fine, {BOT: journal}, Timeline(), NONE_LOST)) == {"lost": 1}


@pytest.mark.parametrize(
    ("why", "last", "found"),
    [
        (pb.LEAVE_REASON_STRIKES, "default", False),
        (pb.LEAVE_REASON_STRIKES, "abandon", True),
        (pb.LEAVE_REASON_ABANDONED, "abandon", False),
        (pb.LEAVE_REASON_ABANDONED, "default", True),
    ],
)
def test_a_seat_that_left_for_silence_left_as_the_log_has_it(
    why: pb.LeaveReason.ValueType, last: str, *, found: bool
) -> None:
    """The log knows whether its bot had a stream when it was silent for the last time."""
    silent = over(pb.TERMINATION_LAST_SEAT, why, None)
    silent.lines[:] = [line(1, kind="default"), line(2, kind="default"), line(3, kind=last)]
    assert kinds(check_ending(silent, {}, Timeline(), NONE_LOST)) == (
        {"unexplained_endings": 1} if found else {}
    )


@pytest.mark.parametrize(
    ("incidents", "found"),
    [
        # Ten seconds, and three more that were given back: cut at the beginning, and dead at the end.
        ([(Blame.NETWORK, 0.6, 0.8), (Blame.NETWORK, 6.5, 14.5)], "charged_to_network"),
        ([(Blame.NETWORK, 4.0, 13.0)], "charged_to_network"),
        ([(Blame.NETWORK, 7.0, 13.0), (Blame.SERVER, 1.0, 2.0)], "charged_to_network"),
        ([(Blame.NETWORK, 7.0, 13.0)], "charged_for_infrastructure"),
        ([(Blame.NETWORK, 13.5, 30.0)], "charged_for_infrastructure"),
        ([(Blame.NETWORK, 1.0, 2.0), (Blame.SERVER, 1.0, 9.0)], "charged_for_infrastructure"),
        ([(Blame.STORE, 1.0, 9.0)], "charged_for_infrastructure"),
        ([], "charged_for_infrastructure"),
    ],
    ids=str,
)
def test_who_was_not_ready_pays_for_its_own_network_alone(
    journal: Journal, incidents: list[tuple[Blame, float, float]], found: str
) -> None:
    """The rule is that of a decision, and the time is what it had with all that was given back."""
    absent = over(pb.TERMINATION_NO_SHOW, pb.LEAVE_REASON_NO_SHOW, None)
    absent.match_id = new_id(0)
    absent.lines[0] = line(1, kind="no_show")
    began = time.monotonic()
    journal.told[absent.match_id] = began + 13.0
    timeline = Timeline()
    for blame, begin, end in incidents:
        timeline.add(incident(blame, began + begin, began + end, "raw-0"))
    assert kinds(check_ending(absent, {BOT: journal}, timeline, NONE_LOST)) == {found: 1}


def test_a_match_without_an_end_and_a_seat_that_was_not_told_are_found(journal: Journal) -> None:
    assert kinds(check_ending(case(line(1)), {}, Timeline(), NONE_LOST)) == {"stuck": 1}
    fine = over(pb.TERMINATION_TARGET, None, None)
    journal.begun[MATCH] = 0.0
    assert kinds(check_ending(fine, {BOT: journal}, Timeline(), NONE_LOST)) == {"untold": 1}
    journal.ends[MATCH] = [End(pb.TERMINATION_TARGET, ((1, 0), (2, 0)))]
    assert not kinds(check_ending(fine, {BOT: journal}, Timeline(), NONE_LOST))


@pytest.mark.parametrize(
    ("counted", "found"),
    [
        ({}, False),
        ({"match_count": 4, "average_placement": 1.0}, True),
        ({"match_count": 2, "average_placement": 2.0}, True),
        ({"wins": 3}, True),
        ({"average_placement": 5 / 3}, True),
    ],
)
def test_a_result_that_is_not_counted_as_it_was_is_found(
    counted: dict[str, float], *, found: bool
) -> None:
    """Neither twice, nor not at all, nor with the winner and the loser exchanged (T84)."""
    played = [over(pb.TERMINATION_TARGET, None, None) for _ in range(3)]
    void = over(pb.TERMINATION_VOID, None, None)
    assert played[0].record is not None
    for each, place in zip(played[0].record.match.result.seats, (2, 1), strict=True):
        each.placement = place
    first = pb.Standing(bot_id=BOT, match_count=3, wins=2, average_placement=4 / 3)
    second = pb.Standing(bot_id=OTHER, match_count=3, wins=1, average_placement=5 / 3)
    for name, value in counted.items():
        setattr(first, name, value)
    assert kinds(check_ladder([*played, void], [first, second])) == (
        {"ladder_miscounted": 1} if found else {}
    )


def test_a_bot_that_is_missing_from_the_ladder_is_found() -> None:
    """Nor is an empty ladder one that has counted everything (T84)."""
    played = [over(pb.TERMINATION_TARGET, None, None)]
    assert kinds(check_ladder(played, [])) == {"ladder_miscounted": 2}


@pytest.mark.parametrize(
    ("key", "lasts", "leaks"),
    [
        (f"shoal:{{p00}}:match:{MATCH}", True, False),
        ("shoal:{p3f}:clock", True, False),
        ("shoal:{p03}:competition:main:results", True, False),
        ("shoal:{p03}:competition:main:waits", False, False),
        ("shoal:{p03}:competition:main:waits", True, True),
        (f"shoal:{{p00}}:challenge:{MATCH}", False, False),
        (f"shoal:{{p00}}:challenge:{MATCH}", True, True),
        ("shoal:{p03}:request:someone:1234", False, False),
        ("shoal:{p03}:request:someone:1234", True, True),
        (f"shoal:{{p00}}:annulled:{BOT}", False, False),
        (f"shoal:{{p00}}:annulled:{BOT}", True, True),
        (f"shoal:{{p00}}:live:{BOT}", True, True),
        (f"shoal:{{p00}}:stream:{BOT}", False, True),
        ("shoal:{p00}:deadlines", True, True),
        ("shoal:{p03}:competition:main:blocks", True, True),
        ("shoal:{p00}:outbox:rejected", True, True),
        ("anything", True, True),
    ],
)
def test_only_documented_keys_stay(key: str, *, lasts: bool, leaks: bool) -> None:
    """T32."""
    assert bool(kinds(check_keys({key: lasts}))) is leaks


def test_every_key_that_a_competition_keeps_may_stay() -> None:
    """As the table of docs/design.md has them: all but blocks in play, and what passes by itself."""
    table = (ROOT / "docs/design.md").read_text().split("\n## Keys\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| and its (.+?) \| (.+?) \|", table, re.MULTILINE)
    kinds_of_keys = {kind: form for cell, form in rows for kind in re.findall(r":(\w+)", cell)}
    assert {"entrants", "order", "waits", "memberships", "releases"} <= kinds_of_keys.keys()
    for kind, form in kinds_of_keys.items():
        passes = re.search(r", \d+ ", form) is not None
        leaks = bool(kinds(check_keys({f"shoal:{{p03}}:competition:main:{kind}": not passes})))
        assert leaks is (kind == "blocks"), kind


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        ('{"event": "serving", "level": "info"}', False),
        ('{"event": "bug", "level": "error"}', True),
        ('{"event": "worker_died", "level": "error"}', False),
        ('{"event": "stood_still", "level": "warning"}', False),
        ('{"event": "live_match_was_over", "timestamp": "2026-11-30T09:10:17.7Z"}', True),
        ("The admin token of this new store is in a file.", False),
        ("Traceback (most recent call last):", True),
        ("Future exception was never retrieved", True),
    ],
)
def test_a_line_of_a_log_that_no_fault_explains_is_found(text: str, *, bad: bool) -> None:
    """Without failovers; on a cluster some of them say what one has lost."""
    assert is_bug(text) is bad


@pytest.mark.parametrize(
    ("event", "within"),
    [("timeline_changed", 30), ("match_recovered", 30), ("live_match_was_over", 90)],
)
def test_a_line_that_tells_of_a_loss_is_excused_soon_after_a_takeover_alone(
    event: str, within: int
) -> None:
    """How soon, depends on what it is: a match that is lost counts as one that may come for a minute."""
    at = datetime(2026, 11, 30, 9, 10, 17, tzinfo=UTC).timestamp()
    stamp = "2026-11-30T09:10:17.005569Z"
    told = json.dumps({"event": event, "level": "error", "timestamp": stamp})
    late = (at - 200, at - within - 1)
    assert not is_bug(told, [late, (at - 1, at)])
    assert not is_bug(told, [late, (at - within, at - within + 1)])
    assert is_bug(told, [late, (at + 1, at + 2)])


def test_a_bug_is_excused_when_it_is_itself_that_the_store_was_away() -> None:
    away = "shoal.server.store.errors.StoreUnavailable: no answer"
    trace = "Traceback (most recent call last):\n  File"
    led = (
        f"{trace}\n{away}\n\nDuring handling of the above exception, another exception occurred:\n"
    )
    for exception, bad in (
        (f"{trace}\n{away}", False),
        (f"{led}\n{trace}\n{away}", False),
        (f"{led}\n{trace}\nKeyError: 'StoreUnavailable'", True),
        ("", True),
    ):
        line = json.dumps({"event": "match_not_swept", "level": "error", "exception": exception})
        assert is_bug(line) is bad
