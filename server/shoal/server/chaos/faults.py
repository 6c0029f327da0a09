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
from shoal.server.chaos import store_faults as store
from shoal.server.chaos.arena import Arena
from shoal.server.chaos.timeline import Blame

Touched: TypeAlias = frozenset[str]
"""The names of the bots that a fault touches; none: all of them."""

Happening: TypeAlias = Callable[[Arena, random.Random], AbstractAsyncContextManager[Touched]]


@unique
class Lane(StrEnum):
    """Faults of one lane happen one after the other, those of two at the same time."""

    PROCESS = "process"
    STORE = "store"
    """The ways between processes and the store."""

    BOTS = "bots"
    """The ways between bots and servers, and what comes along them."""


@unique
class Needs(StrEnum):
    """What a run must have for a fault to happen in it."""

    NOTHING = "-"
    ONE_REDIS = "one Redis"
    CLUSTER = "a cluster"
    WORKERS = "workers"


@final
@dataclass(frozen=True, slots=True)
class Fault:
    """One kind of fault, and between how many seconds and how many it lasts."""

    kind: str
    lane: Lane
    blame: Blame
    happening: Happening
    seconds: tuple[float, float] = (0.0, 0.0)
    needs: Needs = Needs.NOTHING


def _failing_over(kind: str, happening: Happening, seconds: tuple[float, float]) -> Fault:
    """Return a fault of a cluster, which notes itself whether a replica took over."""
    return Fault(kind, Lane.PROCESS, Blame.STORE, happening, seconds, Needs.CLUSTER)


FAULTS: Final = (
    Fault("server-kill", Lane.PROCESS, Blame.SERVER, process.server_kill, (0.0, 1.0)),
    Fault(
        "worker-kill",
        Lane.PROCESS,
        Blame.SERVER,
        process.worker_kill,
        (0.5, 1.0),
        needs=Needs.WORKERS,
    ),
    Fault("server-pause", Lane.PROCESS, Blame.SERVER, process.server_pause, (1.0, 4.0)),
    Fault("rolling-restart", Lane.PROCESS, Blame.SERVER, process.rolling_restart),
    Fault("director-kill", Lane.PROCESS, Blame.NONE, process.director_kill, (0.0, 0.5)),
    Fault("redis-kill", Lane.PROCESS, Blame.STORE, store.redis_kill, (0.0, 3.0), Needs.ONE_REDIS),
    # Longer than any decision may take.
    Fault(
        "redis-outage", Lane.PROCESS, Blame.STORE, store.redis_kill, (11.5, 12.5), Needs.ONE_REDIS
    ),
    Fault("redis-pause", Lane.PROCESS, Blame.STORE, store.redis_pause, (1.0, 4.0), Needs.ONE_REDIS),
    # After a second without an answer a master is replaced: some of these end before that.
    _failing_over("cluster-pause", store.cluster_pause, (0.5, 4.0)),
    _failing_over("cluster-failover", store.cluster_failover, (0.0, 0.0)),
    _failing_over("cluster-failover-loses", store.cluster_failover_loses, (0.5, 1.5)),
    Fault("bot-reply-drop", Lane.BOTS, Blame.NETWORK, network.bot_reply_drop, (0.5, 0.5)),
    Fault("bot-delay", Lane.BOTS, Blame.NETWORK, network.bot_delay, (1.0, 2.0)),
    Fault("bot-half-open", Lane.BOTS, Blame.NETWORK, network.bot_half_open, (8.0, 8.0)),
    Fault("reconnect-all", Lane.BOTS, Blame.NETWORK, network.reconnect_all, (0.2, 0.2)),
    Fault("store-reply-drop", Lane.STORE, Blame.SERVER, network.store_reply_drop, (0.5, 0.5)),
    Fault("store-delay", Lane.STORE, Blame.SERVER, network.store_delay, (1.0, 2.0)),
    Fault("store-half-open", Lane.STORE, Blame.SERVER, network.store_half_open, (3.0, 3.0)),
    Fault("repeat", Lane.BOTS, Blame.NONE, network.repeat),
    Fault("garbage", Lane.BOTS, Blame.NONE, network.garbage),
)


class UnknownFault(Exception):
    """No fault has that name, or not in such a run; the message lists those that there are."""


def possible(*, cluster: bool, workers: int) -> tuple[Fault, ...]:
    """Return the faults that can happen in a run on a cluster or on one Redis, with so many workers."""
    there = {Needs.NOTHING, Needs.CLUSTER if cluster else Needs.ONE_REDIS}
    if workers > 1:
        there.add(Needs.WORKERS)
    return tuple(each for each in FAULTS if each.needs in there)


def chosen(kinds: str, *, cluster: bool, workers: int) -> tuple[Fault, ...]:
    """Return the faults that are named, with commas between; all where none is; raise UnknownFault."""
    names = [name.strip() for name in kinds.split(",") if name.strip()]
    there = possible(cluster=cluster, workers=workers)
    by_kind = {each.kind: each for each in there}
    for name in names:
        if name not in by_kind:
            known = next((each for each in FAULTS if each.kind == name), None)
            why = f"needs {known.needs}" if known is not None else "is not known"
            raise UnknownFault(f"the fault {name!r} {why}; there are {', '.join(by_kind)}")
    return tuple(by_kind[name] for name in dict.fromkeys(names)) or there
