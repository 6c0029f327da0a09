"""What a simulation found, as plain values: the same as JSON and for the table."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Final, TypeAlias

from shoal.competition.block import Ending
from shoal.competition.rating import interval, shown
from shoal.competition.scale import SCALE
from shoal.server.simulation.figures import coverage, gini, off_by, quantile, spearman
from shoal.server.simulation.ladder import Ladder
from shoal.server.simulation.ledger import Belief
from shoal.server.simulation.member import Member
from shoal.server.simulation.meter import Meter
from shoal.server.simulation.mixing import second_eigenvalue
from shoal.server.simulation.plan import DAY_MS, Plan

Figure: TypeAlias = "Mapping[str, Figure] | Sequence[Figure] | str | int | float | None"

RATED_ENOUGH: Final = 10
"""Rated matches that a bot must have to count in the figures of the end."""


def report(plan: Plan, ladder: Ladder) -> dict[str, Figure]:
    """Return the figures of a run that is settled; docs/competitions.md says what each means."""
    ledger, members = ladder.ledger, ladder.members
    beliefs = [
        Belief(member.rating.mu, member.rating.sigma, ladder.truth(member))
        for member in members
        if member.rated_matches >= RATED_ENOUGH
    ]
    return {
        "coverage": _rounded(coverage(beliefs)) if beliefs else None,
        "rank_correlation": {
            **{
                str(matches): _correlation(some)
                for matches, some in sorted(ledger.beliefs.items())
                if 2 * len(some) >= len(members) and len(some) > 2
            },
            "end": _correlation(beliefs) if len(beliefs) > 2 else None,
        },
        "coverage_after": {
            str(matches): _rounded(coverage(some))
            for matches, some in sorted(ledger.beliefs.items())
            if 2 * len(some) >= len(members) and len(some) > 2
        },
        "off_by_points": _rounded(off_by(beliefs) * SCALE, 1) if beliefs else None,
        "share": _shares(members),
        "longest_wait": _rounded(max(member.longest_wait for member in members), 3),
        "newcomer_wait_s": _rounded(ledger.newcomer_wait_ms / 1000, 3),
        "repeat_rate": _rounded(ledger.repeats / max(1, ledger.meetings)),
        "repeat_rate_by_chance": _rounded(ledger.repeats_by_chance / max(1, ledger.meetings)),
        "second_eigenvalue": _rounded(second_eigenvalue(ledger.met, ledger.bots)),
        "cpu_ms_per_match": _rounded(1000 * ladder.meter.cpu_s / max(1, ledger.started_matches), 4),
        "scheduler": _scheduler(ladder),
        "memory": _memory(ladder.meter),
        "days": _rounded(ladder.now_ms / DAY_MS, 3),
        "blocks": {
            "started": ledger.started_blocks,
            "in_play": len(ladder.in_play),
            **{
                state.value: number
                for state, number in ledger.blocks.items()
                if state.value != "open"
            },
            "unrated": ledger.unrated_blocks,
            "by_size": {str(size): number for size, number in sorted(ledger.by_size.items())},
        },
        "matches": {
            "started": ledger.started_matches,
            "in_play": len(ladder.in_play),
            **{ending.value: ledger.matches[ending] for ending in Ending},
        },
        "plan": _plan(plan),
        "bots": [_bot(member, ladder) for member in members],
    }


def share(member: Member) -> float:
    """Return what part of the time that it could have spent at tables a bot did."""
    could = member.present_ms * member.profile.at_once
    return member.table_ms / could if could else 0.0


def _shares(members: Sequence[Member]) -> dict[str, Figure]:
    """Return how evenly time at tables is shared out, and that slow bots have no other part of it."""
    here = [member for member in members if member.present_ms]
    shares = [share(member) for member in here]
    return {
        "least": _rounded(min(shares, default=0.0)),
        "tenth": _rounded(quantile(shares, 0.1)),
        "median": _rounded(quantile(shares, 0.5)),
        "most": _rounded(max(shares, default=0.0)),
        "gini": _rounded(gini(shares)),
        "slow": _mean([share(member) for member in here if member.profile.slow]),
        "others": _mean([share(member) for member in here if not member.profile.slow]),
    }


def _scheduler(ladder: Ladder) -> dict[str, Figure]:
    meter = ladder.meter
    return {
        "calls": meter.calls,
        "cpu_s": _rounded(meter.cpu_s, 3),
        "cpu_ms_per_block": _rounded(1000 * meter.cpu_s / max(1, ladder.ledger.started_blocks), 4),
        "longest_call_ms": _rounded(1000 * meter.longest_s, 3),
    }


def _memory(meter: Meter) -> dict[str, Figure]:
    """Return the memory after a tenth of the run, and by how much it grew until its end."""
    early, late = meter.memory_mib[0], meter.memory_mib[-1]
    return {
        "early_mib": _rounded(early, 1),
        "end_mib": _rounded(late, 1),
        "growth_mib": _rounded(late - early, 1),
        "growth_objects": meter.objects[-1] - meter.objects[0],
    }


def _plan(plan: Plan) -> dict[str, Figure]:
    return {**asdict(plan), "outcomes": plan.outcomes.value}


def _bot(member: Member, ladder: Ladder) -> dict[str, Figure]:
    profile = member.profile
    return {
        "bot": profile.bot_id,
        "owner": profile.owner,
        "at_once": profile.at_once,
        "slow": profile.slow,
        "crashing": profile.crash > 0,
        "match_s": _rounded(profile.match_ms / 1000, 1),
        "blocks": member.blocks,
        "rated_matches": member.rated_matches,
        "share": _rounded(share(member)),
        "table_h": _rounded(member.table_ms / 3_600_000, 4),
        "longest_wait": _rounded(member.longest_wait, 3),
        "rating": _rounded(shown(member.rating), 1),
        "interval": _rounded(interval(member.rating), 1),
        "truth": _rounded(shown(type(member.rating)(ladder.truth(member), 0.0)), 1),
    }


def _correlation(beliefs: Sequence[Belief]) -> float:
    return _rounded(spearman([each.mu for each in beliefs], [each.truth for each in beliefs]))


def _mean(values: Sequence[float]) -> float | None:
    return _rounded(sum(values) / len(values)) if values else None


def _rounded(value: float, digits: int = 4) -> float:
    return round(value, digits)
