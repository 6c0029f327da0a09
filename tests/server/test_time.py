"""Clocks: what silence costs, and whom."""

import time
from itertools import pairwise

import grpc
import pytest

from shoal.server.play import committer, sweeper
from shoal.server.store import keys
from shoal.v1 import match_pb2
from shoal.v1 import match_service_pb2 as matches_pb
from tests.server.rpcs import read_error, read_status
from tests.server.support import Server, until
from tests.server.ways import asked_of


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sweep often, and grant nothing beyond the limits, so that silence takes no time."""
    monkeypatch.setattr(sweeper, "SWEEP_SECONDS", 0.05)
    monkeypatch.setattr(committer, "LEEWAY_MS", 0)
    monkeypatch.setattr(committer, "SWEEP_GRACE_MS", 0)


async def finished(server: Server, match_id: str) -> match_pb2.Match:
    """Wait for the end of a match."""
    match = await server.match(match_id)

    async def over() -> bool:
        nonlocal match
        match = await server.match(match_id)
        return match.status == match_pb2.MATCH_STATUS_FINISHED

    await until(over)
    return match


async def run_out(server: Server, match_id: str, limit_ms: int) -> None:
    """Let the time of what is asked be over, without letting it pass."""
    due = keys.DEADLINES[keys.partition_of(match_id)]
    await server.stores.pipe.command("ZADD", due, 0, match_id)
    asked_ms = int(await server.stores.pipe.command("HGET", keys.match(match_id), "asked_ms"))
    await server.app._sweeper._overdue.act(match_id, asked_ms + limit_ms, {})


async def thought(server: Server, match_id: str, seconds: float) -> None:
    """Return when this is charged for what is asked: what the server does not listen to is not."""
    table = server.app._hub.at_hand(match_id)
    assert table is not None

    async def is_so() -> bool:
        return table.at_hand_ms(time.monotonic()) >= 1000 * seconds

    await until(is_so)


async def test_silent_seats_get_defaults_and_then_leave(server: Server) -> None:
    """Each silence takes the decision's default; after max_strikes the seat is out (T43, T48, T82)."""
    match_id = await server.deal(*await server.team(2), move_ms=100, max_strikes=2)
    match = await finished(server, match_id)
    assert match.result.termination == match_pb2.TERMINATION_LAST_SEAT
    left = sorted(seat.left for seat in match.result.seats)
    assert left == [match_pb2.LEAVE_REASON_UNSPECIFIED, match_pb2.LEAVE_REASON_ABANDONED]
    silences = (await server.record(match_id)).entries[2:]
    assert {entry.kind for entry in silences[:-1]} == {matches_pb.LOG_ENTRY_KIND_DEFAULT}
    assert silences[-1].kind == matches_pb.LOG_ENTRY_KIND_ABANDON
    (leaver,) = [seat.seat for seat in match.result.seats if seat.left]
    assert [entry.seat for entry in silences].count(leaver) == 2
    assert all(entry.think_ms >= 100 for entry in silences)
    assert [entry.left for entry in silences] == [False] * (len(silences) - 1) + [True]
    assert len({entry.decision_id for entry in silences}) == len(silences)


async def test_a_seat_that_answers_is_not_charged_for_a_silent_one(server: Server) -> None:
    """The seat that answers in time is the winner, and has no strike (T35)."""
    bots = await server.team(2)
    async with server.stream(bots[0]) as stream:
        match_id = await server.deal(*bots, move_ms=600_000, max_strikes=1)
        while (table := server.app._hub.at_hand(match_id)) and table.match.asked is not None:
            if table.match.asked.seat == 0:
                await stream.move(await asked_of(stream, match_id))
            else:
                await run_out(server, match_id, 600_000)
        result = (await stream.hear("match_finished", match_id)).result
        assert result.seats[0].placement == 1
        assert result.seats[0].left == match_pb2.LEAVE_REASON_UNSPECIFIED
        assert result.seats[1].left == match_pb2.LEAVE_REASON_ABANDONED
        kinds = {(entry.seat, entry.kind) for entry in (await server.record(match_id)).entries}
        assert (0, matches_pb.LOG_ENTRY_KIND_DEFAULT) not in kinds


