"""The order of the bots: by score, then by one tie-break after the other, and shared where none helps."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import final

from shoal.competition.meetings import Meetings
from shoal.competition.score import Score
from shoal.competition.tiebreaks import RULES, Tiebreak, season


@final
@dataclass(frozen=True, slots=True)
class Standing:
    """One line; rank 1 is the best, equals share a rank and leave out those after it.

    `tiebreaks` has the values of those that were asked for, in their order; for a bot that nobody is
    tied with they are told, and decide nothing. `counts` is false for who left a round robin or a gauntlet
    so early that its results count for nobody: the score is that of what it played.
    """

    rank: int
    bot_id: str
    score: Score
    tiebreaks: tuple[float, ...]
    counts: bool = True


def standings(
    seeds: Sequence[str],
    scores: Mapping[str, Score],
    meetings: Meetings,
    order: Sequence[Tiebreak],
) -> tuple[Standing, ...]:
    """Return all bots ranked, best first; who shares a rank is listed by seed.

    What counts is the share of the possible points, since void blocks may leave some with fewer. A
    tie-break looks at those who are still tied when its turn comes, which matters to the direct encounter.
    """
    values: dict[str, list[float]] = {bot: [] for bot in seeds}
    played = season(meetings)
    groups = list(_split(seeds, lambda bot: scores[bot].share))
    for tiebreak in order:
        finer: list[Sequence[str]] = []
        for group in groups:
            by_bot = RULES[tiebreak](played, group)
            for bot, value in by_bot.items():
                values[bot].append(value)
            finer.extend(_split(group, by_bot.__getitem__))
        groups = finer
    return tuple(
        Standing(rank, bot, scores[bot], tuple(values[bot]))
        for rank, group in zip(_ranks(groups), groups, strict=True)
        for bot in group
    )


def _split(group: Sequence[str], value: Callable[[str], float]) -> Iterator[Sequence[str]]:
    """Part those with the same value from the others, the best first, each part in its order."""
    parts: dict[float, list[str]] = {}
    for bot in group:
        parts.setdefault(value(bot), []).append(bot)
    for _, part in sorted(parts.items(), key=lambda item: -item[0]):
        yield part


def _ranks(groups: Sequence[Sequence[str]]) -> Iterator[int]:
    rank = 1
    for group in groups:
        yield rank
        rank += len(group)
