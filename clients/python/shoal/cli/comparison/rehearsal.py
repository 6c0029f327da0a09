"""How often a test is wrong: many tests of bots whose difference is known, on blocks that are drawn."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Final, NamedTuple, TypedDict

from shoal.cli.comparison.model import Blocks, Counted, Drawn, Setting, count_blocks
from shoal.sequential import Rule, Sample, Scale, Verdict, estimate, expected_blocks

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
    counts: "Counter[Drawn]"

    @property
    def scales(self) -> Sequence[Scale]:
        """The scale of plain scores, and that of adjusted ones where luck is known of all blocks."""
        known = all(each.luck is not None for each in self.counts)
        return [
            replace(self.scale, adjusted=each) for each in ((False, True) if known else (False,))
        ]


class Rates(TypedDict):
    """What came out for one setting, one truth, and plain or adjusted `scores`.

    `wrong` is the share of false decisions and `wrong_error` its standard error; `asked` is what it should be
    at most. `held` is the share of 95 % intervals of 100 blocks that hold the truth, and `held_after` that of
    those at the end of the tests. `saved` is the part of the plain test's blocks that the adjusted one saves.
    """

    setting: str
    scores: str
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
    saved: float | None


def model_pools(seed: int) -> Iterator[Pool]:
    """Yield the blocks of the model, setting after setting."""
    for setting in SETTINGS:
        chance = Random(f"{seed} {setting.name}")
        yield Pool(setting.name, setting.scale, count_blocks(setting, _POOL, chance))


def rehearse(rule: Rule, tests: int, seed: int, pools: Iterable[Pool]) -> Iterator[Rates]:
    """Yield the rates on each pool, where H0 is true and where H1 is; raise UnreachableError.

    Where luck is known the same blocks are drawn for a test of plain scores and for one of adjusted ones.
    """
    for pool in pools:
        for truth, false, asked in (
            (rule.elo0, Verdict.H1, rule.alpha),
            (rule.elo1, Verdict.H0, rule.beta),
        ):
            blocks = Blocks(pool.counts, pool.scale, truth)
            plain = None
            for scale in pool.scales:
                chance = f"{seed} {pool.name} {truth}"
                ends = [
                    _test(rule, scale, blocks, Random(f"{chance} {each}")) for each in range(tests)
                ]
                wrong = sum(verdict is false for verdict, _ in ends) / tests
                lengths = sorted(sample.blocks for _, sample in ends)
                average = sum(lengths) / tests
                fixed = [_fixed(scale, blocks, Random(f"{chance} {each}")) for each in range(tests)]
                at0, _, at1 = expected_blocks(rule, scale)
                yield Rates(
                    setting=pool.name,
                    scores="adjusted" if scale.adjusted else "plain",
                    elo0=rule.elo0,
                    elo1=rule.elo1,
                    true_elo=truth,
                    tests=tests,
                    asked=asked,
                    wrong=round(wrong, 5),
                    wrong_error=round(math.sqrt(wrong * (1 - wrong) / tests), 5),
                    blocks=round(average, 1),
                    blocks_9_of_10=lengths[int(0.9 * tests)],
                    expected_blocks=round(at0 if false is Verdict.H1 else at1, 1),
                    variance=round(blocks.variance(adjusted=scale.adjusted), 4),
                    held=round(sum(_holds(each, scale, truth) for each in fixed) / tests, 4),
                    held_after=round(
                        sum(_holds(each, scale, truth) for _, each in ends) / tests, 4
                    ),
                    saved=None if plain is None else round(1 - average / plain, 4),
                )
                plain = average


def _test(rule: Rule, scale: Scale, blocks: Blocks, chance: Random) -> tuple[Verdict, Sample]:
    counted = Counted(scale)
    while True:
        for drawn in blocks.draw(chance, _AT_ONCE):
            counted.add(drawn)
            verdict = rule.standing(counted.sample, scale).verdict
            if verdict is not Verdict.OPEN:
                return verdict, counted.sample


def _fixed(scale: Scale, blocks: Blocks, chance: Random) -> Sample:
    counted = Counted(scale)
    for drawn in blocks.draw(chance, _FIXED):
        counted.add(drawn)
    return counted.sample


def _holds(sample: Sample, scale: Scale, truth: float) -> bool:
    found = estimate(sample, scale)
    return found.low is not None and found.high is not None and found.low <= truth <= found.high
