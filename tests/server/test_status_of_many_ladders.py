"""How a bot stands on many ladders costs few waits for the store: it is asked about all of them together."""

from collections.abc import Awaitable, Callable
from typing import Any

from shoal.competition.plan import Entrant
from shoal.server.auth import Caller
from shoal.server.memberships import Memberships
from shoal.server.store import new_id
from shoal.server.store.competition_nouns import Note, State
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.memberships import Membership, MembershipStore, Stage
from shoal.server.store.pipe import Pipe
from shoal.server.store.published import PublishedStore
from tests.server.support import Server

MANY = 40
NOTE = Note(0, "test", "pause", why="a new rack")


class Waits:
    """A pipe that counts how often somebody had to wait for the store with nothing else on its way."""

    def __init__(self, pipe: Pipe) -> None:
        self.count = 0
        self.most = 0
        self._pipe = pipe
        self._asked = 0

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._pipe, name)
        return self._counting(found) if name in {"command", "many", "call"} else found

    def _counting(self, ask: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def counted(*words: Any, **more: Any) -> Any:
            self.count += not self._asked
            self._asked += 1
            self.most = max(self.most, self._asked)
            try:
                return await ask(*words, **more)
            finally:
                self._asked -= 1

        return counted


async def test_a_bot_on_many_ladders_is_asked_about_together(server: Server) -> None:
    """Also where they stand, and each has a reason of its own; and never about all of them at once."""
    bot = await server.register()
    store, entrant = server.stores.competitions, Entrant(bot.bot_id, bot.owner)
    names = sorted(f"ladder-{new_id()}" for _ in range(MANY))
    for number, name in enumerate(names):
        await server.make_ladder(name)
        await store.put_entrant(await store.get(name), entrant, NOTE)
        membership = Membership(Stage.PAUSED, 1, why=f"for {number}")
        await server.stores.memberships.change(name, bot.bot_id, None, membership)
        if number % 2:
            note = Note(0, "test", "pause", why=f"rack {number}")
            await store.turn(await store.get(name), tuple(State), State.PAUSED, note)
    waits: Any = Waits(server.stores.pipe)
    memberships = Memberships(
        CompetitionStore(waits), MembershipStore(waits), PublishedStore(waits)
    )
    known = await server.stores.bots.get(bot.bot_id)
    assert known is not None
    found = await memberships.of(Caller("", ""), known)
    assert [each.ladder.competition_id for each in found] == names
    assert [each.membership.why for each in found] == [f"for {n}" for n in range(MANY)]
    assert [each.ladder_why for each in found] == [
        f"rack {n}" if n % 2 else "" for n in range(MANY)
    ]
    assert waits.count < MANY / 2
    assert waits.most < MANY / 2
