"""Matches that cannot be counted: void with a reason, told to every seat, rated by nobody (T17, T82)."""

import asyncio
from contextlib import AsyncExitStack

import grpc
import pytest
from structlog.typing import EventDict

from shoal.match import Entry, EntryKind, Match, VoidReason
from shoal.server.play import committer, sweeper
from shoal.server.store import Guard, keys
from shoal.v1 import match_pb2
from shoal.v1 import match_service_pb2 as matches_pb
from shoal.v1 import play_service_pb2 as pb
from tests.server.rpcs import read_error, read_status
from tests.server.support import Bot, Server, until
from tests.server.ways import ANY_WAY, Way, asked, asked_of


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sweep often."""
    monkeypatch.setattr(sweeper, "SWEEP_SECONDS", 0.05)


async def void_for(server: Server, bots: list[Bot], match_id: str) -> str:
    """Return the reason why a match is void, as every seat is told it."""
    reasons = set()
    async with AsyncExitStack() as opened:
        for bot in bots:
            stream = await opened.enter_async_context(server.stream(bot, since={match_id: 1}))
            finished = await stream.hear("match_finished", match_id)
            assert finished.result.termination == match_pb2.TERMINATION_VOID
            assert {seat.placement for seat in finished.result.seats} == {0}
            reasons.add(match_pb2.VoidReason.Name(finished.result.void_reason))
    (reason,) = reasons
    return reason.removeprefix("VOID_REASON_")


async def test_a_match_that_lasts_too_long_is_void(server: Server) -> None:
    """At the greatest age that its time control allows it ends, though its seats have time (T82)."""
    bots = await server.team(2)
    match_id = await server.deal(*bots)
    partition = keys.partition_of(match_id)
    now_ms = (await server.stores.matches.submit_tick(partition)).now_ms
    pipe = server.stores.pipe
    assert int(await pipe.command("HGET", keys.match(match_id), "ends_ms")) > now_ms + 14_000_000
    await pipe.command("HSET", keys.match(match_id), "ends_ms", now_ms)
    await pipe.command("ZADD", keys.DEADLINES[partition], now_ms, match_id)
    assert await void_for(server, bots, match_id) == "CEILING"


@ANY_WAY
@pytest.mark.parametrize("part", ["step", "_banks", "encode_state"])
async def test_an_error_of_ours_voids_the_match_and_nothing_else(
    server: Server, way: Way, part: str, monkeypatch: pytest.MonkeyPatch, logs: list[EventDict]
) -> None:
    """A step that cannot be made or sent is INTERNAL, and the end of that match alone (T17).

    The bot hears of it in the way that it came in by, which goes on, and so do its other matches.
    """
    bots = await server.team(2)
    match_id, bot, _ = await asked(server, *bots)
    kept = await server.deal(*bots)
    monkeypatch.setattr(committer, "STATE_EVERY", 1)
    break_moves(monkeypatch, part, match_id)
    async with way(server, bot) as stream:
        result = await stream.move(await asked_of(stream, match_id))
        assert read_status(result.error).reason == "INTERNAL"
        finished = await stream.hear("match_finished", match_id)
        assert finished.result.void_reason == match_pb2.VOID_REASON_FAULT
        await stream.say(resignations=[pb.ResignSignal(match_id=kept)])
        finished = await stream.hear("match_finished", kept)
        assert finished.result.termination == match_pb2.TERMINATION_LAST_SEAT
        assert "stream_end" not in stream.kinds()
    assert [line["event"] for line in logs].count("bug") == 1
    logs[:] = [line for line in logs if line["event"] != "bug"]


def break_moves(monkeypatch: pytest.MonkeyPatch, part: str, match_id: str) -> None:
    """Let a part of the committer go wrong with every move of one match, or with everything in it."""
    real = getattr(committer, part)

    def broken(match: Match, *entry: Entry) -> object:
        if match.meta.match_id == match_id and all(e.kind is EntryKind.MOVE for e in entry):
            raise RuntimeError("a card too many")
        return real(match, *entry)

    monkeypatch.setattr(committer, part, broken)


async def test_moves_that_the_store_lost_void_the_match(
    server: Server, logs: list[EventDict]
) -> None:
    """A server that knows of more than the store does ends the match unrated, and tells why."""
    bots = await server.team(2)
    async with server.asking(*bots) as question:
        match_id = question.match_id
        lost = await snapshot(server, match_id)
        await question.stream.move(question.update)
    async with server.stream(bots[0]) as watching:
        await restore(server, lost)
        finished = await watching.hear("match_finished", match_id)
        assert finished.result.void_reason == match_pb2.VOID_REASON_LOST_MOVES
    status = await server.stores.pipe.command("HGET", keys.match(match_id), "status")
    assert status == b"finished"
    logs[:] = [line for line in logs if line["event"] != "timeline_changed"]


async def test_a_match_stays_condemned_until_it_is_over(
    server: Server, other: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That another server moves just then, or that the store is away, does not save it."""

    async def hear_nothing(_: object) -> None:
        pass

    bots = await server.team(2)
    async with server.asking(*bots) as question:
        table = await server.app._hub.table(question.match_id)
        assert table is not None
        with monkeypatch.context() as deaf:
            deaf.setattr(server.app._hub, "catch_up", hear_nothing)
            await other.play(question.asked, question.update)
            await server.app._sweeper._overdue._commit(
                table, Entry(EntryKind.VOID, value="lost_moves"), Guard.NONE
            )
        assert (await other.match(question.match_id)).status == match_pb2.MATCH_STATUS_LIVE
        server.app._condemned.add(question.match_id, VoidReason.LOST_MOVES)
        await question.stream.hear("match_finished", question.match_id)

        async def forgotten() -> bool:
            return not server.app._condemned.all()

        await until(forgotten)


