"""The comparison: journals against matches, the ladder against both, and what is left behind."""

import asyncio
import time
from collections.abc import Iterator
from typing import Final

from shoal.client import Client, ShoalError, pb
from shoal.match import EntryKind
from shoal.server.chaos.clock_checks import check_clock
from shoal.server.chaos.crowd import LADDER, Crowd
from shoal.server.chaos.ending_checks import check_ending, check_ladder
from shoal.server.chaos.evidence import Case, Witness
from shoal.server.chaos.findings import BAD, Finding
from shoal.server.chaos.free_time_checks import check_free_time
from shoal.server.chaos.journal import Answer
from shoal.server.chaos.leak_checks import check_footprint, check_keys
from shoal.server.chaos.lost_moves import LostMoves
from shoal.server.chaos.move_checks import check_log, check_moves, check_tally
from shoal.server.chaos.stack import Stack
from shoal.server.chaos.timeline import Timeline

LEAK_SECONDS: Final = 17.0
"""How long what passes by itself may take to do so: a claim to a stream holds for 15 s."""

COUNT_SECONDS: Final = 10.0
"""How long the director may take to count the last results."""

STORE_SECONDS: Final = 30.0
"""How long a store may be away after all faults: on a starved machine a master is replaced by itself."""

LOOK_SECONDS: Final = 0.5


async def findings_of(
    stack: Stack, crowd: Crowd, witness: Witness, cases: list[Case], timeline: Timeline
) -> list[Finding]:
    """Return all that is found; who has found something already does not wait for what comes late."""
    lost = LostMoves(cases, timeline, (member.journal for member in crowd.members))
    findings = [*_compare(cases, crowd, timeline, lost)]
    async with Client(stack.address) as client:
        patience = 0 if _failed(findings) else COUNT_SECONDS
        findings += await counted(client, cases, patience)
    patience = 0 if _failed(findings) else LEAK_SECONDS
    findings += await _left_behind(stack, witness, lost, patience)
    return findings


def _failed(findings: list[Finding]) -> bool:
    """Tell whether anything was found that must not be."""
    return any(each.kind in BAD for each in findings)


def _compare(
    cases: list[Case], crowd: Crowd, timeline: Timeline, lost: LostMoves
) -> Iterator[Finding]:
    """Hold all journals against all matches."""
    journals = {member.journal.bot_id: member.journal for member in crowd.members}
    by_match: dict[str, dict[str, list[Answer]]] = {}
    for bot_id, journal in journals.items():
        for answer in journal.answers.values():
            by_match.setdefault(answer.match_id, {}).setdefault(bot_id, []).append(answer)
    known = {case.match_id: case for case in cases}
    begun = {match_id for journal in journals.values() for match_id in journal.begun}
    for match_id in begun - known.keys():
        yield from lost.gone(match_id, journals.values())
    for taken in timeline.accepted:
        yield Finding("contradicted", taken)
    for member in crowd.members:
        if member.tally is not None:
            bot_id = member.journal.bot_id
            made = sum(
                line.kind == EntryKind.MOVE and case.seats[line.seat] == bot_id
                for case in cases
                for line in case.lines
            )
            unshown = lost.unshown(known, member.journal.answers.values())
            yield from check_tally(member.name, member.tally, made, unshown)
    for case in cases:
        mine = by_match.get(case.match_id, {})
        for bot_id, answers in mine.items():
            kept, excused = lost.kept(case, answers)
            yield from excused
            yield from check_moves(case, journals[bot_id], kept)
        every = [answer for answers in mine.values() for answer in answers]
        said = {(each.decision.decision_id, option) for each in every for option in each.said}
        yield from check_log(case, said)
        decisions = {each.decision.decision_id: each for each in every}
        yield from check_clock(case, journals, decisions, timeline)
        yield from check_free_time(case, journals, decisions, timeline)
        yield from check_ending(case, journals, timeline, lost)


async def counted(client: Client, cases: list[Case], patience: float) -> list[Finding]:
    """Compare the ladder with the matches, once the director has had time to count."""
    until = time.monotonic() + patience
    while True:
        found = [*check_ladder(cases, await _standings(client))]
        if not _failed(found) or time.monotonic() > until:
            return found
        await asyncio.sleep(LOOK_SECONDS)


async def _standings(client: Client) -> list[pb.Standing]:
    """Return the standings as soon as the store can tell them; raise ShoalError when it still cannot."""
    until = time.monotonic() + STORE_SECONDS
    while True:
        try:
            return await client.standings(LADDER)
        except ShoalError as error:
            if not error.transient or time.monotonic() > until:
                raise
        await asyncio.sleep(LOOK_SECONDS)


async def _left_behind(
    stack: Stack, witness: Witness, lost: LostMoves, patience: float
) -> list[Finding]:
    """Look for leaks until there are none, excused or not, or time is up."""
    until = time.monotonic() + patience
    while True:
        found = [*check_keys(await witness.lasting_keys())]
        for at, leak in enumerate(found):
            matches = await witness.matches_in(leak.what)
            if matches and all(map(lost.vanished, matches)):
                found[at] = Finding("lost_by_failover", leak.what)
        for process in stack.processes:
            found += check_footprint(process)
        if not found or time.monotonic() > until:
            return found
        await asyncio.sleep(LOOK_SECONDS)
