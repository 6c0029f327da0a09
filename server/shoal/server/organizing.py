"""What organizers do with a competition that runs: pause it, keep bots out, and say which results count.

Every action and its line in the list of actions are one step in the store.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, final

from shoal.competition.plan import ANY_NUMBER, Departure, Entrant
from shoal.competition.rulings import (
    Exclusion,
    Rulings,
    Uncounted,
    with_excluded,
    with_readmitted,
    with_uncounted,
    with_voided,
)
from shoal.competition.specification import Knockout
from shoal.server.auth import Caller
from shoal.server.errors import Reason, Refusal, malformed, not_found
from shoal.server.finding import find
from shoal.server.page_tokens import make_token, read_number
from shoal.server.reckoning import Reckoning
from shoal.server.store.bots import BotStore
from shoal.server.store.competition_changes import Meanwhile
from shoal.server.store.competition_errors import Stale
from shoal.server.store.competition_nouns import Competition, Note, State
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.entries import EntryStore
from shoal.server.store.keys import is_id, now_ms

NOWHERE: Final = "-"
"""The id under which the list of actions of what belongs to no competition is read."""

TRIES: Final = 20
"""How often something is decided anew because what it depends on has changed meanwhile."""

Decide: TypeAlias = Callable[[Competition], Rulings]
"""What is decided, given a competition as it is."""

Time: TypeAlias = tuple[int, int | None]
"""From when, and until when it is not so any more, None while it goes on; in ms of wall time."""


@final
@dataclass(frozen=True, slots=True)
class Overview:
    """A competition, and the keys of its blocks in play."""

    competition: Competition
    open_blocks: tuple[str, ...]


@final
class Organizing:
    """The organizer's hand on any competition. Every method raises Refusal unless the caller is one."""

    def __init__(
        self,
        competitions: CompetitionStore,
        entries: EntryStore,
        bots: BotStore,
        reckoning: Reckoning,
    ) -> None:
        """Read and write in these, and ask which round it is."""
        self._reckoning = reckoning
        self._entries = entries
        self._competitions = competitions
        self._bots = bots

    async def get(self, caller: Caller, competition_id: str) -> Overview:
        """Return a competition."""
        caller.organizing()
        return await self._overview(competition_id)

    async def pause(self, caller: Caller, competition_id: str, why: str) -> Overview:
        """Let nothing new begin."""
        note = note_of(caller, "pause", why=why)
        return await self._turn(competition_id, State.PAUSED, note)

    async def resume(self, caller: Caller, competition_id: str, why: str) -> Overview:
        """Go on."""
        note = note_of(caller, "resume", why=why)
        return await self._turn(competition_id, State.RUNNING, note)

    async def drain(self, caller: Caller, competition_id: str, why: str) -> Overview:
        """Play the blocks in play to their end, begin no new ones, and then pause."""
        note = note_of(caller, "drain", why=why)
        found = await self._overview(competition_id)
        if found.competition.state is State.PAUSED and not found.open_blocks:
            return found
        return await self._turn(competition_id, State.DRAINING, note)

    async def exclude(
        self, caller: Caller, competition_id: str, bot_id: str, why: str, time: Time | None
    ) -> Overview:
        """Pair a bot no more. `time` is from when, and until when, its results do not count, if at all."""
        note = note_of(caller, "exclude", bot_id, why)
        uncounted = None if time is None else Uncounted(bot_id, *time, why=why)
        if uncounted is not None:
            _check_times("uncounted_from_ms", "uncounted_until_ms", uncounted, note.at_ms)
        await self._check_bot(bot_id)
        for _ in range(TRIES):  # what was looked at may have changed
            found, over = await self._seen(competition_id)
            entrant = await self._entries.get(competition_id, bot_id)
            departure = await self._leaving(found, entrant)
            leaves = None
            if entrant is not None and departure is not None:
                leaves = replace(entrant, gone_from=departure.gone_from)
            exclusion = Exclusion(note.at_ms, why, left=leaves is not None)
            rulings = with_excluded(found.rulings, bot_id, exclusion, uncounted)
            taken_out = bot_id if entrant is not None and found.state is State.OPEN else ""
            meanwhile = meanwhile_of(found, over, departure)
            with suppress(Stale):
                if rulings != found.rulings:
                    await self._competitions.rule(
                        found, rulings, note, leaves, taken_out, meanwhile
                    )
                return await self._overview(competition_id)
        raise restless(competition_id)

    async def readmit(
        self, caller: Caller, competition_id: str, bot_id: str, why: str, *, restore: bool
    ) -> Overview:
        """Pair an excluded bot again. With `restore` all that did not count because of it counts again."""
        note = note_of(caller, "readmit", bot_id, why)
        await self._check_bot(bot_id)
        for _ in range(TRIES):
            found, over = await self._seen(competition_id)
            entrant = await self._entries.get(competition_id, bot_id)
            departure = await self._coming_back(found, entrant)
            back = None
            if entrant is not None and departure is not None:
                back = replace(entrant, gone_from=None)
            rulings = with_readmitted(found.rulings, bot_id, note.at_ms, restore=restore)
            meanwhile = meanwhile_of(found, over, departure)
            with suppress(Stale):
                if rulings != found.rulings:
                    await self._competitions.rule(found, rulings, note, back, meanwhile=meanwhile)
                return await self._overview(competition_id)
        raise restless(competition_id)

    async def exclude_period(
        self, caller: Caller, competition_id: str, from_ms: int, until_ms: int, why: str
    ) -> Overview:
        """Let no result count of a match that ended in a time."""
        note = note_of(caller, "exclude period", f"{from_ms} to {until_ms}", why)
        uncounted = Uncounted("", from_ms, until_ms, why)
        _check_times("from_ms", "until_ms", uncounted, note.at_ms)
        return await self._rule(
            competition_id, lambda found: with_uncounted(found.rulings, uncounted), note
        )

    async def void(self, caller: Caller, competition_id: str, match_id: str, why: str) -> None:
        """Let the result of a match that is over not count."""
        note = note_of(caller, "void", match_id, why)
        await self._rule(
            competition_id, lambda found: with_voided(found.rulings, match_id, why), note
        )

    async def note_match(
        self, caller: Caller, competition_id: str, action: str, match_id: str, why: str
    ) -> None:
        """Write the line of what is about to be done with a match, once however often it is asked for."""
        note = note_of(caller, action, match_id, why)
        await self._competitions.note(competition_id, note, f"{action} {match_id}")

    async def actions(
        self, caller: Caller, competition_id: str, page_size: int, token: str
    ) -> tuple[list[Note], str]:
        """Return a page of the list of actions, the latest first, and the token of the next."""
        caller.organizing()
        end = read_number("actions", token) if token else None
        key = ""
        if competition_id != NOWHERE:
            key = (await find(self._competitions, competition_id)).competition_id
        notes, start = await self._competitions.actions(key, page_size, end)
        return notes, make_token("actions", str(start)) if start else ""

    async def _turn(self, competition_id: str, state: State, note: Note) -> Overview:
        while True:
            found = await find(self._competitions, competition_id)
            if found.state is State.OPEN or found.is_ending:
                why = "it has not begun" if found.state is State.OPEN else "it is over"
                raise wrong_state(found, why)
            with suppress(Stale):
                await self._competitions.turn(found, [found.state], state, note)
                return await self._overview(competition_id)

    async def _rule(self, competition_id: str, decide: Decide, note: Note) -> Overview:
        while True:
            found = await find(self._competitions, competition_id)
            rulings = decide(found)
            with suppress(Stale):
                if rulings != found.rulings:
                    await self._competitions.rule(found, rulings, note)
                return await self._overview(competition_id)

    async def _leaving(self, found: Competition, entrant: Entrant | None) -> Departure | None:
        """Return how an entrant leaves a tournament that has begun, None if it need not."""
        if entrant is None or entrant.gone_from is not None or found.is_ladder:
            return None
        if found.state in {State.OPEN, State.FINISHED}:
            return None
        return await self._reckoning.departure(found, entrant.bot_id)

    async def _coming_back(self, found: Competition, entrant: Entrant | None) -> Departure | None:
        """Return how who comes back to a tournament would leave it, None if it had not to leave."""
        exclusion = None if entrant is None else found.rulings.excluded.get(entrant.bot_id)
        if entrant is None or exclusion is None or not exclusion.left:
            return None
        if isinstance(found.specification.format, Knockout):
            raise wrong_state(found, "who was excluded from a knock-out is out of it")
        departure = await self._reckoning.departure(found, entrant.bot_id)
        if entrant.gone_from is None or departure.gone_from > entrant.gone_from:
            raise wrong_state(found, "a round has been paired without it")
        return departure

    async def _seen(self, competition_id: str) -> tuple[Competition, int]:
        """Return a competition, and how many blocks of it were over a moment later."""
        found = await find(self._competitions, competition_id)
        over, _ = await self._competitions.count_blocks(competition_id)
        return found, over

    async def _overview(self, competition_id: str) -> Overview:
        found = await find(self._competitions, competition_id)
        return Overview(found, tuple(await self._competitions.blocks(competition_id)))

    async def _check_bot(self, bot_id: str) -> None:
        if not is_id(bot_id) or await self._bots.get(bot_id) is None:
            raise not_found("bot", bot_id)


