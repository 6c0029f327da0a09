"""At which tables trials are played: who has its turn, and against whom. No input or output."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple, final

from shoal.competition.plan import Entrant
from shoal.competition.specification import Specification
from shoal.server.director.rooms import Room
from shoal.server.store.memberships import Membership, Stage
from shoal.server.store.presence import Presence

_AT_ONCE: Final = 8
"""How many bots of a ladder are at trials at most, so that newcomers leave the others their places.

One of an owner comes to its trial only if its others have taken fewer of these places than are left: however
many bots one has that never come, others find places.
"""


@final
class Table(NamedTuple):
    """Who has a trial with whom; the first is who is tried."""

    bots: tuple[str, ...]
    ruleset: str


@final
class Seating:
    """Seats the bots of one ladder that are due, one after the other."""

    def __init__(
        self,
        spec: Specification,
        entrants: Mapping[str, Entrant],
        waiting: Mapping[str, Membership],
        due: Collection[str],
        room: Room,
    ) -> None:
        """Of the entrants these are `waiting`, to be tried or at trials, and some of these are due now.

        `waiting` may change meanwhile: who has failed after all is one of those who have.
        """
        self._spec = spec
        self._entrants = entrants
        self._waiting = waiting
        self._due = due
        self._trying = {bot for each in waiting.values() if each.match_id for bot in each.bots}
        self._places = Counter(entrants[bot].owner for bot in self._trying if bot in waiting)
        self._free = {
            bot: each
            for bot, each in room.there.items()
            if room.of(bot) > 0 and bot not in self._trying and (bot in due or bot not in waiting)
        }
        # Baselines first: they are there for that. Then those that are to be tried too: it counts for both.
        self._order = sorted(
            self._free,
            key=lambda bot: (
                *(entrants[bot].owner != "", bot not in waiting),
                self._free[bot].live_count,
            ),
        )

    @property
    def turns(self) -> list[str]:
        """Who is due: who is new comes before who has failed, as that one may go on to fail for ever."""
        return sorted(
            self._due, key=lambda bot: (_has_failed(self._waiting[bot]), self._waiting[bot].due_ms)
        )

    def table(self, bot: str) -> Table | str | None:
        """Return where a bot can be tried now, None if it has no place or others are missing.

        As text why there is no such table for what it offers.
        """
        if bot not in self._free or not self._has_place(bot):
            return None
        return _table(self._spec, self._free[bot], self._fit(bot))

    def seat(self, table: Table) -> None:
        """Take note that a trial begins."""
        self._trying.update(table.bots)
        self._places.update(self._entrants[bot].owner for bot in table.bots if bot in self._waiting)
        for bot in table.bots:
            self._free.pop(bot)

    def _has_place(self, bot: str) -> bool:
        return self._places[self._entrants[bot].owner] < _AT_ONCE - len(self._trying)

    def _fit(self, bot: str) -> Iterable[Presence]:
        """Return those that a bot may have its trial with.

        Of those on trial, who is new does not meet who has failed: it would wait for somebody in vain.
        """
        failed = _has_failed(self._waiting[bot])
        for other in self._order:
            if other == bot or other not in self._free:
                continue
            known = self._waiting.get(other)
            if known is None or (self._has_place(other) and _has_failed(known) == failed):
                yield self._free[other]


def _has_failed(membership: Membership) -> bool:
    """Tell whether a bot that is not paired was paused, in matches or by a trial."""
    return membership.stage is Stage.PAUSED


def _table(spec: Specification, bot: Presence, others: Iterable[Presence]) -> Table | str | None:
    """Return the smallest table that a bot can have."""
    rulesets = [each for each in spec.rulesets if each in bot.rulesets]
    sizes = [each for each in sorted(spec.seats) if each in bot.seats]
    if not rulesets or not sizes:
        return (
            f"it offers {_listed(bot.rulesets)} at tables of {_listed(bot.seats)}, "
            f"and the ladder plays {_listed(spec.rulesets)} at tables of {_listed(spec.seats)}"
        )
    others = list(others)
    for size in sizes:
        for ruleset in rulesets:
            able = [
                each.bot_id for each in others if ruleset in each.rulesets and size in each.seats
            ]
            if len(able) >= size - 1:
                return Table((bot.bot_id, *able[: size - 1]), ruleset)
    return None


def _listed(items: Sequence[object]) -> str:
    return ", ".join(map(str, items))
