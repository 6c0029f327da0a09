"""Several servers: which one is next, and when a bot waits before it tries them again."""

import asyncio
import logging
import socket
from collections.abc import Iterator

import grpc
import pytest

from shoal.client import Bot, Client, ShoalError, Tally, Unreachable, pb, run_bot
from shoal.client.backoff import Backoff
from shoal.client.channel import Address
from shoal.client.servers import Servers
from tests.client.conftest import Line, Scripted, match_update, refuse, status_of

NOBODY = "127.0.0.1:1"


class First(Bot):
    """Takes the first option."""

    async def choose(self, observation: pb.Observation, decision: pb.Decision) -> pb.Option:  # noqa: ARG002
        return decision.options[0]


async def play_to_the_end(line: Line) -> None:
    """A whole match of one decision."""
    await line.snapshot(match_update())
    await line.accept((await line.hear_moves())[0])
    await line.finish()
    await line.until_closed()


class Clock:
    """A clock that a test turns on; it is at 0."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_waiting_begins_when_all_were_tried() -> None:
    """Each is tried once without a pause, and then the one that asks for the least time (T25)."""
    servers = Servers(Address.parse_all("a,b:1,https://c"), Backoff(least=0.0, most=0.0), Clock())
    assert str(servers) == "a:7430, b:1, c:443"
    assert servers.turn(0.1, 5.0) is None
    assert servers.current.target == "b:1"
    assert servers.turn(0.1, 3.0) is None
    assert servers.turn(0.1, 4.0) == 3.0
    assert servers.current.target == "b:1"


def test_a_server_is_not_asked_before_its_time() -> None:
    """The others are tried meanwhile, with pauses, and it is asked as soon as it may be (T25)."""
    clock = Clock()
    servers = Servers(Address.parse_all("a,b,c"), Backoff(least=0.5, most=0.5), clock)
    assert servers.turn(0.0, 30.0) is None
    tried = [(servers.current.target, clock.now)]
    while servers.current.target != "a:7430":
        clock.now += servers.turn(0.0, None) or 0.0
        tried.append((servers.current.target, clock.now))
    assert {target for target, _ in tried[:-1]} == {"b:7430", "c:7430"}
    assert 30.0 <= clock.now <= 31.0
    assert len(set(tried)) == len(tried), "one was asked again without a pause"


def test_a_steady_stream_begins_a_new_round() -> None:
    """After hours at one server the next one is asked at once, whatever was tried before."""
    servers = Servers(Address.parse_all("a,b"), Backoff())
    assert servers.turn(0.1, None) is None
    assert servers.turn(3600.0, None) is None
    assert servers.turn(0.1, None) is not None


def test_a_single_server_is_asked_after_a_pause() -> None:
    """There is nowhere else to go."""
    servers = Servers(Address.parse_all("a,a"), Backoff())
    assert not servers.several
    assert servers.turn(3600.0, 2.0) == 2.0


@pytest.mark.parametrize(
    ("text", "part"), [("a,b/c", "'b/c'"), ("a,", "''"), ("x y,a", "'x y'"), ("a,ftp://b", "'ftp'")]
)
def test_the_bad_part_of_a_list_is_named(text: str, part: str) -> None:
    """One line says which part it is, and where it stands."""
    with pytest.raises(ValueError, match=f"{part}.*, in '{text}'"):
        Address.parse_all(text)


async def test_a_drained_server_is_left_at_once_for_the_next(
    server: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    """However long it asked to stay away, the other one is there (T21)."""

    async def draining(line: Line) -> None:
        await line.snapshot(match_update())
        await line.hear_moves()
        update = pb.Draining()
        update.reconnect_after.FromSeconds(3600)
        await line.say(draining=update)
        await asyncio.Event().wait()

    server.scripts = [draining, play_to_the_end]
    alias = server.address.replace("127.0.0.1", "localhost")
    async with asyncio.timeout(30):
        tally = await run_bot(
            First(), f"{server.address},{alias}", "secret", matches=1, silence=60.0
        )
    assert (tally.connections, tally.matches) == (2, 1)
    assert server.lines[0].moves == server.lines[1].moves
    assert f"about to stop; going on at {alias}" in caplog.text


async def test_a_drained_server_is_left_alone_for_as_long_as_it_asked(
    server: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    """The other one is tried with pauses meanwhile, and nobody goes on anywhere from there (T25)."""

    async def draining(line: Line) -> None:
        await line.snapshot()
        update = pb.Draining()
        update.reconnect_after.FromSeconds(3600)
        await line.say(draining=update)
        await asyncio.Event().wait()

    async def refusing(line: Line) -> None:
        if len(server.lines) == 5:
            stop.set()
        await refuse(line.context, status_of(grpc.StatusCode.UNAVAILABLE))

    server.scripts = [draining, refusing]
    stop = asyncio.Event()
    alias = server.address.replace("127.0.0.1", "localhost")
    run = run_bot(First(), f"{server.address},{alias}", "secret", stop=stop, silence=60.0)
    with caplog.at_level(logging.INFO, "shoal.client"):
        await asyncio.wait_for(run, 30)
    ends = [each for each in caplog.messages if "going on" in each or "connecting" in each]
    assert ends[0].endswith(f"about to stop; going on at {alias}")
    assert ["connecting again" in each for each in ends[1:]] == [True] * 3


async def test_the_next_server_is_asked_when_one_is_not_there(server: Scripted) -> None:
    """For a stream, and for a call."""
    server.scripts = [play_to_the_end]
    where = f"{NOBODY},{server.address}"
    tally = await run_bot(First(), where, "secret", matches=1, patience=0.0)
    assert (tally.connections, tally.matches) == (1, 1)
    async with Client(where) as client:
        assert (await client.get_match("m1")).match_id == "m1"


@pytest.fixture
def mute() -> Iterator[str]:
    """The address of a machine that answers nothing: its connections are never taken."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"127.0.0.1:{listener.getsockname()[1]}"


