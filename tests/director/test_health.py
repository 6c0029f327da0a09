"""What a bot's matches make of its membership of a ladder."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

import pytest

from shoal.competition.plan import Entrant
from shoal.match.model import LeaveReason, Termination, VoidReason
from shoal.server.director import MAIN
from shoal.server.director.health import after_match, after_trial, tried_again
from shoal.server.director.result import Finished
from shoal.server.director.settings import Settings
from shoal.server.joining import joined
from shoal.server.store.memberships import Membership, Stage

End: TypeAlias = tuple[LeaveReason, Termination]

WELL: End = (LeaveReason.NONE, Termination.TARGET)
NO_SHOW: End = (LeaveReason.NO_SHOW, Termination.NO_SHOW)
REFUSED: End = (LeaveReason.RESIGNED, Termination.NO_SHOW)
RESIGNED: End = (LeaveReason.RESIGNED, Termination.LAST_SEAT)
OTHER_AWAY: End = (LeaveReason.NONE, Termination.NO_SHOW)


def began_ms(number: int) -> int:
    """When a bot's so manyth match began; it takes a second."""
    return 60_000 * number


def ended(number: int, end: End) -> Finished:
    """A bot's so manyth match, which ended so."""
    left, termination = end
    return Finished(
        match_id=f"00{began_ms(number):012x}{number:016x}",
        competition="main",
        rated=True,
        bots=("bot", "other"),
        placements=(1, 2),
        termination=termination,
        left=(left, LeaveReason.NONE),
        void=VoidReason.NONE,
        payload=b"",
    )


def after(
    known: Membership | None, number: int, end: End, most_faults: int = 3
) -> Membership | None:
    """The membership of a bot after its so manyth match."""
    now_ms = began_ms(number) + 1000
    changed = after_match(
        *(known, ended(number, end), "bot"),
        most_faults=most_faults,
        now_ms=now_ms,
        settings=Settings(),
    )
    return changed or known


def tried(known: Membership, number: int, end: End = WELL) -> Membership:
    """The membership of a bot after a trial."""
    now_ms = began_ms(number) + 1000
    return after_trial(known, ended(number, end), "bot", now_ms, Settings())


def paused_after(*ends: End, most_faults: int = 3) -> tuple[int, str]:
    """Let matches of a bot end so, one after the other; return after how many it is paused, and why."""
    known: Membership | None = None
    for number, end in enumerate(ends, 1):
        known = after(known, number, end, most_faults)
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
    assert tried_again("bot", before, 2000).after == before


@pytest.mark.parametrize("failed", [0, 1])
def test_another_version_in_the_middle_of_a_trial_brings_no_other_at_once(failed: int) -> None:
    """The trial was that of the version before, and the next one waits as after one that it failed."""
    before = Membership(Stage.TRIAL, 1, match_id="trial", bots=("bot", "other"), failed=failed)
    then = tried_again("bot", before, 2000).after
    assert (then.match_id, then.bots, then.failed) == ("", (), failed)
    assert then.due_ms == 2000 + 30_000 * 2**failed


def test_another_version_of_who_is_paired_is_on_trial_at_once() -> None:
    then = tried_again("bot", Membership(Stage.ACTIVE, 1), 2000).after
    assert (then.stage, then.due_ms) == (Stage.TRIAL, 0)


def left_and_joined(known: Membership) -> Membership:
    there = joined(MAIN.format, known, Entrant("bot", "owner"), has_entered=False)
    assert there is not None
    return there


def come_anew(known: Membership) -> Membership:
    return tried_again("bot", known, known.since_ms + 1).after


@pytest.mark.parametrize("start_anew", [left_and_joined, come_anew], ids=["joined", "version"])
def test_a_trial_makes_good_for_no_fault(start_anew: Callable[[Membership], Membership]) -> None:
    """If a bot that has missed two leaves and joins, or has another version, the next pauses it (T61)."""
    known = after(after(None, 1, NO_SHOW), 2, NO_SHOW)
    assert known is not None
    known = start_anew(known)
    assert (known.stage, len(known.faults)) == (Stage.TRIAL, 2)
    known = tried(known, 3)
    assert (known.stage, len(known.faults)) == (Stage.ACTIVE, 2)
    known = after(known, 4, NO_SHOW)
    assert known is not None
    assert (known.stage, len(known.faults)) == (Stage.PAUSED, 3)


def test_a_match_counts_that_ends_while_its_bot_is_on_trial() -> None:
    """When it began the bot was paired. Where it pauses it nothing follows from the trial in play."""
    known = after(after(None, 1, NO_SHOW), 2, NO_SHOW)
    assert known is not None
    known = replace(left_and_joined(known), match_id="trial", bots=("bot", "other"), ruleset="base")
    aged = after(known, 3, WELL)
    assert aged is not None
    assert [(each.since, aged.match_id) for each in aged.faults] == [(2, "trial"), (1, "trial")]
    paused = after(known, 3, NO_SHOW)
    assert paused is not None
    assert (paused.stage, paused.match_id, paused.bots) == (Stage.PAUSED, "", ())
    assert paused.due_ms == began_ms(3) + 1000 + 30_000


def test_who_has_served_a_pause_begins_without_faults() -> None:
    """Whoever failed its trial as well was paused too, and the first reason is said first."""
    known = after(after(None, 1, NO_SHOW), 2, NO_SHOW, most_faults=2)
    assert known is not None
    failed = tried(known, 3, RESIGNED)
    assert failed.why.startswith("paused after 2 of its last 2 matches went wrong by it: ")
    last = ended(3, WELL).match_id
    assert failed.why.endswith(
        f"; tried again: it did not finish its trial, match {last}: it resigned"
    )
    assert tried(failed, 4).faults == tried(known, 4).faults == ()
    one = after(None, 1, NO_SHOW)
    assert one is not None
    failed = tried(left_and_joined(one), 2, RESIGNED)
    assert failed.why.startswith("it did not finish its trial, ")
    assert tried(failed, 3).faults == ()
