"""What an organizer may ask for: everything that is wrong is said, at once and by name."""

import json
import math
import tomllib
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.competition import validation
from shoal.competition.document import read, write
from shoal.competition.problems import Problem
from shoal.competition.reachable import narrowest_interval
from shoal.competition.specification import (
    KINDS,
    OFFICIAL,
    Anchor,
    Entry,
    Format,
    Gauntlet,
    Knockout,
    Ladder,
    RoundRobin,
    Specification,
    Stopping,
    Swiss,
    TimeControl,
)
from shoal.competition.validation import check
from shoal.server.play.time_controls import DEFAULTS

HOUR = 3_600_000
LADDER = Specification("open", Ladder())
SWISS = Specification("cup", Swiss(5))

formats: st.SearchStrategy[Format] = st.one_of(
    st.builds(
        Ladder,
        st.builds(Stopping, st.none() | st.integers(1, 99), st.none() | st.floats(1, 99)),
        trial=st.booleans(),
        faults=st.integers(0, 9),
        releases=st.booleans(),
        anchors=st.lists(st.builds(Anchor, st.text(), st.floats(0, 3000)), max_size=2).map(tuple),
        official=st.sampled_from(OFFICIAL),
    ),
    st.builds(RoundRobin, st.integers(1, 9), st.integers(1, 9)),
    st.builds(Gauntlet, st.lists(st.text(), max_size=3).map(tuple), st.integers(1, 9)),
    st.builds(Swiss, st.integers(0, 9), st.integers(1, 9)),
    st.builds(Knockout, st.integers(1, 9), st.integers(0, 9)),
)
specifications = st.builds(
    Specification,
    name=st.text(),
    format=formats,
    rulesets=st.lists(st.text(), max_size=3).map(tuple),
    seats=st.lists(st.integers(0, 6), max_size=3).map(tuple),
    time_control=st.builds(TimeControl, move_ms=st.integers()),
    entry=st.builds(Entry, entrants=st.integers(), opens_ms=st.none() | st.integers()),
    starts_ms=st.none() | st.integers(),
    ends_ms=st.none() | st.integers(),
    rated=st.booleans(),
    names_hidden=st.booleans(),
)  # fmt: skip


def paths(problems: tuple[Problem, ...]) -> list[str]:
    return [problem.path for problem in problems]


@settings(max_examples=200, deadline=None)
@given(specifications)
def test_a_specification_is_read_as_it_was_written(specification: Specification) -> None:
    """Whatever it says, held or not, it comes back through JSON, and checking it never raises."""
    reading = read(json.loads(json.dumps(write(specification))))
    assert reading.specification == specification
    assert reading.problems == check(specification)


def test_a_file_of_an_organizer() -> None:
    text = """
        name = "Friday cup"
        rulesets = ["base", "salt"]
        starts_ms = 1790000000000
        [format]
        kind = "swiss"
        rounds = 7
        blocks_per_pairing = 2
        [entry]
        bots_per_owner = 2
        entrants = 16
        [time_control]
        move_ms = 2000
    """
    reading = read(tomllib.loads(text))
    assert reading.problems == ()
    assert reading.specification == Specification(
        "Friday cup",
        Swiss(7, 2),
        rulesets=("base", "salt"),
        time_control=TimeControl(move_ms=2000),
        entry=Entry(bots_per_owner=2, entrants=16),
        starts_ms=1790000000000,
    )


def test_all_that_is_wrong_is_said_at_once() -> None:
    reading = read(
        {
            "name": "",
            "format": {"kind": "knockout", "best_off": 3, "tie_cap": -1},
            "rulesets": ["base", "pfeffer"],
            "seats": [2, 3],
            "rated": 1,
            "starts_ms": 5,
            "ends_ms": 4,
            "entry": {"entrants": True, "invited": ["a", 7]},
            "colour": "red",
        }
    )
    assert paths(reading.problems) == [
        "colour",
        "ends_ms",
        "entry.entrants",
        "entry.invited[1]",
        "format.best_off",
        "format.tie_cap",
        "name",
        "rated",
        "rulesets[1]",
        "seats",
    ]


@pytest.mark.parametrize("value", [True, 1.0, "1", None, [1]])
def test_a_number_is_of_exactly_its_type(value: object) -> None:
    reading = read({"name": "x", "format": {"kind": "swiss", "rounds": value}})
    assert paths(reading.problems) == ["format.rounds"]
    assert str(reading.problems[0]) == f"format.rounds: must be a whole number, not {value!r}"


