"""Endings: each match has one of docs/design.md, its seats were told, and the ladder counted it once."""

import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from shoal.client import pb
from shoal.match import EntryKind
from shoal.match.step import LONGEST_LOG
from shoal.server.chaos.clock_checks import DEFAULTS, LEEWAY, judge
from shoal.server.chaos.evidence import Case
from shoal.server.chaos.findings import Finding
from shoal.server.chaos.journal import End, Journal, end_of
from shoal.server.chaos.lost_moves import LostMoves
from shoal.server.chaos.timeline import Blame, Timeline
from shoal.server.store.keys import time_of

PLAYED: Final = {
    pb.TERMINATION_TARGET,
    pb.TERMINATION_MERMAIDS,
    pb.TERMINATION_LAST_SEAT,
}
"""Endings that have placements, and count on the ladder."""

LAST_SILENCE: Final = {
    pb.LEAVE_REASON_STRIKES: EntryKind.DEFAULT,
    pb.LEAVE_REASON_ABANDONED: EntryKind.ABANDON,
}
"""What the log has of the last silence of a seat that leaves for it: whether its bot had a stream."""


def termination(case: Case) -> str:
    """Return how a match ended, in one word."""
    if case.record is None:
        return "UNRECORDED" if case.finished else "STUCK"
    result = case.record.match.result
    name = pb.Termination.Name(result.termination).removeprefix("TERMINATION_")
    if result.termination != pb.TERMINATION_VOID:
        return name
    return f"{name} {pb.VoidReason.Name(result.void_reason).removeprefix('VOID_REASON_')}"


def check_ending(
    case: Case, journals: Mapping[str, Journal], timeline: Timeline, lost: LostMoves
) -> Iterator[Finding]:
    """Look at how a match ended, and what its seats were told of it; `lost` excuses what it says."""
    if not case.finished:
        yield Finding("stuck", f"{case.match_id}: at version {len(case.lines)}")
        return
    if case.record is None:
        return
    result = case.record.match.result
    resigned = {seat for seat, bot in enumerate(case.seats) if _resigned(journals.get(bot), case)}
    excused = lost.voids(case)
    if not (excused or _is_explained(case, result, resigned)):
        yield Finding("unexplained_endings", f"{case.match_id}: {result}")
    for bot_id, each in zip(case.seats, result.seats, strict=True):
        journal = journals.get(bot_id)
        if journal and journal.resigned.get(case.match_id) and not each.HasField("left"):
            kind = "lost_by_failover" if excused else "lost"
            yield Finding(kind, f"{case.match_id}: {journal.bot} has resigned and is in the game")
    yield from _no_shows(case, journals, timeline)
    yield from _told(case, end_of(result), journals, excused=excused)


def check_ladder(cases: Sequence[Case], standings: Sequence[pb.Standing]) -> Iterator[Finding]:
    """See that every rated result was counted once for each of its bots, as the record has it (T84)."""
    due: dict[str, list[int]] = defaultdict(list)
    for case in cases:
        result = case.record.match.result if case.record is not None else None
        if result is not None and case.rated and result.termination in PLAYED:
            for each in result.seats:
                due[case.seats[each.seat]].append(each.placement)
    lines = {line.bot_id: line for line in standings}
    for bot_id in sorted(due.keys() | lines.keys()):
        line = lines.get(bot_id, pb.Standing(bot_name=f"{bot_id}, without a line"))
        placements = due[bot_id]
        total = round(line.average_placement * line.match_count)
        counted = (line.match_count, line.wins, total)
        played = (len(placements), placements.count(1), sum(placements))
        if counted != played:
            what = f"{line.bot_name}: matches, wins and sum of placements {counted}, not {played}"
            yield Finding("ladder_miscounted", what)


