"""What is due in tournaments: worked out beside the looks of a director, so that no plan holds up anybody."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, final

from shoal.competition import tournament
from shoal.competition.agenda import Agenda
from shoal.competition.plan import Entrant, Finished
from shoal.competition.specification import Specification
from shoal.server.director.progress import finished
from shoal.server.guard import one_of_many
from shoal.server.store.competition_errors import Stale
from shoal.server.store.competition_nouns import Competition, Ended
from shoal.server.store.competitions import CompetitionStore
from shoal.server.together import together

_AT_ONCE: Final = 4
"""How many plans are worked out side by side."""

_PATIENCE: Final = 0.1
"""For how many seconds a look waits for a plan: most take less, and meanwhile ladders may take its bots."""


@dataclass(slots=True, eq=False)
class _Plan:
    """What is known of a tournament at a rev, and what follows from it.

    Until its entrants have been read, `finished` has only what has ended meanwhile.
    """

    rev: int
    entrants: Sequence[Entrant] | None = None
    finished: dict[str, Finished] = field(default_factory=dict)
    agenda: Agenda | None = None
    made: asyncio.Event = field(default_factory=asyncio.Event)


@final
class Plans:
    """The plans of tournaments. All of it can be worked out from the store at any time."""

    def __init__(self, competitions: CompetitionStore, ring: Callable[[], None]) -> None:
        """Read here, and ring when something is ready to be looked at."""
        self._competitions = competitions
        self._ring = ring
        self._plans: dict[str, _Plan] = {}
        self._wanted: asyncio.Queue[tuple[Competition, _Plan]] = asyncio.Queue()
        self._making: set[str] = set()

    async def run(self) -> None:
        """Work out what was asked for, for ever."""
        await together(*(self._work() for _ in range(_AT_ONCE)))

    def over(self, found: Competition, ended: Ended, rev: int) -> None:
        """Take note of a block that is over, and of the rev that its tournament has then."""
        plan = self._plans.get(found.competition_id)
        if plan is None or rev <= plan.rev:
            return
        if rev > plan.rev + 1:
            del self._plans[found.competition_id]
            return
        plan.rev = rev
        plan.finished[ended.block.key] = finished(ended)
        if plan.agenda is not None:
            plan.agenda.finish(ended.block.key)
            if not tournament.is_still_due(found.specification, len(plan.agenda)):
                plan.agenda = None

    def doubt(self) -> None:
        """Read all tournaments again: the store may have gone back, and come to its rev by another way."""
        self._plans.clear()

    def forget(self, found: Competition) -> None:
        """Keep no more of a tournament."""
        self._plans.pop(found.competition_id, None)

    async def agenda(self, found: Competition) -> Agenda | None:
        """Return what is due; None if that takes longer to be worked out, after which it rings.

        Raises Stale if a block has ended since the tournament was read.
        """
        name = found.competition_id
        plan = self._plans.get(name)
        if plan is not None and plan.rev > found.rev:
            if (await self._competitions.get(name)).rev >= plan.rev:
                raise Stale(name)
            plan = None  # the store has gone back
        if plan is not None and plan.rev == found.rev and plan.agenda is not None:
            return plan.agenda
        if name not in self._making:
            if plan is None or plan.rev < found.rev:
                # From now on it hears of blocks that end while it is read.
                plan = self._plans[name] = _Plan(found.rev)
            self._making.add(name)
            plan.made.clear()
            self._wanted.put_nowait((found, plan))
            with suppress(TimeoutError):
                async with asyncio.timeout(_PATIENCE):
                    await plan.made.wait()
            if self._plans.get(name) is plan and plan.rev == found.rev:
                return plan.agenda
        return None

    async def _work(self) -> None:
        while True:
            found, plan = await self._wanted.get()
            with one_of_many("plan_not_made", competition=found.competition_id):
                try:
                    await self._make(found, plan)
                finally:
                    self._making.discard(found.competition_id)
                    plan.made.set()
                self._ring()

    async def _make(self, found: Competition, plan: _Plan) -> None:
        """Work out what is due; if it is not any more when that is done, it is worked out anew."""
        if plan.entrants is None:
            entrants = await self._competitions.entrants(found.competition_id)
            async for page in self._competitions.ended_pages(found.competition_id):
                for key, one in page.items():
                    plan.finished[key] = finished(one)
            plan.entrants = entrants
        rev, known = plan.rev, dict(plan.finished)
        # Of hundreds of bots it takes seconds, in which the lease must be kept.
        agenda = await asyncio.to_thread(
            _agenda, found.specification, plan.entrants, tuple(known.values())
        )
        for key in plan.finished.keys() - known.keys():
            agenda.finish(key)
        if plan.rev == rev or tournament.is_still_due(found.specification, len(agenda)):
            plan.agenda = agenda


def _agenda(
    specification: Specification, entrants: Sequence[Entrant], blocks: Sequence[Finished]
) -> Agenda:
    return Agenda(tournament.due(specification, entrants, blocks))
