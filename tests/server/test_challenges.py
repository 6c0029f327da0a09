"""Challenges on a real server with a real director: who accepts what, and what comes of it."""

import asyncio
import json
import uuid
from dataclasses import replace

import grpc
import pytest

from shoal.cli.challenge import wait_for
from shoal.client import Client
from shoal.server.challenges import MOST_WAITING
from shoal.server.store import new_id
from shoal.server.store.challenges import ChallengeState, ChallengeStore
from shoal.v1 import challenge_service_pb2 as pb
from shoal.v1 import ladder_service_pb2 as ladders_pb
from shoal.v1 import match_pb2
from tests.server.directing import QUICK, directing, playing
from tests.server.rpcs import Refused, read_error
from tests.server.streams import PATIENCE
from tests.server.support import Bot, Server, shoal, until

FREE = replace(QUICK, challenge_rest=0)

PENDING, STARTED = pb.CHALLENGE_STATE_PENDING, pb.CHALLENGE_STATE_STARTED


async def challenge(server: Server, *bots: Bot, **fields: object) -> pb.Challenge:
    """Challenge bots as the owner of the first."""
    request = pb.CreateChallengeRequest(bot_ids=[bot.bot_id for bot in bots], **fields)
    made = await server.challenges.CreateChallenge(request, metadata=bots[0].metadata)
    return made.challenge


async def get(server: Server, made: pb.Challenge) -> pb.Challenge:
    request = pb.GetChallengeRequest(challenge_id=made.challenge_id)
    return (await server.challenges.GetChallenge(request)).challenge


async def accept(server: Server, bot: Bot, **fields: object) -> None:
    """Let a bot accept anyone's challenges but for what is given."""
    wanted = pb.Acceptance(**{"accept_from": pb.ACCEPT_FROM_ANYONE, **fields})
    request = pb.SetAcceptanceRequest(acceptance=wanted)
    await server.challenges.SetAcceptance(request, metadata=bot.metadata)


async def until_state(
    server: Server, made: pb.Challenge, state: "pb.ChallengeState.ValueType"
) -> pb.Challenge:
    async def is_so() -> bool:
        return (await get(server, made)).state == state

    await until(is_so)
    return await get(server, made)


def reasons(found: pb.Challenge) -> list[str]:
    return [
        pb.DeclineReason.Name(each.reason).removeprefix("DECLINE_REASON_")
        for each in found.objections
    ]


async def test_an_accepted_challenge_is_a_casual_match(server: Server) -> None:
    """The bot that is challenged needs no more than its stream, and nothing is rated."""
    anna, bert = await server.register(), await server.register()
    await accept(server, bert)
    made = await challenge(server, anna, bert, time_control={"move_ms": 5000})
    assert (made.state, made.match_id) == (PENDING, "")
    async with directing(server.stores), playing(server, anna), playing(server, bert):
        started = await until_state(server, made, STARTED)

        async def is_over() -> bool:
            match = await server.match(started.match_id)
            return match.status == match_pb2.MATCH_STATUS_FINISHED

        await until(is_over)
    match = await server.match(started.match_id)
    assert [seat.bot_id for seat in match.seats] == [anna.bot_id, bert.bot_id]
    assert (match.rated, match.ladder_id, match.time_control.move_ms) == (False, "", 5000)


@pytest.mark.parametrize(
    ("policy", "reason"),
    [
        ({"accept_from": pb.ACCEPT_FROM_NOBODY}, "NOBODY"),
        ({"accept_from": pb.ACCEPT_FROM_LISTED, "owner_ids": ["x"]}, "OWNER"),
        ({"rulesets": ["salt"]}, "RULESET"),
        ({"table_sizes": [3, 4]}, "TABLE_SIZE"),
        ({"most_move_ms": 9999}, "CLOCK"),
        ({"least_move_ms": 10_001}, "CLOCK"),
        ({"most_match_ms": 60_000}, "CLOCK"),
    ],
)
async def test_what_is_not_accepted_is_declined_at_once_with_the_reason(
    server: Server, policy: dict[str, object], reason: str
) -> None:
    """By name for programs, and in words with the bot's name for people."""
    anna, bert = await server.register(), await server.register()
    await accept(server, bert, **policy)
    made = await challenge(server, anna, bert)
    assert made.state == pb.CHALLENGE_STATE_DECLINED
    assert reasons(made) == [reason]
    (objection,) = made.objections
    assert (objection.bot_id, bert.name in objection.text) == (bert.bot_id, True)
    assert await get(server, made) == made


