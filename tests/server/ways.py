"""The ways in for a bot, each heard and spoken to as a Play stream is: one test is about all of them.

And who is asked in a match, whatever way it came in by.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TypeAlias

import pytest

from shoal.v1 import play_service_pb2 as pb
from tests.server.calling import by_watch
from tests.server.polling import by_polls
from tests.server.streams import Stream
from tests.server.support import Bot, Fields, Server

Way: TypeAlias = Callable[..., AbstractAsyncContextManager[Stream]]
"""Comes in for a bot on a server, with the fields of its hello."""


@asynccontextmanager
async def by_play(server: Server, bot: Bot, **hello: Fields) -> AsyncIterator[Stream]:
    """Come in by a Play stream."""
    async with server.stream(bot, **hello) as stream:
        yield stream


STREAMS: dict[str, Way] = {"Play": by_play, "Watch": by_watch}
WAYS: dict[str, Way] = {**STREAMS, "ListDecisions": by_polls}

ANY_STREAM = pytest.mark.parametrize("way", STREAMS.values(), ids=STREAMS)
ANY_WAY = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)


async def asked_of(stream: Stream, match_id: str) -> pb.MatchUpdate:
    """Return the question that a seat was or will be asked in a match."""
    for update in stream.snapshot.matches:
        if update.match_id == match_id and update.HasField("decision"):
            return update
    while True:
        update = await stream.hear("match_update", match_id)
        if update.HasField("decision"):
            return update


async def asked(server: Server, *bots: Bot, **fields: int) -> tuple[str, Bot, Bot]:
    """Deal a match of two; return it, who is asked, and the other one."""
    match_id = await server.deal(*bots, **fields)
    for bot in bots:
        if (await server.position(bot, match_id)).HasField("decision"):
            (other,) = (each for each in bots if each is not bot)
            return match_id, bot, other
    raise AssertionError("nobody is asked")