def note_of(caller: Caller, action: str, detail: str = "", why: str = "") -> Note:
    """Return the line of what a caller does now; raise Refusal unless it is an organizer."""
    return Note(now_ms(), f"owner {caller.organizing().owner}", action, detail, why)


def meanwhile_of(found: Competition, over: int, departure: Departure | None) -> Meanwhile | None:
    """Return how many blocks may end while it is decided what does not depend on them, but for a departure.

    `over` were read after the competition was. None: as long as nothing changes at all, as of a ladder.
    """
    if found.is_ladder:
        return None
    below = ANY_NUMBER if departure is None else departure.below
    return None if below is None else Meanwhile(over, below)


def restless(competition_id: str) -> Refusal:
    """Return the refusal of what was tried again and again, because what it depends on has changed."""
    return Refusal(
        Reason.WRONG_STATE, f"{competition_id}: it changes all the time: ask again in a moment"
    )


def wrong_state(found: Competition, why: str) -> Refusal:
    """Return the refusal of what cannot be done with a competition as it is."""
    return Refusal(Reason.WRONG_STATE, f"{found.competition_id}: {why}", state=found.state.value)


def _check_times(first: str, last: str, time: Uncounted, at_ms: int) -> None:
    """Raise the refusal of a time that does not lie before now, by the names of its fields."""
    if not 0 <= time.from_ms <= at_ms:
        raise malformed(first, "a moment since 1970 that is not later than now")
    if time.until_ms is not None and not time.from_ms < time.until_ms <= at_ms:
        raise malformed(last, f"later than {first}, and not later than now")
