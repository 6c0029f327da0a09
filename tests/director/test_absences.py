"""Who is away costs a look nothing, and whoever comes is seen at once."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from shoal.competition.plan import Entrant
from shoal.competition.specification import Ladder
from shoal.server.director import MAIN
from shoal.server.director.absences import Absences
from shoal.server.director.attendance import Attendance
from shoal.server.director.matches import Matches
from shoal.server.director.rooms import Rooms
from shoal.server.store import keys
from shoal.server.store.bells import Bells
from shoal.server.store.direction import Direction
from shoal.server.store.pipe import Pipe
from shoal.server.store.presence import Claim, Presence, PresenceStore
from tests.store.quiet import quiet

from .arena import QUICK, Arena

NAMES = [f"{number:04x}" for number in range(1000)]


def away(absences: Absences, bots: Sequence[str], now: float = 0.0) -> None:
    """Let it be read that these bots are away."""
    with absences.reading() as heard:
        pass
    absences.were_away(bots, heard, now)


def test_nobody_is_asked_for_who_was_away() -> None:
    """Until it is said that it came; as long as nobody listens, everybody is."""
    absences = Absences(30)
    away(absences, ["a", "b"])
    assert absences.worth_asking(["a", "b", "c"], 1) == ["a", "b", "c"]
    absences.hear(None)
    away(absences, ["a", "b"])
    assert absences.worth_asking(["a", "b", "c"], 1) == ["c"]
    absences.hear("a")
    assert absences.worth_asking(["a", "b", "c"], 1) == ["a", "c"]
    absences.hear(None)
    assert absences.worth_asking(["a", "b", "c"], 1) == ["a", "b", "c"]


def test_who_is_heard_of_while_it_is_read_was_not_away() -> None:
    """What is read may be older than what is heard; of a lost connection nobody knows who came."""
    absences = Absences(30)
    absences.hear(None)
    with absences.reading() as heard, absences.reading():
        absences.hear("a")
    absences.were_away(["a", "b"], heard, 0)
    assert absences.worth_asking(["a", "b"], 1) == ["a"]
    with absences.reading() as heard:
        absences.hear(None)
    absences.were_away(["a", "b"], heard, 0)
    assert absences.worth_asking(["a", "b"], 1) == ["a", "b"]


def test_each_is_asked_for_again_within_the_time_and_not_all_at_once() -> None:
    absences = Absences(30)
    absences.hear(None)
    away(absences, NAMES)
    asked, at_once = [], 0
    for second in range(31):
        found = absences.worth_asking(NAMES, second)
        away(absences, found, second)
        at_once = max(at_once, len(found))
        asked += found
    assert set(asked) == set(NAMES)
    assert at_once < len(NAMES) / 5


class Asked(PresenceStore):
    """The presences of a store, and for how many bots was asked."""

    def __init__(self, pipe: Pipe) -> None:
        super().__init__(pipe)
        self.count = 0
        self.known = asyncio.Event()
        """Set when somebody was asked for, and then nobody."""

    async def get_many(self, bot_ids: Sequence[str]) -> list[Presence | None]:
        self.count += len(bot_ids)
        if self.count and not bot_ids:
            self.known.set()
        return await super().get_many(bot_ids)


async def test_a_look_asks_for_nobody_who_is_known_to_be_away(pipe: Pipe, bells: Bells) -> None:
    """However many have entered; one that comes is there in the look after it."""
    arena, absences = Arena(pipe, bells), Absences(3600)
    await arena.make(MAIN, "main")
    matches = Matches(arena.create, arena.stores.bots, Direction(pipe, 1), attempts=1)
    presences = Asked(pipe)
    bots = [keys.new_id() for _ in range(100)]

    async def look() -> set[str]:
        rooms = Rooms(presences, matches, Attendance(1, 1, 1, 0), absences)
        return set((await rooms.room(bots)).there)

    came: asyncio.Queue[str | None] = asyncio.Queue()
    await quiet(pipe, bells)
    await bells.listen(keys.LADDER_BELL, came.put_nowait)
    absences.hear(await came.get())
    assert await look() == set()
    assert presences.count == len(bots)
    assert await look() == set()
    assert presences.count == len(bots)
    bots += await arena.arrive("late", joined=False)
    absences.hear(await came.get())
    assert await look() == {bots[-1]}
    assert presences.count == len(bots)


async def test_who_comes_long_after_it_has_entered_is_paired(pipe: Pipe, bells: Bells) -> None:
    """Though nobody is asked for again before the test is long over."""
    arena, presences = Arena(pipe, bells), Asked(pipe)
    arena.stores = replace(arena.stores, presences=presences)
    await arena.make(replace(MAIN, format=Ladder(trial=False), seats=(2,)), "main")
    bots = [keys.new_id() for _ in range(2)]
    await arena.enter("main", *(Entrant(bot, bot) for bot in bots))
    async with arena.directing(settings=replace(QUICK, recall=3600)), asyncio.timeout(60):
        await presences.known.wait()
        for bot in bots:
            await presences.claim(Claim(bot, "p", 1, ("base",), (2,)), 600_000)
        pairing = await arena.created.get()
    assert set(pairing.bots) == set(bots)
