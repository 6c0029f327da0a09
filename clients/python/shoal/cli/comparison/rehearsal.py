"""How often a test is wrong: many tests of bots whose difference is known, on blocks that are drawn."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import Final, NamedTuple, TypedDict

from shoal.cli.comparison.model import Blocks, Setting, count_blocks, sample_of
from shoal.sequential import BlockScore, Rule, Sample, Scale, Verdict, estimate, expected_blocks

SETTINGS: Final = (
    Setting("2 seats, A against B", Scale(2, field=False)),
    Setting("2 seats, a field", Scale(2, field=True), (-100.0, 0.0, 200.0)),
    Setting("3 seats, a field", Scale(3, field=True), (-100.0, 0.0, 200.0)),
    Setting("4 seats, a field", Scale(4, field=True), (-100.0, 0.0, 200.0)),
)

_POOL: Final = 20_000
"""So many blocks are drawn and counted for each setting."""

_AT_ONCE: Final = 64
_FIXED: Final = 100
"""How many blocks a test of a fixed size has."""


class Pool(NamedTuple):
    """Blocks to draw from, counted: of the model, or of a test that was played."""

    name: str
    scale: Scale
    counts: "Counter[BlockScore]"


class Rates(TypedDict):
    """What came out for one setting and one truth.

    `wrong` is the share of false decisions and `wrong_error` its standard error; `asked` is what it should be
    at most. `held` is the share of 95 % intervals of 100 blocks that hold the truth, and `held_after` that of
    those at the end of the tests.
    """

    setting: str
    elo0: float
    elo1: float
    true_elo: float
    tests: int
    asked: float
    wrong: float
    wrong_error: float
    blocks: float
    blocks_9_of_10: int
    expected_blocks: float
    variance: float
    held: float
    held_after: float


def model_pools(seed: int) -> Iterator[Pool]:
    """Yield the blocks of the model, setting after setting."""
    for setting in SETTINGS:
        chance = Random(f"{seed} {setting.name}")
        yield Pool(setting.name, setting.scale, count_blocks(setting, _POOL, chance))


def rehearse(rule: Rule, tests: int, seed: int, pools: Iterable[Pool]) -> Iterator[Rates]:
    """Yield the rates on each pool, where H0 is true and where H1 is."""
    for name, scale, counts in pools:
        at0, _, at1 = expected_blocks(rule, scale)
        for truth, false, asked, expected in (
            (rule.elo0, Verdict.H1, rule.alpha, at0),
            (rule.elo1, Verdict.H0, rule.beta, at1),
        ):
            blocks = Blocks(counts, scale, truth)
            chance = Random(f"{seed} {name} {truth}")
            ends = [_test(rule, scale, blocks, chance) for _ in range(tests)]
            wrong = sum(verdict is false for verdict, _ in ends) / tests
            lengths = sorted(sample.blocks for _, sample in ends)
            fixed = [sample_of(blocks.draw(chance, _FIXED)) for _ in range(tests)]
            yield Rates(
                setting=name,
                elo0=rule.elo0,
                elo1=rule.elo1,
                true_elo=truth,
                tests=tests,
                asked=asked,
                wrong=round(wrong, 5),
                wrong_error=round(math.sqrt(wrong * (1 - wrong) / tests), 5),
                blocks=round(sum(lengths) / tests, 1),
                blocks_9_of_10=lengths[int(0.9 * tests)],
                expected_blocks=round(expected, 1),
                variance=round(blocks.variance, 4),
                held=round(sum(_holds(each, scale, truth) for each in fixed) / tests, 4),
                held_after=round(sum(_holds(each, scale, truth) for _, each in ends) / tests, 4),
            )


def _test(rule: Rule, scale: Scale, blocks: Blocks, chance: Random) -> tuple[Verdict, Sample]:
    sample = Sample()
    while True:
        for score in blocks.draw(chance, _AT_ONCE):
            sample.add(score)
            verdict = rule.standing(sample, scale).verdict
            if verdict is not Verdict.OPEN:
                return verdict, sample


def _holds(sample: Sample, scale: Scale, truth: float) -> bool:
    found = estimate(sample, scale)
    return found.low is not None and found.high is not None and found.low <= truth <= found.high
