"""A proxy between a pipe and a Redis that can lose replies and cut connections on command."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit

_CHUNK = 1 << 20


class Proxy:
    """Forwards bytes between clients of its socket and the Redis behind it."""

    def __init__(self, redis_url: str, path: Path) -> None:
        """Listen at `path`, once started."""
        self.url = f"unix://{path}"
        self.requests = 0
        self.lost = asyncio.Event()
        self._target = unquote(urlsplit(redis_url).path)
        self._path = path
        self._let_through: int | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None

    def lose_replies(self, after_bytes: int = 0) -> None:
        """Let so many more bytes of replies through, lose the rest, and cut the connection."""
        self.lost.clear()
        self._let_through = after_bytes

    def cut(self) -> None:
        """Cut all connections now."""
        for writer in tuple(self._writers):
            writer.transport.abort()

    async def refuse(self) -> None:
        """Cut all connections and accept none."""
        if self._server is not None:
            self._server.close()
        self._path.unlink(missing_ok=True)
        self.cut()

    async def accept(self) -> None:
        """Accept connections."""
        self._server = await asyncio.start_unix_server(self._serve, self._path, limit=_CHUNK)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward both ways until one side ends."""
        behind_reader, behind = await asyncio.open_unix_connection(self._target, limit=_CHUNK)
        self._writers |= {writer, behind}
        try:
            async with asyncio.TaskGroup() as ways:
                ways.create_task(self._forward_requests(reader, behind))
                ways.create_task(self._forward_replies(behind_reader, writer))
        except* ConnectionError:
            pass  # one side was cut, which is what this is for
        finally:
            self._writers -= {writer, behind}
            writer.transport.abort()
            behind.transport.abort()

    async def _forward_requests(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Forward what the client says."""
        while data := await reader.read(_CHUNK):
            self.requests += 1
            writer.write(data)
            await writer.drain()
        raise ConnectionResetError

    async def _forward_replies(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Forward what Redis says, as far as it is let through."""
        while data := await reader.read(_CHUNK):
            allowed = self._let_through
            writer.write(data if allowed is None else data[:allowed])
            await writer.drain()
            if allowed is not None:
                self._let_through = allowed - len(data)
                if self._let_through < 0 or not allowed:
                    self._let_through = None
                    self.lost.set()
                    writer.close()  # after what was let through
                    raise ConnectionResetError
        raise ConnectionResetError


@asynccontextmanager
async def proxied(redis_url: str, folder: Path) -> AsyncIterator[Proxy]:
    """Run a proxy whose socket is in a folder."""
    proxy = Proxy(redis_url, folder / "proxy.sock")
    await proxy.accept()
    try:
        yield proxy
    finally:
        await proxy.refuse()