def test_an_unknown_field_is_refused_by_its_name_and_the_known_ones_are_told() -> None:
    (problem,) = read({"name": "x", "format": {"kind": "swiss", "cycles": 2}}).problems
    assert problem == Problem("format.cycles", "is unknown; known here: rounds, blocks_per_pairing")


@pytest.mark.parametrize("kind", [None, "cup", 7, {}])
def test_a_format_that_there_is_not_is_refused_by_name(kind: object) -> None:
    (problem,) = read({"name": "x", "format": {"kind": kind}}).problems
    assert problem.path == "format.kind"
    assert all(known in problem.message for known in KINDS)


def test_what_must_be_given_is_asked_for() -> None:
    assert paths(read({}).problems) == ["format", "name"]
    assert paths(read({"name": "x", "format": "swiss", "entry": []}).problems) == ["entry"]


@pytest.mark.parametrize("seats", [(3,), (4,), (2, 4)])
@pytest.mark.parametrize(
    ("format_", "name"), [(Swiss(3), "a Swiss tournament"), (Knockout(), "a knock-out")]
)
def test_swiss_and_knock_out_are_for_two_seats(
    format_: Format, name: str, seats: tuple[int, ...]
) -> None:
    (problem,) = check(Specification("x", format_, seats=seats))
    assert problem.path == "seats"
    assert name in problem.message
    assert str(max(seats)) in problem.message


@pytest.mark.parametrize(
    ("specification", "path"),
    [
        (replace(LADDER, seats=()), "seats"),
        (replace(LADDER, seats=(5,)), "seats[0]"),
        (replace(LADDER, seats=(2, 2)), "seats[1]"),
        (replace(LADDER, rulesets=()), "rulesets"),
        (replace(LADDER, name="n" * 65), "name"),
        (replace(LADDER, time_control=TimeControl(move_ms=5)), "time_control.move_ms"),
        (replace(LADDER, entry=Entry(opens_ms=-1)), "entry.opens_ms"),
        (replace(LADDER, entry=Entry(opens_ms=9, closes_ms=8)), "entry.closes_ms"),
        (replace(LADDER, format=Ladder(Stopping(minutes=0))), "format.stopping.minutes"),
        (replace(LADDER, format=Ladder(Stopping(interval=0.0))), "format.stopping.interval"),
        (replace(LADDER, format=Ladder(faults=-1)), "format.faults"),
        (replace(LADDER, format=Ladder(official="best")), "format.official"),
        (replace(LADDER, format=Ladder(anchors=(Anchor(),))), "format.anchors[0].bot_id"),
        (replace(LADDER, format=Ladder(anchors=(Anchor("a", -1),))), "format.anchors[0].rating"),
        (replace(LADDER, format=Ladder(anchors=(Anchor("a"), Anchor("a")))), "format.anchors[1]"),
        (replace(LADDER, seats=(4,), entry=Entry(entrants=3)), "entry.entrants"),
        (replace(LADDER, seats=(4,), entry=Entry(invited=("a", "b"))), "entry.invited"),
        (replace(SWISS, entry=Entry(closes_ms=9), starts_ms=8), "starts_ms"),
        (replace(SWISS, format=Gauntlet()), "format.challengers"),
        (replace(SWISS, format=Gauntlet(("a", "a"))), "format.challengers[1]"),
        (replace(SWISS, format=Gauntlet(("a",)), entry=Entry(invited=("b", "c"))), "format.challengers"),
        (replace(SWISS, format=Gauntlet(("a", "b")), entry=Entry(entrants=2)), "entry.entrants"),
        (replace(SWISS, format=RoundRobin(cycles=0)), "format.cycles"),
        (replace(SWISS, format=Knockout(best_of=0)), "format.best_of"),
    ],
)  # fmt: skip
def test_a_problem_has_the_path_of_its_field(specification: Specification, path: str) -> None:
    assert paths(check(specification)) == [path]


def test_a_ladder_may_be_entered_while_it_runs() -> None:
    assert (
        check(replace(LADDER, entry=Entry(opens_ms=5, closes_ms=9), starts_ms=5, ends_ms=9)) == ()
    )


def stopping(window: int | None = None, **rule: float) -> tuple[Problem, ...]:
    ladder = Ladder(Stopping(**rule))  # type: ignore[arg-type]
    ends = None if window is None else window * 60_000
    return check(replace(LADDER, format=ladder, starts_ms=0, ends_ms=ends))