async def test_a_seat_whose_bot_is_there_and_silent_leaves_by_strikes(server: Server) -> None:
    """Who is connected and says nothing is told another reason than who is gone."""
    bots = await server.team(2)
    async with server.stream(bots[0]) as one, server.stream(bots[1]) as two:
        match_id = await server.deal(*bots, move_ms=100, max_strikes=2)
        for stream in (one, two):
            result = (await stream.hear("match_finished", match_id)).result
            left = {seat.left for seat in result.seats}
            assert left == {match_pb2.LEAVE_REASON_UNSPECIFIED, match_pb2.LEAVE_REASON_STRIKES}


async def test_a_move_on_an_expired_clock_is_told_how_late_it_is(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TIME_EXPIRED with elapsed and limit comes at once, before the sweeper acts (T5, T39, T50)."""
    monkeypatch.setattr(committer, "SWEEP_GRACE_MS", 60_000)
    async with server.asking(*await server.team(2), move_ms=100) as question:
        await thought(server, question.match_id, 0.15)
        result = await question.stream.move(question.update)
        refused = read_status(result.error)
        assert (refused.reason, refused.code) == (
            "TIME_EXPIRED",
            grpc.StatusCode.FAILED_PRECONDITION,
        )
        assert refused.metadata["limit_ms"] == "100"
        assert int(refused.metadata["elapsed_ms"]) > 100
        assert (await server.match(question.match_id)).version == question.update.version


async def test_a_move_after_the_default_is_told_the_same(server: Server) -> None:
    """Once the default has been taken, the late answer is TIME_EXPIRED, though it be that very option."""
    async with server.asking(*await server.team(2), move_ms=100, max_strikes=100) as question:

        async def defaulted() -> bool:
            return (await server.match(question.match_id)).version > question.update.version

        await until(defaulted)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await server.play(question.asked, question.update)
        refused = read_error(caught.value)
        assert refused.reason == "TIME_EXPIRED"
        assert refused.metadata["limit_ms"] == "100"
        assert int(refused.metadata["elapsed_ms"]) >= 100


async def test_a_default_says_that_the_whole_limit_has_passed(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the server stood still meanwhile: no "56 ms of 300 ms ran out" (T46)."""
    monkeypatch.setattr(sweeper, "RECOVERY_SECONDS", 0.0)
    async with server.asking(*await server.team(2), move_ms=300, max_strikes=100) as question:
        time.sleep(0.5)  # noqa: ASYNC251 - the server, which lives in this loop, stands still

        async def defaulted() -> bool:
            return (await server.match(question.match_id)).version > question.update.version

        await until(defaulted)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await server.play(question.asked, question.update)
        assert int(read_error(caught.value).metadata["elapsed_ms"]) >= 300


async def test_the_leeway_is_granted_to_everybody(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move within limit and leeway counts, and what it took is told unrounded (T42, T46)."""
    monkeypatch.setattr(committer, "LEEWAY_MS", 5_000)
    async with server.asking(*await server.team(2), move_ms=100) as question:
        await thought(server, question.match_id, 0.15)
        receipt = (await question.stream.move(question.update)).receipt
        assert 100 < receipt.think_ms < 5_100
        assert receipt.limit_ms == 100


async def test_only_who_stays_away_is_charged_with_a_no_show(server: Server) -> None:
    """A match whose seats are not all ready in time ends NO_SHOW, and names the absentees (T35)."""
    bots = await server.team(3)
    match_id = await server.create_waiting(*bots, ready_ms=60_000)
    await server.ready(bots[1], match_id)
    await run_out(server, match_id, 60_000)
    match = await finished(server, match_id)
    assert match.result.termination == match_pb2.TERMINATION_NO_SHOW
    assert [seat.left for seat in match.result.seats] == [
        match_pb2.LEAVE_REASON_NO_SHOW,
        match_pb2.LEAVE_REASON_UNSPECIFIED,
        match_pb2.LEAVE_REASON_NO_SHOW,
    ]
    assert {seat.placement for seat in match.result.seats} == {0}
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await server.ready(bots[0], match_id)
    assert read_error(caught.value).reason == "MATCH_OVER"
    await server.ready(bots[1], match_id)


async def test_two_sweepers_make_one_default(server: Server, other: Server) -> None:
    """However many servers sweep, a silence is one entry of the log."""
    assert other.port != server.port
    match_id = await server.deal(*await server.team(2), move_ms=100, max_strikes=2)
    await finished(server, match_id)
    entries = (await server.record(match_id)).entries
    assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
    asked = [entry.at_ms for entry in entries[1:]]
    assert all(later - earlier >= 100 for earlier, later in pairwise(asked))
