"""Several servers of one arena: which one is next, and when all of them have been tried."""

import asyncio
from collections.abc import Sequence

import grpc

from shoal.client.backoff import Backoff
from shoal.client.channel import Address, open_channel

_STEADY = 10.0
"""Seconds that a stream must last for the back-off to start again from its least."""

_PATIENCE = 2.0
"""Seconds that a server has to take a connection, where another one may be asked instead."""


class Servers:
    """The servers that a run may play on: any of them goes on where another one was.

    They are taken in turns, and waiting begins only when each has been tried.
    """

    def __init__(self, addresses: Sequence[Address], backoff: Backoff) -> None:
        """Begin with the first."""
        self._addresses = addresses
        self._backoff = backoff
        self._at = 0
        self._tried: list[float] = []

    def __str__(self) -> str:
        """Return all of them, for people."""
        return ", ".join(address.target for address in self._addresses)

    @property
    def current(self) -> Address:
        """The one whose turn it is."""
        return self._addresses[self._at]

    @property
    def several(self) -> bool:
        """Whether there is another one to go to."""
        return len(self._addresses) > 1

    def turn(self, lasted: float, after: float | None) -> float | None:
        """Go on to the next one, after a stream of `lasted` seconds.

        `after` are the seconds that its server asked us to stay away. Return None for a server that was
        not tried yet, which is asked at once; otherwise the seconds to wait first.
        """
        if lasted >= _STEADY:
            self._backoff.reset()
            self._tried.clear()
        self._tried.append(after or 0.0)
        self._at = (self._at + 1) % len(self._addresses)
        if len(self._tried) < len(self._addresses):
            return None
        delay = max(self._backoff.next(), min(self._tried))
        self._tried.clear()
        return delay


async def open_first(addresses: Sequence[Address]) -> grpc.aio.Channel:
    """Return a channel to the first server that takes a connection; to the last one when none does.

    A single server is not asked: what is wrong with it is said by the first call.
    """
    *others, last = addresses
    for address in others:
        channel = open_channel(address)
        answers = False
        try:
            answers = await _answers(channel)
        finally:
            if not answers:
                await channel.close()
        if answers:
            return channel
    return open_channel(last)


async def _answers(channel: grpc.aio.Channel) -> bool:
    """Return whether a server takes a connection."""
    try:
        async with asyncio.timeout(_PATIENCE):
            state = channel.get_state(try_to_connect=True)
            while state is not grpc.ChannelConnectivity.READY:
                if state is grpc.ChannelConnectivity.TRANSIENT_FAILURE:
                    return False
                await channel.wait_for_state_change(state)
                state = channel.get_state(try_to_connect=True)
    except TimeoutError:
        return False
    return True
