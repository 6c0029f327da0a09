"""What goes out on a stream, whichever kind it is: what is marked in its session, a beat apart."""

import asyncio
import time
from typing import Any, TypeAlias, final

from grpc.aio import InternalError, ServicerContext

from shoal.server.services.turn import Turn
from shoal.server.services.updates import response_of, snapshot_response
from shoal.server.streams.session import Session
from shoal.server.streams.sessions import Sessions

BEAT_SECONDS_PER_MATCH = 0.001
LONGEST_BEAT_SECONDS = 0.024
"""Messages to a bot are at least a beat apart: a longer one with more matches on its stream, since then there
is more to go out together, and a message costs more than all else in a move."""

TICKS_PER_BEAT = 6
"""Messages go out on the ticks of a clock that all streams share: so do the answers to them, the commits of
these and the wake-ups for all of it fall together, and nothing leaves just before its neighbors."""

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
        while await self._sessions.recall(session, session.tables):
            pass  # they go on meanwhile
        if not await _write(context, snapshot_response(session, self._version)):
            return
        session.greet()
        written = 0.0
        while True:
            await session.marked()
            await asyncio.sleep(_until_due(len(session.tables), written, time.monotonic()))
            await self._sessions.recall(session)
            # Many streams are due on one tick: moves that come in would wait for the messages to all of them.
            async with self._turn:
                if session.behind():
                    continue  # others had their turns for long
                marks = session.take_marks()
                written = time.monotonic()
                response = response_of(session, marks)
            self._sessions.tidy(session)
            if response and not await _write(context, response):
                return
            if marks.end is not None:
                return


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
