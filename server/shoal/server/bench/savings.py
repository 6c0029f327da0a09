"""How many matches an interval of the same width takes, of plain results and of adjusted ones. Pure.

The square of a width is the variance over the number of matches: what is saved is what the variance of a
match is less, within tables of the same bots; what differs between tables is no noise.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import sqrt
from statistics import fmean
from typing import NamedTuple, TypeAlias, final

Numbers: TypeAlias = Sequence[float]


@final
class Score(NamedTuple):
    """What one entrant of a block got in each of its matches.

    `group` is the same for all entrants of one name at tables of the same names.
    """

    group: tuple[str, ...]
    shares: Numbers
    luck: Numbers
    margins: Numbers


@final
class Spread(NamedTuple):
    """The variance of one match, taken alone and as a part of its block."""

    alone: float
    in_blocks: float


def spread(groups: Iterable[Sequence[Numbers]]) -> Spread:
    """Return the mean variance within groups of blocks, weighted by their matches."""
    alone = in_blocks = 0.0
    matches = 0
    for blocks in groups:
        if len(blocks) < 2:
            continue
        numbers = [number for block in blocks for number in block]
        size = len(blocks[0])
        matches += len(numbers)
        alone += len(numbers) * _variance(numbers)
        in_blocks += len(numbers) * size * _variance([fmean(block) for block in blocks])
    return Spread(alone / matches, in_blocks / matches) if matches else Spread(0.0, 0.0)


def savings(scores: Iterable[Score]) -> dict[str, float]:
    """Return the parts of the matches that are saved, for the win and for the margin.

    Luck is in parts of the win. For the margin it is multiplied, group by group, by the number that suits
    the other half of its blocks best: any that does not follow from the match itself keeps the mean.
    """
    by_group: dict[tuple[str, ...], list[Score]] = defaultdict(list)
    for score in scores:
        by_group[score.group].append(score)
    groups = list(by_group.values())
    plain = spread([[each.shares for each in group] for group in groups])
    margins = spread([[each.margins for each in group] for group in groups])
    full = spread([[_less(each.shares, each.luck, 1.0) for each in group] for group in groups])
    of_margins = spread([_weighted(group, [each.margins for each in group]) for group in groups])
    if not plain.alone or not margins.alone:
        return {}
    return {
        "variance": plain.alone,
        "saving_blocks": 1 - plain.in_blocks / plain.alone,
        "saving_adjusted": 1 - full.alone / plain.alone,
        "saving_both": 1 - full.in_blocks / plain.alone,
        "saving_margin_blocks": 1 - margins.in_blocks / margins.alone,
        "saving_margin_both": 1 - of_margins.in_blocks / margins.alone,
    }


def mean_and_error(numbers: Numbers) -> tuple[float, float]:
    """Return the mean of independent numbers and its standard error."""
    if len(numbers) < 2:
        return fmean(numbers) if numbers else 0.0, 0.0
    return fmean(numbers), sqrt(_variance(numbers) / len(numbers))


def _weighted(group: Sequence[Score], results: Sequence[Numbers]) -> list[Numbers]:
    """Return results less luck, each half of the blocks with the weight that suits the other."""
    weights = [
        _weight([each.luck for each in group[half::2]], results[half::2]) for half in range(2)
    ]
    return [
        _less(result, each.luck, weights[1 - place % 2])
        for place, (each, result) in enumerate(zip(group, results, strict=True))
    ]


def _weight(luck: Sequence[Numbers], results: Sequence[Numbers]) -> float:
    """Return by how much luck must be multiplied so that least is left of the results' variance."""
    lucks = [number for block in luck for number in block]
    numbers = [number for block in results for number in block]
    if len(lucks) < 8:
        return 1.0
    mean, middle = fmean(lucks), fmean(numbers)
    square = sum((each - mean) ** 2 for each in lucks)
    both = sum((one - mean) * (other - middle) for one, other in zip(lucks, numbers, strict=True))
    return both / square if square else 1.0


def _less(results: Numbers, luck: Numbers, weight: float) -> list[float]:
    return [result - weight * each for result, each in zip(results, luck, strict=True)]


def _variance(numbers: Numbers) -> float:
    mean = fmean(numbers)
    return sum((number - mean) ** 2 for number in numbers) / (len(numbers) - 1)
