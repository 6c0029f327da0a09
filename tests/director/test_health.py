"""What a bot's matches make of its membership of a ladder."""

from typing import TypeAlias

import pytest

from shoal.match.model import LeaveReason, Termination, VoidReason
from shoal.server.director.health import after_match, tried_again
from shoal.server.director.result import Finished
from shoal.server.director.settings import Settings
from shoal.server.store.memberships import Membership, Stage

End: TypeAlias = tuple[LeaveReason, Termination]

WELL: End = (LeaveReason.NONE, Termination.TARGET)
NO_SHOW: End = (LeaveReason.NO_SHOW, Termination.NO_SHOW)
REFUSED: End = (LeaveReason.RESIGNED, Termination.NO_SHOW)
RESIGNED: End = (LeaveReason.RESIGNED, Termination.LAST_SEAT)
OTHER_AWAY: End = (LeaveReason.NONE, Termination.NO_SHOW)


def paused_after(*ends: End, most_faults: int = 3) -> tuple[int, str]:
    """Let matches of a bot end so, one after the other; return after how many it is paused, and why."""
    known: Membership | None = None
    for number, (left, termination) in enumerate(ends, 1):
        began_ms = 60_000 * number
        match = Finished(
            match_id=f"00{began_ms:012x}{number:016x}",
            competition="main",
            rated=True,
            bots=("bot", "other"),
            placements=(1, 2),
            termination=termination,
            left=(left, LeaveReason.NONE),
            void=VoidReason.NONE,
            payload=b"",
        )
        known = (
            after_match(
                known,
                match,
                "bot",
                most_faults=most_faults,
                now_ms=began_ms + 1000,
                settings=Settings(),
            )
            or known
        )
        if known is not None and known.stage is Stage.PAUSED:
            return number, known.why
    return 0, ""


@pytest.mark.parametrize("fault", [NO_SHOW, REFUSED], ids=["no_show", "refused"])
def test_who_plays_in_one_seat_only_is_paused(fault: End) -> None:
    """If a bot does not come, or gives up at once, when it is seated second, it is paused (T61)."""
    number, why = paused_after(*[WELL, fault] * 20)
    assert number == 6
    assert why.startswith("paused after 3 of its last 5 matches went wrong by it: in match ")


def test_a_fault_is_forgotten_after_ten_matches() -> None:
    """Two in ten are borne for ever; three in ten are too many."""
    assert paused_after(*[NO_SHOW, *[WELL] * 4] * 10) == (0, "")
    assert paused_after(NO_SHOW, *[WELL] * 4, NO_SHOW, *[WELL] * 3, NO_SHOW)[0] == 10
    assert paused_after(NO_SHOW, *[WELL] * 4, NO_SHOW, *[WELL] * 4, NO_SHOW)[0] == 0


def test_what_is_nobodys_fault_ages_nothing() -> None:
    """If others do not come, that is neither a fault nor a match that is played."""
    assert paused_after(NO_SHOW, *[OTHER_AWAY] * 20, NO_SHOW, NO_SHOW)[0] == 23
    assert paused_after(*[RESIGNED] * 20)[0] == 0


def test_more_faults_than_ten_are_counted_of_as_many_matches() -> None:
    """If a ladder pauses after more than ten faults, they must be in a row."""
    assert paused_after(*[NO_SHOW] * 12, most_faults=12)[0] == 12
    assert paused_after(*[NO_SHOW] * 11, WELL, *[NO_SHOW] * 11, most_faults=12)[0] == 0


def test_another_version_ends_no_wait_for_the_next_trial() -> None:
    """Who has failed trials waits as long, and counts as who has failed, under whatever version it comes."""
    before = Membership(Stage.PAUSED, 1, why="paused", failed=10, tried_ms=1000, due_ms=3_601_000)
    after = tried_again("bot", before, 2000).after
    assert after == before


@pytest.mark.parametrize("failed", [0, 1])
def test_another_version_in_the_middle_of_a_trial_brings_no_other_at_once(failed: int) -> None:
    """The trial was that of the version before, and the next one waits as after one that it failed."""
    before = Membership(Stage.TRIAL, 1, match_id="trial", bots=("bot", "other"), failed=failed)
    after = tried_again("bot", before, 2000).after
    assert (after.match_id, after.bots, after.failed) == ("", (), failed)
    assert after.due_ms == 2000 + 30_000 * 2**failed


def test_another_version_of_who_is_paired_is_on_trial_at_once() -> None:
    after = tried_again("bot", Membership(Stage.ACTIVE, 1), 2000).after
    assert (after.stage, after.due_ms) == (Stage.TRIAL, 0)
