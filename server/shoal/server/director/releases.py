"""Releases: a bot that comes back with another version is another rated entity on its ladders."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, final

import structlog

from shoal.competition.plan import Entrant
from shoal.competition.specification import Ladder
from shoal.server.director.health import is_unreadable, tried_again
from shoal.server.director.result import Finished
from shoal.server.guard import one_of_many
from shoal.server.store.competition_errors import Stale
from shoal.server.store.competition_nouns import Competition, Note
from shoal.server.store.direction import Direction
from shoal.server.store.keys import now_ms, time_of
from shoal.server.store.memberships import MembershipStore
from shoal.server.store.presence import Presence
from shoal.server.store.releases import EARLIER, Period, Releases, ReleaseStore, retired

_log = structlog.get_logger(__name__)

_KEPT: Final = 200
"""How many periods of a bot are kept; what it played before them is of one release, `EARLIER`."""


@final
class Releasing:
    """Notices new versions on ladders, and says which release a match was of."""

    def __init__(
        self,
        releases: ReleaseStore,
        memberships: MembershipStore,
        direction: Direction,
        counting: asyncio.Lock,
    ) -> None:
        """Read and write here; who counts holds the lock meanwhile, since scores change their names."""
        self._counting = counting
        self._releases = releases
        self._memberships = memberships
        self._direction = direction

    async def every(self, competition_id: str) -> dict[str, Releases]:
        """Return the releases of all bots of a ladder that have any."""
        return await self._releases.every(competition_id)

    async def look(
        self, found: Competition, entrants: Mapping[str, Entrant], present: Iterable[Presence]
    ) -> set[str]:
        """Let those versions play that bots have come with; return the bots that have another one now.

        On a ladder with trials they are on trial from then on, but for baselines.
        """
        form = found.specification.format
        said = {
            each.bot_id: each.version
            for each in present
            if each.version and each.bot_id in entrants
        }
        if not (isinstance(form, Ladder) and form.releases and said):
            return set()
        known = await self._releases.of(found.competition_id, list(said))
        changed = set()
        for bot, version in said.items():
            before = known.get(bot)
            if before is not None and before.version == version:
                continue
            with one_of_many("release_not_noted", bot=bot):
                is_tried = before is not None and form.trial and entrants[bot].owner != ""
                switch = self._switch(found, bot, before, version, is_tried=is_tried)
                if await switch and before is not None:
                    changed.add(bot)
        return changed

    async def names(self, match: Finished) -> tuple[str, ...]:
        """Return, by seat, under which names the scores of the releases are that a match was of."""
        known = await self._releases.of(match.competition, match.bots)
        return score_names(match.match_id, match.bots, known)

    async def _switch(
        self,
        found: Competition,
        bot: str,
        before: Releases | None,
        version: str,
        *,
        is_tried: bool,
    ) -> bool:
        ladder, after = found.competition_id, switched(before, version, now_ms())
        note = Note(now_ms(), "director", "release", f"{bot} {version}")
        trial = None
        if is_tried:
            known = await self._memberships.of(ladder, [bot])
            if is_unreadable(known.get(bot)):
                return False
            trial = tried_again(bot, known.get(bot), after.since_ms)
        try:
            async with self._counting:
                await self._releases.switch(
                    self._direction, ladder, bot, before, after, note, trial=trial
                )
        except Stale:
            return False
        _log.info("release", ladder=ladder, bot=bot, version=version)
        if trial is not None:
            _log.info("membership", ladder=ladder, bot=bot, stage=trial.after.stage.value)
        return True


def switched(before: Releases | None, version: str, at_ms: int) -> Releases:
    """Return the releases of a bot of which another version plays from now on.

    The first version that is heard of is that of all that was played before.
    """
    if before is None:
        return Releases(version, 0)
    past = (*before.past, Period(before.version, before.since_ms, at_ms))
    return Releases(version, at_ms, past[-_KEPT:])


def score_names(
    match_id: str, bots: Sequence[str], known: Mapping[str, Releases]
) -> tuple[str, ...]:
    """Return under which names the scores of the releases are that played a match."""
    if known.keys().isdisjoint(bots):
        return tuple(bots)
    began_ms = time_of(match_id)
    return tuple(score_name(bot, known.get(bot), began_ms) for bot in bots)


def score_name(bot: str, known: Releases | None, began_ms: int) -> str:
    """Return under which name the score is of the release that played a match that began then."""
    if known is None or began_ms >= known.since_ms:
        return bot
    at_that_time = (each for each in reversed(known.past) if each.since_ms <= began_ms)
    period = next(at_that_time, None)
    if period is None:  # the first one began with everything, so it is kept no more
        return retired(bot, EARLIER)
    return bot if period.version == known.version else retired(bot, period.version)
