"""How often suspicion is right: honest ladders give few findings, and what is wrong in others is found."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final, final

from shoal.rating import Block
from shoal.rating.suspicion import Finding, Kind, Report, suspect
from shoal.server.calibration.judging import Figure
from shoal.server.calibration.staged import BROKEN_DAY, DAY_MS, Stage, Staged, Wrong, staged
from shoal.server.simulation.outcomes import ModelOutcomes, Outcomes
from shoal.server.simulation.plan import Source
from shoal.server.simulation.real_outcomes import RealOutcomes, real_pool

Say = Callable[[str], None]

TOGETHER: Final = (5, 10, 15, 20, 30, 40)
"""After so many common blocks it is asked whether a support bot is found."""

SHARES: Final = (1.0, 0.5)
"""In so many of the matches in which it could the wrong is done."""


@final
@dataclass(frozen=True, slots=True)
class Trust:
    """A study: so many ladders of each kind, of so many bots that play so many blocks in a week."""

    kinds: tuple[tuple[int, ...], ...] = ((2,), (4,), (2, 3, 4))
    ladders: int = 40
    bots: int = 20
    blocks: int = 60
    rate: float = 0.05
    outcomes: Source = Source.MODEL
    real_matches: int = 600
    seed: int = 1


def trusted(study: Trust, say: Say) -> dict[str, Figure]:
    """Return the figures of a study; docs/ratings.md says what each means. `say` hears how it goes."""
    outcomes: Outcomes = ModelOutcomes()
    if study.outcomes is Source.ENGINE:
        every = sorted({size for kind in study.kinds for size in kind})
        say(f"playing real matches, {study.real_matches} of each size")
        pool = real_pool(every, study.real_matches, study.seed, lambda _done, _total: None)
        outcomes = RealOutcomes(pool)
    found: dict[str, Figure] = {}
    for sizes in study.kinds:
        name = ",".join(map(str, sizes))
        stage = Stage(study.bots, study.blocks, sizes)
        say(f"{name}: honest")
        figures: dict[str, Figure] = {"honest": honest(study, stage, outcomes)}
        for share in SHARES:
            say(f"{name}: with something wrong in {share:.0%} of the matches in which it could be")
            if max(sizes) > 2:
                wrong = replace(stage, wrong=Wrong.SUPPORT, share=share)
                figures[f"support {share:g}"] = support(study, wrong, outcomes)
            wrong = replace(stage, wrong=Wrong.BROKEN, share=share)
            figures[f"broken {share:g}"] = broken(study, wrong, outcomes)
        found[name] = figures
    return {**found, "study": {**asdict(study), "outcomes": study.outcomes.value}}


def honest(study: Trust, stage: Stage, outcomes: Outcomes) -> dict[str, Figure]:
    """Return how many honest ladders have any finding, how many findings each has, and of which kinds."""
    reports = [_asked(study, each.blocks, each) for each in _ladders(study, stage, outcomes)]
    number = len(reports)
    return {
        "ladders": number,
        "with_findings": round(sum(bool(each.findings) for each in reports) / number, 3),
        "findings": round(sum(len(each.findings) for each in reports) / number, 3),
        "questions": round(sum(_questions(each) for each in reports) / number, 1),
        "by_kind": {
            kind.value: sum(found.kind is kind for each in reports for found in each.findings)
            for kind in Kind
        },
        "spread": {
            kind.value: round(max(spreads), 2)
            for kind in Kind
            if (spreads := [a.spread for each in reports for a in each.asked if a.kind is kind])
        },
    }


def support(study: Trust, stage: Stage, outcomes: Outcomes) -> dict[str, Figure]:
    """Return how many support bots are found after so many blocks with their favourites, and what else is."""
    ladders = list(_ladders(study, stage, outcomes))
    after: dict[str, Figure] = {}
    for together in TOGETHER:
        parts = [(each, _until(each, together)) for each in ladders]
        reports = [(each, _asked(study, part, each)) for each, part in parts if part]
        if reports:
            after[str(together)] = {
                "ladders": len(reports),
                "found": round(
                    sum(_has_support(report, each) for each, report in reports) / len(reports), 3
                ),
                "about_others": round(
                    sum(len(list(_about_others(report, each))) for each, report in reports)
                    / len(reports),
                    3,
                ),
            }
    return after


def broken(study: Trust, stage: Stage, outcomes: Outcomes) -> dict[str, Figure]:
    """Return how many bots are found that broke for a day, how much they played then, and what else is."""
    ladders = list(_ladders(study, stage, outcomes))
    reports = [(each, _asked(study, each.blocks, each)) for each in ladders]
    days = [
        sum(
            each.culprit in block.matches[0].bots and _day(block) == BROKEN_DAY
            for block in each.blocks
        )
        for each in ladders
    ]
    return {
        "ladders": len(reports),
        "blocks_of_the_day": round(sum(days) / len(days), 1),
        "found": round(sum(_has_day(report, each) for each, report in reports) / len(reports), 3),
        "about_others": round(
            sum(len(list(_about_others(report, each))) for each, report in reports) / len(reports),
            3,
        ),
    }


def _ladders(study: Trust, stage: Stage, outcomes: Outcomes) -> Iterator[Staged]:
    for number in range(study.ladders):
        yield staged(stage, outcomes, f"{study.seed} {number} {stage.sizes}")


def _asked(study: Trust, blocks: Sequence[Block], ladder: Staged) -> Report:
    return suspect(blocks, ladder.facts, rate=study.rate)


def _questions(report: Report) -> int:
    return sum(each.questions for each in report.asked)


def _until(ladder: Staged, together: int) -> tuple[Block, ...]:
    """Return the blocks until culprit and favourite have sat together so often, none if they never have."""
    met = 0
    for number, block in enumerate(ladder.blocks, start=1):
        bots = block.matches[0].bots
        met += len(bots) > 2 and {ladder.culprit, ladder.favourite} <= {*bots}
        if met == together:
            return ladder.blocks[:number]
    return ()


def _has_support(report: Report, ladder: Staged) -> bool:
    return any(
        found.kind is Kind.TRANSFER
        and (found.subject, found.other) == (ladder.favourite, ladder.culprit)
        for found in report.findings
    )


def _has_day(report: Report, ladder: Staged) -> bool:
    return any(
        found.kind is Kind.BOT_PERIOD
        and found.subject == ladder.culprit
        and found.from_ms == BROKEN_DAY * DAY_MS
        and found.points < 0
        for found in report.findings
    )


def _about_others(report: Report, ladder: Staged) -> Iterator[Finding]:
    """Yield the findings that name neither the culprit nor its favourite nor an owner of theirs."""
    people = {ladder.culprit, ladder.favourite}
    people |= {ladder.facts.owners[bot] for bot in people}
    for found in report.findings:
        if not people & {found.subject, found.other}:
            yield found


def _day(block: Block) -> int:
    return block.matches[0].ended_ms // DAY_MS
