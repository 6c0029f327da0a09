"""A bot that comes back with another version is rated anew, on a real Redis."""

from dataclasses import replace

import pytest

from shoal.competition.specification import Ladder
from shoal.rating.ladder_standings import Standing
from shoal.server.director import MAIN, Pairing, ladder_standings
from shoal.server.director.releases import score_name, switched
from shoal.server.store.bells import Bells
from shoal.server.store.pipe import Pipe
from shoal.server.store.presence import Claim
from shoal.server.store.releases import Releases, retired

from .arena import Arena, until

FORM = Ladder(trial=False)


@pytest.fixture
async def arena(pipe: Pipe, bells: Bells) -> Arena:
    arena = Arena(pipe, bells)
    await arena.make(replace(MAIN, format=FORM, seats=(2,)), "main")
    return arena


async def lines(arena: Arena) -> dict[str, Standing]:
    return {line.bot_id: line for line in await ladder_standings(arena.competitions, "main")}


async def come_as(arena: Arena, bot: str, version: str) -> None:
    """Open another stream of a bot, as this version of it."""
    claim = Claim(bot, "p", 1, ("base",), (2,), version)
    await arena.stores.presences.claim(claim, 600_000)


async def play(arena: Arena, count: int, winner: str) -> Pairing:
    """End so many matches, which a bot wins, and return the one that follows."""
    for _ in range(count):
        match = await arena.next_match()
        places = [1 if bot == winner else 2 for bot in match.bots]
        await arena.finish(match, placements=places)
    return await arena.next_match()


async def until_named(arena: Arena, name: str) -> None:
    async def is_there() -> bool:
        return name in await lines(arena)

    await until(is_there)


async def test_a_new_version_is_rated_anew_and_the_old_one_keeps_its_rating(arena: Arena) -> None:
    """Standings show both; the one before has left."""
    bot, other = await arena.arrive("a", "b", version="1")
    async with arena.directing():
        await play(arena, 4, bot)
        before = (await lines(arena))[bot]
        await come_as(arena, bot, "2")
        await until_named(arena, retired(bot, "1"))
    after = await lines(arena)
    old, new = after[retired(bot, "1")], after[bot]
    assert (old.rating, old.matches, old.wins, old.joined) == (before.rating, 4, 4, False)
    assert (new.rating, new.matches, new.joined) == (1500.0, 0, True)
    assert after[other].matches == 4


async def test_a_match_counts_for_the_release_that_it_began_with(arena: Arena) -> None:
    """If the bot comes back as another version in the middle, that changes nothing about its result."""
    bot, _ = await arena.arrive("a", "b", version="1")
    async with arena.directing():
        match = await play(arena, 2, bot)
        await come_as(arena, bot, "2")
        await until_named(arena, retired(bot, "1"))
        await arena.finish(match)
        await arena.next_match()
    after = await lines(arena)
    assert (after[retired(bot, "1")].matches, after[bot].matches) == (3, 0)


async def test_going_back_to_a_version_takes_its_rating_up_again(arena: Arena) -> None:
    """A release that plays again is the one that it was."""
    bot, _ = await arena.arrive("a", "b", version="1")
    async with arena.directing():
        await play(arena, 3, bot)
        before = (await lines(arena))[bot]
        await come_as(arena, bot, "2")
        await until_named(arena, retired(bot, "1"))
        await come_as(arena, bot, "1")

        async def is_back() -> bool:
            return retired(bot, "1") not in await lines(arena)

        await until(is_back)
    assert (await lines(arena))[bot] == before


async def test_who_says_no_version_stays_who_it_is(arena: Arena) -> None:
    """Nothing is retired; the first version that is heard of is that of all before."""
    bot, _ = await arena.arrive("a", "b")
    async with arena.directing():
        match = await play(arena, 2, bot)
        await come_as(arena, bot, "1")
        await arena.finish(match)
        await arena.next_match()
    assert (await lines(arena))[bot].matches == 3


async def test_a_ladder_may_take_all_versions_for_one(pipe: Pipe, bells: Bells) -> None:
    """If its setting is off, a bot is one entity whatever it says."""
    arena = Arena(pipe, bells)
    form = replace(FORM, releases=False)
    await arena.make(replace(MAIN, format=form, seats=(2,)), "main")
    bot, _ = await arena.arrive("a", "b", version="1")
    async with arena.directing():
        match = await play(arena, 2, bot)
        await come_as(arena, bot, "2")
        await arena.finish(match)
        await arena.next_match()
    assert (await lines(arena))[bot].matches == 3


def test_each_match_has_one_release_by_when_it_began() -> None:
    """Also of periods long past, of the same version twice, and before anything was heard."""
    known: Releases | None = None
    for version, at_ms in (("1", 0), ("2", 100), ("1", 200), ("3", 300)):
        known = switched(known, version, at_ms)
    names = [score_name("bot", known, began_ms) for began_ms in (0, 99, 100, 250, 300, 999)]
    assert names == ["bot@1", "bot@1", "bot@2", "bot@1", "bot", "bot"]
    assert score_name("bot", None, 5) == "bot"


def test_what_was_played_before_all_that_is_known_is_not_of_the_release_that_plays() -> None:
    """If a bot comes with another version again and again, the earliest are one, and not the latest."""
    known: Releases | None = None
    changes = 250
    for number in range(changes):
        known = switched(known, f"v{number}", 1000 * number)
    assert known is not None
    first = known.past[0]
    assert 0 < len(known.past) < changes - 1
    names = [
        score_name("bot", known, began_ms)
        for began_ms in (0, first.since_ms - 1, first.since_ms, 1000 * changes)
    ]
    assert names == ["bot@(earlier)", "bot@(earlier)", retired("bot", first.version), "bot"]
