"""The lists of live matches that a failover left as they were: what is over takes no room for ever."""

import time
from dataclasses import replace

from structlog.testing import capture_logs

from shoal.server.director import Pairing
from shoal.server.director.tidying import Tidying
from shoal.server.store import keys
from shoal.server.store.bells import Bells
from shoal.server.store.pipe import Pipe

from .arena import QUICK, Arena, until

AT_ONCE = replace(QUICK, tidy=0.02, settled=0)


def old_id() -> str:
    """Return an id of two minutes ago."""
    then = time.time_ns() // 1_000_000 - 120_000
    return f"{keys.new_id()[:2]}{then:012x}{keys.new_id()[14:]}"


async def listed(arena: Arena, name: str, *match_ids: str) -> str:
    """Register a bot that has these matches in its list."""
    bot_id = keys.new_id()
    await arena.stores.bots.register(bot_id, name, "owner")
    for match_id in match_ids:
        await arena.stores.bots.add_match([bot_id], match_id)
    return bot_id


async def ended(arena: Arena) -> str:
    """Return a match that is over."""
    pairing = Pairing(keys.new_id(), "", "base", ("x", "y"), rated=False)
    await arena.create(replace(pairing, bots=(keys.new_id(), keys.new_id())))
    await arena.finish(pairing)
    return pairing.match_id


async def test_what_is_over_leaves_the_list_and_what_is_not_stays(pipe: Pipe, bells: Bells) -> None:
    """A match that is live, or whose id is so young that it may still be made, keeps its place."""
    arena = Arena(pipe, bells)
    over, unmade, young = await ended(arena), old_id(), keys.new_id()
    live = Pairing(keys.new_id(), "", "base", (keys.new_id(), keys.new_id()), rated=False)
    await arena.create(live)
    bot = await listed(arena, "a", over, unmade, young, live.match_id)
    kept = sorted([young, live.match_id])

    async def is_tidy() -> bool:
        return await arena.stores.bots.live_matches(bot) == kept

    with capture_logs():
        async with arena.directing(settings=AT_ONCE):
            await until(is_tidy)
    assert over in await arena.stores.bots.played(bot, [over])


async def test_what_has_only_just_ended_is_left_to_whoever_counts_it(
    pipe: Pipe, bells: Bells
) -> None:
    """It must have been over for a while; one that is counted meanwhile begins anew."""
    arena = Arena(pipe, bells)
    over = await ended(arena)
    bot = await listed(arena, "a", over)
    patient = Tidying(arena.stores.bots, arena.matches, replace(QUICK, settled=60), time.monotonic)
    for _ in range(2):
        await patient.look()
    assert await arena.stores.bots.live_matches(bot) == [over]
    await arena.stores.bots.end_match([bot], over)
    await patient.look()
    assert not patient._since


async def test_what_waits_to_be_counted_is_left_to_whoever_counts_it(
    pipe: Pipe, bells: Bells
) -> None:
    """However long the outboxes are: a bot is not free before its result is read."""
    arena = Arena(pipe, bells)
    over = await ended(arena)
    bot = await listed(arena, "a", over)
    counted = float("-inf")
    tidying = Tidying(arena.stores.bots, arena.matches, AT_ONCE, lambda: counted)
    with capture_logs():
        for _ in range(3):
            await tidying.look()
        assert await arena.stores.bots.live_matches(bot) == [over]
        counted = time.monotonic()
        await tidying.look()
    assert await arena.stores.bots.live_matches(bot) == []


async def test_all_bots_are_looked_at_in_turn(pipe: Pipe, bells: Bells) -> None:
    arena = Arena(pipe, bells)
    over = await ended(arena)
    bots = [await listed(arena, f"bot {number}", over) for number in range(250)]
    tidying = Tidying(arena.stores.bots, arena.matches, AT_ONCE, time.monotonic)
    with capture_logs() as logs:
        for _ in range(2):
            await tidying.look()
    assert {line["bot"] for line in logs} == {*bots}
    assert not any((await arena.stores.bots.live_of(bots)).values())
