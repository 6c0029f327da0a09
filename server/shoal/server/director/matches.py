"""Matches of all kinds: made under their reserved ids, tried again, and in the end given up."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

import structlog

from shoal.competition.block import seating
from shoal.competition.specification import TimeControl
from shoal.server.guard import one_of_many
from shoal.server.store.bots import BotStore
from shoal.server.store.competition_nouns import Block, Competition
from shoal.server.store.direction import Direction
from shoal.server.together import all_of

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Pairing:
    """A match that is to be created under a reserved id; bots are by seat."""

    match_id: str
    competition_id: str
    ruleset: str
    bots: tuple[str, ...]
    rated: bool
    time_control: TimeControl = field(default_factory=TimeControl)
    names_hidden: bool = False


Create: TypeAlias = Callable[[Pairing], Awaitable[None]]
"""Creates the match of a pairing, once however often it is called."""

TakeBack: TypeAlias = Callable[[], Awaitable[bool]]
"""Takes a reservation back whose match cannot be made; false if it was none of it any more."""


def pairing_of(competition: Competition, block: Block) -> Pairing:
    """Return the match that a block has in play."""
    return Pairing(
        match_id=block.match_id,
        competition_id=competition.competition_id,
        ruleset=block.ruleset,
        bots=seating(block.bots, block.rotation),
        rated=block.rated,
        time_control=competition.specification.time_control,
        names_hidden=competition.specification.names_hidden,
    )


@dataclass(slots=True)
class _Expected:
    """A match that may still be created."""

    pairing: Pairing
    take_back: TakeBack
    failures: int = 0
    creating: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held by who creates it or gives it up: one at a time."""


def _tell_nobody(_: Pairing) -> None:
    """Let a match be given up that nobody waits for."""


class Matches:
    """The matches that are reserved, and not yet known to be created. All of it is in the store too.

    They are created by the scheduler, the reader of results and with every tick, so that one may be tried
    while it is there already: a result that is met again says once more which match follows. Once that one
    is counted nobody creates it any more, or it would come into the lists of its bots after it has left them.
    """

    def __init__(
        self,
        create: Create,
        bots: BotStore,
        direction: Direction,
        attempts: int,
        given_up: Callable[[Pairing], None] = _tell_nobody,
    ) -> None:
        """Create by `create`, give up after so many attempts, and tell of those that are given up."""
        self._given_up = given_up
        self._create = create
        self._bots = bots
        self._direction = direction
        self._attempts = attempts
        self._pending: dict[str, _Expected] = {}
        self._noting: list[Counter[str]] = []

    @contextmanager
    def noting(self) -> Iterator[Counter[str]]:
        """Give how many matches of each bot are still to be created, at any moment of the context.

        One that comes meanwhile is added, and none is taken away.
        """
        seen = Counter(bot for each in self._pending.values() for bot in each.pairing.bots)
        self._noting.append(seen)
        try:
            yield seen
        finally:
            # By what it is: two that are equal are two.
            self._noting = [each for each in self._noting if each is not seen]

    def is_expected(self, match_id: str) -> bool:
        """Tell whether a match may still be created."""
        return match_id in self._pending

    def expect(self, competition: Competition, block: Block) -> str:
        """Take note of a match that was reserved, and return its id; from now on it takes room."""
        pairing = pairing_of(competition, block)
        drop = partial(
            self._direction.drop, competition.competition_id, block.key, pairing.match_id
        )
        return self.expect_pairing(pairing, drop)

    def expect_pairing(self, pairing: Pairing, take_back: TakeBack) -> str:
        """Take note of a match that was reserved elsewhere: of a trial, or of a challenge.

        From now on it takes room. If it cannot be made, `take_back` is called, and its bots are free again.
        """
        if pairing.match_id not in self._pending:
            for seen in self._noting:
                seen.update(pairing.bots)
        # Who is creating it already goes on, and is waited for by others.
        self._pending.setdefault(pairing.match_id, _Expected(pairing, take_back))
        return pairing.match_id

    async def over(self, match_id: str) -> None:
        """Take note that a match is over, and return when nobody creates it any more."""
        expected = self._pending.pop(match_id, None)
        if expected is not None:
            async with expected.creating:
                pass

    async def create(self, match_ids: Iterable[str]) -> None:
        """Create these, as far as they are expected."""
        await all_of(map(self._try_to_create, match_ids))

    async def retry(self) -> None:
        """Try again to create what failed; give its bots back after too many attempts (T70)."""
        await self.create(list(self._pending))
        for expected in list(self._pending.values()):
            if expected.failures >= self._attempts:
                with one_of_many("pairing_not_given_up", match_id=expected.pairing.match_id):
                    await self._give_up(expected)

    async def _try_to_create(self, match_id: str) -> None:
        expected = self._pending.get(match_id)
        if expected is None:
            return
        async with expected.creating:
            if not self._is_pending(expected):
                return
            expected.failures += 1
            with one_of_many("match_not_created", match_id=match_id):
                await self._create(expected.pairing)
                self._pending.pop(match_id, None)

    async def _give_up(self, expected: _Expected) -> None:
        pairing, match_id = expected.pairing, expected.pairing.match_id
        async with expected.creating:
            if not self._is_pending(expected):
                return
            is_ours = await expected.take_back()
            if is_ours:  # else it was made after all, and its bots have it in their histories
                await self._bots.forget_match(pairing.bots, match_id)
            self._pending.pop(match_id, None)
        if not is_ours:
            return
        self._given_up(pairing)
        _log.error("pairing_given_up", match_id=match_id, bots=pairing.bots)

    def _is_pending(self, expected: _Expected) -> bool:
        """Tell whether a match is neither made nor over nor given up, by whomever meanwhile."""
        return self._pending.get(expected.pairing.match_id) is expected