def _told(
    case: Case, end: End, journals: Mapping[str, Journal], *, excused: bool
) -> Iterator[Finding]:
    """See that every seat heard of this end and no other; `excused` is what was told before a failover."""
    for bot_id in case.seats:
        journal = journals.get(bot_id)
        if journal is None or case.match_id not in journal.begun:
            continue
        heard = journal.ends.get(case.match_id, [])
        is_kit = journal.bot.startswith("kit")
        if is_kit and excused and heard and heard[-1].termination in PLAYED:
            # The player of that match is gone: the kit only logs that it is void after all.
            what = f"{case.match_id}: {journal.bot} was told {heard}, and that end is lost"
            yield Finding("lost_by_failover", what)
            continue
        if excused:
            heard = heard[-1:]
        if not heard or set(heard) != {end}:
            yield Finding("untold", f"{case.match_id}: {journal.bot} was told {heard}, it is {end}")
        elif is_kit and len(heard) > 1:
            yield Finding("untold", f"{case.match_id}: {journal.bot} was told {len(heard)} times")


def _resigned(journal: Journal | None, case: Case) -> bool:
    """Tell whether a bot said that it leaves."""
    return journal is not None and case.match_id in journal.resigned


def _is_explained(case: Case, result: pb.MatchResult, resigned: set[int]) -> bool:
    """Tell whether the log bears an ending out, by the table of endings; `resigned` did so."""
    silences = Counter(line.seat for line in case.lines if line.kind in DEFAULTS)
    last = {line.seat: line.kind for line in case.lines if line.kind in DEFAULTS}
    left = {each.seat: each.left for each in result.seats if each.HasField("left")}
    strikes = [seat for seat, why in left.items() if why in LAST_SILENCE]
    gone = [seat for seat, why in left.items() if why == pb.LEAVE_REASON_RESIGNED]
    borne_out = all(
        silences[seat] >= case.max_strikes and last.get(seat) == LAST_SILENCE[left[seat]]
        for seat in strikes
    )
    if not (borne_out and resigned >= {*gone}):
        return False
    match result.termination:
        case pb.TERMINATION_TARGET | pb.TERMINATION_MERMAIDS:
            return len(strikes) + len(gone) == len(left) < len(case.seats) - 1
        case pb.TERMINATION_LAST_SEAT:
            return len(strikes) + len(gone) == len(left) == len(case.seats) - 1
        case pb.TERMINATION_NO_SHOW:
            kinds = [line.kind for line in case.lines]
            return (
                bool(left)
                and set(left.values()) == {pb.LEAVE_REASON_NO_SHOW}
                and (kinds.count(EntryKind.NO_SHOW) == 1 and kinds[-1] == EntryKind.NO_SHOW)
            )
        case pb.TERMINATION_VOID:
            # No fault of this kit lasts as long as would void a match.
            endless = result.void_reason == pb.VOID_REASON_ENDLESS
            return endless and len(case.lines) >= LONGEST_LOG
    return False


def _no_shows(case: Case, journals: Mapping[str, Journal], timeline: Timeline) -> Iterator[Finding]:
    """See that who was not ready in time was kept away by its own network, by the rule for a decision.

    What was given back has made the ready time longer: its own network may have taken any part of that.
    """
    assert case.record is not None
    begin = time.monotonic() - (time.time() - time_of(case.match_id) / 1000)
    ready = case.ready_ms / 1000
    told = [each.told[case.match_id] for each in journals.values() if case.match_id in each.told]
    end = min(told, default=begin + ready + LEEWAY)
    for each in case.record.match.result.seats:
        journal = journals.get(case.seats[each.seat])
        if each.left != pb.LEAVE_REASON_NO_SHOW or journal is None:
            continue
        seconds = timeline.seconds(Blame.NETWORK, journal.bot, begin, end)
        excess = ready - LEEWAY - seconds
        where = f"{case.match_id}: {journal.bot} was not ready"
        if excess > 0:
            what = f"{where} in {end - begin:.3f} s, network {seconds:.3f} s"
            yield judge(what, excess, seconds, (journal.bot, begin, end), timeline, costly=True)
        else:
            yield Finding("charged_to_network", where)
