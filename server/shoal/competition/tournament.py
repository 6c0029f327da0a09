"""Any tournament: what it plays next and how it stands, whatever its format.

A director that goes on from what is finished needs nothing but this and the keys of the blocks that it has
started: whichever of them is due again is the same one (T84).
"""

from collections.abc import Collection, Iterable, Sequence
from typing import assert_never

from shoal.competition import gauntlet, knockout, round_robin, schedule, swiss
from shoal.competition.meetings import meetings, score_of
from shoal.competition.plan import ANY_NUMBER, Departure, Entrant, Finished, Planned
from shoal.competition.score import totals
from shoal.competition.specification import (
    Gauntlet,
    Knockout,
    Ladder,
    RoundRobin,
    Specification,
    Swiss,
)
from shoal.competition.standings import Standing, standings
from shoal.competition.tiebreaks import ROBIN_ORDER
from shoal.competition.withdrawals import Settled, counted, settle


def due(
    specification: Specification, entrants: Sequence[Entrant], finished: Iterable[Finished]
) -> tuple[Planned, ...]:
    """Return all blocks that may be in play now, those that are in play among them; none: it is over.

    Entrants are in seeded order, which must not change once a tournament has begun. Raises ValueError for a
    ladder, whose tables depend on who is present.

    Everything is worked out anew, which takes seconds for hundreds of bots: whoever asks after each block
    keeps an `Agenda`, and asks `is_still_due`.
    """
    match specification.format:
        case RoundRobin() | Gauntlet():
            return schedule.due(_plan(specification, entrants), entrants, finished)
        case Swiss():
            return swiss.due(specification, entrants, finished)
        case Knockout():
            return knockout.due(specification, entrants, finished)
        case Ladder():
            raise ValueError("a ladder has no plan")
        case _:
            assert_never(specification.format)


def can_begin(specification: Specification, entrants: Sequence[Entrant]) -> bool:
    """Tell whether these have anything to play at all, without working out what."""
    if not isinstance(specification.format, Gauntlet):
        return len(entrants) > 1
    challengers = sum(one.bot_id in specification.format.challengers for one in entrants)
    return 0 < challengers < len(entrants)


def is_still_due(specification: Specification, left: int) -> bool:
    """Tell whether what was due before a block ended is due after it, but for that block.

    Of a round robin and a gauntlet that is so to the end, of a Swiss tournament as long as its round has
    blocks `left`. In a knock-out another block of the tie may follow, or another tie.
    """
    match specification.format:
        case RoundRobin() | Gauntlet():
            return True
        case Swiss():
            return left > 0
        case _:
            return False


def departure(
    specification: Specification,
    entrants: Sequence[Entrant],
    finished: Iterable[Finished],
    bot_id: str,
) -> Departure:
    """Return how a bot leaves now.

    In a round robin and a gauntlet nothing else was built on its results, so it is gone from all rounds.
    """
    match specification.format:
        case Swiss():
            return swiss.departure(specification, entrants, finished)
        case Knockout():
            return Departure(knockout.leaves_from(specification, entrants, finished, bot_id))
        case _:
            return Departure(0, ANY_NUMBER)


def number_of_blocks(specification: Specification, entrants: Sequence[Entrant]) -> int:
    """Return how many blocks there will be if nobody leaves; 0 where that depends on results."""
    match specification.format:
        case RoundRobin():
            return round_robin.number_of_blocks(specification, len(entrants))
        case Gauntlet():
            return gauntlet.number_of_blocks(specification, entrants)
        case _:
            return 0


def ranking(
    specification: Specification, entrants: Sequence[Entrant], finished: Iterable[Finished]
) -> tuple[Standing, ...]:
    """Return the standings after these blocks, best first, by the rules of the format.

    Raises ValueError for a ladder, which is ranked by ratings.
    """
    match specification.format:
        case RoundRobin() | Gauntlet():
            return _robin_standings(specification, entrants, tuple(finished))
        case Swiss():
            return swiss.swiss_standings(specification, entrants, finished)
        case Knockout():
            return knockout.knockout_standings(specification, entrants, finished)
        case Ladder():
            raise ValueError("a ladder is ranked by ratings")
        case _:
            assert_never(specification.format)


def settled(
    specification: Specification, entrants: Sequence[Entrant], finished: Collection[Finished]
) -> Settled:
    """Return what comes of withdrawals; nothing where nobody has left, or no plan was made beforehand."""
    is_planned = isinstance(specification.format, RoundRobin | Gauntlet)
    if not is_planned or all(one.gone_from is None for one in entrants):
        return Settled()
    return settle(_plan(specification, entrants), entrants, finished)


def _plan(specification: Specification, entrants: Sequence[Entrant]) -> tuple[Planned, ...]:
    """Return all blocks of a round robin or a gauntlet."""
    if isinstance(specification.format, RoundRobin):
        return round_robin.schedule(specification, entrants)
    return gauntlet.schedule(specification, entrants)


def _robin_standings(
    specification: Specification, entrants: Sequence[Entrant], finished: Collection[Finished]
) -> tuple[Standing, ...]:
    """Return who counts as ranked by what counts, and last all others, by seed, with what they played."""
    found = settled(specification, entrants, finished)
    blocks = counted(finished, found)
    bots = [one.bot_id for one in entrants if one.bot_id not in found.uncounted]
    met = meetings(bots, blocks)
    scores = {bot: score_of(all_of_one) for bot, all_of_one in met.items()}
    ranked = standings(bots, scores, met, ROBIN_ORDER)
    others = [one.bot_id for one in entrants if one.bot_id in found.uncounted]
    shown, untold = totals(others, finished), (0.0,) * len(ROBIN_ORDER)
    return (
        *ranked,
        *(Standing(len(bots) + 1, bot, shown[bot], untold, counts=False) for bot in others),
    )
