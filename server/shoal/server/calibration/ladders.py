"""Ladders that are played for a study, by the simulator with the director's own code."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Final, assert_never, final

from shoal.competition.block import Ending, seating
from shoal.competition.ladder_pairing import pair
from shoal.competition.scale import MEAN, SCALE, SHOWN_MEAN
from shoal.rating import Block, Match
from shoal.server.calibration.lots import by_lot
from shoal.server.calibration.study import Pairing, Sample, Study
from shoal.server.simulation.ladder import Ladder, Scheduler
from shoal.server.simulation.outcomes import Outcomes
from shoal.server.simulation.plan import Plan
from shoal.server.simulation.real_outcomes import RealOutcomes
from shoal.server.simulation.run import part_done
from shoal.server.store.competition_nouns import Ended

MATCH_S: Final = 10.0
"""How long a match of two takes: the looks of the scheduler, each second, should not be most of the work."""


@final
class Peopled:
    """Outcomes for the bots of one ladder: their strengths are given, in the order in which they come."""

    def __init__(self, outcomes: Outcomes, strengths: Iterable[float]) -> None:
        """Draw from these outcomes."""
        self._outcomes = outcomes
        self._strengths = iter(strengths)

    def newcomer(self, _chance: Random) -> float:
        """Return the strength of the next bot."""
        return next(self._strengths)

    def drifted(self, strength: float, points: float, chance: Random) -> float:
        """Return what the outcomes say."""
        return self._outcomes.drifted(strength, points, chance)

    def truth(self, strength: float) -> float:
        """Return what the outcomes say."""
        return self._outcomes.truth(strength)

    def placements(self, strengths: Sequence[float], chance: Random) -> tuple[int, ...]:
        """Return what the outcomes say."""
        return self._outcomes.placements(strengths, chance)


def played(
    study: Study,
    sizes: tuple[int, ...],
    pairing: Pairing,
    number: int,
    outcomes: Outcomes,
    adjusts: RealOutcomes | None = None,
) -> Sample:
    """Play the ladder with this number, and return it; the same again is the same ladder.

    With real outcomes its matches of two have their results without luck too.
    """
    blocks = round(study.bots * study.blocks * len(sizes) / sum(sizes))
    plan = Plan(
        bots=study.bots,
        days=0.0,
        blocks=blocks,
        sizes=sizes,
        seed=study.seed + number,
        match_s=MATCH_S,
    )
    ended: list[Ended] = []
    ladder = Ladder(plan, outcomes, _scheduler(pairing), ended.append)
    while part_done(plan, ladder) < 1:
        ladder.step()
    truth = {
        member.profile.bot_id: SHOWN_MEAN + SCALE * (ladder.truth(member) - MEAN)
        for member in ladder.members
    }
    rated = (each for each in ended if each.block.rated)
    played = (_block(f"{place:06}", each) for place, each in enumerate(rated))
    blocks_of = tuple(block for block in played if block.matches)
    if adjusts is not None:
        strengths = {each.profile.bot_id: each.strength for each in ladder.members}
        chance = Random(f"{study.seed} {number} luck")
        blocks_of = tuple(_adjusted(block, strengths, adjusts, chance) for block in blocks_of)
    return Sample(blocks_of, truth)


def _adjusted(
    block: Block, strengths: Mapping[str, float], adjusts: RealOutcomes, chance: Random
) -> Block:
    """Return a block with the results of its matches without luck; larger tables stay as they are."""
    if len(block.matches[0].bots) > 2:
        return block
    return Block(
        block.key,
        tuple(
            replace(
                match,
                adjusted=adjusts.adjusted(
                    [strengths[bot] for bot in match.bots], match.placements, chance
                ),
            )
            for match in block.matches
        ),
    )


def _scheduler(pairing: Pairing) -> Scheduler:
    match pairing:
        case Pairing.LADDER:
            return pair
        case Pairing.RANDOM:
            return by_lot
        case _:
            assert_never(pairing)


def _block(key: str, ended: Ended) -> Block:
    """Return what counts of a block: one that was cut short is rated too."""
    attempts = (each.attempt for each in ended.block.tries if each.attempt.ending is Ending.PLAYED)
    return Block(
        key,
        tuple(
            Match(
                match_id=f"{key}.{attempt.rotation}",
                bots=seating(ended.block.bots, attempt.rotation),
                placements=attempt.placements,
            )
            for attempt in attempts
        ),
    )