async def test_what_bots_accept_if_nothing_was_set(server: Server) -> None:
    """Its own owner's challenges; the arena's own bots everybody's, within limits."""
    anna, bert = await server.team(2)
    other = await server.register()
    arenas = await server.register(metadata=await server.admin(), baseline=True)
    assert (await challenge(server, anna, bert)).state == PENDING
    assert reasons(await challenge(server, anna, other)) == ["OWNER"]
    assert (await challenge(server, anna, arenas)).state == PENDING
    slow = await challenge(server, anna, arenas, time_control={"move_ms": 600_000})
    assert reasons(slow) == ["CLOCK"]


async def test_listed_owners_are_let_in(server: Server) -> None:
    """Who is on the list may challenge, and everybody else may not."""
    anna, bert, carl = [await server.register() for _ in range(3)]
    listed = pb.ACCEPT_FROM_LISTED
    await accept(server, bert, accept_from=listed, owner_ids=[anna.owner])
    assert (await challenge(server, anna, bert)).state == PENDING
    assert reasons(await challenge(server, carl, bert)) == ["OWNER"]


async def test_the_same_request_makes_one_challenge(server: Server) -> None:
    """Also when it is sent again after it has begun."""
    anna, bert = await server.team(2)
    fields = {"request_id": str(uuid.uuid4())}
    made = await challenge(server, anna, bert, **fields)
    assert await challenge(server, anna, bert, **fields) == made
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await challenge(server, bert, anna, **fields)
    assert read_error(caught.value).reason == "REQUEST_ID_REUSED"


async def test_a_challenge_says_what_it_waits_for_and_expires_with_it(server: Server) -> None:
    """Who is away, and whose places are taken; in the end that is why nothing came of it."""
    anna, bert = await server.team(2)
    async with server.stream(anna, max_matches=1):
        await server.create(anna, bert)
        made = await challenge(server, anna, bert, wait_s=1)
        assert sorted(reasons(await get(server, made))) == ["AWAY", "BUSY"]
        async with directing(server.stores):
            gone = await until_state(server, made, pb.CHALLENGE_STATE_EXPIRED)
    assert sorted(reasons(gone)) == ["AWAY", "BUSY"]
    assert gone.match_id == ""


async def test_no_challenge_takes_a_place_that_a_bot_does_not_have(server: Server) -> None:
    """Matches of every kind count against a bot's room, and challenges against what it accepts (T77)."""
    anna, bert = await server.register(), await server.register()
    await accept(server, bert, at_once=2)
    made = [await challenge(server, anna, bert) for _ in range(4)]
    async with (
        server.stream(anna, max_matches=10),
        server.stream(bert, max_matches=3) as stream,
        directing(server.stores, FREE, ready_ms=600_000),
    ):
        await stream.hear("match_update")
        await stream.hear("match_update")
        assert await started(server, made) == 2
        assert reasons(await get(server, made[3])) == ["ENOUGH"]
    assert len(await server.stores.bots.live_matches(bert.bot_id)) == 2


