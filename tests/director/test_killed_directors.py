"""Directors that are killed at their every write: others go on, and nothing is lost or doubled (T76, T84)."""

import asyncio
import itertools
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from typing import Final

import pytest

from shoal.competition.rulings import Uncounted
from shoal.competition.specification import Format, RoundRobin
from shoal.competition.standings import Standing
from shoal.server.director import MAIN, Pairing
from shoal.server.store.bells import Bells
from shoal.server.store.competition_nouns import Score
from shoal.server.store.memberships import Membership, MembershipStore, Stage
from shoal.server.store.pipe import Pipe
from shoal.server.store.presence import Claim
from shoal.server.store.releases import ReleaseStore
from shoal.server.together import together

from .arena import NOTE, Arena, until
from .mortal import SETTINGS, Mortal, Write
from .reads import ended_of, results_of
from .test_recounting import Books, some_matches
from .test_tournaments import FORMATS, is_over, play, ranking, tournament_of

STEPS: Final = frozenset(
    {
        *("director_lease", "competition_reserve", "SADD live", "create"),
        *("competition_count", "SREM live", "SET outbox"),
    }
)
"""What a director writes for every match: it must be killed at each of them."""

ENDS: Final = frozenset({"competition_turn", "SREM competitions"})
"""What it writes at the end of a tournament."""


@pytest.fixture
def arena(pipe: Pipe, bells: Bells) -> Arena:
    return Arena(pipe, bells)


def shape(lines: Sequence[Standing], bots: Sequence[str]) -> list[object]:
    """Return standings with the numbers of bots for their ids, which differ from run to run."""
    return [(line.rank, bots.index(line.bot_id), line.score, line.tiebreaks) for line in lines]


async def is_read(arena: Arena) -> None:
    """Wait until the cursors are behind every result."""
    outbox = arena.stores.outbox

    async def nothing_is_left() -> bool:
        cursors = dict(enumerate(await outbox.cursors()))
        return not await outbox.read_many(cursors, 1)

    await until(nothing_is_left)


async def survives(
    arena: Arena, mortal: Mortal, done: Callable[[], Coroutine[None, None, None]]
) -> None:
    """Let this director work until all is done; if it dies, the next one does the rest."""
    async with mortal.directing():
        await together(done(), mortal.died.wait())
    if mortal.died.is_set():
        await mortal.bury()
        async with arena.directing(settings=SETTINGS):
            await done()


async def play_through(arena: Arena, cup: str, bots: Sequence[str], mortal: Mortal) -> None:
    """Play a tournament to its end by this director, or as far as it lives."""

    async def done() -> None:
        await is_over(arena, cup)
        await is_read(arena)

    playing = asyncio.create_task(play(arena, bots))
    await survives(arena, mortal, done)
    playing.cancel()


async def is_whole(arena: Arena, cup: str, bots: Sequence[str]) -> None:
    """Everything was made once and counted once, and holds nobody up."""
    ended = await ended_of(arena.competitions, cup)
    played = [each.match_id for one in ended.values() for each in one.block.tries]
    results = await results_of(arena.competitions, cup)
    assert len(played) == len(set(played))
    assert set(played) == set(results)
    assert await arena.competitions.blocks(cup) == {}
    scores = (await arena.competitions.roster(cup)).scores
    seats = sum(len(one.block.bots) * len(one.block.tries) for one in ended.values())
    assert sum(score.matches for score in scores.values()) == seats
    for bot in bots:
        assert await arena.stores.bots.live_matches(bot) == []


async def undisturbed(
    arena: Arena, form: Format, seats: Sequence[int], bots: Sequence[str]
) -> tuple[str, list[Write]]:
    """Play a tournament by one director; return it, and what that has written."""
    cup = await tournament_of(arena, bots, form, seats)
    calm = Mortal(arena)
    await play_through(arena, cup, bots, calm)
    await is_whole(arena, cup, bots)
    return cup, calm.done


async def test_a_director_may_be_killed_at_every_write(arena: Arena) -> None:
    """Whichever it is, the next director brings a small tournament to the same end."""
    bots = await arena.arrive(*"ab", joined=False)
    _, writes = await undisturbed(arena, RoundRobin(), (2,), bots)
    fatal: set[str] = set()
    for write in writes:
        cup = await tournament_of(arena, bots, RoundRobin())
        mortal = Mortal(arena, write)
        await play_through(arena, cup, bots, mortal)
        assert [line.bot_id for line in await ranking(arena, cup)] == bots, write
        await is_whole(arena, cup, bots)
        assert len(await results_of(arena.competitions, cup)) == 2, write
        fatal.update([write.name] if mortal.died.is_set() else [])
    assert fatal >= STEPS | ENDS


