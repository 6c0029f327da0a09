"""A director on a real Redis: it pairs, it counts, and it goes on whatever happens."""

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from shoal.competition.plan import Entrant
from shoal.competition.specification import Ladder, Specification, Stopping
from shoal.server.director import MAIN, Pairing, ladder_standings
from shoal.server.store import keys
from shoal.server.store.bells import Bells
from shoal.server.store.competition_nouns import State
from shoal.server.store.pipe import Pipe
from shoal.server.store.presence import Claim

from .arena import NOTE, QUICK, Arena, reserved, until
from .reads import ended_of, results_of


@pytest.fixture
async def arena(pipe: Pipe, bells: Bells) -> Arena:
    arena = Arena(pipe, bells)
    await arena.make(MAIN, "main")
    return arena


async def counted(arena: Arena, matches: int) -> None:
    """Wait until so many results are counted, rated or not."""

    async def enough() -> bool:
        return len(await results_of(arena.competitions, "main")) >= matches

    await until(enough)


async def test_the_main_ladder_is_made_at_the_start(pipe: Pipe, bells: Bells) -> None:
    """If the store is empty, the ladder "main" appears."""
    arena = Arena(pipe, bells)

    async def is_there() -> bool:
        ladders = await arena.competitions.ids(ladders=True)
        return [one.specification for one in await arena.competitions.some(ladders)] == [MAIN]

    async with arena.directing():
        await until(is_there)


async def test_bots_that_stay_play_on_and_on(arena: Arena) -> None:
    """If bots stay, tables of every size follow each other, and each result is counted once."""
    bots = await arena.arrive("a", "b", "c", "d", room=2)
    sizes: Counter[int] = Counter()
    async with arena.directing():
        for _ in range(40):
            match = await arena.next_match()
            sizes[len(match.bots)] += 1
            await arena.finish(match)
        await counted(arena, 40)
    assert set(sizes) == {2, 3, 4}
    lines = await ladder_standings(arena.competitions, "main")
    assert {line.bot_id for line in lines} == set(bots)
    assert sum(line.matches for line in lines) == sum(n * count for n, count in sizes.items())
    assert sum(line.wins for line in lines) == (await arena.competitions.get("main")).rated == 40


async def test_a_bot_that_joins_is_seated_without_waiting_for_a_tick(arena: Arena) -> None:
    """If a bot joins, the bell starts the pairing, however long a tick is (T69, T71)."""
    async with arena.directing(settings=replace(QUICK, tick=60)):
        await arena.arrive("a", "b", seats=(2,))
        await arena.next_match()


async def test_a_bot_that_polls_is_seated_as_one_with_a_stream(arena: Arena) -> None:
    """If a member of the ladder polls, that starts the pairing, by what it offers (T28, T69)."""
    bot_id = keys.new_id()
    await arena.enter("main", Entrant(bot_id, bot_id))
    await arena.arrive("b", seats=(2,))
    async with arena.directing(settings=replace(QUICK, tick=60)):
        await arena.stores.presences.offer(Claim(bot_id, "", 1, ("base",), (2, 3)), 600_000)
        match = await arena.next_match()
    assert bot_id in match.bots


async def test_ladders_take_turns(arena: Arena) -> None:
    """If bots are members of two ladders, both get tables: the older one has no precedence."""
    await arena.make(Specification("second", MAIN.format, seats=(2,)), "second")
    bots = await arena.arrive("a", "b", seats=(2,))
    await arena.enter("second", *(Entrant(bot, bot) for bot in bots))
    ladders = Counter[str]()
    async with arena.directing():
        for _ in range(24):
            match = await arena.next_match()
            ladders[match.competition_id] += 1
            await arena.finish(match)
    assert min(ladders["main"], ladders["second"]) >= 6


async def test_a_bot_is_never_in_more_matches_than_it_has_room_for(arena: Arena) -> None:
    """Matches of every kind count against a bot's room (T77)."""
    full, *others = await arena.arrive("full", "b", "c", room=1)
    await arena.stores.bots.add_match([full], "00" * 15)
    async with arena.directing():
        match = await arena.next_match()
    assert set(match.bots) == set(others)


async def test_a_bot_that_left_or_is_away_is_not_seated(arena: Arena) -> None:
    """Only members with an open stream are paired."""
    gone, away, *others = await arena.arrive("gone", "away", "c", "d")
    await arena.competitions.take_out(await arena.competitions.get("main"), gone, NOTE)
    await arena.stores.presences.release(away, "p", 1)
    async with arena.directing():
        match = await arena.next_match()
    assert set(match.bots) == set(others)


async def test_whoever_did_not_answer_is_left_alone_and_not_rated(arena: Arena) -> None:
    """If a bot does not show up, nothing is rated, and the others go on without it (T68)."""
    await arena.arrive("a", "b", "c", seats=(3,))
    async with arena.directing():
        match = await arena.next_match()
        absent, *others = match.bots
        await arena.arrive("d", seats=(3,))
        left = ["no_show", "", ""]
        await arena.finish(
            match, termination="no_show", placements=[0, 0, 0], left=left, rated=False
        )
        following = await arena.next_match()
        assert absent not in following.bots
        assert set(others) < set(following.bots)
        await counted(arena, 1)
    lines = await ladder_standings(arena.competitions, "main")
    assert {line.matches for line in lines} == {0}
    assert (await arena.competitions.get("main")).rated == 0