async def test_challenges_leave_a_ladder_its_turn(server: Server) -> None:
    """If a bot has one place, a challenge is followed by a table of its ladder, however many wait (T77)."""
    metadata = await server.admin()
    anna, bert = [await server.register(metadata=metadata, baseline=True) for _ in range(2)]
    name = f"ladder-{new_id()}"
    await server.make_ladder(name, seats=(2,))
    made = [await challenge(server, anna, bert) for _ in range(3)]
    for bot in (anna, bert):
        request = ladders_pb.JoinLadderRequest(ladder_id=name)
        await server.ladders.JoinLadder(request, metadata=bot.metadata)

    async def has_begun() -> bool:
        return await started(server, made) > 0

    async def rated() -> int:
        return (await server.stores.competitions.get(name)).rated

    busy = replace(QUICK, challenge_rest=60)
    async with directing(server.stores, busy), playing(server, anna), playing(server, bert):
        # Who comes first, the ladder or a challenge, depends on when the director sees the second bot.
        await until(has_begun, patience=40)
        before = await rated()

        async def has_played() -> bool:
            return await rated() > before

        await until(has_played, patience=40)
        assert await started(server, made) == 1


async def started(server: Server, made: list[pb.Challenge]) -> int:
    return [(await get(server, each)).state for each in made].count(STARTED)


async def test_a_policy_that_changes_counts_for_those_that_wait(server: Server) -> None:
    """If a bot accepts no more, what waits for it is declined."""
    anna, bert = await server.register(), await server.register()
    await accept(server, bert)
    made = await challenge(server, anna, bert)
    await accept(server, bert, accept_from=pb.ACCEPT_FROM_NOBODY)
    async with directing(server.stores):
        gone = await until_state(server, made, pb.CHALLENGE_STATE_DECLINED)
    assert reasons(gone) == ["NOBODY"]


async def test_a_challenge_is_taken_back_once(server: Server) -> None:
    """By its maker or the owner of one of its bots, and never begins then."""
    anna, bert = await server.register(), await server.register()
    await accept(server, bert)
    made = await challenge(server, anna, bert)
    request = pb.CancelChallengeRequest(challenge_id=made.challenge_id)
    for bot in (bert, anna):
        found = await server.challenges.CancelChallenge(request, metadata=bot.metadata)
        assert found.challenge.state == pb.CHALLENGE_STATE_CANCELLED
    async with directing(server.stores), playing(server, anna), playing(server, bert):
        later = await challenge(server, anna, bert)
        await until_state(server, later, STARTED)
    assert (await get(server, made)).state == pb.CHALLENGE_STATE_CANCELLED