@pytest.mark.parametrize("name", FORMATS)
async def test_directors_that_are_killed_change_nothing_in_the_end(arena: Arena, name: str) -> None:
    """In every format the final standings are as undisturbed."""
    form, seats = FORMATS[name]
    bots = await arena.arrive(*"abcde", joined=False)
    calm, writes = await undisturbed(arena, form, seats, bots)
    expected = shape(await ranking(arena, calm), bots)
    # These come once for each match, or seat, however the director goes about it.
    certain = [
        write for write in writes if write.name in {"SADD live", "create", "competition_count"}
    ]
    step = len(certain) // 7
    for write in certain[step::step]:
        cup = await tournament_of(arena, bots, form, seats)
        mortal = Mortal(arena, write)
        await play_through(arena, cup, bots, mortal)
        assert mortal.died.is_set(), write
        assert shape(await ranking(arena, cup), bots) == expected, write
        await is_whole(arena, cup, bots)


async def test_a_director_of_a_ladder_may_be_killed_at_every_write(arena: Arena) -> None:
    """Whichever it is, each match is created once and counted once, and no bot is kept busy by it."""
    await arena.make(MAIN, "main")
    bots = await arena.arrive(*"ab", seats=(2,))
    played: list[Pairing] = []

    async def play_two(mortal: Mortal) -> None:
        async def play() -> None:
            for _ in range(2):
                played.append(await arena.created.get())
                await arena.finish(played[-1])

        async def done() -> None:
            await asyncio.shield(playing)
            await until(all_are_counted)
            await is_read(arena)

        async def all_are_counted() -> bool:
            return await arena.competitions.sizes(["main"]) == [len(played)]

        playing = asyncio.create_task(play())
        await survives(arena, mortal, done)

    calm = Mortal(arena)
    await play_two(calm)
    fatal: set[str] = set()
    for write in calm.done:
        mortal = Mortal(arena, write)
        await play_two(mortal)
        fatal.update([write.name] if mortal.died.is_set() else [])
        ids = [match.match_id for match in played]
        assert len(set(ids)) == len(ids), write
        assert set(await results_of(arena.competitions, "main")) == set(ids), write
        assert (await arena.competitions.get("main")).rated == len(ids), write
        scores = (await arena.competitions.roster("main")).scores
        assert {bot: score.matches for bot, score in scores.items()} == dict.fromkeys(
            bots, len(ids)
        )
        for bot in bots:
            live = {*await arena.stores.bots.live_matches(bot)}
            assert not live & set(ids), write
            assert len(live) <= 1, write
    assert fatal >= STEPS


async def test_a_director_that_counts_again_may_be_killed_at_every_write(arena: Arena) -> None:
    """Whichever it is, the scores come out as those of what counts (T84)."""
    await arena.make(MAIN, "main")
    books = Books(arena.pipe)
    await some_matches(books)

    async def recount(uncounted: tuple[Uncounted, ...], mortal: Mortal) -> Mapping[str, Score]:
        found = await arena.competitions.get("main")
        rulings = replace(found.rulings, uncounted=uncounted, number=found.rulings.number + 1)
        await arena.competitions.rule(found, rulings, NOTE)

        async def is_done() -> bool:
            return not (await arena.competitions.get("main")).is_recounting

        await survives(arena, mortal, lambda: until(is_done))
        return await books.scores()

    every, some = (), (Uncounted("", 40, 41),)
    expected = {every: await books.scores(), some: await recount(some, calm := Mortal(arena))}
    assert expected[some] != expected[every]
    assert "competition_recount" in {write.name for write in calm.done}
    for write, out in zip(calm.done, itertools.cycle([every, some]), strict=False):
        assert await recount(out, Mortal(arena, write)) == expected[out], write


async def test_no_release_plays_without_its_trial_wherever_a_director_is_killed(
    arena: Arena,
) -> None:
    """If a bot has come with another version, that is on trial as soon as it is the one that plays (T87)."""
    await arena.make(MAIN, "main")
    (bot,) = await arena.arrive("a", version="0")
    memberships, releases = MembershipStore(arena.pipe), ReleaseStore(arena.pipe)
    versions = map(str, itertools.count(1))

    async def membership() -> Membership | None:
        return (await memberships.of("main", [bot])).get(bot)

    async def release(version: str, mortal: Mortal) -> None:
        async def plays() -> bool:
            known = (await releases.of("main", [bot])).get(bot)
            return known is not None and known.version == version

        async def is_on_trial() -> bool:
            now = await membership()
            return now is not None and now.stage is Stage.TRIAL

        async def done() -> None:
            await until(is_on_trial)

        await memberships.change("main", bot, await membership(), Membership(Stage.ACTIVE, 0))
        claim = Claim(bot, "p", 1, ("base",), (2,), version)
        await arena.stores.presences.claim(claim, 600_000)
        async with mortal.directing():
            await together(done(), mortal.died.wait())
        assert await plays() == await is_on_trial()
        if mortal.died.is_set():
            await mortal.bury()
            async with arena.directing(settings=SETTINGS):
                await done()
        assert await plays()

    async with arena.directing(settings=SETTINGS):
        await until(lambda: _has(releases, bot))
    calm = Mortal(arena)
    await release(next(versions), calm)
    fatal: set[str] = set()
    for write in calm.done:
        mortal = Mortal(arena, write)
        await release(next(versions), mortal)
        fatal.update([write.name] if mortal.died.is_set() else [])
    assert fatal >= {"director_lease", "competition_reserve", "competition_release"}


async def _has(releases: ReleaseStore, bot: str) -> bool:
    return bot in await releases.of("main", [bot])
