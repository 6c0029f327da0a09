"""Results that were counted, and that a competition lost with its master: they are counted again, once."""

import json

import pytest
from structlog.testing import capture_logs

from shoal.competition.plan import Entrant
from shoal.competition.specification import RoundRobin, Specification
from shoal.match import VoidReason
from shoal.server.director import MAIN, Pairing
from shoal.server.director.result import finished
from shoal.server.store import keys
from shoal.server.store.bells import Bells
from shoal.server.store.pipe import Pipe
from shoal.server.store.presence import Claim

from .arena import Arena, until
from .reads import ended_of, results_of

KINDS = ("", "scores", "results", "matches", "blocks", "finished")


@pytest.fixture
async def arena(pipe: Pipe, bells: Bells) -> Arena:
    arena = Arena(pipe, bells)
    await arena.make(MAIN, "main")
    await arena.arrive("a", "b", "c", "d", seats=(2,), room=4)
    return arena


async def kept(arena: Arena) -> dict[str, bytes | None]:
    """Return what the competition's Redis has of it: what its replica may go on from."""
    names = [keys.competition("main", kind) for kind in KINDS]
    dumped = await arena.pipe.many(("DUMP", name) for name in names)  # at one moment
    return dict(zip(names, dumped, strict=True))


async def go_back(arena: Arena, before: dict[str, bytes | None]) -> None:
    """Let the competition be as it was, in one step as a failover is."""
    commands: list[tuple[bytes | str | int, ...]] = []
    for name, dumped in before.items():
        commands.append(
            ("DEL", name) if dumped is None else ("RESTORE", name, 0, dumped, "REPLACE")
        )
    await arena.pipe.many(commands)


async def play(arena: Arena) -> Pairing:
    """Play a match, and wait until it is counted."""
    pairing = await arena.next_match()
    await arena.finish(pairing)
    await counted(arena, pairing)
    return pairing


async def counted(arena: Arena, *pairings: Pairing) -> None:
    """Wait until these matches are among the results."""

    async def all_there() -> bool:
        results = await results_of(arena.competitions, "main")
        return all(pairing.match_id in results for pairing in pairings)

    await until(all_there)


async def adds_up(arena: Arena, matches: int) -> None:
    """See that every score has the matches that the results have, each once."""
    scores = (await arena.competitions.roster("main")).scores.values()
    assert (await arena.competitions.get("main")).rated == matches
    assert sum(score.matches for score in scores) == 2 * matches


async def test_results_lost_under_a_director_are_counted_again(arena: Arena) -> None:
    with capture_logs() as logs:
        async with arena.directing():
            first = await play(arena)
            before = await kept(arena)
            lost = [await play(arena) for _ in range(3)]
            await go_back(arena, before)
            await counted(arena, first, *lost)
        await adds_up(arena, len(await results_of(arena.competitions, "main")))
    assert "results_lost" in [line["event"] for line in logs]


async def test_results_lost_are_missed_even_when_others_came_since(arena: Arena) -> None:
    """As many results as before are not the same ones."""
    async with arena.directing():
        await play(arena)
        before = await kept(arena)
        lost, coming = await play(arena), await arena.next_match()
        await go_back(arena, before)
        await arena.finish(coming)
        await counted(arena, lost, coming)
    await adds_up(arena, 3)


async def test_results_lost_while_nobody_directs_are_counted_by_the_next_one(arena: Arena) -> None:
    async with arena.directing():
        before = await kept(arena)
        lost = [await play(arena) for _ in range(3)]
    await go_back(arena, before)
    async with arena.directing():
        await counted(arena, *lost)
    await adds_up(arena, 3)


async def test_what_is_read_again_and_was_counted_changes_nothing(arena: Arena) -> None:
    async with arena.directing():
        played = [await play(arena) for _ in range(3)]
    before = await arena.competitions.roster("main")
    async with arena.directing():
        await play(arena)
    assert len(await results_of(arena.competitions, "main")) == 4
    scores = (await arena.competitions.roster("main")).scores
    assert sum(each.matches for each in scores.values()) == 8
    assert sum(each.matches for each in before.scores.values()) == 2 * len(played)


