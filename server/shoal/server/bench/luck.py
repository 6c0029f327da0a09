"""What the adjustment for luck saves: real baselines, real matches, other deals than it was trained on."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import TypeAlias, final

from shoal.engine import RULESETS, MatchEnded, ruleset
from shoal.luck import Adjustment, BySeat, adjusted
from shoal.server.bench.savings import Score, mean_and_error, savings
from shoal.server.bench.tables import Block, Played, blocks, events_of
from shoal.server.files import folder_named_by

BASE = "base", 2
"""The ruleset and number of seats that the headline is about."""

CAUTION = 4.0
"""As if so many matches had ended even before the first one."""

SAY_EVERY_S = 5.0

Progress: TypeAlias = Callable[[str], None]


@final
@dataclass(slots=True)
class _Tally:
    """What was measured for one ruleset and number of seats."""

    scores: list[Score] = field(default_factory=list)
    luck: list[float] = field(default_factory=list)
    known: dict[tuple[str, ...], tuple[float, int]] = field(default_factory=dict)
    """Of a bot at tables of the same bots: the parts of the win so far, added up, and of how many."""

    by_bot: dict[str, list[tuple[float, float]]] = field(default_factory=lambda: defaultdict(list))
    uses: int = 0
    replay_s: float = 0.0
    adjust_s: float = 0.0


def bench_luck(
    matches: int, others: int, seed: int, folder: Path | None, say: Progress
) -> dict[str, object]:
    """Play about so many matches in `base` with 2 seats and in each other ruleset and seat count.

    Return the figures. Matches that were kept in the folder are not played again. Raise FileRefused.
    """
    if folder is not None:
        with folder_named_by("--folder", folder):
            folder.mkdir(parents=True, exist_ok=True)
    detail: list[dict[str, object]] = []
    for rules, seats in _kinds():
        wanted = matches if (rules, seats) == BASE else others
        number = max(2, wanted // seats) if wanted else 0
        tally = _Tally()
        last = time.monotonic()
        for done, block in enumerate(blocks(rules, seats, number, seed, folder), 1):
            _count(tally, rules, block)
            if time.monotonic() - last > SAY_EVERY_S:
                last = time.monotonic()
                say(f"{rules}, {seats} seats: {done * seats} of {number * seats} matches")
        if number:
            detail.append({"ruleset": rules, "seats": seats, **_figures(tally)})
            say(f"{rules}, {seats} seats: done")
    head = next((each for each in detail if (each["ruleset"], each["seats"]) == BASE), {})
    names = ("saving_blocks", "saving_adjusted", "saving_both")
    return {**{name: head.get(name) for name in names}, "detail": detail}


def _kinds() -> Iterator[tuple[str, int]]:
    """Yield every ruleset with every number of seats, the headline's first."""
    yield BASE
    for rules in RULESETS:
        for seats in ruleset(rules).targets:
            if (rules, seats) != BASE:
                yield rules, seats


def _count(tally: _Tally, rules: str, block: Block) -> None:
    """Add a block. What was to be expected follows from the blocks before it, as ratings would."""
    seats = len(block.names)
    groups = [(name, *sorted(block.names)) for name in block.names]
    expected = _expected(tally, groups)
    shares: list[list[float]] = [[] for _ in range(seats)]
    luck: list[list[float]] = [[] for _ in range(seats)]
    margins: list[list[float]] = [[] for _ in range(seats)]
    for match in block.matches:
        before = tuple([expected[entrant] for entrant in match.entrants])
        found, totals = _adjusted(tally, rules, match, before)
        tally.luck.append(found.luck[0])
        for seat, entrant in enumerate(match.entrants):
            shares[entrant].append(found.shares[seat])
            luck[entrant].append(found.luck[seat])
            rest = [total for other, total in enumerate(totals) if other != seat]
            margins[entrant].append(totals[seat] - fmean(rest))
    for entrant, group in enumerate(groups):
        tally.scores.append(Score(group, shares[entrant], luck[entrant], margins[entrant]))
        won, number = tally.known.get(group, (0.0, 0))
        tally.known[group] = won + sum(shares[entrant]), number + len(shares[entrant])
    for name in set(block.names):
        mine = [entrant for entrant, each in enumerate(block.names) if each == name]
        won = fmean([fmean(shares[entrant]) for entrant in mine])
        tally.by_bot[name].append((won, fmean([fmean(luck[entrant]) for entrant in mine])))


def _expected(tally: _Tally, groups: Sequence[tuple[str, ...]]) -> list[float]:
    """Return what each entrant may expect, by what its like got so far at tables like this."""
    parts = []
    for group in groups:
        won, number = tally.known.get(group, (0.0, 0))
        parts.append((won + CAUTION / len(groups)) / (number + CAUTION))
    return [part / sum(parts) for part in parts]


def _adjusted(
    tally: _Tally, rules: str, match: Played, expected: BySeat
) -> tuple[Adjustment, Sequence[int]]:
    """Return a match with its luck, and its totals; what it took is measured."""
    begun = time.process_time()
    events = events_of(rules, match)
    replayed = time.process_time()
    end = events[-1]
    assert isinstance(end, MatchEnded)
    found = adjusted(ruleset(rules), end.result.ranks, events, expected)
    tally.replay_s += replayed - begun
    tally.adjust_s += time.process_time() - replayed
    tally.uses += len(found.uses)
    return found, end.result.totals


def _figures(tally: _Tally) -> dict[str, object]:
    """Return what was measured, rounded."""
    number = len(tally.luck)
    mean, error = mean_and_error(tally.luck)
    return {
        "matches": number,
        **{name: round(each, 4) for name, each in savings(tally.scores).items()},
        "mean_luck": round(mean, 5),
        "mean_luck_error": round(error, 5),
        "bots": {name: _rates(each) for name, each in sorted(tally.by_bot.items())},
        "uses_per_match": round(tally.uses / number, 1),
        "replay_cpu_ms": round(1000 * tally.replay_s / number, 2),
        "adjust_cpu_ms": round(1000 * tally.adjust_s / number, 2),
    }


def _rates(blocks: Sequence[tuple[float, float]]) -> dict[str, float]:
    """Return the part of the win of a bot, plain and adjusted, with standard errors, and its mean luck."""
    plain, plain_error = mean_and_error([share for share, _ in blocks])
    fair, fair_error = mean_and_error([share - luck for share, luck in blocks])
    mean, error = mean_and_error([luck for _, luck in blocks])
    return {
        "plain": round(plain, 4),
        "plain_error": round(plain_error, 4),
        "adjusted": round(fair, 4),
        "adjusted_error": round(fair_error, 4),
        "mean_luck": round(mean, 4),
        "mean_luck_error": round(error, 4),
    }
