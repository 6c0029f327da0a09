"""The ways in for a bot, each heard and spoken to as a Play stream is: one test is about all of them."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TypeAlias

import pytest

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
