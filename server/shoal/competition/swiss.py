"""A Swiss tournament: rounds, each paired when the one before is complete.

A pairing of a round depends on the entrants and on the blocks of earlier rounds alone, so it is the same
whenever it is asked for (T84). All blocks of a round have their bots from the start: two of them may be
played at once, but no round begins before the last one has ended.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import final

from shoal.competition.meetings import Meeting, score_of, swiss_meetings
from shoal.competition.plan import ANY_NUMBER, BlockKey, Departure, Entrant, Finished, Planned
from shoal.competition.specification import Specification, Swiss
from shoal.competition.standings import Standing, standings
from shoal.competition.swiss_pairing import Player, RoundPairing, pair_round
from shoal.competition.tiebreaks import SWISS_ORDER


@final
@dataclass(frozen=True, slots=True)
class Round:
    """The round that is to be played now; `why_none` says why there is none: it is all over."""

    number: int
    pairing: RoundPairing | None
    why_none: str = ""


def rounds_of(form: Swiss, entrants: int) -> int:
    """Return how many rounds there are: as many as asked for, or as a knock-out would have."""
    return form.rounds or math.ceil(math.log2(max(1, entrants)))


def current_round(
    specification: Specification, entrants: Sequence[Entrant], finished: Iterable[Finished]
) -> Round:
    """Return the first round that is not complete; entrants are in seeded order."""
    form = _form(specification)
    blocks = tuple(finished)
    number = _complete_rounds(form, entrants, blocks)
    total = rounds_of(form, len(entrants))
    if number == total:
        return Round(number, None, f"all {total} rounds have been played")
    here = [one for one in entrants if _plays(one, number)]
    if len(here) < 2:
        return Round(
            number, None, f"{len(here)} of {len(entrants)} entrants are left: nobody to meet"
        )
    return Round(number, pair_round(players(form, entrants, blocks, number)))


def blocks_of(specification: Specification, now: Round) -> tuple[Planned, ...]:
    """Return the blocks of a round, from the best score downwards; none if there is no round."""
    form, rulesets = _form(specification), specification.rulesets
    return tuple(
        Planned(
            key=BlockKey(now.number, table, number),
            bots=(pair.first.bot_id, pair.second.bot_id),
            ruleset=rulesets[(now.number * form.blocks_per_pairing + number) % len(rulesets)],
            rated=specification.rated and not pair.first.owner == pair.second.owner != "",
        )
        for table, pair in enumerate(now.pairing.pairs if now.pairing else ())
        for number in range(form.blocks_per_pairing)
    )


def due(
    specification: Specification, entrants: Sequence[Entrant], finished: Iterable[Finished]
) -> tuple[Planned, ...]:
    """Return the blocks that may be in play now.

    Pairing hundreds takes a while: who asks after each block keeps the `current_round` while it lasts.
    """
    blocks = tuple(finished)
    over = {block.key for block in blocks}
    plan = blocks_of(specification, current_round(specification, entrants, blocks))
    return tuple(block for block in plan if block.key not in over)


def departure(
    specification: Specification, entrants: Sequence[Entrant], finished: Iterable[Finished]
) -> Departure:
    """Return how a bot leaves now: from the round after the current one on, while that is not complete."""
    form, blocks = _form(specification), tuple(finished)
    number = _complete_rounds(form, entrants, blocks)
    here = sum(_plays(one, number) for one in entrants)
    over = sum(block.key.round == number for block in blocks)
    left = here // 2 * form.blocks_per_pairing - over
    return Departure(number + 1, len(blocks) + left if left > 0 else ANY_NUMBER)


def swiss_standings(
    specification: Specification, entrants: Sequence[Entrant], finished: Iterable[Finished]
) -> tuple[Standing, ...]:
    """Return the standings after the last complete round, best first."""
    form = _form(specification)
    blocks = tuple(finished)
    rounds = _complete_rounds(form, entrants, blocks)
    met = swiss_meetings(entrants, blocks, rounds, form.blocks_per_pairing)
    scores = {bot: score_of(all_of_one) for bot, all_of_one in met.items()}
    return standings([one.bot_id for one in entrants], scores, met, SWISS_ORDER)


def players(
    form: Swiss, entrants: Sequence[Entrant], blocks: Iterable[Finished], number: int
) -> tuple[Player, ...]:
    """Return who plays this round, by score, and by seed where that is equal."""
    met = swiss_meetings(entrants, blocks, number, form.blocks_per_pairing)
    here = [_player(one, met) for one in entrants if _plays(one, number)]
    return tuple(sorted(here, key=lambda player: -player.score))


def _form(specification: Specification) -> Swiss:
    if not isinstance(specification.format, Swiss):
        raise ValueError("not a Swiss tournament")  # noqa: TRY004 - the type is right
    return specification.format


def _plays(one: Entrant, number: int) -> bool:
    return one.gone_from is None or number < one.gone_from


def _complete_rounds(form: Swiss, entrants: Sequence[Entrant], blocks: Sequence[Finished]) -> int:
    over = Counter(block.key.round for block in blocks)
    total = rounds_of(form, len(entrants))
    for number in range(total):
        here = sum(_plays(one, number) for one in entrants)
        if here < 2 or over[number] < here // 2 * form.blocks_per_pairing:
            return number
    return total


def _player(one: Entrant, met: Mapping[str, Sequence[Meeting]]) -> Player:
    mine = met[one.bot_id]
    floated = _last_float(mine, met)
    return Player(
        bot_id=one.bot_id,
        score=score_of(mine).points,
        owner=one.owner,
        byes=sum(not each.was_played and each.points == each.possible for each in mine),
        met=Counter(each.opponent for each in mine if each.opponent and each.was_played),
        floated_down=floated < 0,
        floated_up=floated > 0,
    )


def _last_float(mine: Sequence[Meeting], met: Mapping[str, Sequence[Meeting]]) -> float:
    """Return how much higher the score of the last opponent was than one's own; negative: lower."""
    if not mine:
        return 0.0
    if mine[-1].opponent is None:
        return -1.0
    return score_of(met[mine[-1].opponent][:-1]).points - score_of(mine[:-1]).points
