"""A server, a director and bots that are there: what organizers ask for on the wire, and what comes of it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from google.protobuf.message import Message

from shoal.competition.plan import Entrant
from shoal.competition.specification import Format, Ladder, Specification
from shoal.server.director import Pairing, Settings
from shoal.server.play.creation import Creation
from shoal.server.store.competition_nouns import State
from shoal.server.store.presence import Claim
from shoal.v1 import competition_service_pb2 as pb
from tests.server.support import Bot, Server

from .arena import NOTE, QUICK, Arena, until
from .reads import results_of


class Hall:
    """Competitions whose matches are real, and end when the test says so."""

    def __init__(self, server: Server, arena: Arena) -> None:
        self.server = server
        self.arena = arena
        self.created: asyncio.Queue[Pairing] = asyncio.Queue()
        self.bots: dict[str, Bot] = {}
        self._creation = Creation(arena.matches, arena.stores.bots, arena.competitions, "test")
        self._seen: set[str] = set()

    async def arrive(self, count: int, room: int = 1) -> list[str]:
        """Register bots of an owner each, which are present and play at tables of two."""
        for bot in [await self.server.register() for _ in range(count)]:
            self.bots[bot.bot_id] = bot
            claim = Claim(bot.bot_id, "p", room, ("base",), (2,))
            await self.arena.stores.presences.claim(claim, 600_000)
        return list(self.bots)[-count:]

    async def hold(self, form: Format, bots: Sequence[str], **more: Any) -> str:
        """Begin a competition of these bots."""
        name = "ladder" if isinstance(form, Ladder) else ""
        specification = replace(Specification("cup", form, seats=(2,)), **more)
        made = await self.arena.make(specification, name, State.OPEN)
        await self.arena.enter(made, *(Entrant(bot, f"owner of {bot}") for bot in bots))
        found = await self.arena.competitions.get(made)
        await self.arena.competitions.turn(found, [State.OPEN], State.RUNNING, NOTE)
        return made

    @asynccontextmanager
    async def directing(self, settings: Settings = QUICK) -> AsyncIterator[None]:
        """Run a director until the end of the context, where it is killed."""
        async with self.arena.directing(self._create, settings):
            yield

    async def _create(self, pairing: Pairing) -> None:
        await self._creation.create_for_competition(
            pairing.match_id,
            pairing.bots,
            ruleset_name=pairing.ruleset,
            competition=pairing.competition_id,
            rated=pairing.rated,
            names_hidden=pairing.names_hidden,
        )
        if pairing.match_id not in self._seen:
            self._seen.add(pairing.match_id)
            self.created.put_nowait(pairing)

    async def next_match(self) -> Pairing:
        """Wait for the next match to be created."""
        async with asyncio.timeout(10):
            return await self.created.get()

    async def finish(self, match: Pairing, loser: str = "") -> None:
        """Play a match to its end: one of its bots, the last but for what is given, gives up."""
        for bot in match.bots:
            await self.server.ready(self.bots[bot], match.match_id)
        await self.server.resign(self.bots[loser or match.bots[-1]], match.match_id)

    async def ask(self, what: str, competition_id: str, **fields: object) -> Any:
        """Make a call of CompetitionService as an organizer."""
        request: Message = getattr(pb, f"{what}Request")(competition_id=competition_id, **fields)
        metadata = await self.server.admin()
        return await getattr(self.server.competitions, what)(request, metadata=metadata)

    async def results(self, competition_id: str, count: int) -> None:
        """Wait until so many results are counted."""

        async def counted() -> bool:
            return len(await results_of(self.arena.competitions, competition_id)) == count

        await until(counted)

    async def state(self, competition_id: str, state: "pb.CompetitionState.ValueType") -> None:
        """Wait until a competition is in a state."""

        async def reached() -> bool:
            found = await self.ask("GetCompetition", competition_id)
            return bool(found.competition.state == state)

        await until(reached)

    async def recounted(self, competition_id: str) -> None:
        """Wait until all that was decided is heeded in ratings and standings."""

        async def done() -> bool:
            return not (await self.arena.competitions.get(competition_id)).is_recounting

        await until(done)
