"""Matches that go wrong by a bot pause it, on a real Redis."""

from dataclasses import replace

import pytest

from shoal.competition.specification import Ladder
from shoal.match.model import LeaveReason, Termination, VoidReason
from shoal.server.director import MAIN, Pairing
from shoal.server.director.matches import Matches
from shoal.server.director.result import Finished
from shoal.server.director.trials import Trials
from shoal.server.store import keys
from shoal.server.store.bells import Bells
from shoal.server.store.direction import Direction
from shoal.server.store.memberships import Membership, MembershipStore, Stage
from shoal.server.store.pipe import Pipe

from .arena import QUICK, Arena, until
from .reads import results_of

BRIEF = replace(QUICK, cool_off=0)
"""A bot that did not answer is not left alone, so that it may fail again at once."""


@pytest.fixture
async def arena(pipe: Pipe, bells: Bells) -> Arena:
    arena = Arena(pipe, bells)
    await arena.make(replace(MAIN, format=Ladder(faults=2), seats=(2,)), "main")
    return arena


async def membership(arena: Arena, bot: str) -> Membership | None:
    return (await MembershipStore(arena.pipe).of("main", [bot])).get(bot)


async def stage(arena: Arena, bot: str) -> Stage:
    known = await membership(arena, bot)
    return Stage.ACTIVE if known is None else known.stage


async def end(arena: Arena, match: Pairing, bad: str, why: str) -> None:
    """End a match in which a bot, if it sits there, left for this reason."""
    left = [why if bot == bad else "" for bot in match.bots]
    await arena.finish(match, termination="last_seat", left=left)


async def test_a_bot_is_paused_after_faults_and_told_why(arena: Arena) -> None:
    """What went wrong in which match is said in words, and the others play on without it (T61)."""
    bad, *others = await arena.arrive("bad", "b", "c")
    matches = []
    async with arena.directing(settings=BRIEF):
        while await stage(arena, bad) is Stage.ACTIVE:
            match = await arena.next_match()
            matches += [match.match_id] if bad in match.bots else []
            await end(arena, match, bad, "illegal")
        for _ in range(4):
            match = await arena.next_match()
            assert set(match.bots) <= set(others) or match.match_id in matches
            await end(arena, match, bad, "illegal")
    known = await membership(arena, bad)
    assert known is not None
    assert known.why == "paused after 2 of its last 2 matches went wrong by it: " + "; ".join(
        f"in match {each.match_id} it gave too many answers that were no options"
        for each in known.faults
    )
    assert {each.match_id for each in known.faults} <= set(matches)


async def test_matches_that_are_played_in_between_do_not_make_good(arena: Arena) -> None:
    """If a bot falls silent in every other match only, it is paused all the same."""
    bots = await arena.arrive("bad", "b")
    bad = bots[0]
    async with arena.directing(settings=BRIEF):
        for number in range(4):
            match = await arena.next_match()
            await end(arena, match, bad, "strikes" if number % 2 else "")

        async def is_paused() -> bool:
            return await stage(arena, bad) is Stage.PAUSED

        await until(is_paused)
    known = await membership(arena, bad)
    assert known is not None
    assert known.why.startswith("paused after 2 of its last 3 matches went wrong by it: ")


async def test_who_resigns_is_not_at_fault(arena: Arena) -> None:
    """Leaving by one's own word is play."""
    bad, _ = await arena.arrive("bad", "b")
    async with arena.directing(settings=BRIEF):
        for _ in range(6):
            await end(arena, await arena.next_match(), bad, "resigned")
    assert await membership(arena, bad) is None


async def test_one_outage_counts_once(arena: Arena) -> None:
    """If all matches that a bot has at a time go wrong together, that is one fault."""
    bad, *_ = await arena.arrive("bad", "b", "c", "d", room=3)
    async with arena.directing(settings=BRIEF):
        matches: list[Pairing] = []
        while sum(bad in match.bots for match in matches) < 3:
            matches.append(await arena.next_match())
        mine = [match for match in matches if bad in match.bots]
        for match in mine:
            await end(arena, match, bad, "abandoned")

        async def all_counted() -> bool:
            results = await results_of(arena.competitions, "main")
            return {match.match_id for match in mine} <= results.keys()

        await until(all_counted)
    known = await membership(arena, bad)
    assert known is not None
    assert (known.stage, len(known.faults)) == (Stage.ACTIVE, 1)


async def test_a_ladder_may_pause_nobody(pipe: Pipe, bells: Bells) -> None:
    """If its setting is 0, a bot fails as often as it likes."""
    arena = Arena(pipe, bells)
    await arena.make(replace(MAIN, format=Ladder(faults=0), seats=(2,)), "main")
    bad, _ = await arena.arrive("bad", "b")
    async with arena.directing(settings=BRIEF):
        for _ in range(6):
            await end(arena, await arena.next_match(), bad, "illegal")
    assert await membership(arena, bad) is None


async def test_a_fault_is_noted_though_its_bot_leaves_and_joins_meanwhile(arena: Arena) -> None:
    """Its membership is another one then than that which was read when the match was judged."""
    direction, memberships = Direction(arena.pipe, 1), MembershipStore(arena.pipe)
    matches = Matches(arena.create, arena.stores.bots, direction, 1)
    trials = Trials(memberships, arena.matches, direction, matches, QUICK)
    match = Finished(
        match_id=keys.new_id(),
        competition="main",
        rated=True,
        bots=("bad", "b"),
        placements=(0, 0),
        termination=Termination.NO_SHOW,
        left=(LeaveReason.NO_SHOW, LeaveReason.NONE),
        void=VoidReason.NONE,
        payload=b"",
    )
    found = await arena.competitions.get("main")
    verdict = await trials.verdict(found, match)
    await memberships.change("main", "bad", None, Membership(Stage.TRIAL, 1))
    await trials.note(found, match, verdict)
    known = await membership(arena, "bad")
    assert known is not None
    assert (known.stage, [each.match_id for each in known.faults]) == (
        Stage.TRIAL,
        [match.match_id],
    )