async def test_bots_of_one_owner_play_for_practice(arena: Arena) -> None:
    """If all bots have one owner, they play, and no rating moves (T59)."""
    await arena.arrive("a", "b", owner="ann")
    async with arena.directing():
        match = await arena.next_match()
        assert not match.rated
        await arena.finish(match)
        await counted(arena, 1)
    assert (await arena.competitions.roster("main")).scores == {}


async def test_a_match_outside_ladders_only_frees_its_bots(arena: Arena) -> None:
    """If a match is of no ladder, it leaves the live sets and is counted nowhere."""
    bots = await arena.arrive("a", "b", joined=False)
    match = Pairing("3f" + "0" * 28, "", "base", tuple(bots), rated=False)
    await arena.create(match)
    await arena.finish(match)

    async def are_free() -> bool:
        return not any([await arena.stores.bots.live_matches(bot) for bot in bots])

    async with arena.directing():
        await until(are_free)
    assert await results_of(arena.competitions, "main") == {}


async def test_an_unreadable_result_stops_no_other(arena: Arena) -> None:
    """If an entry of an outbox makes no sense, it is put aside and stays there (T74)."""
    await arena.arrive("a", "b", "c", "d", seats=(2,))
    async with arena.directing():
        bad, good = await arena.next_match(), await arena.next_match()
        await arena.post(bad.match_id, b"\xff?")
        await arena.finish(good)
        await counted(arena, 1)
        aside = keys.REJECTED[keys.partition_of(bad.match_id)]

        async def is_aside() -> bool:
            return bool(await arena.pipe.command("EXISTS", aside))

        await until(is_aside)
    assert set(await results_of(arena.competitions, "main")) == {good.match_id}
    ((_, fields),) = await arena.pipe.command("XRANGE", aside, "-", "+")
    assert fields == [b"match", bad.match_id.encode(), b"result", b"\xff?"]


async def test_a_result_that_cannot_be_rated_frees_its_bots_all_the_same(arena: Arena) -> None:
    """Whatever goes wrong in counting, the match is over for those who played it (T85)."""
    bots = await arena.arrive("a", "b", seats=(2,))
    async with arena.directing():
        match = await arena.next_match()
        await arena.finish(match, placements=[0, "first"])

        async def are_free() -> bool:
            live = [await arena.stores.bots.live_matches(bot) for bot in bots]
            return all(match.match_id not in each for each in live)

        await until(are_free)
    assert match.match_id not in await results_of(arena.competitions, "main")


async def test_a_match_that_cannot_be_created_stops_no_other(arena: Arena) -> None:
    """If creating fails for one pairing, others are created, and its bots come back (T70, T74)."""
    doomed: set[str] = set()

    async def create(pairing: Pairing) -> None:
        doomed.update({pairing.match_id} if not doomed else ())
        if pairing.match_id in doomed:
            await arena.stores.bots.add_match(pairing.bots, pairing.match_id)
            raise ZeroDivisionError
        await arena.create(pairing)

    bots = await arena.arrive("a", "b", "c", "d", seats=(2,))
    async with arena.directing(create):
        first, second = await arena.next_match(), await arena.next_match()
    assert {*first.bots, *second.bots} == set(bots)
    assert not doomed & set(await reserved(arena))
    for bot in bots:
        assert len(await arena.stores.bots.live_matches(bot)) == 1


async def test_a_ladder_is_over_when_its_rule_says_so(arena: Arena) -> None:
    """If every bot has played its blocks, those in play are played to their end, and then it is over."""
    form = Ladder(Stopping(blocks_per_bot=1))
    await arena.make(Specification("short", form, seats=(2,)), "short")
    bots = await arena.arrive("a", "b", joined=False)
    await arena.enter("short", *(Entrant(bot, bot) for bot in bots))

    async def is_over() -> bool:
        return (await arena.competitions.get("short")).state is State.FINISHED

    async def play() -> None:
        while True:
            await arena.finish(await arena.created.get())

    async with arena.directing():
        playing = asyncio.create_task(play())
        await until(is_over)
        playing.cancel()
    found = await arena.competitions.get("short")
    assert found.ended == "every bot has played its blocks"
    blocks = [one.state for one in (await ended_of(arena.competitions, "short")).values()]
    assert set(blocks) == {"complete"}
    scores = (await arena.competitions.roster("short")).scores
    assert {score.blocks for score in scores.values()} == {len(blocks)}


async def test_a_ladder_does_not_wait_for_who_is_gone_for_long(arena: Arena) -> None:
    """If a member has not been here for long, and has not left, the rule is applied without it (T57)."""
    form = Ladder(Stopping(blocks_per_bot=1))
    await arena.make(Specification("short", form, seats=(2,)), "short")
    bots = await arena.arrive("a", "b", joined=False)
    await arena.enter("short", *(Entrant(bot, bot) for bot in (*bots, keys.new_id())))

    async def is_over() -> bool:
        return (await arena.competitions.get("short")).state is State.FINISHED

    async def play() -> None:
        while True:
            await arena.finish(await arena.created.get())

    async with arena.directing(settings=replace(QUICK, lately=0.5)):
        playing = asyncio.create_task(play())
        await until(is_over)
        playing.cancel()
    assert (await arena.competitions.get("short")).ended == "every bot has played its blocks"
