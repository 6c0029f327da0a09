"""Who takes part in ladders, and with which scores, without reading all of it at every look."""

from collections.abc import Collection
from dataclasses import replace
from typing import final

from shoal.server.store.competition_nouns import Competition, Roster
from shoal.server.store.competitions import CompetitionStore


@final
class Rosters:
    """The rosters of ladders as they were read last, with what has changed since.

    Who has entered is as of the rev of a ladder. Scores change with results, of which the one who counts
    them tells, with releases, and all at once when a ladder is counted again.
    """

    def __init__(self, competitions: CompetitionStore) -> None:
        """Read here."""
        self._competitions = competitions
        self._read: dict[str, tuple[tuple[int, int], Roster]] = {}
        self._changed: dict[str, set[str]] = {}
        self._known: set[str] = set()

    def changed(self, competition_id: str, *bots: str) -> None:
        """Take note that the scores of these bots may have changed."""
        if competition_id in self._known:
            self._changed.setdefault(competition_id, set()).update(bots)

    def forget(self, competition_id: str) -> None:
        """Keep no more of a ladder."""
        self._known.discard(competition_id)
        self._read.pop(competition_id, None)
        self._changed.pop(competition_id, None)

    async def of(self, found: Competition) -> Roster:
        """Return who takes part and may be paired, and what everybody has reached.

        What changes while it is read is read with the next call.
        """
        self._known.add(found.competition_id)
        name, key = found.competition_id, (found.rev, found.recounted)
        known = self._read.pop(name, None)  # whatever fails, it is read again
        changed = self._changed.pop(name, set())
        if known is None or known[0] != key:
            self._read[name] = key, await self._all(found)
        elif not changed:
            self._read[name] = known
        else:
            roster = known[1]
            scores, others = await self._competitions.scores_and_others(name, sorted(changed))
            same = {bot: score for bot, score in roster.scores.items() if bot not in changed}
            self._read[name] = key, replace(without(roster, others), scores={**same, **scores})
        return self._read[name][1]

    async def _all(self, found: Competition) -> Roster:
        roster = await self._competitions.roster(found.competition_id)
        return without(roster, found.rulings.excluded)


def without(roster: Roster, bots: Collection[str]) -> Roster:
    """Return who takes part but for these."""
    if not bots:
        return roster
    here = {bot: each for bot, each in roster.entrants.items() if bot not in bots}
    return replace(roster, entrants=here)
