"""Matches that no server can read any more: they end all the same, and every seat is told (T17, T82)."""

from collections.abc import Iterator

import pytest
from structlog.typing import EventDict

from shoal.match import Asks, encode_state
from shoal.server.hub.table import Table
from shoal.server.play import overdue, sweeper
from shoal.server.play.overdue import Overdue
from shoal.server.store import keys
from shoal.server.store.commits import Commit, Committed
from shoal.server.store.launcher import PrivateRedis
from shoal.server.store.liveness import Silences
from shoal.v1 import match_pb2
from shoal.v1 import match_service_pb2 as pb
from tests.server.reading import reader_of
from tests.server.support import Bot, Server, serving, until
from tests.server.test_voids import void_for

LOOKS = 5
"""How often a server is let look at a match that it is to leave alone."""

LATELY_MS, LONG_AGO_MS = 2_000, 1_000_000
"""How long ago the time of a match may have run out: before and after others could have acted for it."""


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sweep often."""
    monkeypatch.setattr(sweeper, "SWEEP_SECONDS", 0.05)


@pytest.fixture
def _at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Leave what cannot be read to nobody else."""
    with monkeypatch.context() as patch:
        patch.setattr(overdue, "UNREAD_MS", 0)
        yield


async def dance(server: Server, match_id: str, state: bytes = b"") -> None:
    """Log what no server of this version knows, as a server of a later version does."""
    stored = await server.stores.matches.load(match_id)
    assert stored is not None
    known = (match_id, stored.rev, stored.version, '["dance",0,"",""', state, stored.status)
    outcome = await server.stores.matches.submit_commit(Commit(*known, Asks.SAME))
    assert isinstance(outcome, Committed)


async def dance_and_keep(server: Server, match_id: str) -> None:
    """Log the same, and keep a state with it that this version reads, as every 16th step does."""
    table = await server.app._hub.table(match_id)
    assert table is not None
    await dance(server, match_id, encode_state(table.match))


async def make_due(server: Server, match_id: str, ago_ms: int = LONG_AGO_MS) -> None:
    """Let the time of a match have run out so long ago."""
    partition = keys.partition_of(match_id)
    now_ms = (await server.stores.matches.submit_tick(partition)).now_ms
    asked = ("asked_ms", now_ms - ago_ms - 100, "limit_ms", 100)
    await server.stores.pipe.command("HSET", keys.match(match_id), *asked)
    await server.stores.pipe.command("ZADD", keys.DEADLINES[partition], now_ms, match_id)


async def status_of(server: Server, match_id: str) -> bytes:
    """Return where a match stands in the store."""
    status: bytes = await server.stores.pipe.command("HGET", keys.match(match_id), "status")
    return status


async def is_over(server: Server, match_id: str) -> None:
    """Return when a match is over in the store."""

    async def over() -> bool:
        return await status_of(server, match_id) == b"finished"

    await until(over)


async def has_room(server: Server, bots: list[Bot], match_id: str) -> bool:
    """Tell whether the director, once it has read the results, has freed the places of all bots."""
    stores = server.stores
    await reader_of(stores).read()
    lists = [await stores.bots.live_matches(bot.bot_id) for bot in bots]
    return not any(match_id in each for each in lists)


@pytest.mark.usefixtures("_at_once")
async def test_a_match_whose_log_cannot_be_read_is_void_and_told(
    server: Server, other: Server, logs: list[EventDict]
) -> None:
    """On each server with a seat, and to seats that come later; it takes no room and no log for ever."""
    bots = await server.team(2)
    async with server.stream(bots[0]) as one, other.stream(bots[1]) as two:
        match_id = await server.create(*bots)
        for stream in (one, two):
            await stream.hear("match_update", match_id)
        for bot in bots:
            await server.ready(bot, match_id)
        await dance(server, match_id)
        await make_due(server, match_id)
        for stream in (one, two):
            finished = await stream.hear("match_finished", match_id)
            assert finished.result.void_reason == match_pb2.VOID_REASON_FAULT
            assert "stream_end" not in stream.kinds()
    match = await server.match(match_id)
    assert match.result.termination == match_pb2.TERMINATION_VOID
    assert match.version == finished.version
    assert await void_for(server, bots, match_id) == "FAULT"
    assert await has_room(server, bots, match_id)
    # Where it could not be read, and where it could not be voided, of each server at most.
    assert 1 <= [line["event"] for line in logs].count("match_not_swept") <= 4


