"""What each bot did against whom, in each round: what tie-breaks and Swiss pairings look at."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, final

from shoal.competition.block import State
from shoal.competition.plan import Entrant, Finished
from shoal.competition.score import Score, pair_points


@final
@dataclass(frozen=True, slots=True)
class Meeting:
    """All that a bot got in one round against one opponent, None if it had none.

    `was_played` is false for a bye, a forfeit, a block that is void, and a round missed: it has points,
    but tells nothing of strength.
    """

    round: int
    opponent: str | None
    points: float
    possible: float
    was_played: bool = True

    @property
    def was_won(self) -> bool:
        """Whether it was played and gave more than half."""
        return self.was_played and self.points > self.possible / 2


Meetings: TypeAlias = Mapping[str, Sequence[Meeting]]
"""The meetings of each bot, by round."""


def meetings(bots: Iterable[str], blocks: Iterable[Finished]) -> dict[str, tuple[Meeting, ...]]:
    """Return what these bots did in blocks that were played or forfeited; several of a round are one.

    At a table of more than two, everybody meets each of the others.
    """
    found: dict[str, dict[tuple[int, str], Meeting]] = {bot: {} for bot in bots}
    for block in blocks:
        if block.state is State.VOID:
            continue
        number, possible, was_played = block.key.round, float(len(block.matches)), block.was_played
        for position, bot in enumerate(block.bots):
            mine = found.get(bot)
            if mine is None:
                continue
            for other_position, other in enumerate(block.bots):
                if other_position != position:
                    points = pair_points(block, position, other_position)
                    met = mine.get((number, other))
                    mine[number, other] = (
                        Meeting(number, other, points, possible, was_played)
                        if met is None
                        else Meeting(
                            number,
                            other,
                            met.points + points,
                            met.possible + possible,
                            met.was_played or was_played,
                        )
                    )
    return {bot: tuple(by_key[key] for key in sorted(by_key)) for bot, by_key in found.items()}


def swiss_meetings(
    entrants: Iterable[Entrant], blocks: Iterable[Finished], rounds: int, blocks_each: int
) -> dict[str, tuple[Meeting, ...]]:
    """Return the meetings of a Swiss tournament after so many complete rounds, one for each round.

    A bye is worth as much as winning everything, a round missed nothing. A block that is void is a draw:
    in a round there must be a result, and nobody has earned a better one.
    """
    full = 2.0 * blocks_each
    entrants = tuple(entrants)
    opponents: dict[str, dict[int, str]] = defaultdict(dict)
    missing: defaultdict[tuple[str, int], float] = defaultdict(lambda: full)
    of_rounds = [block for block in blocks if block.key.round < rounds]
    for block in of_rounds:
        for bot, other in (block.bots, block.bots[::-1]):
            opponents[bot][block.key.round] = other
            missing[bot, block.key.round] -= len(block.matches)
    scored = {
        (bot, each.round): each
        for bot, all_of_one in meetings((one.bot_id for one in entrants), of_rounds).items()
        for each in all_of_one
    }

    def meeting(one: Entrant, number: int) -> Meeting:
        other = opponents[one.bot_id].get(number)
        if other is None:
            gone = one.gone_from is not None and one.gone_from <= number
            return Meeting(number, None, 0.0 if gone else full, full, was_played=False)
        met = scored.get((one.bot_id, number), Meeting(number, other, 0, 0, was_played=False))
        undecided = missing[one.bot_id, number] / 2
        return Meeting(number, other, met.points + undecided, full, met.was_played)

    return {one.bot_id: tuple(meeting(one, number) for number in range(rounds)) for one in entrants}


def score_of(all_of_one: Iterable[Meeting]) -> Score:
    """Return the sum of a bot's meetings."""
    points = possible = 0.0
    for each in all_of_one:
        points += each.points
        possible += each.possible
    return Score(points, possible)
