"""Whether matches count for ratings: what one that does did to them, and why another does not (T58)."""

from collections.abc import Sequence
from enum import Enum, unique
from typing import NamedTuple, final

from shoal.match import Match, Termination
from shoal.match.outcome import RATED
from shoal.server.director.result import finished
from shoal.server.director.tally import is_counted
from shoal.server.finding import find
from shoal.server.store.competition_errors import UnknownCompetition
from shoal.server.store.competition_nouns import Competition
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.ledger import Changes, LedgerStore
from shoal.server.store.luck import LuckStore, WithoutLuck


@unique
class Unrated(Enum):
    """Why a result does not count."""

    CASUAL = "casual"
    """It belongs to no competition, or to one that is not there."""

    COMPETITION = "competition"
    """Nothing in its competition counts for ratings."""

    ONE_OWNER = "one_owner"
    """Two of its bots are of one owner."""

    NOT_PLAYED = "not_played"
    """It ended before anything was decided."""

    TAKEN_BACK = "taken_back"
    """An organizer has decided that it does not count."""


def why_unrated(
    found: Competition, termination: Termination | None, *, rated: bool, counted: bool
) -> Unrated | None:
    """Return why a match of a competition does not count for ratings; None if it does, or is not over.

    `rated`: it was made to count, or is not over; `counted`: no organizer has decided otherwise.
    """
    if not found.specification.rated:
        return Unrated.COMPETITION
    if termination is not None and termination not in RATED:
        return Unrated.NOT_PLAYED
    if not counted:
        return Unrated.TAKEN_BACK
    return None if rated else Unrated.ONE_OWNER


@final
class Entry(NamedTuple):
    """What the ledger of a competition says of a match.

    `unrated` is why it does not count, None of one that does, or is not over. `changes` are what it did to
    ratings, by seat: empty if it does not count, and where that was not noted. `without_luck` is its result
    without luck, None in the same cases.
    """

    unrated: Unrated | None = None
    changes: Changes = ()
    without_luck: WithoutLuck | None = None


@final
class Ratedness:
    """Looks up what competitions say of their matches."""

    def __init__(
        self, competitions: CompetitionStore, ledger: LedgerStore, luck: LuckStore
    ) -> None:
        """Look here."""
        self._luck = luck
        self._competitions = competitions
        self._ledger = ledger

    async def must_know(self, competition_id: str) -> None:
        """Raise Refusal if there is no such ladder or tournament; none at all is asked for with ""."""
        if competition_id:
            await find(self._competitions, competition_id)

    async def of(self, matches: Sequence[Match]) -> list[Entry]:
        """Return what is said of these."""
        by_name: dict[str, list[Match]] = {}
        for match in matches:
            by_name.setdefault(match.meta.ladder, []).append(match)
        known: dict[str, Entry] = {}
        for name, some in by_name.items():
            unrated = await self._of(name, some)
            count = [match_id for match_id, why in unrated.items() if why is None]
            changes = await self._ledger.of(name, count) if name else {}
            without_luck = await self._luck.of(name, count) if name else {}
            known.update(
                (match_id, Entry(why, changes.get(match_id, ()), without_luck.get(match_id)))
                for match_id, why in unrated.items()
            )
        return [known[match.meta.match_id] for match in matches]

    async def _of(self, name: str, matches: Sequence[Match]) -> dict[str, Unrated | None]:
        """Return it of matches of one competition, by id; of those of none if the name is empty.

        One of a competition that is not there is counted nowhere, so it is as one of none.
        """
        try:
            found = await self._competitions.get(name) if name else None
        except UnknownCompetition:
            found = None
        if found is None:
            return dict.fromkeys((each.meta.match_id for each in matches), Unrated.CASUAL)
        taken_back = await self._taken_back(found, [each.meta.match_id for each in matches])
        return {
            each.meta.match_id: why_unrated(
                found,
                each.termination,
                rated=each.meta.rated,
                counted=each.meta.match_id not in taken_back,
            )
            for each in matches
        }

    async def _taken_back(self, found: Competition, ids: list[str]) -> set[str]:
        """Return those of these matches of which an organizer has decided that they do not count."""
        rulings = found.rulings
        taken_back = set(ids) & rulings.voided.keys()
        if rulings.uncounted:
            # They go by when a match ended, which is noted where it is counted.
            results = await self._competitions.counted(found.competition_id, ids)
            taken_back |= {
                match_id
                for match_id, payload in results.items()
                if payload is not None and not is_counted(rulings, finished(payload))
            }
        return taken_back