async def test_a_match_that_cannot_be_counted_comes_to_no_other_end(server: Server) -> None:
    """A seat that leaves before the void is committed ends nothing that would be rated (T6)."""
    bots = await server.team(2)
    async with server.asking(*bots) as question:
        server.app._condemned.add(question.match_id, VoidReason.LOST_MOVES)
        for bot in bots:
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await server.plays.Resign(
                    pb.ResignRequest(match_id=question.match_id), metadata=bot.metadata
                )
            assert refused.value.code() in {
                grpc.StatusCode.UNAVAILABLE,
                grpc.StatusCode.FAILED_PRECONDITION,  # it is over by now
            }
        finished = await question.stream.hear("match_finished", question.match_id)
        assert finished.result.void_reason == match_pb2.VOID_REASON_LOST_MOVES


async def test_a_loss_that_one_server_noticed_binds_every_other(
    server: Server, other: Server, monkeypatch: pytest.MonkeyPatch, logs: list[EventDict]
) -> None:
    """What would end the match by another server, which knows nothing of the loss, is refused (T6)."""
    bots = await server.team(2)
    async with server.asking(*bots) as question:
        match_id = question.match_id
        kept = await snapshot(server, match_id)
        await question.stream.move(question.update)

    async def nothing(*_: object) -> None:
        """Never act: the one that has noticed dies before it can end the match."""

    for each in (server, other):
        monkeypatch.setattr(each.app._sweeper._overdue, "act", nothing)
        monkeypatch.setattr(each.app._sweeper._overdue, "void", nothing)
    await restore(server, kept)
    table = server.app._hub.at_hand(match_id)
    assert table is not None
    await server.app._hub.refresh(table)
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await other.resign(bots[0], match_id)
    assert read_error(refused.value).reason == "STORE_UNAVAILABLE"
    server.app._condemned.pardon(match_id)
    monkeypatch.undo()
    monkeypatch.setattr(sweeper, "SWEEP_SECONDS", 0.05)
    assert await void_for(other, bots, match_id) == "LOST_MOVES"
    logs[:] = [line for line in logs if line["event"] != "timeline_changed"]


async def test_a_bot_cannot_void_a_match_by_saying_that_it_knows_more(server: Server) -> None:
    """What a client says that it has seen is believed for what it is sent, and for nothing else."""
    bots = await server.team(2)
    async with server.asking(*bots) as question:
        pass
    async with server.stream(bots[0], since={question.match_id: 1_000_000}) as stream:
        assert stream.match(question.match_id).version == question.update.version
    receipt = await server.play(question.asked, question.update)
    assert receipt.version == question.update.version + 1


async def snapshot(server: Server, match_id: str) -> list[tuple[str, bytes]]:
    """Return what the store has of a match."""
    names = [keys.match(match_id), keys.log(match_id)]
    return [(name, await server.stores.pipe.command("DUMP", name)) for name in names]


async def restore(server: Server, kept: list[tuple[str, bytes]]) -> None:
    """Let the store be as it was: as a replica is that was promoted before it had heard all."""
    for name, dumped in kept:
        await server.stores.pipe.command("RESTORE", name, 0, dumped, "REPLACE")


async def test_an_organizer_ends_a_match(server: Server) -> None:
    """ABORTED for every seat, once; again is a success, and an ended match is not ended again."""
    bots = await server.team(2)
    request = matches_pb.AbortMatchRequest()
    async with server.stream(bots[0]) as stream:
        request.match_id = await server.deal(*bots)
        admin = await server.admin()
        for _ in range(2):
            aborted = await server.matches.AbortMatch(request, metadata=admin)
            assert aborted.match.result.termination == match_pb2.TERMINATION_ABORTED
        finished = await stream.hear("match_finished", request.match_id)
        assert finished.result == aborted.match.result
        assert {seat.placement for seat in finished.result.seats} == {0}


async def test_two_organizers_and_a_sweeper_end_a_match_once(server: Server, other: Server) -> None:
    """However many end it at a time, the log has one end."""
    bots = await server.team(2)
    match_id = await server.deal(*bots)
    admin = await server.admin()
    request = matches_pb.AbortMatchRequest(match_id=match_id)
    await asyncio.gather(
        *(each.matches.AbortMatch(request, metadata=admin) for each in (server, other) * 10)
    )
    kinds = [entry.kind for entry in (await server.record(match_id)).entries]
    assert kinds.count(matches_pb.LOG_ENTRY_KIND_ABORT) == 1
    assert kinds[-1] == matches_pb.LOG_ENTRY_KIND_ABORT
