"""A knock-out: who wins a tie goes on, who loses is out.

A tie begins as soon as both its sides are known: no half of the bracket waits for the other. What is due
depends on the entrants and the finished blocks alone (T84).

Who leaves is out of its first tie that is open then (`leaves_from`), whatever a block of it that is in play
comes to: the other has gone on, and may have met the next one already.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, final

from shoal.competition.bracket import pairs, slots
from shoal.competition.plan import BlockKey, Entrant, Finished, Planned, may_be_rated
from shoal.competition.score import Score, totals
from shoal.competition.specification import Knockout, Specification
from shoal.competition.standings import Standing
from shoal.competition.ties import Decision, Verdict, judge


@final
@dataclass(frozen=True, slots=True)
class Tie:
    """A place in the bracket: of round 0 the first, of the last round the final.

    `bots` has the better seed first; None is a side that is not known yet, or that nobody takes if
    `verdict` says bye. There is no verdict before both sides are known.
    """

    round: int
    number: int
    bots: tuple[str | None, str | None]
    verdict: Verdict | None = None

    @property
    def winner(self) -> str | None:
        """Who goes on, None while that is open."""
        if self.verdict is None or self.verdict.winner is None:
            return None
        return self.bots[self.verdict.winner]

    @property
    def loser(self) -> str | None:
        """Who is out, None while that is open, and of a bye."""
        if self.verdict is None or self.verdict.winner is None:
            return None
        return self.bots[1 - self.verdict.winner]


Blocks: TypeAlias = Mapping[tuple[int, int], Sequence[Finished]]
"""The finished blocks of each tie, by round and number."""


def bracket(
    specification: Specification, entrants: Sequence[Entrant], finished: Iterable[Finished]
) -> tuple[tuple[Tie, ...], ...]:
    """Return all ties, round by round, as they stand; entrants are in seeded order.

    A tie for the third place comes after the final, in its round: it is played beside it.
    """
    form = _form(specification)
    by_tie: dict[tuple[int, int], list[Finished]] = {}
    for block in finished:
        by_tie.setdefault((block.key.round, block.key.table), []).append(block)
    if len(entrants) < 2:
        return ()
    seeds = {one.bot_id: seed for seed, one in enumerate(entrants)}
    sides: list[int | None] = list(slots(len(entrants)))
    rounds: list[tuple[Tie, ...]] = []
    while len(sides) > 1:
        ties = [
            _tie(form, entrants, both, (len(rounds), number), by_tie)
            for number, both in enumerate(pairs(sides))
        ]
        rounds.append(tuple(ties))
        sides = [None if tie.winner is None else seeds[tie.winner] for tie in ties]
    if form.third_place and len(rounds) > 1:
        both = _losers(rounds[-2], seeds, nobody=len(entrants))
        rounds[-1] = (*rounds[-1], _tie(form, entrants, both, (len(rounds) - 1, 1), by_tie))
    return tuple(rounds)


def due(
    specification: Specification, entrants: Sequence[Entrant], finished: Iterable[Finished]
) -> tuple[Planned, ...]:
    """Return the blocks that may be in play now: of each open tie as many as it needs at the least."""
    blocks = tuple(finished)
    over = {block.key for block in blocks}
    by_id = {one.bot_id: one for one in entrants}
    return tuple(
        Planned(
            key=key,
            bots=bots,
            ruleset=specification.rulesets[key.block % len(specification.rulesets)],
            rated=specification.rated and may_be_rated([by_id[bot] for bot in bots]),
        )
        for ties in bracket(specification, entrants, blocks)
        for tie in ties
        for key, bots in _wanted(tie, over)
    )


def knockout_standings(
    specification: Specification, entrants: Sequence[Entrant], finished: Iterable[Finished]
) -> tuple[Standing, ...]:
    """Return who came how far: the later out the better, and those out in the same round share a rank.

    Who is still in shares the first rank, until the final is decided. Who wins the third place came further
    than who does not, and not as far as who lost the final.
    """
    blocks = tuple(finished)
    rounds = bracket(specification, entrants, blocks)
    out_in: dict[str, float] = dict.fromkeys((one.bot_id for one in entrants), len(rounds))
    for ties in rounds:
        for tie in ties:
            is_for_third = tie.round == len(rounds) - 1 and tie.number == 1
            if is_for_third and tie.winner is not None:
                out_in[tie.winner] = tie.round - 0.5
            elif tie.loser is not None and not is_for_third:
                out_in[tie.loser] = tie.round
    scores = totals(out_in, blocks)
    later = sorted(out_in, key=lambda bot: -out_in[bot])
    return tuple(_standing(bot, out_in, scores) for bot in later)


def leaves_from(
    specification: Specification,
    entrants: Sequence[Entrant],
    finished: Iterable[Finished],
    bot_id: str,
) -> int:
    """Return the first round without a bot that leaves now: that of its tie that is open.

    It is a round after all of its ties if they are decided, so that they stay so.
    """
    open_round = 0
    for ties in bracket(specification, entrants, finished):
        for tie in ties:
            if bot_id in tie.bots:
                open_round = tie.round if tie.winner is None else tie.round + 1
    return open_round


def _losers(
    semifinals: Sequence[Tie], seeds: Mapping[str, int], nobody: int
) -> tuple[int | None, int | None]:
    """Return the seeds of those who lost in the semifinals, None where that is open; of a bye `nobody`."""
    one, other = (
        None if tie.winner is None else nobody if tie.loser is None else seeds[tie.loser]
        for tie in semifinals
    )
    return one, other


def _standing(bot: str, out_in: Mapping[str, float], scores: Mapping[str, Score]) -> Standing:
    rank = 1 + sum(other > out_in[bot] for other in out_in.values())
    return Standing(rank, bot, scores[bot], ())


def _form(specification: Specification) -> Knockout:
    if not isinstance(specification.format, Knockout):
        raise ValueError("not a knock-out")  # noqa: TRY004 - the type is right, its content is not
    return specification.format


def _tie(
    form: Knockout,
    entrants: Sequence[Entrant],
    sides: tuple[int | None, int | None],
    place: tuple[int, int],
    blocks: Blocks,
) -> Tie:
    """Return a tie between two seeds, None if it is not known who comes; a seed beyond all is a bye."""
    one, other = (
        None if side is None else _entrant(entrants, side) for side in _better_first(sides)
    )
    bots = (one.bot_id if one else None, other.bot_id if other else None)
    if None in sides:
        return Tie(*place, bots)
    if one is None or other is None:
        return Tie(*place, bots, Verdict((0, 0), (0, 0), 0, Decision.BYE))
    verdict = judge(form, (one.bot_id, other.bot_id), blocks.get(place, ()))
    if _is_gone(one, place[0]) or _is_gone(other, place[0]):
        # Whoever stays has gone on: blocks that end after that decide nothing any more.
        stays = 0 if _is_gone(other, place[0]) else 1
        verdict = Verdict(verdict.won, verdict.points, stays, Decision.LEFT)
    return Tie(*place, bots, verdict)


def _better_first(sides: tuple[int | None, int | None]) -> tuple[int | None, int | None]:
    upper, lower = sides
    return (lower, upper) if upper is not None and lower is not None and lower < upper else sides


def _entrant(entrants: Sequence[Entrant], seed: int) -> Entrant | None:
    return entrants[seed] if seed < len(entrants) else None


def _is_gone(one: Entrant, number: int) -> bool:
    return one.gone_from is not None and one.gone_from <= number


def _wanted(tie: Tie, over: Collection[BlockKey]) -> list[tuple[BlockKey, tuple[str, str]]]:
    """Return the blocks that the tie cannot do without: what is in play already is among them."""
    one, other = tie.bots
    if tie.verdict is None or one is None or other is None:
        return []
    played = sum(key.round == tie.round and key.table == tie.number for key in over)
    keys = [
        BlockKey(tie.round, tie.number, number) for number in range(played + tie.verdict.wanted)
    ]
    return [(key, (one, other)) for key in keys if key not in over and tie.winner is None]