async def annul(arena: Arena, pairing: Pairing) -> None:
    """Let a match whose end was lost be void: another entry of it comes into the outbox."""
    payload = {
        "match": pairing.match_id,
        "ladder": pairing.competition_id,
        "rated": False,
        "ruleset": "base",
        "bots": pairing.bots,
        "placements": [0, 0],
        "totals": [0, 0],
        "termination": "void",
        "void": "lost_moves",
        "left": ["", ""],
    }
    outbox = keys.OUTBOX[keys.partition_of(pairing.match_id)]
    entry = ("match", pairing.match_id, "result", json.dumps(payload))
    await arena.pipe.command("XADD", outbox, "*", *entry)


async def test_a_match_that_is_void_after_all_counts_no_more(arena: Arena) -> None:
    """The result is replaced, and matches, wins and placements are as if it had not been counted."""
    async with arena.directing():
        kept_one, doomed = await play(arena), await play(arena)
        for _ in range(2):
            await annul(arena, doomed)

        async def is_void() -> bool:
            result = (await results_of(arena.competitions, "main"))[doomed.match_id]
            return finished(result).void is VoidReason.LOST_MOVES

        await until(is_void)
    await adds_up(arena, 1)
    scores = (await arena.competitions.roster("main")).scores
    won = {bot: (score.matches, score.wins, score.placement_sum) for bot, score in scores.items()}
    none = dict.fromkeys(doomed.bots, (0, 0, 0))
    assert won == none | dict(zip(kept_one.bots, [(1, 1, 1), (1, 0, 2)], strict=True))
    async with arena.directing():  # which reads the end that was counted first once more
        await play(arena)
    await adds_up(arena, 2)


async def test_a_block_plays_again_what_is_void_after_all(arena: Arena) -> None:
    """If the match was one of a block in play, what is in play goes on, and its rotation comes again."""
    bots = [keys.new_id(), keys.new_id()]
    for bot in bots:
        await arena.stores.presences.claim(Claim(bot, "p", 1, ("base",), (2,)), 600_000)
    cup = await arena.make(Specification("cup", RoundRobin(), seats=(2,)))
    await arena.enter(cup, *(Entrant(bot, bot) for bot in bots))

    async def next_of_cup() -> Pairing:
        while (pairing := await arena.next_match()).competition_id != cup:
            pass
        return pairing

    async def is_taken_back() -> bool:
        return not (await arena.competitions.get(cup)).rated

    async def is_over() -> bool:
        return bool(await ended_of(arena.competitions, cup))

    async with arena.directing():
        first = await next_of_cup()
        await arena.finish(first)
        second = await next_of_cup()
        await annul(arena, first)
        await until(is_taken_back)
        await arena.finish(second)
        again = await next_of_cup()
        assert again.bots == first.bots
        await arena.finish(again)
        await until(is_over)
    (ended,) = (await ended_of(arena.competitions, cup)).values()
    assert [each.attempt.ending.value for each in ended.block.tries] == ["void", "played", "played"]
    assert ended.state == "complete"
    scores = (await arena.competitions.roster(cup)).scores.values()
    assert [(score.matches, score.blocks) for score in scores] == [(2, 1), (2, 1)]


async def test_a_match_that_was_taken_back_stays_so_when_the_ladder_goes_back(arena: Arena) -> None:
    async with arena.directing():
        doomed = await play(arena)
        before = await kept(arena)
        await annul(arena, doomed)

        async def is_taken_back() -> bool:
            return not (await arena.competitions.get("main")).rated

        await until(is_taken_back)
    await go_back(arena, before)
    assert (await arena.competitions.get("main")).rated == 1
    async with arena.directing():
        await until(is_taken_back)
