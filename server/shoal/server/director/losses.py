"""Notices that a competition has lost results that were counted: a failover of its partition loses them.

Each count says how many results there are then. One too few, now or later, and some are missing, even when
others came since.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import final

import structlog

from shoal.server.director.result import Finished, finished, takes_back
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.direction import Done

_log = structlog.get_logger(__name__)


@final
class Losses:
    """How many results each competition must have, as far as they were counted or seen here."""

    def __init__(self, competitions: CompetitionStore) -> None:
        """Look here."""
        self._competitions = competitions
        self._sizes: dict[str, int] = {}
        self._lost = False

    def counted(self, competition_id: str, done: Done, *, instead: bool) -> None:
        """Take note of what a count has answered; `instead` if it put a result in the place of another."""
        is_more = bool(done.rev) and not instead
        expected = self._sizes.get(competition_id, done.results - 1) + is_more
        self._lost |= done.results < expected
        self._sizes[competition_id] = done.results

    def forget(self, competition_id: str) -> None:
        """Keep no more of a competition that is over: what is kept is looked at with every bell."""
        self._sizes.pop(competition_id, None)

    async def noticed(self) -> bool:
        """Tell whether a competition has lost results."""
        sizes = dict(self._sizes)
        now = await self._competitions.sizes(list(sizes))
        shrunk = [id_ for (id_, size), is_ in zip(sizes.items(), now, strict=True) if size > is_]
        if shrunk or self._lost:
            _log.warning("results_lost", competitions=shrunk)
        return bool(shrunk) or self._lost

    def begin(self) -> None:
        """Take note that all that is kept is about to be looked through: what was lost before is found."""
        self._lost = False

    async def settle(self) -> None:
        """Take what there is now for what there must be from now on."""
        ids = [found.competition_id for found in await self._competitions.active()]
        self._sizes = dict(zip(ids, await self._competitions.sizes(ids), strict=True))

    async def uncounted(self, matches: Iterable[Finished]) -> list[Finished]:
        """Return those of these matches that their competition has not counted as they are."""
        of_competitions = defaultdict[str, list[Finished]](list)
        for match in matches:
            if match.competition:
                of_competitions[match.competition].append(match)
        found = []
        for competition_id, its in of_competitions.items():
            counted = await self._competitions.counted(competition_id, [m.match_id for m in its])
            for match in its:
                known = counted[match.match_id]
                if known is None or takes_back(match, finished(known)):
                    found.append(match)
        return found
