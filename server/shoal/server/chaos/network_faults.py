"""Faults of the ways between bots, servers and store, and of what comes along them."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

import grpc

from shoal.client import ShoalError
from shoal.client.channel import metadata
from shoal.server.chaos.arena import Arena, NothingToTouch
from shoal.server.chaos.crowd import Member
from shoal.server.chaos.proxy import Door

ALL: frozenset[str] = frozenset()

UNDECODABLE: Final = b"\xff\xff\xff\xff\xff"
METHODS: Final = (
    "/shoal.v1.PlayService/PlayMove",
    "/shoal.v1.PlayService/Ready",
    "/shoal.v1.MatchService/CreateMatch",
    "/shoal.v1.LadderService/JoinLadder",
)
LONGEST_DELAY: Final = 0.4
ONE_CALL: Final = 5.0
ASKS_WITHIN: Final = 2.0
"""Seconds in which somebody asks for something, unless all stands still."""


class Accepted(Exception):
    """The service took what is no message of it; says which call, and what it answered."""


@asynccontextmanager
async def bot_reply_drop(arena: Arena, dice: random.Random) -> AsyncIterator[frozenset[str]]:
    """Let requests of some bots through, cut their connections before the replies come (T1)."""
    members = _sample(arena, dice)
    await _rob([member.door for member in members])
    yield frozenset(member.name for member in members)


@asynccontextmanager
async def bot_half_open(arena: Arena, dice: random.Random) -> AsyncIterator[frozenset[str]]:
    """Carry nothing more for some bots, and tell nobody (T19)."""
    touched = _some(arena, dice, Door.silence)
    try:
        yield touched
    finally:
        for member in arena.crowd.members:
            member.door.end_silence()


@asynccontextmanager
async def bot_delay(arena: Arena, dice: random.Random) -> AsyncIterator[frozenset[str]]:
    """Slow down the ways of some bots."""
    seconds = dice.uniform(0.05, LONGEST_DELAY)
    members = _sample(arena, dice)
    for member in members:
        member.door.slow(seconds)
    try:
        yield frozenset(member.name for member in members)
    finally:
        for member in members:
            member.door.slow(0)


@asynccontextmanager
async def reconnect_all(arena: Arena, _dice: random.Random) -> AsyncIterator[frozenset[str]]:
    """Cut every bot's connection at one moment (T26)."""
    if not sum(member.door.cut() for member in arena.crowd.members):
        raise NothingToTouch
    yield ALL


@asynccontextmanager
async def store_reply_drop(arena: Arena, dice: random.Random) -> AsyncIterator[frozenset[str]]:
    """Let commands through to the store on one way, cut its connections before the replies come."""
    await _rob([_way(arena, dice)])
    yield ALL


@asynccontextmanager
async def store_half_open(arena: Arena, dice: random.Random) -> AsyncIterator[frozenset[str]]:
    """Carry nothing more on the connections that one way to the store has."""
    door = _way(arena, dice)
    if not door.silence():
        raise NothingToTouch
    try:
        yield ALL
    finally:
        door.end_silence()


@asynccontextmanager
async def store_delay(arena: Arena, dice: random.Random) -> AsyncIterator[frozenset[str]]:
    """Slow down one way to the store."""
    door = _way(arena, dice)
    door.slow(dice.uniform(0.02, LONGEST_DELAY))
    try:
        yield ALL
    finally:
        door.slow(0)


@asynccontextmanager
async def repeat(arena: Arena, dice: random.Random) -> AsyncIterator[frozenset[str]]:
    """Let a bot send an acknowledged move again, twice at once, another one for it, and a stale one."""
    raw = [member.raw for member in arena.crowd.members if member.raw is not None]
    if not await dice.choice(raw).repeat():
        raise NothingToTouch
    yield ALL


@asynccontextmanager
async def garbage(arena: Arena, dice: random.Random) -> AsyncIterator[frozenset[str]]:
    """Send a server what is no HTTP/2, and calls with what is no message; raise Accepted if it takes one."""
    server = dice.choice([each for each in arena.stack.servers if each.port] or [None])
    if server is None:
        raise NothingToTouch
    await _noise(server.port, dice)
    token = dice.choice(arena.crowd.members).token
    async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        await asyncio.gather(*(_undecodable(channel, method, token) for method in METHODS))
    yield ALL


async def _noise(port: int, dice: random.Random) -> None:
    """Send random bytes; what the server says to that, and whether it is there, does not matter."""
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return
    try:
        writer.write(dice.randbytes(dice.randrange(1, 4096)))
        async with asyncio.timeout(1):
            while await reader.read(4096):
                pass
    except (OSError, TimeoutError):
        pass
    finally:
        writer.transport.abort()


async def _undecodable(channel: grpc.aio.Channel, method: str, token: str) -> None:
    """Make a call with bytes that are no protobuf message."""
    call: Callable[..., grpc.aio.UnaryUnaryCall[bytes, bytes]] = channel.unary_unary(method)
    try:
        await call(UNDECODABLE, metadata=metadata(token), timeout=ONE_CALL)
    except grpc.aio.AioRpcError as failure:
        error = ShoalError.from_rpc(failure)
        passing = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}
        if error.reason != "MALFORMED" and error.code not in passing:
            raise Accepted(f"{method} answered what is no message with {error}") from None
    else:
        raise Accepted(f"{method} took what is no message")


async def _rob(doors: list[Door]) -> None:
    """Rob the wires of these doors; raise NothingToTouch when none asks for anything."""
    robbed = asyncio.Event()
    for door in doors:
        door.rob(robbed)
    try:
        async with asyncio.timeout(ASKS_WITHIN):
            await robbed.wait()
    except TimeoutError:
        raise NothingToTouch from None
    finally:
        for door in doors:
            door.spare()


def _sample(arena: Arena, dice: random.Random) -> list[Member]:
    """Return some of the bots."""
    members = arena.crowd.members
    return dice.sample(members, dice.randint(1, max(1, len(members) // 2)))


def _some(arena: Arena, dice: random.Random, do: Callable[[Door], int]) -> frozenset[str]:
    """Do something to the doors of some bots; return the names of those where it took hold."""
    touched = frozenset(member.name for member in _sample(arena, dice) if do(member.door))
    if not touched:
        raise NothingToTouch
    return touched


def _way(arena: Arena, dice: random.Random) -> Door:
    """Return a door on a way to the store."""
    door = arena.stack.store.way(dice)
    if door is None:
        raise NothingToTouch
    return door
