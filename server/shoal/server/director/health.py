"""What matches and trials say of a bot's health, and what becomes of its membership. Pure."""

from dataclasses import replace
from typing import Final

from shoal.match.model import LeaveReason, Termination
from shoal.match.outcome import RATED
from shoal.server.director.result import Finished
from shoal.server.director.settings import Settings
from shoal.server.store.competition_nouns import Note
from shoal.server.store.keys import time_of
from shoal.server.store.memberships import Change, Fault, Membership, Stage

WORDS: Final = {
    LeaveReason.NO_SHOW: "it did not say that it was ready in time",
    LeaveReason.STRIKES: "it was silent too often",
    LeaveReason.ABANDONED: "it was silent, and not connected in the end",
    LeaveReason.ILLEGAL: "it gave too many answers that were no options",
}
"""The ways to leave a match that are faults: a bot that resigns can play."""

_REFUSED: Final = "it gave up before the match had begun"
"""What a bot did that resigned from a match that was not played: else it could choose its seat."""

WINDOW: Final = 10
"""Of how many of its latest matches the faults of a bot count, or of as many as are needed to pause it."""


def is_paired(membership: Membership | None) -> bool:
    """Tell whether a bot that has entered is paired."""
    return membership is None or membership.stage is Stage.ACTIVE


def is_unreadable(membership: Membership | None) -> bool:
    """Tell whether nothing is known of a bot that has entered, so that nothing can become of it."""
    return membership is not None and membership.stage is Stage.UNREADABLE


def after_match(
    before: Membership | None,
    match: Finished,
    bot: str,
    *,
    most_faults: int,
    now_ms: int,
    settings: Settings,
) -> Membership | None:
    """Return what a match of the ladder changes, None for nothing.

    Faults are forgotten one by one, as matches come after them: if a match that is played to its end made
    good for all before it, a bot could stay away from every other match, and so choose its seat. Nor does a
    trial before which there was no pause: else who leaves and joins, or comes with another version, would
    begin anew. So matches count that end while it is on trial: when they began it was paired.

    One that began before the last fault was noted is part of the same trouble: what a bot's machine does to
    all its matches at once counts once.
    """
    known = before or Membership(Stage.ACTIVE, now_ms)
    if known.stage is Stage.PAUSED:
        return None
    what = _fault(match, bot)
    if what is None and (match.termination not in RATED or not known.faults):
        return None
    if what is not None and known.faults and time_of(match.match_id) < known.faults[-1].at_ms:
        return None
    window = max(WINDOW, most_faults)
    older = (replace(each, since=each.since + 1) for each in known.faults)
    faults = tuple(each for each in older if each.since < window)
    if what is not None:
        faults = (*faults, Fault(match.match_id, what, now_ms))
    if what is None or len(faults) < most_faults:
        return replace(known, faults=faults)
    said = "; ".join(f"in match {each.match_id} {each.what}" for each in faults)
    of = faults[0].since + 1
    return replace(
        _without_trial(known),
        stage=Stage.PAUSED,
        since_ms=now_ms,
        why=f"paused after {len(faults)} of its last {of} matches went wrong by it: {said}",
        faults=faults,
        failed=0,
        tried_ms=now_ms,
        due_ms=now_ms + _wait_ms(0, settings),
    )


def after_trial(
    before: Membership, match: Finished, bot: str, now_ms: int, settings: Settings
) -> Membership:
    """Return what a trial has made of a bot that sat there.

    One that comes back from a pause begins without faults; one that joined or has another version keeps them.
    """
    over = replace(_without_trial(before), tried_ms=now_ms)
    left = _left(match, bot)
    if left is LeaveReason.NONE and match.termination in RATED:
        faults = () if before.stage is Stage.PAUSED else before.faults
        return replace(
            over, stage=Stage.ACTIVE, since_ms=now_ms, why="", failed=0, due_ms=0, faults=faults
        )
    if left is LeaveReason.NONE:
        return replace(over, due_ms=now_ms)  # it was not its fault: it tries again
    what = WORDS.get(left, "it resigned")
    return _failed(
        over, f"it did not finish its trial, match {match.match_id}: {what}", now_ms, settings
    )


def cannot_play(before: Membership, why: str, now_ms: int, settings: Settings) -> Membership:
    """Return the membership of a bot that offers nothing that the ladder plays."""
    return _failed(replace(before, tried_ms=now_ms), why, now_ms, settings)


def asked_again(before: Membership, now_ms: int) -> Membership:
    """Return the membership of a paused bot that is entered again: its trial need not wait long."""
    soon = max(now_ms, before.tried_ms + round(1000 * Settings().first_retrial))
    return replace(before, due_ms=min(before.due_ms, soon))


def line_of(bot: str, before: Membership | None, after: Membership, now_ms: int) -> Note | None:
    """Return the line for the audit list of what becomes of a membership, None if it says nothing new."""
    if before is not None and after.stage is before.stage and after.failed == before.failed:
        return None
    return Note(now_ms, "director", after.stage.value, f"{bot} {after.why}".strip())


def tried_again(bot: str, before: Membership | None, now_ms: int) -> Change:
    """Return what becomes of the membership of a bot that has come with a new release: it is on trial.

    One that waits for its next trial goes on waiting, and one that was at a trial waits as if it had failed:
    else a bot that never plays would be at a trial all the time, by another version for each.
    """
    if before is None:
        after = Membership(Stage.TRIAL, now_ms)
    elif before.stage is Stage.ACTIVE:
        after = replace(before, stage=Stage.TRIAL, since_ms=now_ms)
    else:
        due_ms = before.due_ms
        if before.match_id:
            due_ms = max(due_ms, now_ms + _wait_ms(before.failed, Settings()))
        after = replace(_without_trial(before), due_ms=due_ms)
    return Change(before, after, line_of(bot, before, after, now_ms))


def _failed(before: Membership, why: str, now_ms: int, settings: Settings) -> Membership:
    was_paused = before.faults and before.stage is Stage.PAUSED
    paused_by = f"{before.why.partition(RETRIED)[0]}{RETRIED}" if was_paused else ""
    return replace(
        before,
        stage=Stage.PAUSED,
        since_ms=before.since_ms if before.stage is Stage.PAUSED else now_ms,
        why=f"{paused_by}{why}",
        failed=before.failed + 1,
        due_ms=now_ms + _wait_ms(before.failed, settings),
    )


RETRIED: Final = "; tried again: "
"""Between why a bot was paused, and why it still is."""


def _without_trial(membership: Membership) -> Membership:
    """Return a membership without the trial in play: nothing follows from that any more."""
    return replace(membership, match_id="", bots=(), ruleset="")


def _wait_ms(failed: int, settings: Settings) -> int:
    doubled = settings.first_retrial * float(2 ** min(failed, 20))
    return round(1000 * min(doubled, settings.last_retrial))


def _fault(match: Finished, bot: str) -> str | None:
    """Return what went wrong in a match by a bot, None if nothing did."""
    left = _left(match, bot)
    if left is LeaveReason.RESIGNED and match.termination is Termination.NO_SHOW:
        return _REFUSED
    return WORDS.get(left)


def _left(match: Finished, bot: str) -> LeaveReason:
    return match.left[match.bots.index(bot)]
