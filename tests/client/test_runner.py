"""The runner against a scripted server on a real socket."""

import asyncio
import gc
import threading
import time
from collections.abc import Coroutine

import grpc
import psutil
import pytest
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status

from shoal.client import (
    Bot,
    MatchEnd,
    Resign,
    StreamRefused,
    Superseded,
    Tally,
    TokenRefused,
    Unreachable,
    pb,
    run_bot,
)
from shoal.client.backoff import Backoff
from tests.client.conftest import Line, Scripted, match_update, refuse, status_of


class Third(Bot):
    """Takes the third option, after a while if told so."""

    rulesets = ("base",)
    table_sizes = (2, 3)

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.asked: list[str] = []

    def choose(self, observation: pb.Observation, decision: pb.Decision) -> pb.Option:  # noqa: ARG002
        self.asked.append(decision.decision_id)
        time.sleep(self.seconds)
        return decision.options[2]


def run(server: Scripted, bot: Bot, **settings: object) -> Coroutine[object, object, Tally]:
    """Run a bot with waiting times that suit a test."""
    defaults = {"matches": 1, "backoff": Backoff(most=0.2), "silence": 60.0}
    return run_bot(bot, server.address, "secret", **(defaults | settings))


async def play_to_the_end(line: Line) -> None:
    """A whole match of one decision."""
    await line.snapshot(match_update())
    await line.accept((await line.hear_moves())[0])
    await line.finish()
    await line.until_closed()


async def test_a_match_is_played_from_ready_to_the_end(server: Scripted) -> None:
    """A waiting match is answered with a nonce, a decision with a move, and the end is counted."""

    async def script(line: Line) -> None:
        await line.snapshot()
        waiting = match_update(decision_id=None, status=pb.MATCH_STATUS_WAITING)
        await line.say(match_update=waiting)
        await line.hear()
        await line.say(match_update=match_update(version=3))
        await line.accept((await line.hear_moves())[0])
        await line.finish()
        await line.until_closed()

    server.scripts = [script]
    tally = await run(server, Third(), max_matches=7)
    line = server.lines[0]
    assert line.hello.max_matches == 1  # no more at a time than are to be played
    assert (list(line.hello.rulesets), list(line.hello.table_sizes)) == (["base"], [2, 3])
    assert [len(signal.nonce) for signal in line.ready] == [16]
    assert [(move.decision_id, move.option_id) for move in line.moves] == [("d1", 3)]
    assert (tally.matches, tally.wins, tally.moves, tally.faults) == (1, 1, 1, 0)
    assert server.metadata[0]["authorization"] == "Bearer secret"
    assert server.metadata[0]["shoal-client"].startswith("shoal/python/")


async def test_a_stream_that_ends_without_a_stream_end_is_opened_again(server: Scripted) -> None:
    """The end of a stream is not the end of its matches, and the next one says what was seen (T20)."""

    async def broken(line: Line) -> None:
        await line.snapshot(match_update(version=5))
        await line.hear_moves()

    server.scripts = [broken, play_to_the_end]
    tally = await run(server, Third())
    assert (tally.connections, tally.matches) == (2, 1)
    assert dict(server.lines[1].hello.since) == {"m1": 5}


@pytest.mark.parametrize(
    "code",
    [
        code
        for code in grpc.StatusCode
        if code
        not in {
            grpc.StatusCode.OK,
            grpc.StatusCode.UNAUTHENTICATED,
            grpc.StatusCode.PERMISSION_DENIED,
        }
    ],
    ids=lambda code: code.name,
)
async def test_a_stream_that_breaks_with_any_code_is_opened_again(
    server: Scripted, code: grpc.StatusCode
) -> None:
    """A stream that breaks in the middle of a match is resumed, whatever the code (T20)."""

    async def broken(line: Line) -> None:
        await line.snapshot(match_update())
        await line.context.abort(code, "on purpose")

    server.scripts = [broken, play_to_the_end]
    tally = await run(server, Third())
    assert (tally.connections, tally.matches) == (2, 1)