def test_a_stopping_rule_that_cannot_be_reached_is_refused_with_the_numbers() -> None:
    """No ladder stops, or goes on for ever, because of a cap that nobody thought of (T57)."""
    (problem,) = stopping(blocks_per_bot=50, interval=20.0)
    assert problem.path == "format.stopping.interval"
    assert "±20" in problem.message
    assert "50 blocks" in problem.message
    assert f"±{narrowest_interval(50, 2):.1f} at best" in problem.message

    (problem,) = stopping(60, minutes=180)
    assert problem == Problem(
        "format.stopping.minutes", "180 minutes are never over: the ladder ends after 60"
    )
    (problem,) = stopping(minutes=1, blocks_per_bot=10_000)
    assert problem.path == "format.stopping.blocks_per_bot"
    assert "9600" in problem.message
    assert paths(stopping(1, interval=0.5)) == ["format.stopping.interval"]
    (problem,) = stopping(interval=0.5)
    assert problem.message == (
        "±0.5 is never reached: even 100000 blocks for each bot leave ±0.7 at best"
    )


def test_a_stopping_rule_that_can_be_reached_is_not() -> None:
    """Neither alone nor with a cap that leaves room for it (T57)."""
    assert stopping(interval=20.0) == ()
    assert stopping(blocks_per_bot=2000, interval=12.0) == ()
    assert stopping(minutes=60, blocks_per_bot=100) == ()
    assert stopping(60, minutes=60) == ()