async def test_a_server_that_does_not_answer_at_all_is_not_waited_for(
    server: Scripted, mute: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A machine without power refuses nothing: the next one is asked long before the silence of a stream."""
    server.scripts = [play_to_the_end]
    run = run_bot(First(), f"{mute},{server.address}", "secret", matches=1, silence=3600.0)
    tally = await asyncio.wait_for(run, 30)
    assert (tally.connections, tally.matches) == (1, 1)
    assert f"no connection within 2 s; going on at {server.address}" in caplog.messages


async def test_all_are_named_when_none_is_there(server: Scripted) -> None:
    """The error of a run that found nobody says where it looked, and what was wrong with each."""

    async def full(line: Line) -> None:
        await refuse(line.context, status_of(grpc.StatusCode.RESOURCE_EXHAUSTED))

    server.scripts = [full]
    where = f"{server.address},{NOBODY}"
    with pytest.raises(Unreachable) as caught:
        await run_bot(First(), where, "secret", patience=0.0)
    here, there = caught.value.message.split("; at ")
    assert here == f"no server at {server.address}: RESOURCE_EXHAUSTED: no"
    assert there.startswith(f"{NOBODY}: UNAVAILABLE: ")
    assert "Connection refused" in there


@pytest.mark.parametrize("patience", [None, 3600.0, 0.0], ids=str)
@pytest.mark.parametrize("where", ["{0},{1}", "{1},{0}"], ids=["there first", "there last"])
async def test_a_refusal_that_will_not_change_counts_whichever_server_sends_it(
    server: Scripted, where: str, patience: float | None
) -> None:
    """That another server is not there does not make it worth asking again (T25)."""

    async def malformed(line: Line) -> None:
        await refuse(line.context, status_of(grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED"))

    server.scripts = [malformed]
    run = run_bot(First(), where.format(server.address, NOBODY), "secret", patience=patience)
    with pytest.raises(ShoalError) as caught:
        await asyncio.wait_for(run, 30)
    assert caught.value.reason == "MALFORMED"
    assert len(server.lines) == 1


async def test_servers_that_refuse_at_once_are_not_asked_in_a_tight_loop(
    server: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    """A pause follows each round, also when the streams could be opened (T25)."""

    async def refuse(line: Line) -> None:
        await line.snapshot()
        if len(server.lines) == 5:
            stop.set()
        await line.context.abort(grpc.StatusCode.UNAVAILABLE, "not now")

    server.scripts = [refuse]
    stop = asyncio.Event()
    alias = server.address.replace("127.0.0.1", "localhost")
    with caplog.at_level(logging.INFO, "shoal.client"):
        await run_bot(First(), f"{server.address},{alias}", "secret", stop=stop, tally=Tally())
    ends = [each for each in caplog.messages if "not now" in each]
    assert ["going on" in each for each in ends[:4]] == [True, False, True, False]