async def test_the_same_option_is_sent_again_after_a_reconnect(server: Scripted) -> None:
    """An answer whose receipt was lost is sent again as it was, and not chosen anew (T1)."""

    async def reply_lost(line: Line) -> None:
        await line.snapshot(match_update())
        await line.hear_moves()
        await line.context.abort(grpc.StatusCode.UNAVAILABLE, "gone")

    server.scripts = [reply_lost, play_to_the_end]
    bot = Third()
    await run(server, bot)
    first, second = (line.moves[0] for line in server.lines)
    assert first == second
    assert bot.asked == ["d1"]


async def hear_resignation(line: Line) -> None:
    """Wait until the bot has resigned on this line."""
    while not line.resignations:
        await line.hear()


async def test_a_bot_resigns_by_an_exception_and_again_after_a_reconnect(
    server: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    """It is asked no more, and that it does not answer is no silence of its own (T1)."""

    async def lost(line: Line) -> None:
        await line.snapshot(match_update())
        await hear_resignation(line)
        await line.context.abort(grpc.StatusCode.UNAVAILABLE, "gone")

    async def heard(line: Line) -> None:
        await line.snapshot(match_update())
        await hear_resignation(line)
        await line.say(match_update=match_update(version=2, decision_id="d2"))
        await line.say(match_update=match_update(version=3, decision_id=None))
        await line.finish(placement=2)
        await line.until_closed()

    class Gives(Third):
        def choose(self, observation: pb.Observation, decision: pb.Decision) -> pb.Option:
            super().choose(observation, decision)
            raise Resign

    server.scripts = [lost, heard]
    bot = Gives()
    tally = await run(server, bot)
    assert [[each.match_id for each in line.resignations] for line in server.lines] == [["m1"]] * 2
    assert [line.moves for line in server.lines] == [[], []]
    assert bot.asked == ["d1"]
    assert (tally.matches, tally.faults) == (1, 0)
    assert "no answer" not in caplog.text


async def test_a_choice_made_between_two_streams_is_sent_on_the_second(server: Scripted) -> None:
    """A bot that thinks while the connection breaks is asked once, and answers once (T23)."""

    async def broken(line: Line) -> None:
        await line.snapshot(match_update())

    server.scripts = [broken, play_to_the_end]
    bot = Third(seconds=0.5)
    await run(server, bot)
    assert bot.asked == ["d1"]
    assert [len(line.moves) for line in server.lines] == [0, 1]


async def test_a_decision_that_comes_twice_on_a_stream_is_answered_once(server: Scripted) -> None:
    """The same question again, before and after the answer, brings no second answer (T1)."""

    async def script(line: Line) -> None:
        await line.snapshot(match_update())
        await line.say(match_update=match_update(version=2))
        await line.hear_moves()
        await line.say(match_update=match_update(version=3))
        await asyncio.sleep(0.2)
        await line.finish()
        await line.until_closed()

    server.scripts = [script]
    bot = Third(seconds=0.1)
    await run(server, bot)
    assert bot.asked == ["d1"]
    assert len(server.lines[0].moves) == 1


async def test_a_silent_connection_counts_as_dead(server: Scripted) -> None:
    """Without a sign of life for two heartbeats the bot connects anew (T19)."""

    async def silent(line: Line) -> None:
        await line.snapshot()
        await asyncio.sleep(30)

    server.scripts = [silent, play_to_the_end]
    begin = time.monotonic()
    tally = await run(server, Third(), silence=0.5)
    assert tally.connections >= 2  # more where this process itself stood still
    assert 0.5 <= time.monotonic() - begin < 20


async def test_heartbeats_keep_a_quiet_stream_alive(server: Scripted) -> None:
    """A stream on which nothing happens but heartbeats is not left."""

    async def quiet(line: Line) -> None:
        await line.snapshot(match_update())
        for _ in range(25):
            await line.say(heartbeat=pb.Heartbeat())
            await asyncio.sleep(0.1)
        await line.finish()
        await line.until_closed()

    server.scripts = [quiet]
    assert (await run(server, Third(), silence=2.0)).connections == 1


@pytest.mark.parametrize(
    ("reason", "error"),
    [
        (pb.STREAM_END_REASON_SUPERSEDED, Superseded),
        (pb.STREAM_END_REASON_TOKEN_REVOKED, TokenRefused),
    ],
)
async def test_a_final_stream_end_ends_the_run(
    server: Scripted, reason: pb.StreamEndReason.ValueType, error: type[Exception]
) -> None:
    """After SUPERSEDED and TOKEN_REVOKED a bot does not come back (T23)."""

    async def script(line: Line) -> None:
        await line.snapshot(match_update())
        await line.say(stream_end=pb.StreamEnd(reason=reason))

    server.scripts = [script]
    with pytest.raises(error) as caught:
        await run(server, Third())
    assert len(server.lines) == 1
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("code", "reason", "error"),
    [
        (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_INVALID", TokenRefused),
        (grpc.StatusCode.PERMISSION_DENIED, "NOT_ALLOWED", StreamRefused),
    ],
)
async def test_a_refused_token_ends_the_run(
    server: Scripted, code: grpc.StatusCode, reason: str, error: type[StreamRefused]
) -> None:
    """A token that the server does not take is a typed error, not a loop."""

    async def script(line: Line) -> None:
        await refuse(line.context, status_of(code, reason))

    server.scripts = [script]
    with pytest.raises(error) as caught:
        await run(server, Third())
    assert caught.value.reason == reason
    assert len(server.lines) == 1


async def test_no_connection_outlives_the_run(
    server: Scripted,
) -> None:
    """A stream that said its end lets go of its connection, not only when the collector runs (T101)."""
    gc.collect()
    gc.disable()
    try:
        server.scripts = [play_to_the_end]
        await run(server, Third())
        port = int(server.address.rpartition(":")[2])
        async with asyncio.timeout(5):
            while connections_to(port):  # noqa: ASYNC110 - closing sets no event
                await asyncio.sleep(0.02)
    finally:
        gc.enable()


def connections_to(port: int) -> int:
    """How many connections of this process lead there."""
    found = psutil.Process().net_connections("tcp")
    return sum(bool(each.raddr) and each.raddr.port == port for each in found)


async def test_draining_is_followed_by_a_new_stream(server: Scripted) -> None:
    """A bot that hears Draining plays on, and comes back after the time it was told (T21)."""

    async def draining(line: Line) -> None:
        await line.snapshot(match_update())
        update = pb.Draining()
        update.reconnect_after.FromMilliseconds(400)
        await line.say(draining=update)
        await line.hear_moves()
        end = pb.StreamEnd(reason=pb.STREAM_END_REASON_DRAINING)
        await line.say(stream_end=end)

    server.scripts = [draining, play_to_the_end]
    begin = time.monotonic()
    tally = await run(server, Third())
    assert time.monotonic() - begin >= 0.4
    assert tally.matches == 1


async def test_reconnecting_backs_off(server: Scripted) -> None:
    """A server that refuses at once is not asked in a tight loop (T25)."""

    async def refuse(line: Line) -> None:
        await line.context.abort(grpc.StatusCode.UNAVAILABLE, "not now")

    server.scripts = [refuse]
    stop = asyncio.Event()
    task = asyncio.create_task(run(server, Third(), backoff=Backoff(), stop=stop))
    await asyncio.sleep(2)
    tried = len(server.lines)
    async with asyncio.timeout(30):
        while len(server.lines) < 2:  # noqa: ASYNC110 - opening sets no event
            await asyncio.sleep(0.02)
    stop.set()
    await task
    assert tried <= 25


async def test_no_server_is_said_after_the_patience(server: Scripted) -> None:
    """A server that is not there is a typed error when the patience for the first stream is over."""
    server.address = "127.0.0.1:1"
    with pytest.raises(Unreachable, match=r"127\.0\.0\.1:1"):
        await run(server, Third(), patience=0.3)


async def test_what_is_ready_together_is_sent_together(server: Scripted) -> None:
    """The answers of many matches go out in few messages."""
    count = 50

    async def script(line: Line) -> None:
        await line.snapshot(*(match_update(f"m{i}", decision_id=f"d{i}") for i in range(count)))
        await line.hear_moves(count)
        for i in range(count):
            await line.finish(f"m{i}")
        await line.until_closed()

    class Quick(Bot):
        async def choose(self, observation: pb.Observation, decision: pb.Decision) -> pb.Option:  # noqa: ARG002
            return decision.options[0]

    server.scripts = [script]
    tally = await run(server, Quick(), max_matches=count, matches=count)
    assert tally.matches == count
    assert server.lines[0].messages < count / 2


async def test_after_the_last_match_those_that_are_open_are_played_to_their_end(
    server: Scripted,
) -> None:
    """A new stream has no room for others, and takes over where the first one was."""

    async def first(line: Line) -> None:
        await line.snapshot(*(match_update(f"m{i}", decision_id=f"d{i}") for i in range(4)))
        await line.hear_moves(4)
        await line.finish("m0")
        await line.finish("m1")
        await line.until_closed()

    async def second(line: Line) -> None:
        later = (match_update(f"m{i}", version=5, decision_id=f"e{i}") for i in (2, 3))
        await line.snapshot(*later)
        await line.hear_moves(2)
        await line.finish("m2", placement=2)
        await line.finish("m3")
        await line.until_closed()

    server.scripts = [first, second]
    bot = Third()
    tally = await run(server, bot, max_matches=4, matches=2)
    assert (tally.matches, tally.wins, tally.live, tally.connections) == (4, 3, 0, 2)
    assert [line.hello.max_matches for line in server.lines] == [2, 1]
    assert dict(server.lines[1].hello.since) == {"m2": 1, "m3": 1}
    assert sorted(bot.asked) == ["d0", "d1", "d2", "d3", "e2", "e3"]


async def test_a_stop_does_not_wait_for_matches_that_are_open(server: Scripted) -> None:
    """Neither before the last match is over nor after it."""
    stop = asyncio.Event()

    async def first(line: Line) -> None:
        await line.snapshot(*(match_update(f"m{i}", decision_id=f"d{i}") for i in range(2)))
        await line.hear_moves(2)
        await line.finish("m0")
        await line.until_closed()

    async def second(line: Line) -> None:
        await line.snapshot(match_update("m1", decision_id="d1"))
        stop.set()
        await line.until_closed()

    server.scripts = [first, second]
    tally = await run(server, Third(), max_matches=2, matches=1, stop=stop)
    assert (tally.matches, tally.live, tally.connections) == (1, 1, 2)
    assert len(server.lines) == 2


async def test_one_slow_choose_does_not_block_other_matches(server: Scripted) -> None:
    """While one match thinks in its thread, the others are answered."""
    heard = threading.Event()

    async def script(line: Line) -> None:
        await line.snapshot(match_update("slow", decision_id="slow"), match_update("m1"))
        await line.hear_moves(1)
        heard.set()
        await line.hear_moves(2)
        await line.finish("m1")
        await line.finish("slow")
        await line.until_closed()

    class Uneven(Bot):
        def choose(self, observation: pb.Observation, decision: pb.Decision) -> pb.Option:  # noqa: ARG002
            if decision.decision_id == "slow":
                heard.wait(30)
            return decision.options[0]

    server.scripts = [script]
    await run(server, Uneven(), matches=2)
    assert [move.decision_id for move in server.lines[0].moves] == ["d1", "slow"]


async def test_a_passing_refusal_is_answered_with_the_same_move(server: Scripted) -> None:
    """A move that was refused because the store was away is sent again."""

    async def script(line: Line) -> None:
        await line.snapshot(match_update())
        move = (await line.hear_moves())[0]
        status = Status(code=grpc.StatusCode.UNAVAILABLE.value[0])
        status.details.add().Pack(ErrorInfo(reason="STORE_UNAVAILABLE", domain="shoal"))
        await line.say(
            move_result=pb.MoveResult(match_id="m1", decision_id=move.decision_id, error=status)
        )
        await line.hear_moves(2)
        await line.finish()
        await line.until_closed()

    server.scripts = [script]
    tally = await run(server, Third())
    first, second = server.lines[0].moves
    assert first == second
    assert tally.refused == {"STORE_UNAVAILABLE": 1}


@pytest.mark.parametrize(
    "reason", ["STALE_DECISION", "DECISION_ALREADY_MADE", "TIME_EXPIRED", "MATCH_OVER"]
)
async def test_a_refused_move_is_counted_and_not_fatal(server: Scripted, reason: str) -> None:
    """A move that came too late costs a line in the log, and no more (T3, T5)."""

    async def script(line: Line) -> None:
        await line.snapshot(match_update())
        move = (await line.hear_moves())[0]
        status = Status(code=grpc.StatusCode.ABORTED.value[0])
        status.details.add().Pack(ErrorInfo(reason=reason, domain="shoal"))
        await line.say(
            move_result=pb.MoveResult(match_id="m1", decision_id=move.decision_id, error=status)
        )
        await line.finish(placement=2)
        await line.until_closed()

    server.scripts = [script]
    tally = await run(server, Third())
    assert tally.refused == {reason: 1}
    assert (tally.matches, tally.wins, tally.connections) == (1, 0, 1)


async def test_an_end_that_was_missed_is_looked_up(server: Scripted) -> None:
    """A match that ended and was archived while the bot was away does not stay open for ever (T4)."""

    async def broken(line: Line) -> None:
        await line.snapshot(match_update())
        await line.hear_moves()

    async def without_it(line: Line) -> None:
        await line.snapshot()
        await line.until_closed()

    server.scripts = [broken, without_it]
    tally = await run(server, Third(), silence=10.0)
    assert (tally.matches, tally.wins, tally.live) == (1, 1, 0)


async def test_a_match_that_the_server_has_no_more_is_void(
    server: Scripted,
) -> None:
    """A match that the store lost while the bot was away does not stay open for ever (T4)."""

    async def broken(line: Line) -> None:
        await line.snapshot(match_update())
        await line.hear_moves()

    async def without_it(line: Line) -> None:
        await line.snapshot()
        await line.until_closed()

    class Told(Third):
        async def on_match_end(self, end: MatchEnd) -> None:
            self.end = end

    server.scripts = [broken, without_it]
    # A store that is away, and a code that some proxy gave, say nothing of the match.
    server.archive.refusals = [
        status_of(grpc.StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE"),
        status_of(grpc.StatusCode.NOT_FOUND),
        status_of(grpc.StatusCode.NOT_FOUND, "NOT_FOUND"),
    ]
    bot = Told()
    async with asyncio.timeout(30):
        tally = await run(server, bot, silence=60.0)
    assert (tally.matches, tally.wins, tally.live, tally.unplayed) == (1, 0, 0, 1)
    assert not server.archive.refusals
    assert bot.end.result.termination == pb.TERMINATION_VOID
    assert bot.end.result.void_reason == pb.VOID_REASON_LOST_MOVES
    assert [line.seat for line in bot.end.result.seats] == [0, 1]


async def test_an_end_that_is_told_twice_counts_once(server: Scripted) -> None:
    """The server tells each stream of an end; the bot hears of it once (T4)."""

    async def told_and_broken(line: Line) -> None:
        await line.snapshot(match_update())
        await line.hear_moves()
        await line.finish()

    async def told_again(line: Line) -> None:
        await line.snapshot(match_update("m2", decision_id="d2"))
        await line.finish()
        await line.say(match_update=match_update())
        await line.hear_moves()
        await line.finish("m2", placement=2)
        await line.until_closed()

    server.scripts = [told_and_broken, told_again]
    bot = Third()
    tally = await run(server, bot, matches=2)
    assert (tally.matches, tally.wins) == (2, 1)
    assert bot.asked == ["d1", "d2"]


async def test_an_old_kit_is_told_so(server: Scripted, caplog: pytest.LogCaptureFixture) -> None:
    """A kit that is older than the server wants says so in a line, and plays on."""

    async def script(line: Line) -> None:
        update = pb.Snapshot(least_kit_version="99.0", matches=[match_update()])
        await line.say(snapshot=update)
        await line.hear_moves()
        await line.finish()
        await line.until_closed()

    server.scripts = [script]
    await run(server, Third())
    assert "needs version 99.0" in caplog.text


@pytest.mark.parametrize("most", [0, 1001])
async def test_a_number_of_matches_that_no_server_takes_is_said(
    server: Scripted, most: int
) -> None:
    """What the server would refuse is refused before anything is opened."""
    with pytest.raises(ValueError, match="1 to 1000"):
        await run(server, Third(), max_matches=most)


async def test_an_outage_is_said_with_its_end(
    server: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    """A connection that breaks is one line, and another says that there is one again."""

    async def broken(line: Line) -> None:
        await line.snapshot(match_update())
        await line.hear_moves()

    server.scripts = [broken, play_to_the_end]
    await run(server, Third())
    said = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert "connecting again" in said[0]
    assert said[1:] == ["connected again"]
