"""Makes matches: looks who is free, pairs them, commits the pairings, creates the matches."""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

import structlog

from shoal.server.director.memory import Memory
from shoal.server.director.pairing import Candidate, Table, Terms, pair
from shoal.server.director.settings import Settings
from shoal.server.guard import one_of_many
from shoal.server.store import keys
from shoal.server.store.bots import BotStore
from shoal.server.store.ladders import Ladder, LadderStore, Pairing
from shoal.server.store.presence import PresenceStore
from shoal.server.together import all_of

Create: TypeAlias = Callable[[Pairing], Awaitable[None]]
"""Creates the match of a pairing, once however often it is called."""

_log = structlog.get_logger(__name__)


class Scheduler:
    """Pairs the members of all ladders while it holds the lease of this token."""

    def __init__(
        self,
        ladders: LadderStore,
        bots: BotStore,
        presences: PresenceStore,
        create: Create,
        settings: Settings,
        token: int,
    ) -> None:
        """Use these stores and this way to create a match."""
        self._ladders = ladders
        self._bots = bots
        self._presences = presences
        self._create = create
        self._settings = settings
        self._token = token
        self._bell = asyncio.Event()
        self._memories: dict[str, Memory] = {}
        self._pending: dict[str, Pairing] = {}
        self._failures: Counter[str] = Counter()

    def ring(self) -> None:
        """Look again: somebody may be free."""
        self._bell.set()

    def finished(self, match_id: str, absent: Sequence[str]) -> None:
        """Take note that a match is over and who did not answer in it, and look again."""
        self._settled(match_id)
        for memory in self._memories.values():
            for bot in absent:
                memory.was_absent(bot, time.monotonic())
        self.ring()

    async def resume(self) -> None:
        """Shut out older directors, then create every match that they have left committed."""
        for ladder in await self._ladders.ladders():
            await self._ladders.commit(self._token, ladder.ladder_id, [])
            self._memories[ladder.ladder_id] = Memory(self._settings.cool_off)
            await self._create_all(await self._ladders.pairings(ladder.ladder_id))

    async def run(self) -> None:
        """Pair whenever the bell rings and at every tick, for ever."""
        ladders = await self._ladders.ladders()
        next_tick = time.monotonic()
        while True:
            hasty = time.monotonic() >= next_tick
            if hasty:
                next_tick = time.monotonic() + self._settings.tick
                await self._retry()
            for ladder in ladders:
                with one_of_many("ladder_not_paired", ladder=ladder.ladder_id):
                    await self._pair(ladder, hasty=hasty)
            await asyncio.sleep(self._settings.breath)
            await self._await_bell(next_tick)

    async def _await_bell(self, next_tick: float) -> None:
        remaining = max(0, next_tick - time.monotonic())
        try:
            async with asyncio.timeout(remaining):
                await self._bell.wait()
        except TimeoutError:
            return
        self._bell.clear()

    async def _pair(self, ladder: Ladder, *, hasty: bool) -> None:
        """Make the tables that can be made; without `hasty` only good ones."""
        terms = Terms(ladder.ruleset, ladder.seats, hasty=hasty)
        tables = pair(await self._candidates(ladder), terms, seed=time.time_ns())
        if not tables:
            return
        pairings = [_pairing(ladder, table) for table in tables]
        await self._ladders.commit(self._token, ladder.ladder_id, pairings)
        for table in tables:
            self._memories[ladder.ladder_id].seated(table.bots)
        await self._create_all(pairings)
        if len(tables) == terms.at_most:
            self.ring()

    async def _candidates(self, ladder: Ladder) -> list[Candidate]:
        roster = await self._ladders.roster(ladder.ladder_id)
        members = list(roster.members)
        presences = await self._presences.get_many(members)
        return self._memories[ladder.ladder_id].candidates(
            roster,
            {there.bot_id: there for there in presences if there},
            Counter(bot for pairing in self._pending.values() for bot in pairing.bots),
            time.monotonic(),
        )

    async def _create_all(self, pairings: Sequence[Pairing]) -> None:
        for pairing in pairings:
            self._pending[pairing.match_id] = pairing
        await all_of(map(self._try_to_create, pairings))

    async def _try_to_create(self, pairing: Pairing) -> None:
        self._failures[pairing.match_id] += 1
        with one_of_many("match_not_created", match_id=pairing.match_id):
            await self._create(pairing)
            self._settled(pairing.match_id)

    def _settled(self, match_id: str) -> None:
        self._pending.pop(match_id, None)
        del self._failures[match_id]

    async def _retry(self) -> None:
        """Try again to create what failed; give its bots back after too many attempts (T70)."""
        await self._create_all(list(self._pending.values()))
        for pairing in list(self._pending.values()):
            if self._failures[pairing.match_id] < self._settings.attempts:
                continue
            await self._ladders.drop(self._token, pairing.ladder_id, pairing.match_id)
            await self._bots.forget_match(pairing.bots, pairing.match_id)
            self._settled(pairing.match_id)
            _log.error("pairing_given_up", match_id=pairing.match_id, bots=pairing.bots)


def _pairing(ladder: Ladder, table: Table) -> Pairing:
    return Pairing(
        match_id=keys.new_id(),
        ladder_id=ladder.ladder_id,
        ruleset=ladder.ruleset,
        bots=table.bots,
        rated=table.rated,
    )
