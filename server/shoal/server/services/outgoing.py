"""What goes out on a stream, whichever kind it is: what is marked in its session, a beat apart."""

import asyncio
import time
from typing import Any, TypeAlias, final

from grpc.aio import InternalError, ServicerContext

from shoal.server.services.turn import Turn
from shoal.server.services.updates import response_of, snapshot_part, snapshot_response
from shoal.server.store.errors import StoreUnavailable
from shoal.server.streams.session import Session
from shoal.server.streams.sessions import Sessions
from shoal.server.together import together

BEAT_SECONDS_PER_MATCH = 0.001
LONGEST_BEAT_SECONDS = 0.024
"""Messages to a bot are at least a beat apart: a longer one with more matches on its stream, since then there
is more to go out together, and a message costs more than all else in a move."""

TICKS_PER_BEAT = 6
"""Messages go out on the ticks of a clock that all streams share: so do the answers to them, the commits of
these and the wake-ups for all of it fall together, and nothing leaves just before its neighbors."""

AGAIN_SECONDS = 1.0
"""How long what has to be read again waits for a store that was away."""

Context: TypeAlias = ServicerContext[Any, Any]


@final
class Outgoing:
    """What writes to the streams of this process; `version` is the server's."""

    def __init__(self, sessions: Sessions, version: str) -> None:
        """Write what is marked in these sessions."""
        self._sessions = sessions
        self._version = version
        self._turn = Turn()

    async def write_updates(self, session: Session, context: Context) -> None:
        """Send the snapshot, then what is marked, until the end of the stream is, or the client is gone."""
        if not await _write(context, await self._snapshot(session)):
            return
        session.greet()
        await together(self._write_marked(session, context), self._read_again(session))

    async def _snapshot(self, session: Session) -> bytes:
        """Make the first message. It may be of a thousand matches: the loop looks between."""
        await self._sessions.recall(session, session.tables)
        parts = []
        for match_id, table in list(session.tables.items()):
            while await self._sessions.recall(session, {match_id: table}):
                pass  # it goes on meanwhile
            if match_id not in session.tables:
                continue
            parts.append(snapshot_part(session, table))
            await asyncio.sleep(0)
        return snapshot_response(session, self._version, parts)

    async def _write_marked(self, session: Session, context: Context) -> None:
        """Send what is marked, and wait for nothing but its turn (T19)."""
        written = 0.0
        while True:
            await session.marked()
            await asyncio.sleep(_until_due(len(session.tables), written, time.monotonic()))
            # Many streams are due on one tick: moves that come in would wait for the messages to all of them.
            async with self._turn:
                marks = session.take_marks()
                written = time.monotonic()
                response = response_of(session, marks)
            self._sessions.tidy(session)
            if response and not await _write(context, response):
                return
            if marks.end is not None:
                return

    async def _read_again(self, session: Session) -> None:
        """For ever: read what tables no longer keep of what is marked; a store that is away is waited for."""
        while True:
            await session.fell_behind.wait()
            session.fell_behind.clear()
            try:
                while await self._sessions.recall(session):
                    pass  # they go on meanwhile
            except StoreUnavailable:
                await asyncio.sleep(AGAIN_SECONDS)
                session.fell_behind.set()


async def _write(context: Context, message: bytes) -> bool:
    """Send a message; False when there is nobody any more to send it to.

    Mostly the call is cancelled then, but it may be found out here first: that is no error of ours.
    """
    try:
        await context.write(message)
    except InternalError:
        return False
    return True


def _until_due(matches: int, written: float, now: float) -> float:
    """Return the seconds from now to the first tick that is a beat after the last message.

    `matches` are on the stream, which was written to at `written`.
    """
    beat = min(matches * BEAT_SECONDS_PER_MATCH, LONGEST_BEAT_SECONDS)
    if not beat:
        return 0.0
    tick = beat / TICKS_PER_BEAT
    # The last message left a little after its tick: half a tick is allowed for that.
    due = max(now, written + beat - tick / 2)
    return due - now + tick - due % tick
