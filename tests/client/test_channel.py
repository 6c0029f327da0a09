"""Addresses and what a call says of its sender."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc
import pytest

from shoal.client.channel import _OPTIONS, Address, metadata, open_channel
from shoal.server.app import CHANNEL_OPTIONS
from shoal.v1 import (
    bot_service_pb2,
    challenge_service_pb2,
    competition_service_pb2,
    export_service_pb2,
    ladder_service_pb2,
    match_service_pb2,
    tournament_service_pb2,
)

PING, GOAWAY, ACK = 6, 7, 1
"""Types of frames of HTTP/2, and the flag of an answer."""


@pytest.mark.parametrize(
    ("text", "target", "tls"),
    [
        ("localhost:7430", "localhost:7430", False),
        ("localhost", "localhost:7430", False),
        ("http://10.0.0.1:80/", "10.0.0.1:80", False),
        ("grpc://arena:7430", "arena:7430", False),
        ("https://arena.example", "arena.example:443", True),
        ("grpcs://arena.example:8443", "arena.example:8443", True),
        ("[::1]:7430", "[::1]:7430", False),
        ("[::1]", "[::1]:7430", False),
    ],
)
def test_addresses_are_read(text: str, target: str, tls: bool) -> None:  # noqa: FBT001
    """The scheme says whether to speak TLS; a missing port has a default."""
    assert Address.parse(text) == Address(target, tls)


@pytest.mark.parametrize(
    "text", ["", "ftp://arena", "arena:0", "arena:99999", "arena:x", ":7430", "a b", "http://a/b"]
)
def test_nonsense_is_no_address(text: str) -> None:
    """What is no address is said before anything is opened."""
    with pytest.raises(ValueError, match=r"address|scheme"):
        Address.parse(text)


def test_tls_can_be_asked_for() -> None:
    """A flag does what https:// does."""
    assert Address.parse("arena:7430", tls=True).tls


def test_every_call_says_who_speaks() -> None:
    """The kit is named always, the token only when there is one."""
    assert [key for key, _ in metadata(None)] == ["shoal-client"]
    assert dict(metadata("secret"))["authorization"] == "Bearer secret"


def test_a_server_bears_the_pings_of_the_kit() -> None:
    """Whoever keeps a quiet connection alive is not thrown out for it (T100)."""
    kept, borne = (dict(options) for options in (_OPTIONS, CHANNEL_OPTIONS))
    least = borne["grpc.http2.min_recv_ping_interval_without_data_ms"]
    assert isinstance(kept["grpc.keepalive_time_ms"], int)
    assert kept["grpc.keepalive_time_ms"] >= 3 * least
    assert borne["grpc.keepalive_permit_without_calls"]


async def frames(reader: asyncio.StreamReader) -> AsyncIterator[tuple[int, int]]:
    """Yield the types and flags of frames of HTTP/2 as they come."""
    while True:
        try:
            head = await reader.readexactly(9)
            await reader.readexactly(int.from_bytes(head[:3], "big"))
        except asyncio.IncompleteReadError:
            return
        yield head[3], head[4]


@asynccontextmanager
async def answering() -> AsyncIterator[int]:
    """Run a server with the settings of ours that gives a lot of bytes to who asks; its port."""

    async def answer(_: bytes, __: object) -> bytes:
        return bytes(100_000)

    server = grpc.aio.server(options=CHANNEL_OPTIONS)
    handler = grpc.unary_unary_rpc_method_handler(answer)
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler("s", {"m": handler})])
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield port
    finally:
        await server.stop(None)


async def test_the_kit_sends_no_pings_beside_those_that_keep_it_alive() -> None:
    """However much it is sent: a slow server would throw it out for them (T100)."""
    sent: list[tuple[int, int]] = []
    over = asyncio.Event()

    async with answering() as port:

        async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
            copy = asyncio.StreamReader()

            async def back() -> None:
                while data := await far_reader.read(65_536):
                    writer.write(data)

            async def note() -> None:
                await copy.readexactly(len(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))
                async for frame in frames(copy):
                    sent.append(frame)  # noqa: PERF401 - read while it goes on

            async with asyncio.TaskGroup() as group:
                group.create_task(back())
                group.create_task(note())
                while data := await reader.read(65_536):
                    copy.feed_data(data)
                    far_writer.write(data)
                copy.feed_eof()
                far_writer.close()
            writer.close()
            await asyncio.gather(far_writer.wait_closed(), writer.wait_closed())
            over.set()

        async with await asyncio.start_server(carry, "127.0.0.1", 0) as tap:
            target = f"127.0.0.1:{tap.sockets[0].getsockname()[1]}"
            async with open_channel(Address(target, tls=False)) as channel:
                for _ in range(20):
                    assert len(await channel.unary_unary("/s/m")(b"")) == 100_000
            async with asyncio.timeout(10):
                await over.wait()
    assert sent
    assert [flags for kind, flags in sent if kind == PING and not flags & ACK] == []


async def test_a_server_bears_the_pings_of_who_probes_for_bandwidth() -> None:
    """Some in a row, with nothing said in between, as clients in other languages send them (T100)."""
    async with answering() as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        settings = bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
        ping = bytes([0, 0, 8, PING, 0, 0, 0, 0, 0, *range(8)])
        writer.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + settings + ping)
        answered = 0
        async for kind, flags in frames(reader):
            assert kind != GOAWAY
            if kind == PING and flags & ACK:
                answered += 1
                if answered == 10:
                    break
                writer.write(ping)
        assert answered == 10
        writer.close()
        await writer.wait_closed()


def test_calls_of_all_services_are_sent_again() -> None:
    """The stream of the game alone is not: it is resumed by who knows how."""
    files = [
        bot_service_pb2,
        challenge_service_pb2,
        competition_service_pb2,
        export_service_pb2,
        ladder_service_pb2,
        match_service_pb2,
        tournament_service_pb2,
    ]
    services = [name for each in files for name in each.DESCRIPTOR.services_by_name]
    config = json.loads(str(dict(_OPTIONS)["grpc.service_config"]))
    again = [name["service"] for each in config["methodConfig"] for name in each["name"]]
    assert again == [f"shoal.v1.{name}" for name in services]
