"""Trials and challenges that are reserved take room of their bots before their matches are there (T77)."""

from dataclasses import replace

import pytest

from shoal.competition.plan import Entrant
from shoal.competition.specification import TimeControl
from shoal.server.director import MAIN
from shoal.server.director.result import finished
from shoal.server.store import keys
from shoal.server.store.bells import Bells
from shoal.server.store.challenges import Challenge, ChallengeState, ChallengeStore
from shoal.server.store.competition_texts import to_json
from shoal.server.store.memberships import Membership, MembershipStore, Stage
from shoal.server.store.pipe import Pipe

from .arena import Arena
from .looks import ATTEMPTS, Looks


@pytest.fixture
async def arena(pipe: Pipe, bells: Bells) -> Arena:
    """Two ladders; the one called "aaa" is looked at before the other."""
    arena = Arena(pipe, bells)
    for name in ("aaa", "main"):
        await arena.make(replace(MAIN, name=name, seats=(2,)), name)
    return arena


async def arrive(arena: Arena) -> tuple[str, str, str]:
    """Let three bots come that play one match at a time; all but the first are on both ladders."""
    a, b, c = await arena.arrive(*"abc", seats=(2,))
    await arena.enter("aaa", Entrant(b, b), Entrant(c, c))
    return a, b, c


async def reserve_trial(arena: Arena, *bots: str) -> str:
    """Reserve a trial, as a director that died before it made the match."""
    trial = Membership(Stage.TRIAL, 1, match_id=keys.new_id(), bots=bots, ruleset="base")
    await MembershipStore(arena.pipe).change("main", bots[0], None, trial)
    return trial.match_id


async def start_challenge(arena: Arena, *bots: str) -> Challenge:
    """Start a challenge, as a director that died before it made the match."""
    challenges = ChallengeStore(arena.pipe)
    clock, expires_ms = TimeControl(move_ms=1000), keys.now_ms() + 300_000
    made = Challenge(keys.new_id(), bots[0], bots, "base", clock, keys.new_id(), expires_ms)
    await challenges.create(made)
    await challenges.seated(made)
    return await challenges.turn(made, ChallengeState.STARTED)


async def is_free(arena: Arena, *bots: str) -> bool:
    """Tell whether none of these bots has a match in its lists."""
    live = [await arena.stores.bots.live_matches(bot) for bot in bots]
    histories = [(await arena.stores.bots.history(bot, 9)).ids for bot in bots]
    return not any(live) and not any(histories)


async def test_a_successor_knows_of_trials_that_were_not_made(arena: Arena) -> None:
    """Their bots play them, and nothing beside, on no ladder."""
    a, b, _ = await arrive(arena)
    await reserve_trial(arena, a, b)
    looks = Looks(arena)
    await looks.scheduler.resume()
    await looks.look(3)
    assert looks.tables == [{a, b}]


async def test_a_successor_knows_of_challenges_that_were_not_made(arena: Arena) -> None:
    """Their bots play them, and nothing beside, though ladders and tournaments come before."""
    a, b, _ = await arrive(arena)
    challenge = await start_challenge(arena, a, b)
    looks = Looks(arena)
    await looks.scheduler.resume()
    await looks.look(3)
    assert looks.tables == [{a, b}]
    assert challenge.challenge_id not in await ChallengeStore(arena.pipe).open_ids()


@pytest.mark.parametrize("kind", ["trial", "challenge"])
async def test_what_could_not_be_made_keeps_its_places(arena: Arena, kind: str) -> None:
    """Until it is made with a later tick."""
    a, b, _ = await arrive(arena)
    await (reserve_trial if kind == "trial" else start_challenge)(arena, a, b)
    looks = Looks(arena)
    looks.fails = True
    await looks.scheduler.resume()
    looks.fails = False
    await looks.look(2)
    assert looks.tables == []
    await looks.retry()
    await looks.look(2)
    assert looks.tables == [{a, b}]


async def test_a_trial_that_cannot_be_made_is_given_up(arena: Arena) -> None:
    """Its bots are free again, and another one is begun (T70)."""
    a, b = await arena.arrive(*"ab", seats=(2,))
    match_id = await reserve_trial(arena, a, b)
    looks = Looks(arena)
    looks.fails = True
    await looks.scheduler.resume()
    for _ in range(ATTEMPTS):
        await looks.retry()
    assert await is_free(arena, a, b)
    looks.fails = False
    await looks.look()
    (trial,) = looks.made
    assert (trial.competition_id, trial.match_id != match_id) == ("", True)


async def test_a_challenge_that_cannot_be_made_is_given_up(arena: Arena) -> None:
    """Its bots are free again for others (T70)."""
    a, b, c = await arrive(arena)
    challenge = await start_challenge(arena, b, c)
    looks = Looks(arena)
    looks.fails = True
    await looks.scheduler.resume()
    for _ in range(ATTEMPTS):
        await looks.retry()
    assert await is_free(arena, a, b, c)
    assert challenge.challenge_id not in await ChallengeStore(arena.pipe).open_ids()
    looks.fails = False
    await looks.look()
    assert {b, c} in looks.tables


async def test_a_casual_match_that_is_over_is_not_made_again(arena: Arena) -> None:
    """Though nobody has heard that it could be made: it would keep its bots busy for ever."""
    a, b, _ = await arrive(arena)
    trial = await reserve_trial(arena, a, b)
    looks = Looks(arena)
    looks.fails = True
    await looks.scheduler.resume()
    over = {
        "match": trial,
        "ladder": "",
        "rated": False,
        "ruleset": "base",
        "bots": [a, b],
        "placements": [1, 2],
        "totals": [2, 1],
        "termination": "target",
        "left": ["", ""],
        "ended_ms": 0,
    }
    assert await looks.scheduler.count(finished(to_json(over).encode())) == ""
    looks.fails = False
    await looks.retry()
    assert looks.tables == []
