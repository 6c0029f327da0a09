"""Several servers of one arena: which one is next, and when all of them have been tried."""

import asyncio
import time
from collections.abc import Callable, Sequence

import grpc

from shoal.client.backoff import Backoff
from shoal.client.channel import Address, open_channel

_STEADY = 10.0
"""Seconds that a stream must last for the back-off to start again from its least."""

PATIENCE = 2.0
"""Seconds that a server has to take a connection, where another one may be asked instead."""


class Servers:
    """The servers that a run may play on: any of them goes on where another one was.

    They are taken in turns, none of them before the time that it asked for, and waiting begins only when
    each has been tried that can be.
    """

    def __init__(
        self,
        addresses: Sequence[Address],
        backoff: Backoff,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin with the first; `clock` returns seconds since some moment."""
        self._addresses = addresses
        self._backoff = backoff
        self._clock = clock
        self._at = 0
        self._tried: set[int] = set()
        self._not_before = [clock()] * len(addresses)

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
        now = self._clock()
        if lasted >= _STEADY:
            self._backoff.reset()
            self._tried.clear()
        self._tried.add(self._at)
        self._not_before[self._at] = now + (after or 0.0)
        waits = [max(0.0, moment - now) for moment in self._not_before]
        row = [(self._at + step) % len(waits) for step in range(1, len(waits) + 1)]
        for at in row:
            if at not in self._tried and not waits[at]:
                self._at = at
                return None
        self._tried.clear()
        delay = max(self._backoff.next(), min(waits))
        self._at = next(at for at in row if waits[at] <= delay)
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
            answers = await first_answer(channel) is True
        finally:
            if not answers:
                await channel.close()
        if answers:
            return channel
    return open_channel(last)


async def first_answer(channel: grpc.aio.Channel) -> bool | None:
    """Return whether a server takes a connection; None when nothing was heard in PATIENCE seconds."""
    try:
        async with asyncio.timeout(PATIENCE):
            state = channel.get_state(try_to_connect=True)
            while state is not grpc.ChannelConnectivity.READY:
                if state is grpc.ChannelConnectivity.TRANSIENT_FAILURE:
                    return False
                await channel.wait_for_state_change(state)
                state = channel.get_state(try_to_connect=True)
    except TimeoutError:
        return None
    return True