async def test_what_another_version_may_read_is_left_to_it_for_a_while(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that is replaced by the next version, and sweeps before it stops, ends none of its matches."""
    bots = await server.team(2)
    match_id = await server.deal(*bots)
    await dance(server, match_id)
    looks: list[str] = []
    act = Overdue.act

    async def watched(overdue: Overdue, match_id: str, now_ms: int, silences: Silences) -> None:
        await act(overdue, match_id, now_ms, silences)
        looks.append(match_id)

    async def has_looked() -> bool:
        return looks.count(match_id) >= LOOKS

    monkeypatch.setattr(Overdue, "act", watched)
    await make_due(server, match_id, LATELY_MS)
    await until(has_looked)
    assert await status_of(server, match_id) == b"live"
    await make_due(server, match_id)
    assert await void_for(server, bots, match_id) == "FAULT"


async def test_a_table_that_cannot_follow_is_read_anew_each_time(server: Server) -> None:
    """Also where the last that it read is what it does not know: the log is the same one all the same."""
    match_id = await server.deal(*await server.team(2))
    table = await server.app._hub.table(match_id)
    assert table is not None
    before = table.match.version
    for _ in range(2):
        await dance_and_keep(server, match_id)
        await server.app._hub.refresh(table)
    assert table.match.version == before + 2


async def test_a_reader_that_goes_wrong_is_no_log_that_cannot_be_followed(
    server: Server, other: Server, logs: list[EventDict]
) -> None:
    """A bug of ours is not hidden behind what may have another version for its reason."""

    class Broken:
        def touch(self, table: Table) -> None:  # noqa: ARG002
            raise ZeroDivisionError

        def since_of(self, bot_id: str) -> None:
            pass

    bots = await server.team(2)
    match_id = await server.deal(*bots)
    table = await other.app._hub.table(match_id)
    assert table is not None
    await server.resign(bots[0], match_id)
    reader = Broken()
    other.app._hub.attach(table, reader)
    with pytest.raises(ZeroDivisionError):
        await other.app._hub.refresh(table)
    other.app._hub.detach(table, reader)
    assert "log_not_followed" not in [line["event"] for line in logs]


async def test_a_log_that_cannot_be_replayed_keeps_no_seat_from_its_match(
    server: Server, other: Server, logs: list[EventDict]
) -> None:
    """What happened comes beside where the match stands: without it the seat is asked all the same (T22)."""
    async with server.asking(*await server.team(2)) as question:
        await dance_and_keep(server, question.match_id)
        since = {question.match_id: question.update.version}
        async with other.stream(question.asked, since=since) as stream:
            update = stream.match(question.match_id)
            assert update.version == question.update.version + 1
            assert update.HasField("observation")
            assert not update.events
            assert (await stream.move(update)).HasField("receipt")
    assert [line["event"] for line in logs].count("log_not_replayed") == 1


async def test_a_log_that_cannot_be_replayed_ends_no_stream(server: Server) -> None:
    """Its bot is told what is at hand, and all of its other matches (T17)."""
    async with (
        server.asking(*await server.team(2)) as question,
        server.stream(question.other, follow=True) as watching,
    ):
        await dance_and_keep(server, question.match_id)
        result = await question.stream.move(question.update)
        assert result.HasField("receipt"), result
        receipt = result.receipt
        while (update := await watching.hear("match_update")).version < receipt.version:
            pass
        assert {event.version for event in update.events} <= {receipt.version}
        more = await server.create(question.asked, question.other)
        for stream in (question.stream, watching):
            await stream.hear("match_update", more)
            assert "stream_end" not in stream.kinds()


async def test_a_log_that_cannot_be_replayed_ends_no_following(server: Server) -> None:
    """A spectator who asks for the past is told what is at hand, each version once."""
    async with server.asking(*await server.team(2)) as question:
        await dance_and_keep(server, question.match_id)
        request = pb.SpectateMatchRequest(match_id=question.match_id, since_version=1)
        call = server.matches.SpectateMatch(request)
        message = await call.read()
        assert message.version == question.update.version + 1
        assert not message.events
        receipt = (await question.stream.move(question.update)).receipt
        while message.version < receipt.version:
            message = await call.read()
        assert {event.version for event in message.events} == {receipt.version}
        call.cancel()


async def test_a_match_that_cannot_be_read_has_a_greatest_age(server: Server) -> None:
    """The ceiling holds for it too, however lately it was asked something (T82)."""
    bots = await server.team(2)
    match_id = await server.deal(*bots)
    await dance(server, match_id)
    await server.stores.pipe.command("HSET", keys.match(match_id), "ends_ms", 1)
    partition = keys.partition_of(match_id)
    await server.stores.pipe.command("ZADD", keys.DEADLINES[partition], 0, match_id)
    assert await void_for(server, bots, match_id) == "CEILING"


async def test_what_another_version_has_condemned_is_void(server: Server) -> None:
    """For a reason that this one does not know, and so cannot tell."""
    bots = await server.team(2)
    match_id = await server.deal(*bots)
    assert await server.stores.matches.condemn(match_id, "of the next version")
    assert await void_for(server, bots, match_id) == "FAULT"


@pytest.mark.usefixtures("_at_once")
async def test_a_match_whose_fixed_part_is_broken_is_over(redis: PrivateRedis) -> None:
    """Nobody knows who sat there, so nobody can be told: it ends, and is due no more."""
    async with serving(redis.url) as before:
        match_id = await before.deal(*await before.team(2))
    async with serving(redis.url) as server:
        await server.stores.pipe.command("HSET", keys.match(match_id), "meta", b"{}")
        await make_due(server, match_id)
        await is_over(server, match_id)
        deadlines = keys.DEADLINES[keys.partition_of(match_id)]
        assert await server.stores.pipe.command("ZSCORE", deadlines, match_id) is None
