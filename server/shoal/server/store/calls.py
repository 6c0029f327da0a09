"""The calls that have no answer yet: packed, sent together, and matched with their replies."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Final, TypeAlias, final

import hiredis

from shoal.server.store.errors import StoreError, StoreUnavailable
from shoal.server.store.link import Link, Part, Reply, error_from, pack
from shoal.server.store.scripts import Script

_MOST_SENDINGS: Final = 4
"""How often one call may be sent before it is given up."""

_ASKING: Final[tuple[Part, ...]] = ("ASKING",)
"""Lets the next command, and only that, into a slot that a node of a cluster is just taking over."""


@final
class Call:
    """One command on its way: what to send, who waits, and what to make of the reply."""

    __slots__ = (
        *("asking", "born", "decode", "future", "hops"),
        *("parts", "script", "sendings", "since"),
    )

    def __init__(
        self,
        parts: tuple[Part, ...],
        future: "asyncio.Future[Any]",
        decode: Callable[[Reply], Any] | None = None,
        script: Script | None = None,
        since: float | None = None,
    ) -> None:
        """Begin to wait; with `since`, one more word will say the ms from then to the sending."""
        self.parts = parts
        self.future = future
        self.decode = decode
        self.script = script
        self.since = since
        self.born = time.monotonic()
        self.sendings = 0
        self.hops = 0
        """How often a node of a cluster has sent it to another."""
        self.asking = False
        """Whether it goes where its slot is only just moving to."""

    def fail(self, error: StoreError) -> None:
        """Tell whoever waits, if somebody still does."""
        if not self.future.done():
            self.future.set_exception(error)


Elsewhere: TypeAlias = Callable[[Call, str], bool]
"""Takes a call over that was answered by an error, and tells whether it did."""


@final
class Calls:
    """All calls to one Redis, in the order of asking; they go to `link` while there is one."""

    def __init__(self, elsewhere: Elsewhere | None = None) -> None:
        """Begin with no call and no link; `elsewhere` is asked about each call that was not served."""
        self.link: Link | None = None
        self._loop = asyncio.get_running_loop()
        self._elsewhere = elsewhere
        self._waiting: list[Call] = []
        self._sent: deque[Call] = deque()
        self._flush_is_due = False

    def __len__(self) -> int:
        """Count the calls without an answer."""
        return len(self._waiting) + len(self._sent)

    @property
    def oldest_sent(self) -> Call | None:
        """The call whose reply comes next."""
        return self._sent[0] if self._sent else None

    def futures(self) -> "list[asyncio.Future[Any]]":
        """Return what the callers wait for."""
        return [call.future for call in (*self._sent, *self._waiting)]

    def add(self, call: Call) -> None:
        """Let a call wait for the end of this turn of the event loop."""
        if call.asking:
            self._waiting.append(self._unheard(*_ASKING))
        self._waiting.append(call)
        if not self._flush_is_due:
            self._flush_is_due = True
            self._loop.call_soon(self.flush)

    def flush(self) -> None:
        """Send all that waits as one pipeline; without a link it goes on waiting."""
        self._flush_is_due = False
        link = self.link
        if link is None or not self._waiting:
            return
        waiting, self._waiting = self._waiting, []
        now = time.monotonic()
        packed = []
        for call in waiting:
            call.sendings += 1
            if call.since is None:
                packed.append(pack(call.parts))
            else:
                passed = max(0, int((now - call.since) * 1000))
                packed.append(pack((*call.parts, passed)))
        self._sent.extend(waiting)
        link.write(b"".join(packed))

    def receive(self, reply: Reply) -> None:
        """Give a reply to the call that has waited longest."""
        call = self._sent.popleft()
        future = call.future
        if isinstance(reply, hiredis.ReplyError):
            self._receive_error(call, reply)
        elif not future.done():
            if call.decode is None:
                future.set_result(reply)
            else:
                try:
                    future.set_result(call.decode(reply))
                except Exception as error:  # noqa: BLE001  whoever waits must learn of it
                    future.set_exception(error)

    def _receive_error(self, call: Call, reply: hiredis.ReplyError) -> None:
        """Fail the one call; or teach Redis the script it does not know, and send again."""
        script = call.script
        if (
            script is not None
            and str(reply).startswith("NOSCRIPT")
            and call.sendings < _MOST_SENDINGS
        ):
            if not any(other.parts[-1] is script.source for other in self._waiting):
                self.add(self._unheard("SCRIPT", "LOAD", script.source))
            self.add(call)
            return
        if self._elsewhere is not None and self._elsewhere(call, str(reply)):
            return
        error = error_from(reply)
        call.fail(error)
        if str(error).startswith("READONLY") and self.link is not None:
            self.link.abort()  # a replica by now: the name may lead to its successor

    def _unheard(self, *parts: Part) -> Call:
        """Return a call for whose reply nobody waits."""
        future = self._loop.create_future()
        future.add_done_callback(lambda done: done.cancelled() or done.exception())
        return Call(parts, future)

    def take_all(self) -> list[Call]:
        """Give away all calls without an answer, for another Redis; those sent may be done here."""
        self.take_back()
        taken = [call for call in self._waiting if call.parts != _ASKING]
        self._waiting = []
        for call in taken:
            call.asking = False
        return taken

    def take_back(self) -> None:
        """Let what was sent wait again: its replies will not come."""
        taken_back = [*self._sent, *self._waiting]
        self._sent.clear()
        self._waiting = []
        for call in taken_back:
            if call.sendings < _MOST_SENDINGS:
                self._waiting.append(call)
            else:
                call.fail(StoreUnavailable("the connection to Redis was lost again and again"))

    def give_up(self, reason: str, *, older_than: float = 0) -> None:
        """Fail the calls that were not sent and were asked over `older_than` seconds ago."""
        limit = time.monotonic() - older_than
        waiting, self._waiting = self._waiting, []
        for call in waiting:
            if call.born <= limit:
                call.fail(StoreUnavailable(reason))
            else:
                self._waiting.append(call)
