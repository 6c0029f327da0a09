"""A small arena: a real store, bots that are present, and matches that the test ends."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

from shoal.competition.plan import Entrant
from shoal.competition.specification import Specification
from shoal.match import Asks
from shoal.server.director import Create, Director, Pairing, Settings, Stores
from shoal.server.store import keys
from shoal.server.store.bells import Bells
from shoal.server.store.bots import BotStore
from shoal.server.store.commits import Commit
from shoal.server.store.competition_nouns import Note, State
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.leases import LeaseStore
from shoal.server.store.matches import MatchStore, NewMatch
from shoal.server.store.outbox import Outbox
from shoal.server.store.pipe import Pipe
from shoal.server.store.presence import Claim, PresenceStore

QUICK = Settings(
    lease=60,
    tick=0.05,
    breath=0,
    poll=0.1,
    cool_off=60,
    first_delay=0.01,
    last_delay=0.05,
    adjust=3600,
)
"""The lease is given back when its holder ends; on a slow machine a short one would run out before."""


PATIENCE = 30.0
"""Seconds after which a test stops waiting for what must come: only what is broken takes so long."""

NOTE = Note(0, "test", "test")


class Arena:
    """What a test needs around a director."""

    def __init__(self, pipe: Pipe, bells: Bells) -> None:
        self.pipe = pipe
        self.stores = Stores(
            pipe=pipe,
            leases=LeaseStore(pipe),
            competitions=CompetitionStore(pipe),
            bots=BotStore(pipe),
            matches=MatchStore(pipe),
            presences=PresenceStore(pipe),
            outbox=Outbox(pipe),
            bells=bells,
        )
        self.matches = self.stores.matches
        self.created: asyncio.Queue[Pairing] = asyncio.Queue()
        self.calls: Counter[str] = Counter()
        self._told: set[str] = set()

    def sharing(self, pipe: Pipe) -> "Arena":
        """Return the same arena as it is seen through another pipe to its store."""
        other = Arena(pipe, self.stores.bells)
        other.created, other.calls, other._told = self.created, self.calls, self._told
        return other

    @property
    def competitions(self) -> CompetitionStore:
        return self.stores.competitions

    async def make(
        self, specification: Specification, name: str = "", state: State = State.RUNNING
    ) -> str:
        """Make a competition, a ladder under its name, and return its id."""
        competition_id = name or keys.new_id()
        await self.competitions.create(competition_id, specification, state, NOTE)
        return competition_id

    async def enter(self, competition_id: str, *entrants: Entrant) -> None:
        """Enter bots into a competition."""
        for entrant in entrants:
            found = await self.competitions.get(competition_id)
            await self.competitions.put_entrant(found, entrant, NOTE)

    async def create(self, pairing: Pairing) -> None:
        """Create the match of a pairing as the server does: live sets first, then the match."""
        self.calls[pairing.match_id] += 1
        await self.stores.bots.add_match(pairing.bots, pairing.match_id)
        new = NewMatch(pairing.match_id, b"{}", b"", b"", "live", limit_ms=60_000)
        # A director that dies in the middle may have made it, and not have told: the next one does.
        if await self.matches.create(new) or pairing.match_id not in self._told:
            self._told.add(pairing.match_id)
            self.created.put_nowait(pairing)

    async def arrive(
        self,
        *names: str,
        room: int = 1,
        owner: str = "",
        seats: Sequence[int] = (2, 3, 4),
        joined: bool = True,
        version: str = "",
    ) -> list[str]:
        """Open streams of new bots and enter them into the ladder; each has its own owner."""
        ids = [keys.new_id() for _ in names]
        for bot_id in ids:
            claim = Claim(bot_id, "p", room, ("base",), tuple(seats), version)
            await self.stores.presences.claim(claim, 600_000)
            if joined:
                await self.enter("main", Entrant(bot_id, owner or bot_id))
        return ids

    async def finish(self, pairing: Pairing, **more: object) -> None:
        """End a match, the first seat being the best, but for what is given."""
        seats = range(len(pairing.bots))
        payload = {
            "match": pairing.match_id,
            "ladder": pairing.competition_id,
            "rated": pairing.rated,
            "ruleset": "base",
            "bots": pairing.bots,
            "placements": [seat + 1 for seat in seats],
            "totals": [30 - seat for seat in seats],
            "termination": "target",
            "left": ["" for _ in seats],
            "ended_ms": 0,
            **more,
        }
        await self.post(pairing.match_id, json.dumps(payload).encode())

    async def post(self, match_id: str, payload: bytes) -> None:
        """End a match with this outbox entry."""
        match = await self.matches.load(match_id)
        assert match is not None
        await self.matches.submit_commit(
            Commit(
                match_id=match_id,
                rev=match.rev,
                version=match.version,
                prefix='["void",-1,"",""',
                state=b"",
                status="finished",
                asks=Asks.NONE,
                payload=payload,
                received=time.monotonic(),
            )
        )

    async def next_match(self) -> Pairing:
        """Wait for the next match to be created."""
        async with asyncio.timeout(PATIENCE):
            return await self.created.get()

    @asynccontextmanager
    async def directing(
        self,
        create: Create | None = None,
        settings: Settings = QUICK,
        stores: Stores | None = None,
    ) -> AsyncIterator["asyncio.Task[None]"]:
        """Run a director until the end of the context."""
        director = Director(stores or self.stores, create or self.create, settings)
        async with asyncio.TaskGroup() as group:
            task = group.create_task(director.run())
            try:
                yield task
            finally:
                task.cancel()


async def until(holds: Callable[[], Awaitable[bool]], seconds: float = PATIENCE) -> None:
    """Return when it holds; for what a store cannot ring a bell about."""
    async with asyncio.timeout(seconds):
        while not await holds():  # noqa: ASYNC110 - the store has no event for it
            await asyncio.sleep(0.005)


async def reserved(arena: Arena, competition_id: str = "main") -> list[str]:
    """Return the matches in play of a competition."""
    blocks = await arena.competitions.blocks(competition_id)
    return [block.match_id for block in blocks.values() if block.match_id]
