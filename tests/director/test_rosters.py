"""What a director keeps of who takes part in a ladder, on a real Redis."""

from collections.abc import Awaitable, Callable, Sequence

import pytest

from shoal.competition.plan import Entrant
from shoal.server.director import MAIN
from shoal.server.director.rosters import Rosters
from shoal.server.store import competition_texts as texts
from shoal.server.store import keys
from shoal.server.store.bells import Bells
from shoal.server.store.competition_nouns import Roster, Score
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.pipe import Pipe

from .arena import NOTE, Arena


class CountingCompetitions(CompetitionStore):
    """Tells what is read of rosters."""

    def __init__(self, pipe: Pipe) -> None:
        super().__init__(pipe)
        self.reads: list[object] = []

    async def roster(self, competition_id: str) -> Roster:
        self.reads.append("all")
        return await super().roster(competition_id)

    async def scores_and_others(
        self, competition_id: str, bots: Sequence[str]
    ) -> tuple[dict[str, Score], frozenset[str]]:
        self.reads.append(list(bots))
        return await super().scores_and_others(competition_id, bots)


class BusyCompetitions(CompetitionStore):
    """Counts a result while what was read is on its way."""

    def __init__(self, pipe: Pipe, count: Callable[[], Awaitable[None]]) -> None:
        super().__init__(pipe)
        self._count = count

    async def roster(self, competition_id: str) -> Roster:
        read = await super().roster(competition_id)
        await self._count()
        return read

    async def scores_and_others(
        self, competition_id: str, bots: Sequence[str]
    ) -> tuple[dict[str, Score], frozenset[str]]:
        read = await super().scores_and_others(competition_id, bots)
        await self._count()
        return read


@pytest.fixture
async def arena(pipe: Pipe, bells: Bells) -> Arena:
    arena = Arena(pipe, bells)
    await arena.make(MAIN, "main")
    await arena.enter("main", Entrant("a", "ann"), Entrant("b", "bob"))
    return arena


async def score(arena: Arena, bot: str, mu: float) -> None:
    key = keys.competition("main", "scores")
    await arena.pipe.command("HSET", key, bot, texts.score_json(Score(mu, 1.0, 1, 1, 1, 1)))


async def test_what_has_not_changed_is_not_read_again(arena: Arena) -> None:
    """Only the scores are read of those that have played since, and all when somebody enters or leaves."""
    store = CountingCompetitions(arena.pipe)
    rosters = Rosters(store)
    found = await store.get("main")
    await rosters.of(found)
    assert (await rosters.of(found)).scores == {}
    assert store.reads == ["all"]
    await score(arena, "a", 30.0)
    rosters.changed("main", "a", "b")
    assert {bot: each.mu for bot, each in (await rosters.of(found)).scores.items()} == {"a": 30.0}
    assert store.reads == ["all", ["a", "b"]]
    await arena.competitions.take_out(found, "b", NOTE)
    assert (await rosters.of(await store.get("main"))).entrants.keys() == {"a"}
    assert store.reads == ["all", ["a", "b"], "all"]


async def test_a_score_that_was_put_away_is_forgotten(arena: Arena) -> None:
    """If another release of a bot plays, which has none yet."""
    rosters = Rosters(arena.competitions)
    await score(arena, "a", 30.0)
    found = await arena.competitions.get("main")
    assert (await rosters.of(found)).scores.keys() == {"a"}
    await arena.pipe.command("HDEL", keys.competition("main", "scores"), "a")
    rosters.changed("main", "a")
    assert (await rosters.of(found)).scores == {}


async def test_what_changes_while_it_is_read_is_not_lost(arena: Arena) -> None:
    """Neither while all is read nor while some scores are: the one who counts does not wait."""
    counted = 0.0

    async def count() -> None:
        nonlocal counted
        counted += 1
        await score(arena, "b", counted)
        rosters.changed("main", "b")

    rosters = Rosters(BusyCompetitions(arena.pipe, count))
    found = await arena.competitions.get("main")
    assert "b" not in (await rosters.of(found)).scores
    for before in (1.0, 2.0):
        assert counted == before
        assert (await rosters.of(found)).scores["b"].mu == before


async def test_whose_score_cannot_be_read_any_more_takes_no_part(arena: Arena) -> None:
    """If that is noticed only when it has played."""
    rosters = Rosters(arena.competitions)
    found = await arena.competitions.get("main")
    assert (await rosters.of(found)).entrants.keys() == {"a", "b"}
    await arena.pipe.command("HSET", keys.competition("main", "scores"), "a", "{")
    rosters.changed("main", "a")
    assert (await rosters.of(found)).entrants.keys() == {"b"}
