"""A study from its plan to its figures."""

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from random import Random
from typing import assert_never

from shoal.rating import Block, Table
from shoal.rating.table import rate
from shoal.server.calibration.cost import cost
from shoal.server.calibration.judging import Figure, Line, figures, lines, without_luck
from shoal.server.calibration.ladders import Peopled, played
from shoal.server.calibration.study import PARTS, Judged, Pairing, Sample, Study
from shoal.server.simulation.outcomes import ModelOutcomes, Outcomes
from shoal.server.simulation.plan import Source
from shoal.server.simulation.real_outcomes import RealOutcomes, real_pool

Say = Callable[[str], None]


def report(study: Study, say: Say) -> dict[str, Figure]:
    """Return the figures of a study; docs/ratings.md says what each means. `say` hears how it goes."""
    found: dict[str, Figure] = {}
    if study.rated_blocks:
        say(f"rating {study.rated_blocks} blocks of {study.rated_bots} bots")
        found["cost"] = cost(study.rated_bots, study.rated_blocks, study.seed)
    if study.ladders:
        outcomes = _outcomes(study, say)
        for sizes in study.kinds:
            name = ",".join(map(str, sizes))
            found[name] = _kind(study, sizes, outcomes, say)
    return {**found, "study": {**asdict(study), "outcomes": study.outcomes.value}}


def _kind(study: Study, sizes: tuple[int, ...], outcomes: Outcomes, say: Say) -> dict[str, Figure]:
    """Return the figures of one kind of ladder, by pairing and by part of the blocks."""
    found: dict[str, Figure] = {}
    for pairing in Pairing:
        samples: list[Sample] = []
        for number in range(study.ladders):
            peopled = Peopled(outcomes, _strengths(study, number, outcomes))
            adjusts = outcomes if isinstance(outcomes, RealOutcomes) else None
            samples.append(played(study, sizes, pairing, number, peopled, adjusts))
            if (number + 1) % 10 == 0 or number + 1 == study.ladders:
                say(f"{sizes} {pairing.value}: {number + 1} of {study.ladders} ladders")
        found[pairing.value] = _judged(study, samples)
    return found


def _judged(study: Study, samples: Sequence[Sample]) -> dict[str, Figure]:
    """Return the figures after each part of the blocks; of real matches of two also those without luck."""
    real = study.outcomes is Source.ENGINE
    whole = _all_of(samples) if real else Table()
    truth, fair = _truth(whole), _truth(without_luck(whole))
    found: dict[str, Figure] = {}
    for part in PARTS:
        judged = [_part(sample, part) for sample in samples]
        own = 1 / (part * len(samples)) if real else 0.0
        dispersions = [each.table.dispersion for each in judged]
        figures_of = {
            **_held([replace(each, truth=truth or each.truth) for each in judged], own),
            "dispersion": round(sum(dispersions) / len(dispersions), 3),
        }
        if fair:
            some = [Judged(without_luck(each.table), fair) for each in judged]
            apart = math.sqrt(sum((fair[bot] - truth[bot]) ** 2 for bot in fair) / len(fair))
            figures_of["adjusted"] = {**_held(some, own), "truths_apart": round(apart, 1)}
        found[f"{study.blocks / part:g} blocks"] = figures_of
    return found


def _held(judged: Sequence[Judged], own: float) -> dict[str, Figure]:
    """Return the figures of tables held against a truth of which each is so large a part."""
    return figures([_apart(lines(each), own) for each in judged])


def _part(sample: Sample, part: int) -> Judged:
    """Return the table of the first blocks of a ladder."""
    return Judged(rate(sample.blocks[: len(sample.blocks) // part]), sample.truth)


def _all_of(samples: Sequence[Sample]) -> Table:
    """Return the table of all ladders together, which have the same bots.

    No rating model is the truth of real matches: what a small ladder estimates is what a very large one
    of the same kind, with the same pairing, says.
    """
    return rate(
        Block(
            f"{number} {block.key}",
            tuple(replace(match, match_id=f"{number} {match.match_id}") for match in block.matches),
        )
        for number, sample in enumerate(samples)
        for block in sample.blocks
    )


def _truth(table: Table) -> dict[str, float]:
    """Return the ratings of a table as what others are held against."""
    return {row.bot_id: float(row.rating) for row in table.rows}


def _apart(some: Sequence[Line], part: float) -> list[Line]:
    """Return lines as if they were not part of what they are held against: then they were further off."""
    return [replace(line, off=line.off / math.sqrt(1 - part)) for line in some]


def _strengths(study: Study, number: int, outcomes: Outcomes) -> list[float]:
    """Return the strengths of the bots of a ladder: in the model new ones each time."""
    which = 0 if study.outcomes is Source.ENGINE else number
    chance = Random(f"{study.seed} {which} strengths")
    return [outcomes.newcomer(chance) for _ in range(study.bots)]


def _outcomes(study: Study, say: Say) -> Outcomes:
    match study.outcomes:
        case Source.MODEL:
            return ModelOutcomes()
        case Source.ENGINE:

            def progress(done: int, total: int) -> None:
                if done % 250 == 0 or done == total:
                    say(f"{done} of {total} real matches are played")

            sizes = sorted({size for kind in study.kinds for size in kind})
            return RealOutcomes(real_pool(sizes, study.real_matches, study.seed, progress))
        case _:
            assert_never(study.outcomes)
