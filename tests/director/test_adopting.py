"""Ladders that an earlier version has stored become competitions, under live matches (T84)."""

import json

import pytest

from shoal.competition.plan import Entrant
from shoal.server.director import MAIN
from shoal.server.store import keys
from shoal.server.store.bells import Bells
from shoal.server.store.competition_nouns import Score, State
from shoal.server.store.direction import Direction
from shoal.server.store.errors import Fenced
from shoal.server.store.pipe import Pipe
from shoal.server.store.presence import Claim

from .arena import NOTE, Arena, reserved, until
from .reads import ended_of, results_of


@pytest.fixture
def arena(pipe: Pipe, bells: Bells) -> Arena:
    return Arena(pipe, bells)


async def earlier(arena: Arena, match_id: str, bots: list[str]) -> None:
    """Store the ladder "main" as the first version did, with a match that is in play."""
    command = arena.pipe.command
    await command("SADD", keys.LADDERS, "main")
    spec = json.dumps({"ruleset": "base", "seats": [2, 3, 4]})
    await command("HSET", keys.ladder("main"), "spec", spec, "rated", 5, "fence", 0)
    for bot in bots:
        member = json.dumps({"owner": f"owner of {bot}", "baseline": bot == bots[1]})
        await command("HSET", keys.ladder("main", "members"), bot, member)
        score = {"mu": 26.5, "sigma": 7, "matches": 6, "wins": 3, "placement_sum": 9}
        await command("HSET", keys.ladder("main", "scores"), bot, json.dumps(score))
    await command("HSET", keys.ladder("main", "results"), "earlier", b"{}")
    pairing = json.dumps({"ruleset": "base", "bots": bots, "rated": True})
    await command("HSET", keys.ladder("main", "pairings"), match_id, pairing)


async def test_all_of_a_ladder_is_taken_over(arena: Arena) -> None:
    """Members, scores, results and what is in play, and nothing of it twice."""
    await earlier(arena, "m1", ["a", "b"])
    direction = Direction(arena.pipe, 3)
    assert await direction.adopt_ladders(NOTE) == ["main"]
    assert await direction.adopt_ladders(NOTE) == []
    found = await arena.competitions.get("main")
    assert (found.specification, found.state, found.rated) == (MAIN, State.RUNNING, 5)
    assert await arena.competitions.active() == [found]
    roster = await arena.competitions.roster("main")
    assert roster.entrants == {"a": Entrant("a", "owner of a"), "b": Entrant("b")}
    assert set(roster.scores.values()) == {Score(26.5, 7, 6, 3, 9, blocks=2)}
    assert await results_of(arena.competitions, "main") == {"earlier": b"{}"}
    assert await reserved(arena) == ["m1"]
    for master in arena.pipe.masters:
        assert await master.command("KEYS", "*ladder*") == []


async def test_what_was_made_meanwhile_stays(arena: Arena) -> None:
    """If a server has made the competition already, and bots have joined, both are together."""
    await arena.make(MAIN, "main")
    await arena.enter("main", Entrant("b", "new owner"), Entrant("c", "carl"))
    await earlier(arena, "m1", ["a", "b"])
    await Direction(arena.pipe, 1).adopt_ladders(NOTE)
    assert await arena.competitions.entrants("main") == (
        Entrant("b", "new owner"),
        Entrant("c", "carl"),
        Entrant("a", "owner of a"),
    )
    assert set((await arena.competitions.roster("main")).scores) == {"a", "b"}


async def test_an_older_director_takes_nothing_over(arena: Arena) -> None:
    """If a newer one has written, or the earlier version's has, a lower token is refused (T76)."""
    await earlier(arena, "m1", ["a", "b"])
    await arena.pipe.command("HSET", keys.ladder("main"), "fence", 7)
    with pytest.raises(Fenced):
        await Direction(arena.pipe, 6).adopt_ladders(NOTE)
    assert await Direction(arena.pipe, 8).adopt_ladders(NOTE) == ["main"]


async def test_a_match_that_was_in_play_is_counted_and_its_table_goes_on(arena: Arena) -> None:
    """If a match of the earlier version ends after the upgrade, it is the first of its block."""
    bots = [keys.new_id(), keys.new_id()]
    for bot_id in bots:
        claim = Claim(bot_id, "p", 1, ("base",), (2,))
        await arena.stores.presences.claim(claim, 600_000)
    match_id = keys.new_id()
    await earlier(arena, match_id, bots)
    async with arena.directing():
        first = await arena.next_match()
        assert (first.match_id, list(first.bots)) == (match_id, bots)
        await arena.finish(first)
        second = await arena.next_match()
        assert list(second.bots) == bots[::-1]
        await arena.finish(second)

        async def both_are_counted() -> bool:
            return len(await results_of(arena.competitions, "main")) == 3

        await until(both_are_counted)
    assert (await arena.competitions.get("main")).rated == 7
    assert [ended.state for ended in (await ended_of(arena.competitions, "main")).values()] == [
        "complete"
    ]
