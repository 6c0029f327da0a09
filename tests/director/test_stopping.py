"""A ladder that stops when its ratings are certain goes by the published ones (T57)."""

from collections.abc import Sequence

import pytest

from shoal.competition.plan import Entrant
from shoal.competition.specification import Anchor, Ladder, Specification, Stopping
from shoal.rating import Row, Table
from shoal.server.director.basis import basis_of
from shoal.server.store.bells import Bells
from shoal.server.store.competition_data import Place
from shoal.server.store.competition_nouns import Score, State
from shoal.server.store.direction import Counted, Direction
from shoal.server.store.pipe import Pipe
from shoal.server.store.published import Basis, Published, PublishedStore

from .arena import Arena
from .looks import Looks

SURE = Score(mu=25.0, sigma=0.1, matches=99, wins=9, placement_sum=150, blocks=9)


class Contest:
    """A ladder of bots that are there, which ends when all ratings are known to ±50."""

    def __init__(self, pipe: Pipe, bells: Bells) -> None:
        self.arena = Arena(pipe, bells)
        self.looks = Looks(self.arena)
        self.published = PublishedStore(pipe)
        self.direction = Direction(pipe, 1)
        self._told = 0

    async def begin(self, count: int, anchors: int = 0) -> list[str]:
        """Make it; tables are certain of all of its bots."""
        bots = await self.arena.arrive(*"x" * count, joined=False)
        given = tuple(Anchor(bot, 1500.0) for bot in bots[:anchors])
        form = Ladder(Stopping(interval=50.0), trial=False, anchors=given)
        await self.arena.make(Specification("sure", form, seats=(2,)), "sure")
        await self.arena.enter("sure", *(Entrant(bot, bot) for bot in bots))
        found = await self.arena.competitions.get("sure")
        await self.direction.count(found, "m", b"{}", Counted(dict.fromkeys(bots, SURE)))
        return bots

    async def publish(self, bots: Sequence[str], *intervals: int, group: int = 1) -> None:
        """Publish a table with these intervals; the last bot is in this group."""
        groups = [*[1] * (len(intervals) - 1), group]
        rows = tuple(
            Row(rank, bot, 1500, interval, 9, 18, 9, 27, number, anchored=False, provisional=False)
            for rank, (bot, interval, number) in enumerate(
                zip(bots, intervals, groups, strict=True)
            )
        )
        found = await self.arena.competitions.get("sure")
        await self.tell(rows, basis_of(found, Place(), {}))

    async def tell(self, rows: tuple[Row, ...], basis: Basis) -> None:
        self._told += 1
        published = Published(Table(rows), basis, self._told)
        await self.published.publish(self.direction, "sure", published)

    async def is_going_on(self) -> bool:
        """Look, and tell whether it goes on."""
        await self.looks.look()
        found = await self.arena.competitions.get("sure")
        if found.state is State.DRAINING:
            assert found.ended == "every rating is as certain as asked for"
        return found.state is State.RUNNING


@pytest.fixture
def contest(pipe: Pipe, bells: Bells) -> Contest:
    return Contest(pipe, bells)


async def test_it_stops_when_every_published_rating_is_certain(contest: Contest) -> None:
    """What tables are made with may be certain for long by then."""
    bots = await contest.begin(2)
    assert await contest.is_going_on()
    await contest.publish(bots, 50, 51)
    assert await contest.is_going_on()
    await contest.publish(bots, 50, 50)
    assert not await contest.is_going_on()


async def test_who_is_in_no_table_or_stands_apart_is_not_certain(contest: Contest) -> None:
    """It cannot be compared with the others."""
    bots = await contest.begin(3)
    await contest.publish(bots[:2], 30, 30)
    assert await contest.is_going_on()
    await contest.publish(bots, 30, 30, 30, group=2)
    assert await contest.is_going_on()


async def test_who_has_a_given_rating_is_certain(contest: Contest) -> None:
    """Also one that has not played."""
    bots = await contest.begin(2, anchors=1)
    await contest.publish(bots[1:], 50)
    assert not await contest.is_going_on()


async def test_a_table_of_what_does_not_hold_any_more_stops_nothing(contest: Contest) -> None:
    """A bot may have come with another release since."""
    bots = await contest.begin(2)
    rows = tuple(
        Row(rank, bot, 1500, 10, 9, 18, 9, 27, 1, anchored=False, provisional=False)
        for rank, bot in enumerate(bots)
    )
    await contest.tell(rows, Basis(Place(), 0, "other"))
    assert await contest.is_going_on()
