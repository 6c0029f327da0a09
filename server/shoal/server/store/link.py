"""One connection to Redis: bytes out, replies in. The only module that opens sockets."""

import asyncio
import random
import re
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias, cast, final

import hiredis

from shoal.server.store.address import Address
from shoal.server.store.errors import StoreError, StoreRefused, StoreUnavailable

Reply: TypeAlias = Any
"""What Redis answers: bytes, an int, None, or a list of these."""

Part: TypeAlias = str | bytes | int
"""One word of a command."""

pack: Final = cast("Callable[[tuple[Part, ...]], bytes]", hiredis.pack_command)
"""Turns a command into what Redis reads."""

_PASSING: Final = re.compile(
    r"(?:^|: -?)(BUSY|CLUSTERDOWN|LOADING|MASTERDOWN|MISCONF|NOREPLICAS|OOM|READONLY|TRYAGAIN"
    r"|ERR max number of clients)\b"
)
"""Errors of a Redis that cannot serve now; inside a script they stand after its line number."""

_LOCKED_OUT: Final = re.compile(
    r"^(NOAUTH|WRONGPASS|NOPERM)\b|without any password|DB index|SELECT is not"
)


_FIRST_DELAY: Final = 0.02
_LONGEST_DELAY: Final = 0.5


def delays() -> Iterator[float]:
    """Yield for ever how many seconds to wait before the next attempt: longer each, with jitter."""
    delay = _FIRST_DELAY
    while True:
        yield delay * random.uniform(0.5, 1)  # noqa: S311  nobody gains by guessing it
        delay = min(2 * delay, _LONGEST_DELAY)


def error_from(reply: hiredis.ReplyError) -> StoreError:
    """Turn an error reply into the error that says whether asking again can help."""
    text = str(reply)
    return StoreUnavailable(text) if _PASSING.search(text) else StoreError(text)


@final
class Link(asyncio.Protocol):
    """An open connection; replies are handed over in the order of the commands."""

    def __init__(self) -> None:
        """Begin without an owner."""
        self.receive: Callable[[Reply], None] = _ignore
        self.lost: Callable[[], None] = _do_nothing
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._reader = hiredis.Reader()
        self._transport: asyncio.Transport | None = None

    def adopt(self, receive: Callable[[Reply], None], lost: Callable[[], None]) -> None:
        """Get an owner: `receive` gets every later reply, `lost` is called once at the end.

        It is called soon when the link has ended before.
        """
        self.receive = receive
        self.lost = lost
        if self.closed.done():
            asyncio.get_running_loop().call_soon(lost)

    def write(self, data: bytes) -> None:
        """Send packed commands; on a connection that has ended this does nothing."""
        if self._transport is not None:
            self._transport.write(data)

    def abort(self) -> None:
        """End the connection at once; what is on its way is lost."""
        if self._transport is not None:
            self._transport.abort()

    async def end(self) -> None:
        """End the connection and wait until it is closed."""
        self.abort()
        await self.closed

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way to write."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Hand over every reply that is complete; what is not Redis ends the connection."""
        reader = self._reader
        try:
            reader.feed(data)
            while (reply := reader.gets()) is not False:
                self.receive(reply)
        except hiredis.ProtocolError:
            self.abort()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        """Tell the owner, once."""
        self._transport = None
        if not self.closed.done():
            self.closed.set_result(None)
        self.lost()


def _ignore(_reply: Reply) -> None:
    """Drop a reply that nobody waits for."""


def _do_nothing() -> None:
    """Mind no end of a connection that nobody owns."""


async def open_link(address: Address, limit: float) -> Link:
    """Connect, log in, choose the database and see that Redis answers, within `limit` seconds.

    Raises StoreUnavailable when it is not there or not ready, StoreRefused when it locks us out.
    The link has no owner yet: see `adopt`.
    """
    try:
        async with asyncio.timeout(limit):
            link = await _connect(address)
            try:
                await _greet(link, address)
            except BaseException:
                await link.end()
                raise
    except (OSError, TimeoutError) as error:
        msg = f"no connection to Redis at {address}: {said_by(error)}"
        raise StoreUnavailable(msg) from error
    return link


def said_by(error: OSError) -> str:
    """Return why a connection failed, in the system's words."""
    return error.strerror or str(error) or "no answer in time"


async def _connect(address: Address) -> Link:
    """Open the socket."""
    loop = asyncio.get_running_loop()
    if address.path is not None:
        _, link = await loop.create_unix_connection(Link, address.path)
    else:
        _, link = await loop.create_connection(
            Link, address.host, address.port, ssl=address.tls or None
        )
    return link


async def _greet(link: Link, address: Address) -> None:
    """Say who we are and wait for the answers."""
    greeting: list[tuple[Part, ...]] = []
    if address.password is not None:
        who = (address.user,) if address.user else ()
        greeting.append(("AUTH", *who, address.password))
    if address.database:
        greeting.append(("SELECT", address.database))
    greeting.append(("PING",))
    for reply in await converse(link, *greeting):
        if isinstance(reply, hiredis.ReplyError):
            if _LOCKED_OUT.search(str(reply)):
                msg = f"Redis at {address} does not let us in: {reply}"
                raise StoreRefused(msg)
            msg = f"Redis at {address} does not serve: {reply}"
            raise StoreUnavailable(msg)


async def converse(link: Link, *commands: tuple[Part, ...]) -> list[Reply]:
    """Ask on a link that nobody has adopted, and return the replies up to the first that is an error.

    Raises ConnectionResetError when it ends before.
    """
    replies: asyncio.Queue[Reply] = asyncio.Queue()
    link.receive = replies.put_nowait
    link.lost = lambda: replies.put_nowait(ConnectionResetError("closed by Redis"))
    link.write(b"".join(pack(command) for command in commands))
    got: list[Reply] = []
    for _ in commands:
        reply = await replies.get()
        if isinstance(reply, ConnectionResetError):
            raise reply
        got.append(reply)
        if isinstance(reply, hiredis.ReplyError):
            break
    return got
