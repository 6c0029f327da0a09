"""Whether a bot left its stream by itself, or it is we who could not go on with it (T6, T28)."""

import grpc
import pytest
from structlog.typing import EventDict

from shoal.server.services import outgoing
from shoal.server.services.outgoing import Outgoing
from shoal.server.store.whereabouts import Left, Place, SentAway, Streaming
from shoal.server.streams.session import Session
from shoal.v1 import play_service_pb2 as pb
from tests.server.support import Bot, Server, until
from tests.server.ways import ANY_STREAM, Way


@ANY_STREAM
async def test_a_stream_that_an_error_of_ours_ends_was_not_left_by_its_bot(
    server: Server, way: Way, monkeypatch: pytest.MonkeyPatch, logs: list[EventDict]
) -> None:
    """What it is cut off for is made good: its matches go on meanwhile, and it did not go (T6, T17)."""
    bot = await server.register()

    def broken(*_: object) -> bytes:
        raise RuntimeError("no message")

    async with way(server, bot) as stream:
        monkeypatch.setattr(outgoing, "response_of", broken)
        server.app._sessions._open[bot.bot_id].beat()
        await stream.rest()
        assert await stream.call.code() == grpc.StatusCode.INTERNAL
    assert isinstance(await gone_from(server, bot), SentAway)
    logs[:] = [line for line in logs if line["event"] != "bug"]


async def test_a_stream_that_is_ended_for_what_its_bot_says_was_left_by_it(server: Server) -> None:
    """Nobody gains time by sending what is refused, or by going without a word (T28)."""
    bot = await server.register()
    async with server.stream(bot) as stream:
        await stream.say(hello=pb.Hello())
        await stream.rest()
        assert await stream.call.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert isinstance(await gone_from(server, bot), Left)
    async with server.stream(bot):
        pass
    assert isinstance(await gone_from(server, bot), Left)


class Gone:
    """What a stream is written to whose client turns out to be gone before the call is cancelled."""

    async def write(self, _: bytes) -> None:
        raise grpc.aio.InternalError


async def test_a_message_to_a_client_that_is_gone_is_no_error_of_ours(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether its call is cancelled first, or writing fails, the bot has gone by itself (T28)."""
    real = Outgoing.write_updates

    async def write_updates(self: Outgoing, session: Session, _: object) -> None:
        await real(self, session, Gone())  # type: ignore[arg-type]

    monkeypatch.setattr(Outgoing, "write_updates", write_updates)
    bot = await server.register()
    call = server.plays.Watch(pb.WatchRequest(), metadata=bot.metadata)
    assert await call.read() is grpc.aio.EOF
    assert isinstance(await gone_from(server, bot), Left)


async def gone_from(server: Server, bot: Bot) -> Place:
    """Return where a bot is, once it has no stream any more."""
    places: list[Place] = []

    async def gone() -> bool:
        (where,) = await server.stores.presences.whereabouts([bot.bot_id])
        places.append(where.place)
        return not isinstance(where.place, Streaming)

    await until(gone)
    return places[-1]
