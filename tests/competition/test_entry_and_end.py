"""Who may enter, and when a ladder is over."""

from dataclasses import replace

import pytest

from shoal.competition.entry import Refusal, Refused, refused
from shoal.competition.plan import Entrant
from shoal.competition.specification import (
    Entry,
    Ladder,
    RoundRobin,
    Specification,
    Stopping,
    Swiss,
)
from shoal.competition.stopping import Known, Stop, stopped

CUP = Specification("cup", Swiss(3), starts_ms=1000)
ANN = Entrant("a", "ann")


@pytest.mark.parametrize(
    ("entry", "now", "said"),
    [
        (Entry(), 0, None),
        (Entry(), 1000, Refused(Refusal.STARTED, 1000)),
        (Entry(opens_ms=10), 9, Refused(Refusal.NOT_OPEN_YET, 10)),
        (Entry(opens_ms=10, closes_ms=20), 10, None),
        (Entry(closes_ms=20), 20, Refused(Refusal.CLOSED, 20)),
        (Entry(invited=("b", "c")), 0, Refused(Refusal.NOT_INVITED)),
        (Entry(invited=("a", "c")), 0, None),
        (Entry(bots_per_owner=1), 0, Refused(Refusal.OWNER_FULL, 1)),
        (Entry(bots_per_owner=2), 0, None),
        (Entry(entrants=2), 0, Refused(Refusal.FULL, 2)),
        (Entry(entrants=3), 0, None),
    ],
)
def test_who_may_enter(entry: Entry, now: int, said: Refused | None) -> None:
    """With two in it, one of them of the same owner, and a third that has left."""
    there = [Entrant("x", "ann"), Entrant("y", "bob"), Entrant("z", "ann", gone_from=0)]
    assert refused(replace(CUP, entry=entry), there, ANN, now) == said


def test_a_ladder_may_be_entered_while_it_runs_and_again_after_leaving() -> None:
    ladder = replace(CUP, format=Ladder())
    assert refused(ladder, [], ANN, 5000) is None
    assert refused(ladder, [ANN], ANN, 5000) == Refused(Refusal.ENTERED)
    assert refused(ladder, [replace(ANN, gone_from=0)], ANN, 5000) is None


def test_a_tournament_is_full_when_its_plan_would_be_too_large() -> None:
    """Where nobody has said how many may enter: by 200,000 blocks."""
    robin = replace(CUP, format=RoundRobin(blocks_per_pairing=10_000))
    field = [Entrant(f"b{number}") for number in range(6)]
    assert refused(robin, field[:5], ANN, 0) is None
    assert refused(robin, field, ANN, 0) == Refused(Refusal.FULL, 6)
    assert refused(replace(robin, format=Ladder()), field * 1000, ANN, 0) is None


def test_baselines_are_no_owners_bots() -> None:
    specification = replace(CUP, entry=Entry(bots_per_owner=1))
    assert refused(specification, [Entrant("x")], Entrant("y"), 0) is None


BOTS = (Known(10, 30.0), Known(12, 25.0))


@pytest.mark.parametrize(
    ("rule", "bots", "said"),
    [
        (Stopping(), BOTS, None),
        (Stopping(blocks_per_bot=10), BOTS, Stop.BLOCKS),
        (Stopping(blocks_per_bot=11), BOTS, None),
        (Stopping(interval=30.0), BOTS, Stop.INTERVAL),
        (Stopping(interval=29.0), BOTS, None),
        (Stopping(minutes=5), BOTS, Stop.TIME),
        (Stopping(minutes=6), BOTS, None),
        (Stopping(minutes=6, interval=40.0, blocks_per_bot=99), BOTS, Stop.INTERVAL),
        (Stopping(blocks_per_bot=1, interval=99.0), (), None),
    ],
)
def test_a_ladder_is_over_with_the_first_that_is_reached(
    rule: Stopping, bots: tuple[Known, ...], said: Stop | None
) -> None:
    assert stopped(rule, bots, run_ms=5 * 60_000) == said
