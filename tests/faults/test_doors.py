"""What a door does to a connection, as both of its ends see it."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from shoal.server.chaos.proxy import Door, Ends


class Echo:
    """A server that says everything back; `heard` is what it was told."""

    def __init__(self) -> None:
        self.heard = b""
        self.port = 0

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(100):
                self.heard += data
                writer.write(data)
        except OSError:
            pass
        finally:
            writer.close()

    async def connect(self) -> Ends:
        return await asyncio.open_connection("127.0.0.1", self.port)


@pytest.fixture
async def echo() -> AsyncIterator[Echo]:
    """A running echo."""
    running = Echo()
    server = await asyncio.start_server(running.answer, "127.0.0.1", 0)
    running.port = server.sockets[0].getsockname()[1]
    yield running
    server.close()


@pytest.fixture
async def door(echo: Echo) -> AsyncIterator[Door]:
    """A door to it."""
    async with Door("door", echo.connect) as opened:
        yield opened


@pytest.fixture
async def ends(door: Door) -> AsyncIterator[Ends]:
    """A connection through the door that has carried something already."""
    reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
    assert await say(b"first", (reader, writer)) == b"first"
    yield reader, writer
    writer.close()


async def say(words: bytes, ends: Ends) -> bytes:
    """What comes back; nothing when the connection ends instead."""
    reader, writer = ends
    writer.write(words)
    try:
        return await reader.read(100)
    except ConnectionResetError:
        return b""


async def test_an_honest_door_carries_both_ways(ends: Ends, echo: Echo) -> None:
    assert await say(b"second", ends) == b"second"
    assert echo.heard == b"firstsecond"


async def test_a_cut_ends_the_connection_and_lets_a_new_one_in(door: Door, ends: Ends) -> None:
    assert door.cut() == 1
    assert await say(b"second", ends) == b""
    again = await asyncio.open_connection("127.0.0.1", door.port)
    assert await say(b"third", again) == b"third"
    again[1].close()


async def test_a_robbed_request_arrives_and_its_reply_does_not(
    door: Door, ends: Ends, echo: Echo
) -> None:
    robbed = asyncio.Event()
    door.rob(robbed)
    assert await say(b"second", ends) == b""
    await robbed.wait()
    assert echo.heard == b"firstsecond"


async def test_a_spared_wire_is_honest(door: Door, ends: Ends) -> None:
    robbed = asyncio.Event()
    door.rob(robbed)
    door.spare()
    assert await say(b"second", ends) == b"second"
    assert not robbed.is_set()


async def test_a_silent_wire_carries_nothing_and_ends_nothing_until_the_silence_ends(
    door: Door, ends: Ends, echo: Echo
) -> None:
    assert door.silence() == 1
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await say(b"second", ends)
    assert echo.heard == b"first"
    other = await asyncio.open_connection("127.0.0.1", door.port)
    assert await say(b"third", other) == b"third"
    other[1].close()
    door.end_silence()
    assert await say(b"fourth", ends) == b""


async def test_a_slow_door_takes_its_time(door: Door, ends: Ends) -> None:
    door.slow(0.1)
    clock = asyncio.get_running_loop().time
    begin = clock()
    assert await say(b"second", ends) == b"second"
    assert clock() - begin >= 0.2
    door.slow(600)
    door.slow(0)
    async with asyncio.timeout(60):
        assert await say(b"third", ends) == b"third"


async def test_with_nobody_behind_the_door_a_connection_ends_at_once() -> None:
    async def nobody() -> Ends:
        raise ConnectionRefusedError

    async with Door("door", nobody) as door:
        ends = await asyncio.open_connection("127.0.0.1", door.port)
        assert await say(b"first", ends) == b""
        ends[1].close()