async def test_an_owner_may_not_fill_the_list(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So many wait at a time, however they are made, and those of others are not even looked at."""

    async def look(_: ChallengeStore) -> list[str]:
        raise AssertionError

    monkeypatch.setattr(ChallengeStore, "open_ids", look)
    anna, bert = await server.team(2)

    async def one() -> str:
        """Return the id of a new challenge, "" if there are too many."""
        try:
            return (await challenge(server, anna, bert)).challenge_id
        except grpc.aio.AioRpcError as error:
            refused.append(read_error(error))
            return ""

    refused: list[Refused] = []
    made = [each for each in await asyncio.gather(*(one() for _ in range(60))) if each]
    assert len(made) == MOST_WAITING
    assert {(each.reason, each.retry_seconds) for each in refused} == {("CONCURRENCY_LIMIT", 5)}
    request = pb.CancelChallengeRequest(challenge_id=made[3])
    await server.challenges.CancelChallenge(request, metadata=anna.metadata)
    assert [bool(await one()) for _ in range(2)] == [True, False]
    assert (await challenge(server, *await server.team(2))).state == PENDING


async def test_what_expires_takes_no_place(server: Server) -> None:
    """Also if its maker has died before it was made."""
    anna, bert = await server.team(2)
    kept = await challenge(server, anna, bert)
    (known,) = await server.stores.challenges.get_many([kept.challenge_id])
    assert known is not None
    store = server.stores.challenges
    lost = [replace(known, challenge_id=new_id()) for _ in range(2)]
    assert not await store.take_place(replace(lost[0], expires_ms=known.created_ms), 1)
    assert await store.take_place(replace(lost[0], expires_ms=known.created_ms), 2)
    assert await store.take_place(lost[1], 2)
    assert not await store.take_place(lost[0], 2)


async def test_challenges_of_a_bot_are_listed_newest_first(server: Server) -> None:
    """Page by page, to whoever asks."""
    anna, bert = await server.team(2)
    made = [(await challenge(server, anna, bert)).challenge_id for _ in range(3)]
    found: list[str] = []
    token = ""
    while True:
        request = pb.ListChallengesRequest(bot_id=bert.bot_id, page_size=1, page_token=token)
        page = await server.challenges.ListChallenges(request)
        found += [each.challenge_id for each in page.challenges]
        token = page.next_page_token
        if not token:
            break
    assert sorted(found) == sorted(made)
    assert found == sorted(found, key=lambda each: each[2:], reverse=True)


async def test_a_director_that_dies_in_between_leaves_no_challenge_half_done(
    server: Server,
) -> None:
    """If it began and its match was not made, the next director makes it, under the same id (T76)."""
    anna, bert = await server.team(2)
    made = await challenge(server, anna, bert)
    (stored,) = await server.stores.challenges.get_many([made.challenge_id])
    assert stored is not None
    await server.stores.challenges.turn(stored, ChallengeState.STARTED)
    async with server.stream(anna) as stream, directing(server.stores):
        update = await stream.hear("match_update")
    assert update.match_id == stored.match_id


async def test_challenges_from_the_command_line(
    server: Server, capsys: pytest.CaptureFixture[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Made, shown, listed and taken back; and what a bot accepts."""
    anna, bert = await server.register(), await server.register()
    folder = tmp_path_factory.mktemp("tokens")
    files = {}
    for name, bot in (("anna", anna), ("bert", bert)):
        files[name] = ["--token-file", str(folder / name)]
        (folder / name).write_text(bot.token)

    async def say(*words: str) -> str:
        assert await shoal(server, "challenge", *words) == 0
        return capsys.readouterr().out

    made = await say("create", anna.bot_id, bert.bot_id, *files["anna"], "--wait")
    assert "declined" in made
    assert f"{bert.name} accepts challenges of some owners only (OWNER)" in made
    words = ("--ruleset", "base", "--most-move-ms", "5000", "--at-once", "2")
    assert "from anyone, 2 at a time" in await say("accept", "anyone", *words, *files["bert"])
    policy = json.loads(await say("policy", "--bot", bert.bot_id, "--json"))
    assert (policy["rulesets"], policy["mostMoveMs"]) == (["base"], 5000)
    second = await say(
        *("create", anna.bot_id, bert.bot_id, "--move-ms", "1000", "--json"), *files["anna"]
    )
    challenge_id = json.loads(second)["challengeId"]
    assert "is not connected" in await say("show", challenge_id)
    assert challenge_id in (await say("list", *files["bert"])).splitlines()[1]
    await say("cancel", challenge_id, *files["bert"])
    assert "cancelled" in await say("show", challenge_id)


async def test_a_challenge_that_is_waited_for_says_so_and_stays(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its id, what is in the way, and at Ctrl-C, which cancels the wait, how it is taken back."""
    anna, bert = await server.register(), await server.register()
    await accept(server, bert)
    async with Client(f"127.0.0.1:{server.port}", anna.token) as client:
        control = match_pb2.TimeControl(move_ms=1000)
        bots = [anna.bot_id, bert.bot_id]
        made = await client.challenges.create(bots, ruleset="base", time_control=control)
        waiting = asyncio.create_task(wait_for(client, made))
        said = ""
        async with asyncio.timeout(PATIENCE):
            while "is not connected" not in said:
                await asyncio.sleep(0.01)
                said += capsys.readouterr().err
        number = made.challenge_id
        assert said.startswith(f"challenge {number}: pending")
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        told = capsys.readouterr().err
        assert told.endswith(f"still waits: `shoal challenge cancel {number}` takes it back\n")
        assert (await client.challenges.get(number)).state == pb.CHALLENGE_STATE_PENDING
