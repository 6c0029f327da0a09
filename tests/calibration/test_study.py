"""The study of the ratings, on a small scale: docs/ratings.md has the figures of a large one."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from shoal.competition.pool import Candidate, Terms
from shoal.rating import Row, Table
from shoal.server.calibration.cost import cost
from shoal.server.calibration.judging import figures, lines
from shoal.server.calibration.ladders import played
from shoal.server.calibration.lots import by_lot
from shoal.server.calibration.report import report
from shoal.server.calibration.study import Judged, Pairing, Study
from shoal.server.simulation.outcomes import ModelOutcomes
from shoal.server.simulation.plan import Source

SMALL = Study(kinds=((2,),), ladders=8, bots=10, blocks=12, rated_blocks=0)


def silent(_text: str) -> None:
    pass


def row(bot: str, rating: int, interval: int, matches: int = 10) -> Row:
    return Row(
        rank=1,
        bot_id=bot,
        rating=rating,
        interval=interval,
        blocks=matches // 2,
        matches=matches,
        wins=0,
        placement_sum=0,
        group=1,
        anchored=False,
        provisional=interval > 100,
    )


def test_the_zero_of_the_truth_is_that_of_the_table() -> None:
    """Both are the average seat: what all are off by is no error where nobody is anchored."""
    rows = (row("a", 1600, 30), row("b", 1400, 120, matches=30))
    a, b = lines(Judged(Table(rows), {"a": 1900.0, "b": 1740.0}))
    assert (a.off, b.off) == (pytest.approx(30.0), pytest.approx(-10.0))
    assert (a.away, b.away) == (pytest.approx(120.0), pytest.approx(-40.0))
    assert (a.provisional, b.provisional) == (False, True)


def test_figures_say_what_lines_are() -> None:
    rows = (row("a", 1600, 30), row("b", 1500, 30), row("c", 1400, 120))
    off = lines(Judged(Table(rows), {"a": 1550.0, "b": 1500.0, "c": 1450.0}))
    found: Any = figures([off, off])
    assert found["intervals"] == 6
    assert found["coverage"] == pytest.approx(2 / 3, abs=1e-4)
    assert found["settled"] == 0.5
    assert found["stretch"] == {"mean": 1.0, "error": 0.0}
    assert (found["strong"]["mean"], found["weak"]["mean"]) == (50.0, -50.0)


def test_tables_by_lot_have_the_sizes_and_owners_that_they_may() -> None:
    pool = [
        Candidate(f"b{number}", 2, frozenset({"base"}), frozenset({2, 4}), owner=f"o{number % 5}")
        for number in range(12)
    ]
    owner = {who.bot_id: who.owner for who in pool}
    seen: dict[str, int] = {}
    tables = by_lot(pool, Terms(sizes=(2, 4)), seed=3)
    assert (
        tables == by_lot(pool, Terms(sizes=(2, 4)), seed=3) != by_lot(pool, Terms(sizes=(2, 4)), 4)
    )
    for table in tables:
        assert len({owner[bot] for bot in table.bots}) == len(table.bots) in {2, 4}
        for bot in table.bots:
            seen[bot] = seen.get(bot, 0) + 1
    assert max(seen.values()) == 2
    assert sum(seen.values()) >= 20


def test_a_ladder_of_a_study_is_the_same_when_it_is_played_again() -> None:
    one, again = (played(SMALL, (2, 3), Pairing.LADDER, 1, ModelOutcomes()) for _ in range(2))
    assert one == again != played(SMALL, (2, 3), Pairing.LADDER, 2, ModelOutcomes())
    assert {len(block.matches[0].bots) for block in one.blocks} == {2, 3}
    assert len(one.truth) == SMALL.bots


@pytest.mark.parametrize("outcomes", [Source.MODEL, Source.ENGINE], ids=["model", "engine"])
def test_in_a_study_intervals_hold_the_truth_and_pairing_bends_nothing(outcomes: Source) -> None:
    """With the scheduler that looks for information, and by lot (T55, T65)."""
    study = replace(SMALL, outcomes=outcomes, real_matches=96)
    found: Any = report(study, silent)["2"]
    assert isinstance(found, Mapping)
    for pairing in ("ladder", "random"):
        whole = found[pairing]["12 blocks"]
        assert whole["intervals"] >= 70
        assert whole["coverage"] >= 0.875
        assert whole["median_interval"] < 300  # one that says nothing holds every truth
        assert 0.6 < whole["dispersion"] < 1.4
        assert ("adjusted" in whole) == (outcomes is Source.ENGINE)
        if outcomes is Source.ENGINE:
            assert whole["adjusted"]["coverage"] >= 0.875
            assert whole["adjusted"]["median_interval"] < whole["median_interval"]
    one, other = (found[pairing]["12 blocks"]["stretch"] for pairing in ("ladder", "random"))
    allowed = 4 * (one["error"] ** 2 + other["error"] ** 2) ** 0.5
    assert abs(one["mean"] - other["mean"]) < allowed


def test_the_cost_is_measured() -> None:
    """A hundredth of what is asked for takes less than that does."""
    found: Any = cost(50, 1000, seed=1)
    assert (found["bots"], found["blocks"]) == (50, 1000)
    assert found["cpu_s"] < 10
    assert found["peak_mib"] < 2048
