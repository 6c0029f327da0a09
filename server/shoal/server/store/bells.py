"""Bells: hints, through Redis, that something is worth reading. A lost one is rung again."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Final, Self, TypeAlias, final

from shoal.server.store.errors import StoreError
from shoal.server.store.link import Link, Reply, delays, pack
from shoal.server.store.places import Places

Ring: TypeAlias = Callable[[], None]
"""What a bell calls, in a later turn of the event loop."""

Hear: TypeAlias = Callable[[str | None], None]
"""The same, with what was said; None at the beginning and after a loss: something may not have been heard."""

# Plain pub/sub, on a cluster too: its nodes pass every message on to all others, so any node will do.
# Sharded pub/sub (version 7) would spare them that, for a connection to each master, channels that
# move with their slots, and no place for the two bells that belong to no partition.
_SUBSCRIBE: Final = "SUBSCRIBE"
_UNSUBSCRIBE: Final = "UNSUBSCRIBE"
_CONFIRMED: Final = b"subscribe"
_MESSAGE: Final = b"message"

_CONNECT_LIMIT: Final = 1.0
_CONFIRM_LIMIT: Final = 1.0
_PING_EVERY: Final = 5.0


@final
class _Bell:
    """One channel: whom it rings, each as it was given, and whether Redis has confirmed it."""

    __slots__ = ("confirmed", "rings")

    def __init__(self) -> None:
        """Begin with nobody to ring."""
        self.rings: list[tuple[Ring | Hear, Hear]] = []
        self.confirmed = asyncio.Event()


@final
class Bells:
    """One connection that hears all bells of this process; enter it to open it.

    On a cluster it goes to some node, and to another one when that dies. Whoever rings while the
    connection is lost is not heard: so when it is back, and every channel is confirmed again, every
    callback is called.
    """

    def __init__(self, url: str) -> None:
        """Prepare to listen at the store of this URL; raise StoreRefused when it is no URL."""
        self._places = Places(url)
        self._bells: dict[str, _Bell] = {}
        self._unconfirmed: Counter[str] = Counter()
        self._link: Link | None = None
        self._heard = 0.0
        self._context: AsyncExitStack

    async def __aenter__(self) -> Self:
        """Connect; raise StoreUnavailable when Redis is not there, StoreRefused when it bars us."""
        async with AsyncExitStack() as context:
            context.push_async_callback(self._hang_up)
            self._adopt(await self._open())
            keepers = await context.enter_async_context(asyncio.TaskGroup())
            keeper = keepers.create_task(self._keep(), name="store bells")
            context.callback(keeper.cancel)
            self._context = context.pop_all()
        return self

    async def __aexit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        """Close the connection; nothing rings any more."""
        self._bells.clear()
        await self._context.aclose()  # without the error, which a task group would wrap

    async def subscribe(self, channel: str, ring: Ring) -> None:
        """Call `ring` whenever the channel rings, and once when Redis has confirmed.

        Returns after the confirmation: what is written later is not missed. When it does not come
        within 1 s it returns without, and a connection that has said nothing since is given up for
        another: whoever has read meanwhile is rung when it is confirmed, and reads again.
        """
        await self._subscribe(channel, ring, lambda _: ring())

    async def listen(self, channel: str, hear: Hear) -> None:
        """Do the same with somebody who is told what was said."""
        await self._subscribe(channel, hear, hear)

    async def _subscribe(self, channel: str, ring: Ring | Hear, hear: Hear) -> None:
        bell = self._bells.get(channel)
        if bell is None:
            bell = self._bells[channel] = _Bell()
            self._ask([channel])
        bell.rings.append((ring, hear))
        loop = asyncio.get_running_loop()
        if bell.confirmed.is_set():
            loop.call_soon(hear, None)
            return
        asked = loop.time()
        try:
            async with asyncio.timeout(_CONFIRM_LIMIT):
                await bell.confirmed.wait()
        except TimeoutError:
            if self._link is not None and self._heard < asked:
                self._link.abort()
        except asyncio.CancelledError:
            self.unsubscribe(channel, ring)
            raise

    def unsubscribe(self, channel: str, ring: Ring | Hear) -> None:
        """Call `ring` for this channel no more; it is no error when it never was."""
        bell = self._bells.get(channel)
        if bell is None:
            return
        found = next((each for each in bell.rings if each[0] == ring), None)
        if found is None:
            return
        bell.rings.remove(found)
        if not bell.rings:
            del self._bells[channel]
            self._send(_UNSUBSCRIBE, channel)

    def _ask(self, channels: Iterable[str]) -> None:
        """Subscribe to channels, if there is a connection."""
        if self._link is not None:
            for channel in channels:
                self._unconfirmed[channel] += 1
                self._send(_SUBSCRIBE, channel)

    def _send(self, *command: str) -> None:
        """Send a command, if there is a connection."""
        if self._link is not None:
            self._link.write(pack(command))

    def _receive(self, reply: Reply) -> None:
        """Ring for a message and for a confirmation."""
        self._heard = asyncio.get_running_loop().time()
        if not isinstance(reply, list) or len(reply) < 3:  # the answer to a ping
            return
        word, channel, said = reply[0], reply[1].decode(), None
        bell = self._bells.get(channel)
        if word == _CONFIRMED:
            self._unconfirmed[channel] -= 1
            if self._unconfirmed[channel] > 0:
                return  # of an older subscription, taken back since
            del self._unconfirmed[channel]
            if bell is not None:
                bell.confirmed.set()
        elif word == _MESSAGE:
            said = reply[2].decode()
        else:
            return
        if bell is None:
            return
        loop = asyncio.get_running_loop()
        for _, hear in bell.rings:
            loop.call_soon(hear, said)

    async def _open(self) -> Link:
        """Open one connection."""
        return (await self._places.find_once(_CONNECT_LIMIT)).link

    def _adopt(self, link: Link) -> None:
        """Listen on a new connection to all that anybody listens to."""
        link.adopt(self._receive, self._forget)
        self._link = link
        self._heard = asyncio.get_running_loop().time()
        self._ask(self._bells)

    def _forget(self) -> None:
        """Note that nothing is heard until the next connection."""
        self._link = None
        self._unconfirmed.clear()
        for bell in self._bells.values():
            bell.confirmed.clear()

    async def _hang_up(self) -> None:
        """End the connection."""
        if self._link is not None:
            await self._link.end()

    async def _keep(self) -> None:
        """Keep a connection open for ever."""
        while True:
            await self._watch()
            for delay in delays():
                try:
                    self._adopt(await self._open())
                    break
                except StoreError:
                    await asyncio.sleep(delay)

    async def _watch(self) -> None:
        """Return when the connection has ended; end it when it has become silent."""
        asked = 0.0
        while (link := self._link) is not None:
            await asyncio.wait([link.closed], timeout=_PING_EVERY)
            if self._heard < asked:
                await link.end()
            asked = asyncio.get_running_loop().time()
            self._send("PING")
