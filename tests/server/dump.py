"""What is in the store, to see that a refused call has changed nothing."""

import asyncio

from shoal.server.store import Pipe

CLOCKS = (":clock", ":processes")
PRESENCE = ":stream:"
STREAMS = (b"epoch", b"process", b"left", b"sent_epoch", b"sent_ms")
"""Fields of a bot: the count of its streams, where the last was, whether it ended that. Presence too."""


async def dump(pipe: Pipe) -> dict[str, object]:
    """Return every key with its value, but for clocks and presence."""
    names = sorted(key.decode() for key in await pipe.command("KEYS", "*"))
    kept = [name for name in names if not name.endswith(CLOCKS) and PRESENCE not in name]
    values = await asyncio.gather(*(_value(pipe, name) for name in kept))
    return dict(zip(kept, values, strict=True))


async def _value(pipe: Pipe, name: str) -> object:
    """Return something that is equal when the value is."""
    kind = await pipe.command("TYPE", name)
    if kind == b"set":
        return sorted(await pipe.command("SMEMBERS", name))
    if kind != b"hash":
        return await pipe.command("DUMP", name)
    flat = await pipe.command("HGETALL", name)
    fields = dict(zip(flat[::2], flat[1::2], strict=True))
    return {name: value for name, value in fields.items() if name not in STREAMS}
