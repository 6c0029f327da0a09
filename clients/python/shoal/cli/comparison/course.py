"""How far a test is: blocks come in any order, and count in the order of their numbers.

So what is decided does not depend on which process was faster, nor on whether the test was interrupted, and
quick blocks, which may be of another kind, do not count first. What was played beyond the deciding block does
not count.
"""

from collections import Counter
from dataclasses import replace
from typing import final

from shoal.cli.comparison.row import Row
from shoal.sequential import Adjuster, Rule, Sample, Scale, Standing, Verdict


@final
class Course:
    """The blocks of a test until it is decided, or the last block that it may have was played.

    `rule` is None for a test of a fixed size; `most` is None where there is no end but the rule's. The
    `scale` says which scores decide, plain ones or adjusted ones; both are counted where there are both.
    """

    def __init__(self, scale: Scale, rule: Rule | None, most: int | None) -> None:
        """Begin with nothing."""
        assert rule is not None or most is not None
        self.scale = scale
        self.rule = rule
        self.most = most
        self.plain = Sample()
        self.adjusted = Sample()
        self._adjuster = Adjuster(scale)
        self.faults: Counter[str] = Counter()
        self.standing = Standing(0.0, Verdict.OPEN)
        self._early: dict[int, Row] = {}
        self._given = 0
        self._known: set[int] = set()

    @property
    def sample(self) -> Sample:
        """The blocks by the scores that decide."""
        return self.adjusted if self.scale.adjusted else self.plain

    @property
    def samples(self) -> list[tuple[Sample, Scale]]:
        """The blocks by plain scores, and by adjusted ones if luck is known of all; each with its scale."""
        found = [(self.plain, replace(self.scale, adjusted=False))]
        if self.scale.adjusted or 0 < self.plain.blocks == self.adjusted.blocks:
            found.append((self.adjusted, replace(self.scale, adjusted=True)))
        return found

    @property
    def is_over(self) -> bool:
        """Whether there is nothing left to play."""
        decided = self.standing.verdict is not Verdict.OPEN
        return decided or (self.most is not None and self.plain.blocks >= self.most)

    def next_block(self) -> int | None:
        """Return a block to play that nobody plays yet; None where there is none left."""
        while self._given in self._known:
            self._given += 1
        if self.is_over or (self.most is not None and self._given >= self.most):
            return None
        self._given += 1
        return self._given - 1

    def add(self, row: Row) -> None:
        """Take in a block; one that is known already, or comes too late, changes nothing."""
        if row.block in self._known:
            return
        self._known.add(row.block)
        self._early[row.block] = row
        while not self.is_over and (due := self._early.pop(self.plain.blocks, None)) is not None:
            self.plain.add(due.score)
            if due.luck is not None:
                self.adjusted.add(self._adjuster.adjusted(due.score, due.luck))
            self.faults += due.faults
            if self.rule is not None:
                self.standing = self.rule.standing(self.sample, self.scale)
