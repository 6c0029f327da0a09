"""How a match ended is said in words: who was not there, who left and why, what decided between places."""

from dataclasses import replace

import pytest

from shoal.cli.ending import ending_lines
from shoal.cli.telling import head_lines, turn_lines
from shoal.cli.view import placements
from shoal.client import pb
from shoal.engine import RoundEnded
from shoal.match import Entry, EntryKind, LeaveReason, Termination
from shoal.record import Outcome, Record, Retelling, SeatResult
from tests.records.playing import PLAIN, Temper, meta_of_random, random_record

PLAYED = random_record("base", 3, 1, Temper(silent=0.0, resign=0.0))


def ended(
    termination: Termination,
    last: tuple[int, int, int],
    *seats: tuple[int, int, LeaveReason | None],
) -> Record:
    """A record that ended so: the points of the last round, and place, total and reason of each seat."""
    entries = [
        replace(
            entry,
            events=tuple(
                replace(event, round_points=last) if isinstance(event, RoundEnded) else event
                for event in entry.events
            ),
        )
        for entry in PLAYED.entries
    ]
    result = Outcome(termination, tuple(SeatResult(*each) for each in seats))
    return replace(PLAYED, entries=tuple(entries), result=result)


@pytest.mark.parametrize(
    ("places", "last", "says"),
    [
        ((2, 3, 1), (9, 0, 12), "seat 2 made 12, seat 0 made 9"),
        (
            (1, 3, 1),
            (9, 0, 9),
            "seat 0 made 9, seat 2 made 9; seats 0 and 2 are equal there too, and share place 1",
        ),
    ],
    ids=["decided", "shared"],
)
def test_what_decides_between_equal_totals_is_said(
    places: tuple[int, int, int], last: tuple[int, int, int], says: str
) -> None:
    """It is the last round, or nothing (rules 7.1)."""
    seats = [(place, total, None) for place, total in zip(places, (38, 20, 38), strict=True)]
    record = ended(Termination.TARGET, last, *seats)
    said = "seats 0 and 2 have 38 points each, so the last round decides: "
    assert list(ending_lines(record)) == [f"  places  {said}{says}"]


def test_places_that_points_do_not_explain_are_explained() -> None:
    """Mermaids win, and whoever left is last, with more points too (rules 6, 7.2)."""
    mermaids = ended(Termination.MERMAIDS, (1, 2, 3), (3, 5, None), (1, 4, None), (2, 30, None))
    assert list(ending_lines(mermaids)) == [
        "  places  seat 1 won with mermaids, whatever the points"
    ]
    resigned = (3, 30, LeaveReason.RESIGNED)
    left = ended(
        Termination.LAST_SEAT, (1, 2, 3), (1, 5, None), (2, 4, LeaveReason.STRIKES), resigned
    )
    says = "whoever left ranks last, whatever its points, the first to leave is the very last"
    assert list(ending_lines(left)) == [f"  places  {says}"]


def test_what_needs_no_words_has_none() -> None:
    """Different totals, nobody silent, nobody gone."""
    seats = [(1, 40, None), (2, 30, None), (3, 20, None)]
    assert not list(ending_lines(ended(Termination.TARGET, (1, 1, 1), *seats)))


def test_words_that_stand_in_the_turns_are_explained() -> None:
    """A silence, and the one with which a seat that nobody was behind left."""
    retelling = Retelling(*meta_of_random("base", 2, 1, replace(PLAIN, max_strikes=1)))
    entries = [retelling.tell(Entry(EntryKind.READY, seat, ""), 1_000, 0) for seat in range(2)]
    asked = retelling.match.asked
    assert asked is not None
    abandon = Entry(EntryKind.ABANDON, asked.seat, asked.default.code)
    record = retelling.record([*entries, retelling.tell(abandon, 2_000, 0)])
    seat = asked.seat
    head = list(head_lines(record))
    assert head[1 + seat].endswith(", left: silent too often, and not connected)")
    assert "  gone    silent for the last time allowed, and its bot was not connected" in head
    assert not [line for line in head if line.startswith("  silent")]
    assert [line for line in turn_lines(record) if f"seat {seat}  gone: " in line]
    assert any(line.startswith("  silent  ") for line in head_lines(silent_record()))


def silent_record() -> Record:
    """The record of a match in which seats were silent."""
    return random_record("base", 2, 5, Temper(silent=0.1))


@pytest.mark.parametrize(
    ("ready", "says"),
    [([1], "seats 0 and 2 were"), ([0, 2], "seat 1 was"), ([], "seats 0, 1 and 2 were")],
    ids=["two", "one", "all"],
)
def test_who_was_not_ready_is_named(ready: list[int], says: str) -> None:
    """By seat in the line of the entry, and by name in the line of the seat."""
    retelling = Retelling(*meta_of_random("base", 3, 1))
    entries = [retelling.tell(Entry(EntryKind.READY, seat, ""), 1_000, 0) for seat in ready]
    record = retelling.record([*entries, retelling.tell(Entry(EntryKind.NO_SHOW), 2_000, 0)])
    assert list(turn_lines(record))[-1] == f"{says} not ready in time, so nothing was played"
    for seat, line in enumerate(list(head_lines(record))[1:4]):
        assert ("was not ready in time" in line) is (seat not in ready)


def test_a_list_of_matches_says_who_was_not_ready() -> None:
    """And nothing beside the name of who was, or of a seat of a match that goes on."""
    match = pb.Match(seats=[pb.Seat(seat=seat, bot_name=f"bot{seat}") for seat in range(3)])
    assert placements(match) == ["bot0", "bot1", "bot2"]
    match.result.termination = pb.TERMINATION_NO_SHOW
    match.result.seats.extend(pb.SeatResult(seat=seat) for seat in range(3))
    match.result.seats[1].left = pb.LEAVE_REASON_NO_SHOW
    assert placements(match) == ["bot0", "bot1 (was not ready in time)", "bot2"]
    match.result.seats[2].CopyFrom(
        pb.SeatResult(seat=2, placement=2, total=7, left=pb.LEAVE_REASON_STRIKES)
    )
    assert placements(match)[2] == "bot2 (place 2, 7 points, left: silent too often)"