def test_a_casual_ladder_stops_by_time_alone() -> None:
    """Blocks are counted with the ratings, which it does not have (T57)."""
    stop = Stopping(blocks_per_bot=500, interval=90.0, minutes=60)
    casual = replace(LADDER, rated=False, format=Ladder(stop))
    assert paths(check(casual)) == [
        "format.stopping.blocks_per_bot",
        "format.stopping.interval",
    ]
    assert check(replace(casual, rated=True)) == ()
    timed = replace(casual, format=Ladder(Stopping(minutes=60)), starts_ms=0)
    assert check(timed) == ()
    assert paths(check(replace(timed, ends_ms=HOUR // 2))) == ["format.stopping.minutes"]


def test_more_certainty_needs_more_blocks() -> None:
    widths = [narrowest_interval(blocks, 2) for blocks in (0, 1, 10, 100, 1000)]
    assert widths == sorted(widths, reverse=True)
    assert widths[0] == math.inf


def test_rounds_and_matches_that_do_not_fit_are_refused_with_the_numbers() -> None:
    """A tournament that cannot be played to its end does not begin (T57)."""
    (problem,) = check(replace(SWISS, format=Swiss(9), entry=Entry(entrants=8)))
    assert (problem.path, "9 rounds" in problem.message) == ("format.rounds", True)
    assert check(replace(SWISS, format=Swiss(7), entry=Entry(entrants=8))) == ()
    assert check(replace(SWISS, format=Swiss(9), entry=Entry(entrants=9))) == ()
    robin = replace(SWISS, format=RoundRobin(10, 3), entry=Entry(entrants=101), starts_ms=0)
    (problem,) = check(replace(robin, ends_ms=HOUR // 300))
    assert problem.path == "ends_ms"
    assert "6000 matches" in problem.message
    assert check(replace(robin, ends_ms=HOUR)) == ()


@pytest.mark.parametrize(
    ("format_", "seats", "entrants", "path"),
    [
        (RoundRobin(100, 10_000), (2,), 0, "format.blocks_per_pairing"),
        (RoundRobin(100, 10_000), (2,), 1000, "format.blocks_per_pairing"),
        (RoundRobin(), (2,), 633, "entry.entrants"),
        (RoundRobin(), (2,), 632, None),
        (RoundRobin(), (4,), 501, "entry.entrants"),
        (RoundRobin(), (4,), 500, None),
        (RoundRobin(10), (3, 4), 500, "entry.entrants"),
        (RoundRobin(10_000 // 100, 66), (3,), 12, None),
        (Gauntlet(("a", "b"), 10_000), (2,), 13, "entry.entrants"),
        (Gauntlet(("a", "b"), 10_000), (2,), 12, None),
        (Swiss(100, 10_000), (2,), 0, "format.blocks_per_pairing"),
        (Swiss(), (2,), 1001, "entry.entrants"),
        (Swiss(), (2,), 1000, None),
        (Knockout(10_000, 10_000), (2,), 12, "entry.entrants"),
        (Knockout(10_000, 10_000), (2,), 11, None),
    ],
)
def test_a_plan_that_is_too_large_is_refused(
    format_: Format, seats: tuple[int, ...], entrants: int, path: str | None
) -> None:
    """Before anybody enters: else it would stop the server when it begins."""
    specification = replace(SWISS, format=format_, seats=seats, entry=Entry(entrants=entrants))
    assert paths(check(specification)) == ([] if path is None else [path])


def test_more_than_a_plan_can_hold_are_not_invited() -> None:
    invited = tuple(f"b{number}" for number in range(1001))
    (problem,) = check(replace(SWISS, entry=Entry(invited=invited)))
    assert problem == Problem(
        "entry.invited", "must be at most 1000, not 1001: the plan would be too large"
    )
    assert check(replace(SWISS, entry=Entry(invited=invited, entrants=8))) == ()
    assert check(replace(LADDER, entry=Entry(entrants=10_000))) == ()


@pytest.mark.parametrize(
    ("seats", "control", "is_short"),
    [
        ((2,), TimeControl(move_ms=5000, match_ms=60_000), True),
        ((2,), TimeControl(move_ms=400, match_ms=60_000), False),
        ((4, 2), TimeControl(move_ms=400, match_ms=60_000), True),
        ((2,), TimeControl(match_ms=1_499_999), True),
        ((2,), TimeControl(match_ms=1_500_000), False),
        ((2,), TimeControl(move_ms=600_000), True),
        ((2,), TimeControl(move_ms=90_000), False),
        ((2,), TimeControl(move_ms=90_000, increment_ms=10_000), True),
        ((2,), TimeControl(move_ms=90_000, bank_ms=600_000), True),
        ((4,), TimeControl(), False),
    ],
    ids=str,
)
def test_a_match_must_be_able_to_end_by_play(
    seats: tuple[int, ...], control: TimeControl, *, is_short: bool
) -> None:
    """If all use all their time, its ceiling is not what ends it: who leads would lose what it has."""
    cup = replace(LADDER, seats=seats, time_control=control)
    assert paths(check(cup)) == (["time_control.match_ms"] if is_short else [])


def test_what_the_server_does_by_itself_is_known() -> None:
    assert (DEFAULTS.move_ms, DEFAULTS.match_ms) == (validation.MOVE_MS, validation.MATCH_MS)


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"starts_ms": 10**22}, "starts_ms"),
        ({"ends_ms": 2**63 - 1}, "ends_ms"),
        ({"entry": {"closes_ms": 10**22}}, "entry.closes_ms"),
        (
            {"format": {"kind": "ladder", "stopping": {"minutes": 10**19}}},
            "format.stopping.minutes",
        ),
        (
            {"format": {"kind": "ladder", "stopping": {"blocks_per_bot": 10**14}}},
            "format.stopping.blocks_per_bot",
        ),
        ({"rulesets": 10**5000}, "rulesets"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_numbers_have_bounds(fields: dict[str, object], path: str) -> None:
    """Beyond them nothing could be sent, or told as a date; and no value makes reading fail."""
    document = {"name": "open", "format": {"kind": "ladder"}, **fields}
    assert paths(read(document).problems) == [path]


def test_what_is_nested_is_told_in_short() -> None:
    """However deep or long it is."""
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    problems = read({"name": "a" * 10_000, "format": deep, "seats": "b" * 10_000}).problems
    assert all(len(problem.message) < 200 for problem in problems)
    assert {"format.kind", "seats"} <= set(paths(problems))


def test_many_names_are_looked_through_once() -> None:
    """If a list is as long as it may be, and beyond, finding those that are in it twice takes no time."""
    names = tuple(f"b{number}" for number in range(100_000))
    cup = replace(LADDER, entry=Entry(invited=(*names, names[7])))
    assert paths(check(cup)) == ["entry.invited[100000]"]


@pytest.mark.parametrize(
    "kind", [*KINDS.values(), Stopping, Anchor, Entry, TimeControl, Specification]
)
def test_what_organizers_read_has_every_field(kind: type) -> None:
    """Nobody should have to guess how a table of the file is written."""
    page = (Path(__file__).parents[2] / "docs" / "organizing.md").read_text(encoding="utf-8")
    assert [each.name for each in fields(kind) if f"`{each.name}" not in page] == []
