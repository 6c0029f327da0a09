"""Plans are worked out beside the looks of a director, on a real Redis."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

from shoal.competition.plan import Entrant
from shoal.competition.specification import RoundRobin, Specification
from shoal.server.director import MAIN
from shoal.server.store.bells import Bells
from shoal.server.store.competition_nouns import Ended, State
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.pipe import Pipe

from .arena import NOTE, Arena


class SlowCompetitions(CompetitionStore):
    """Gives the entrants and the blocks of a tournament only when it may."""

    def __init__(self, pipe: Pipe) -> None:
        super().__init__(pipe)
        self.may = asyncio.Event()

    async def entrants(self, competition_id: str) -> tuple[Entrant, ...]:
        await self.may.wait()
        return await super().entrants(competition_id)

    async def ended_pages(self, competition_id: str) -> AsyncIterator[dict[str, Ended]]:
        await self.may.wait()
        async for page in super().ended_pages(competition_id):
            yield page


async def test_a_plan_that_takes_long_holds_up_nobody(pipe: Pipe, bells: Bells) -> None:
    """If a tournament is still worked out, ladders and other tournaments go on, and then it begins (T67)."""
    arena = Arena(pipe, bells)
    await arena.make(replace(MAIN, seats=(2,)), "main")
    slow = SlowCompetitions(pipe)
    bots = await arena.arrive("a", "b", seats=(2,), joined=False)
    cup = await arena.make(Specification("cup", RoundRobin()), state=State.OPEN)
    await arena.enter(cup, *(Entrant(bot, bot) for bot in bots))
    found = await arena.competitions.get(cup)
    await arena.competitions.turn(found, [State.OPEN], State.RUNNING, NOTE)
    async with arena.directing(stores=replace(arena.stores, competitions=slow)):
        others = await arena.arrive("c", "d", seats=(2,))
        match = await arena.next_match()
        assert (match.competition_id, set(match.bots)) == ("main", set(others))
        slow.may.set()
        match = await arena.next_match()
        assert (match.competition_id, set(match.bots)) == (cup, set(bots))
