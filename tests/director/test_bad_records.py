"""What is stored of one bot, or one challenge, makes no sense: whoever else is there goes on (T74)."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from shoal.competition.specification import Ladder, TimeControl
from shoal.server.director import MAIN
from shoal.server.store import keys
from shoal.server.store.bells import Bells
from shoal.server.store.challenges import (
    Acceptance,
    AcceptFrom,
    Challenge,
    ChallengeState,
    ChallengeStore,
)
from shoal.server.store.memberships import MembershipStore, Stage
from shoal.server.store.pipe import Pipe
from shoal.server.store.presence import Claim
from shoal.server.store.releases import ReleaseStore
from shoal.v1 import bot_service_pb2, ladder_service_pb2
from tests.server.support import serving

from .arena import Arena
from .hall import Hall
from .looks import Looks
from .reads import results_of

LATER = '{"of":"a later version","rev":3}'
BROKEN = '{"of":'

UNREADABLE = {
    "memberships": "membership_unreadable",
    "entrants": "entrant_unreadable",
    "scores": "score_unreadable",
}
"""What cannot be read of a bot that is not paired then: in which hash, and what the log says of it."""

TEXTS = pytest.mark.parametrize("text", [LATER, BROKEN], ids=["later", "broken"])


@pytest.fixture
async def arena(pipe: Pipe, bells: Bells) -> Arena:
    arena = Arena(pipe, bells)
    await arena.make(replace(MAIN, format=Ladder(trial=False), seats=(2,)), "main")
    return arena


async def put(arena: Arena, kind: str, bot: str, text: str) -> None:
    """Write something about a bot of the ladder."""
    await arena.pipe.command("HSET", keys.competition("main", kind), bot, text)


@TEXTS
@pytest.mark.parametrize("kind", UNREADABLE)
async def test_a_bot_of_which_something_cannot_be_read_is_left_out(
    arena: Arena, kind: str, text: str
) -> None:
    """The others are paired, it is said once, and what is stored stays."""
    a, b, bad = await arena.arrive(*"abc", seats=(2,))
    await put(arena, kind, bad, text)
    looks = Looks(arena)
    with capture_logs() as logs:
        await looks.look(3)
    assert looks.tables == [{a, b}]
    told = [(line["event"], line["id"], line["log_level"]) for line in logs]
    assert told == [(UNREADABLE[kind], f"main {bad}", "error")]
    assert await arena.pipe.command("HGET", keys.competition("main", kind), bad) == text.encode()


@TEXTS
async def test_a_bot_whose_releases_cannot_be_read_plays_on(arena: Arena, text: str) -> None:
    """It plays under the name that it has, and another version of it is not noted before that is mended."""
    bots = await arena.arrive(*"ab", seats=(2,))
    await put(arena, "releases", bots[0], text)
    claim = Claim(bots[0], "p", 1, ("base",), (2,), "2")
    await arena.stores.presences.claim(claim, 600_000)
    looks = Looks(arena)
    with capture_logs() as logs:
        await looks.look(2)
        assert await ReleaseStore(arena.pipe).every("main") == {}
    assert looks.tables == [set(bots)]
    assert {line["event"] for line in logs} == {"releases_unreadable"}
    kept = await arena.pipe.command("HGET", keys.competition("main", "releases"), bots[0])
    assert kept == text.encode()


@TEXTS
async def test_a_match_of_such_a_bot_counts_and_its_block_does_not_go_on(
    arena: Arena, text: str
) -> None:
    """Who played against it keeps the result."""
    _, bad = await arena.arrive(*"ab", seats=(2,))
    async with arena.directing():
        match = await arena.next_match()
        await put(arena, "memberships", bad, text)
        other = await arena.arrive("c", seats=(2,))
        await arena.finish(match)
        following = await arena.next_match()
    assert set(following.bots) == {*match.bots, *other} - {bad}
    assert match.match_id in await results_of(arena.competitions, "main")


@pytest.fixture
async def hall(store_url: str, pipe: Pipe, bells: Bells) -> AsyncIterator[Hall]:
    async with serving(store_url) as server:
        yield Hall(server, Arena(pipe, bells))


@TEXTS
@pytest.mark.parametrize("trial", [True, False])
async def test_who_joins_again_is_as_new(hall: Hall, text: str, *, trial: bool) -> None:
    """Its status says what to do, and what cannot be read is written over then."""
    await hall.arena.make(replace(MAIN, format=Ladder(trial=trial), seats=(2,)), "main")
    (bot,) = await hall.arrive(1)
    bots, ladders = hall.server.bots, hall.server.ladders
    metadata = hall.bots[bot].metadata
    join = ladder_service_pb2.JoinLadderRequest(ladder_id="main", bot_id=bot)
    await ladders.JoinLadder(join, metadata=metadata)
    await put(hall.arena, "memberships", bot, text)
    (said,) = (await bots.GetBotStatus(bot_service_pb2.GetBotStatusRequest(bot_id=bot))).memberships
    assert said.stage == bot_service_pb2.MEMBERSHIP_STAGE_PAUSED
    assert "leave the ladder and join again" in said.why
    assert not said.HasField("retry_time")
    leave = ladder_service_pb2.LeaveLadderRequest(ladder_id="main", bot_id=bot)
    await ladders.LeaveLadder(leave, metadata=metadata)
    await ladders.JoinLadder(join, metadata=metadata)
    known = await MembershipStore(hall.arena.pipe).of("main", [bot])
    assert known[bot].stage is (Stage.TRIAL if trial else Stage.ACTIVE)


async def challenge(store: ChallengeStore, *bots: str) -> str:
    """Make a challenge of these bots, which are of one owner."""
    made = Challenge(
        keys.new_id(),
        bots[0],
        bots,
        "base",
        TimeControl(move_ms=1000),
        keys.new_id(),
        keys.now_ms() + 300_000,
    )
    await store.create(made)
    return made.challenge_id


@TEXTS
async def test_what_cannot_be_read_of_challenges_stops_neither_others_nor_ladders(
    arena: Arena, text: str
) -> None:
    """A challenge waits until it can be read; a bot accepts none until what it accepts can be read."""
    store = ChallengeStore(arena.pipe)
    challengers = [await arena.arrive(*"xy", joined=False) for _ in range(3)]
    for name, bot in enumerate(bot for pair in challengers for bot in pair):
        await arena.stores.bots.register(bot, f"bot-{name}", "owner")
        await store.accept(bot, Acceptance(AcceptFrom.ANYONE))
    bad, refused, good = [await challenge(store, *pair) for pair in challengers]
    await arena.pipe.command("HSET", keys.challenge(bad), "body", text)
    await arena.pipe.command("SET", keys.acceptance(challengers[1][1]), text)
    members = await arena.arrive(*"ab", seats=(2,))
    looks = Looks(arena)
    with capture_logs() as logs:
        await looks.scheduler.resume()
        await looks.look(2)
        found = await store.get_many([bad, refused, good])
    assert looks.tables == [set(challengers[2]), set(members)]
    assert [each and each.state for each in found] == [
        None,
        ChallengeState.DECLINED,
        ChallengeState.STARTED,
    ]
    assert bad in await store.open_ids()
    told = {(line["event"], line["id"]) for line in logs if line["log_level"] == "error"}
    assert told == {
        ("challenge_unreadable", bad),
        ("acceptance_unreadable", challengers[1][1]),
    }


async def test_what_is_no_id_is_no_challenge(arena: Arena) -> None:
    """It is taken out of those that wait."""
    await arena.pipe.command("SADD", keys.CHALLENGES, "nonsense")
    looks = Looks(arena)
    with capture_logs() as logs:
        await looks.look()
    assert await ChallengeStore(arena.pipe).open_ids() == []
    assert logs == []
