"""The luck of a match, and its result without it. Pure: from the events of a match, or from its record.

What is subtracted has mean zero for every seat, however well or badly the value function knows the game
(docs/luck.md); so the adjusted result has the mean of the plain one, and less of its noise.
"""

from collections.abc import Iterable
from typing import NamedTuple, final

from shoal.engine.events import Event
from shoal.engine.ruleset import Ruleset, ruleset
from shoal.luck.model import NEWEST, model
from shoal.luck.outlook import Outlook
from shoal.luck.scene import Scene, follow
from shoal.luck.uses import Use, uses_in
from shoal.luck.values import BySeat, Values
from shoal.match.outcome import RATED
from shoal.record import Record


class NotAdjustable(ValueError):
    """A match without a result that counts has nothing to adjust."""


@final
class Adjustment(NamedTuple):
    """A match and its luck, in parts of the win.

    `shares` are by seat the part of the win: 1 for a sole winner, a half for each of two. `luck` is by
    seat the sum over all `uses`; what is left of the shares without it is `adjusted`. `model` names the
    value function.
    """

    model: str
    shares: BySeat
    luck: BySeat
    uses: tuple[Use, ...]

    @property
    def adjusted(self) -> BySeat:
        """The parts of the win without luck; they may be below 0 or above 1, and add up to 1."""
        return tuple([share - luck for share, luck in zip(self.shares, self.luck, strict=True)])


def uses_of(
    rules: Ruleset, seats: int, events: Iterable[Event], values: Values | None = None
) -> list[Use]:
    """Return every use of chance of a match, given all that happened in it, with its secrets."""
    scene = Scene(rules, seats)
    values = Outlook(model(), seats) if values is None else values
    found: list[Use] = []
    for event in events:
        found += uses_in(scene, event, values)
        follow(scene, event)
    return found


def luck_of(uses: Iterable[Use], seats: int) -> BySeat:
    """Return by seat the sum of the luck of some uses."""
    total = [0.0] * seats
    for use in uses:
        for seat, (value, mean) in enumerate(zip(use.value, use.mean, strict=True)):
            total[seat] += value - mean
    return tuple(total)


def shares_of(ranks: Iterable[int]) -> BySeat:
    """Return by seat the part of the win, given the seats' ranks."""
    winners = [rank == 1 for rank in ranks]
    return tuple([won / sum(winners) for won in winners])


def adjusted(
    rules: Ruleset,
    ranks: Iterable[int],
    events: Iterable[Event],
    expected: BySeat | None = None,
    name: str = NEWEST,
) -> Adjustment:
    """Return a match with its luck, given all that happened in it.

    `expected` are by seat the parts of the win that were to be expected before the match, by the ratings
    for instance; with them the luck of an unequal match is what it is, little. Raise UnknownModel.
    """
    shares = shares_of(ranks)
    seats = len(shares)
    uses = uses_of(rules, seats, events, Outlook(model(name), seats, expected))
    return Adjustment(name, shares, luck_of(uses, seats), tuple(uses))


def adjusted_record(
    record: Record, expected: BySeat | None = None, name: str = NEWEST
) -> Adjustment:
    """Return the match of a record with its luck; the record must be sound, `verify` tells.

    Raise NotAdjustable for a match that ended without a result that counts, UnknownModel, and
    UnknownRuleset.
    """
    if record.result.termination not in RATED:
        ending = record.result.termination.value.replace("_", " ")
        raise NotAdjustable(f"a match that ended {ending} has no result to adjust")
    events = (event for entry in record.entries for event in entry.events)
    ranks = [seat.placement for seat in record.result.seats]
    return adjusted(ruleset(record.ruleset.name), ranks, events, expected, name)
