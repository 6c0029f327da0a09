"""Faults of processes: killed, made to stand still, ended in order; the undoing starts them again."""

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from shoal.server.chaos.arena import Arena

ALL: frozenset[str] = frozenset()


@asynccontextmanager
async def server_kill(arena: Arena, dice: random.Random) -> AsyncIterator[frozenset[str]]:
    """Kill a server."""
    server = dice.choice(arena.stack.servers)
    await server.kill()
    try:
        yield ALL
    finally:
        await server.start()


@asynccontextmanager
async def server_pause(arena: Arena, dice: random.Random) -> AsyncIterator[frozenset[str]]:
    """Let a server stand still."""
    server = dice.choice(arena.stack.servers)
    server.pause()
    try:
        yield ALL
    finally:
        server.resume()


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


@asynccontextmanager
async def redis_kill(arena: Arena, _dice: random.Random) -> AsyncIterator[frozenset[str]]:
    """Kill Redis; the append-only file brings back what it had."""
    await arena.stack.redis.kill()
    try:
        yield ALL
    finally:
        await arena.stack.redis.revive()


@asynccontextmanager
async def redis_pause(arena: Arena, _dice: random.Random) -> AsyncIterator[frozenset[str]]:
    """Let Redis stand still."""
    arena.stack.redis.pause()
    try:
        yield ALL
    finally:
        arena.stack.redis.resume()
