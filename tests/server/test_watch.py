"""What is special about Watch: it is heard and not spoken to, and the client ends it by going away."""

import asyncio

import pytest

from shoal.server.streams import sessions
from shoal.v1 import play_service_pb2 as pb
from tests.server.calling import by_watch
from tests.server.streams import PATIENCE
from tests.server.support import Server, is_renewed, until


def test_a_watch_has_the_same_updates_as_a_stream() -> None:
    """Both messages are the same bytes, for one writer writes both."""
    fields = [message.DESCRIPTOR.fields for message in (pb.PlayResponse, pb.WatchResponse)]
    (play,), (watch,) = [
        [(f.number, f.name, f.message_type.full_name) for f in each] for each in fields
    ]
    assert play == watch


async def test_a_watch_without_a_hello_is_one_that_says_nothing(server: Server) -> None:
    """It is told everything, and available for one match of the base game at tables of any size."""
    bot = await server.register()
    call = server.plays.Watch(pb.WatchRequest(), metadata=bot.metadata)
    first = await call.read()
    assert first.updates[0].snapshot.bot_id == bot.bot_id
    (presence,) = await server.stores.presences.get_many([bot.bot_id])
    assert presence is not None
    assert (presence.max_matches, presence.rulesets, presence.seats) == (1, ("base",), (2, 3, 4))
    call.cancel()


async def test_following_brings_every_move_of_the_others(server: Server, other: Server) -> None:
    """With `follow` a seat that is not asked is told of a move on another server when it is made (T22)."""
    async with (
        server.asking(*await server.team(2)) as question,
        by_watch(other, question.other, follow=True) as watching,
    ):
        receipt = (await question.stream.move(question.update)).receipt
        update = await watching.hear("match_update")
        assert update.version == receipt.version
        assert {event.version for event in update.events} == {receipt.version}


async def test_a_silent_watch_gives_signs_of_life(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing happens heartbeats come, and the bot stays present (T19, T28)."""
    monkeypatch.setattr(sessions, "BEAT_SECONDS", 0.05)
    bot = await server.register()
    async with by_watch(server, bot) as stream:
        for _ in range(5):
            await stream.hear("heartbeat")
        assert stream.kinds() == ["snapshot", *["heartbeat"] * 5]
        for _ in range(3):
            await is_renewed(server, bot)


async def test_a_watch_of_a_revoked_token_ends(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within a beat, with its reason (T29)."""
    monkeypatch.setattr(sessions, "BEAT_SECONDS", 0.05)
    bot = await server.register()
    async with by_watch(server, bot) as stream:
        await server.stores.tokens.revoke(bot.token.split("_")[1])
        async with asyncio.timeout(PATIENCE):
            assert (await stream.rest())[-1] == "stream_end"
        assert stream.heard_of("stream_end")[0].reason == pb.STREAM_END_REASON_TOKEN_REVOKED


async def test_a_watch_that_is_cancelled_lets_go_of_everything(server: Server) -> None:
    """No presence, no reader, no bell and no session is left; the match is as it was (T27, T28)."""
    bots = await server.team(2)
    match_id = await server.deal(*bots)
    before = set(server.stores.bells._bells)
    async with by_watch(server, bots[0]) as stream:
        table = server.app._hub.at_hand(match_id)
        assert table is not None
        assert table.readers
        version = stream.match(match_id).version

    async def released() -> bool:
        present = await server.stores.presences.get_many([bots[0].bot_id])
        return not (present[0] or table.readers or server.app._sessions._open)

    await until(released)
    assert set(server.stores.bells._bells) == before
    assert (await server.match(match_id)).version == version
