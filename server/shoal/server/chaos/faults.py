"""Every fault that there is, a row each. A new one is a function and a row; nothing else has to know of it.

A fault happens while its context is open: entering injects it and tells whom it touches, leaving undoes it.
"""

import random
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Final, TypeAlias, final

from shoal.server.chaos import network_faults as network
from shoal.server.chaos import process_faults as process
from shoal.server.chaos.arena import Arena
from shoal.server.chaos.timeline import Blame

Touched: TypeAlias = frozenset[str]
"""The names of the bots that a fault touches; none: all of them."""

Happening: TypeAlias = Callable[[Arena, random.Random], AbstractAsyncContextManager[Touched]]


@unique
class Lane(StrEnum):
    """Faults of one lane happen one after the other, those of two at the same time."""

    PROCESS = "process"
    NETWORK = "network"


@final
@dataclass(frozen=True, slots=True)
class Fault:
    """One kind of fault, and between how many seconds and how many it lasts."""

    kind: str
    lane: Lane
    blame: Blame
    happening: Happening
    seconds: tuple[float, float] = (0.0, 0.0)


FAULTS: Final = (
    Fault("server-kill", Lane.PROCESS, Blame.SERVER, process.server_kill, (0.0, 1.0)),
    Fault("server-pause", Lane.PROCESS, Blame.SERVER, process.server_pause, (1.0, 4.0)),
    Fault("rolling-restart", Lane.PROCESS, Blame.SERVER, process.rolling_restart),
    Fault("director-kill", Lane.PROCESS, Blame.NONE, process.director_kill, (0.0, 0.5)),
    Fault("redis-kill", Lane.PROCESS, Blame.STORE, process.redis_kill, (0.0, 3.0)),
    # Longer than any decision may take.
    Fault("redis-outage", Lane.PROCESS, Blame.STORE, process.redis_kill, (11.5, 12.5)),
    Fault("redis-pause", Lane.PROCESS, Blame.STORE, process.redis_pause, (1.0, 4.0)),
    Fault("bot-reply-drop", Lane.NETWORK, Blame.NETWORK, network.bot_reply_drop, (0.5, 0.5)),
    Fault("bot-delay", Lane.NETWORK, Blame.NETWORK, network.bot_delay, (1.0, 2.0)),
    Fault("bot-half-open", Lane.NETWORK, Blame.NETWORK, network.bot_half_open, (8.0, 8.0)),
    Fault("reconnect-all", Lane.NETWORK, Blame.NETWORK, network.reconnect_all, (0.2, 0.2)),
    Fault("store-reply-drop", Lane.NETWORK, Blame.SERVER, network.store_reply_drop, (0.5, 0.5)),
    Fault("store-delay", Lane.NETWORK, Blame.SERVER, network.store_delay, (1.0, 2.0)),
    Fault("store-half-open", Lane.NETWORK, Blame.SERVER, network.store_half_open, (3.0, 3.0)),
    Fault("repeat", Lane.NETWORK, Blame.NONE, network.repeat),
    Fault("garbage", Lane.NETWORK, Blame.NONE, network.garbage),
)

KINDS: Final = tuple(each.kind for each in FAULTS)


class UnknownFault(Exception):
    """No fault has that name; the message lists them."""


def chosen(kinds: str) -> tuple[Fault, ...]:
    """Return the faults that are named, with commas between; all where none is; raise UnknownFault."""
    names = [name.strip() for name in kinds.split(",") if name.strip()]
    by_kind = {each.kind: each for each in FAULTS}
    for name in names:
        if name not in by_kind:
            raise UnknownFault(f"no fault is called {name!r}; there are {', '.join(by_kind)}")
    return tuple(by_kind[name] for name in dict.fromkeys(names)) or FAULTS
