"""Many who enter at the same time."""

import asyncio
from dataclasses import replace

import pytest

from shoal.competition.plan import Entrant
from shoal.competition.rulings import Exclusion
from shoal.competition.specification import Entry
from shoal.server.entering import enter
from shoal.server.errors import Refusal
from shoal.server.store.competition_errors import Stale
from shoal.server.store.competition_nouns import Competition, Note, State
from tests.director.reads import audit_of
from tests.server.support import Server

NOTE = Note(0, "test", "enter")


async def enter_all(server: Server, cup: str, entrants: list[Entrant]) -> tuple[list[str], int]:
    """Enter bots at the same time; return how it ended for each, and how often the cup was looked at."""
    looks = 0

    async def find() -> Competition:
        nonlocal looks
        looks += 1
        return await server.stores.competitions.get(cup)

    async def one(entrant: Entrant) -> str:
        try:
            await enter(server.stores.competitions, server.stores.entries, find, entrant)
        except Refusal as refusal:
            return refusal.message.partition(": ")[2]
        return ""

    return await asyncio.gather(*map(one, entrants)), looks


async def test_nobody_waits_for_others_who_enter(server: Server) -> None:
    """Each is entered at its first attempt, and has a seed of its own."""
    cup = await server.make_tournament()
    entrants = [Entrant(f"b{number}", f"o{number % 3}") for number in range(40)]
    told, looks = await enter_all(server, cup, entrants)
    assert (set(told), looks) == ({""}, 40)
    entered = await server.stores.competitions.entrants(cup)
    assert {one.bot_id for one in entered} == {one.bot_id for one in entrants}
    found = await server.stores.competitions.get(cup)
    assert found.entered == 40
    assert len(await audit_of(server.stores.competitions, cup)) == 41


async def test_no_more_enter_than_may(server: Server) -> None:
    """Not of one owner, whose baselines are nobody's, and not in all."""
    cup = await server.make_tournament(entry=Entry(entrants=7, bots_per_owner=2))
    entrants = [Entrant(f"b{number}", f"o{number % 3}") for number in range(30)]
    told, _ = await enter_all(server, cup, entrants)
    assert told.count("") == 6
    assert set(told) == {"", "its owner has as many bots in it as one may have"}
    told, _ = await enter_all(server, cup, [Entrant(f"n{number}", "") for number in range(5)])
    assert sorted(told) == ["", *["as many have entered as may"] * 4]
    told, _ = await enter_all(server, cup, [entrants[number] for number in range(30)])
    assert told.count("") == 6  # again is a success


async def test_a_bot_that_has_become_somebody_elses_keeps_its_seed(server: Server) -> None:
    cup = await server.make_tournament()
    for entrant in (Entrant("a", "ann"), Entrant("b", "bob"), Entrant("a", 'c"d')):
        await enter_all(server, cup, [entrant])
    entered = await server.stores.competitions.entrants(cup)
    assert entered == (Entrant("a", 'c"d'), Entrant("b", "bob"))
    assert (await server.stores.competitions.get(cup)).entered == 2


async def test_what_has_changed_meanwhile_is_looked_at_again(server: Server) -> None:
    """If a bot was excluded, or it has begun, or is to end, since it was read."""
    store, entries = server.stores.competitions, server.stores.entries
    cup = await server.make_tournament()
    read = await store.get(cup)
    out = {"a": Exclusion(1, "")}
    await store.rule(read, replace(read.rulings, excluded=out), NOTE)
    with pytest.raises(Stale):
        await entries.enter(read, Entrant("a", "ann"), NOTE)
    await entries.enter(read, Entrant("b", "bob"), NOTE)
    await store.turn(await store.get(cup), [State.OPEN], State.RUNNING, NOTE)
    with pytest.raises(Stale):
        await entries.enter(read, Entrant("c", "cem"), NOTE)
    assert [one.bot_id for one in await store.entrants(cup)] == ["b"]
