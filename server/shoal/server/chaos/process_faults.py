"""Faults of processes: killed, made to stand still, ended in order; the undoing starts them again."""

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from shoal.server.chaos.arena import Arena, NothingToTouch
from shoal.server.chaos.stack import Process

ALL: frozenset[str] = frozenset()


@asynccontextmanager
async def server_kill(arena: Arena, dice: random.Random) -> AsyncIterator[frozenset[str]]:
    """Kill a server; its workers, if it has some, notice that and end."""
    server = dice.choice(arena.stack.servers)
    await server.kill()
    try:
        yield ALL
    finally:
        await server.start()


@asynccontextmanager
async def worker_kill(arena: Arena, dice: random.Random) -> AsyncIterator[frozenset[str]]:
    """Kill a worker; its server starts it again, after a pause that grows."""
    workers = [each for server in _with_workers(arena) for each in server.serving()]
    if not workers:
        raise NothingToTouch
    dice.choice(workers).kill()
    yield ALL


@asynccontextmanager
async def server_pause(arena: Arena, dice: random.Random) -> AsyncIterator[frozenset[str]]:
    """Let a process that serves stand still."""
    serving = [each for server in arena.stack.servers for each in server.serving()]
    if not serving:
        raise NothingToTouch
    process = dice.choice(serving)
    process.suspend()
    try:
        yield ALL
    finally:
        process.resume()


@asynccontextmanager
async def rolling_restart(arena: Arena, dice: random.Random) -> AsyncIterator[frozenset[str]]:
    """End every server in order and start it again, one after the other (T21)."""
    servers = dice.sample(arena.stack.servers, len(arena.stack.servers))
    for server in servers:
        await server.stop()
        await server.start()
    yield ALL


@asynccontextmanager
async def director_kill(arena: Arena, _dice: random.Random) -> AsyncIterator[frozenset[str]]:
    """Kill the director (T84)."""
    await arena.stack.director.kill()
    try:
        yield ALL
    finally:
        await arena.stack.director.start()


def _with_workers(arena: Arena) -> list[Process]:
    """Return the servers that have workers."""
    return [server for server in arena.stack.servers if server.workers > 1]
