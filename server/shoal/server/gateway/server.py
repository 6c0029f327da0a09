"""The gateway of one process: its socket, its life, and how it ends."""

import asyncio
import contextlib
import socket
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias, final

import grpc
import uvicorn
from starlette.middleware.cors import CORSMiddleware

from shoal.server.gateway.application import Application
from shoal.server.gateway.calls import Call
from shoal.server.gateway.connection import Connection
from shoal.server.gateway.pages import Page
from shoal.server.services.interceptor import Boundary
from shoal.server.services.methods import Methods
from shoal.server.transcoding import Binding
from shoal.server.transcoding.json_reading import JsonReader
from shoal.server.transcoding.json_writing import JsonWriter

AsgiApplication: TypeAlias = Callable[..., Any]

KEEP_ALIVE_SECONDS = 75
"""How long a connection on which nothing is asked is kept: a bot that thinks for a while finds it again."""

BACKLOG = 2048

EXPOSED = ("x-request-id", "retry-after", "etag")
"""Headers that a page from elsewhere may read."""

PREFLIGHT_SECONDS = 600


async def calls_of(bindings: Iterable[Binding], methods: Methods, boundary: Boundary) -> list[Call]:
    """Return what answers these bindings: the methods, with the interceptor around them."""
    reader, writer = JsonReader(), JsonWriter()
    calls = []
    for binding in bindings:
        handler = await boundary.intercept_service(_finding(methods), _Details(binding.grpc_path))
        assert handler is not None, f"{binding.rpc} is served by nobody"
        method: Any = handler.unary_stream if binding.streams else handler.unary_unary
        calls.append(Call(binding, method, reader, writer))
    return calls


def application_of(
    calls: Iterable[Call], pages: Mapping[str, Page], origins: Iterable[str]
) -> AsgiApplication:
    """Return the application; pages of these `origins` may use it from a browser, others may not."""
    application: AsgiApplication = Application(calls, pages)
    allowed = list(origins)
    if not allowed:
        return application
    return CORSMiddleware(
        application,
        allow_origins=allowed,
        allow_methods=["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH"],
        allow_headers=[
            "authorization",
            "content-type",
            "shoal-client",
            "x-request-id",
            "last-event-id",
        ],
        expose_headers=EXPOSED,
        max_age=PREFLIGHT_SECONDS,
    )


@final
class Gateway:
    """Serves HTTP on a socket that listens for it alone."""

    def __init__(self, application: AsgiApplication, grace_seconds: float) -> None:
        """Give open requests `grace_seconds` when it stops."""
        self._grace = grace_seconds
        self._server = uvicorn.Server(
            uvicorn.Config(
                application,
                http=Connection,
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                timeout_keep_alive=KEEP_ALIVE_SECONDS,
                backlog=BACKLOG,
            )
        )
        self._ticking: asyncio.Task[None] | None = None

    async def start(self, place: socket.socket) -> None:
        """Serve on a bound socket, from now on."""
        config = self._server.config
        config.load()
        self._server.lifespan = config.lifespan_class(config)
        await self._server.startup(sockets=[place])
        self._ticking = asyncio.create_task(self._server.main_loop(), name="http")

    async def stop(self) -> None:
        """Take no more connections, let open requests end, and cut what remains."""
        state = self._server.server_state
        for listening in self._server.servers:
            listening.close()
        for connection in list(state.connections):
            connection.shutdown()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._grace):
                while state.tasks:
                    await asyncio.wait(tuple(state.tasks))
        for connection in list(state.connections):
            connection.transport.abort()
        if state.tasks:
            await asyncio.wait(tuple(state.tasks))
        if self._ticking is not None:
            self._ticking.cancel()


@final
class _Details(grpc.HandlerCallDetails):
    """What an interceptor is told before a method is found."""

    def __init__(self, method: str) -> None:
        """Name the method."""
        self.method = method
        self.invocation_metadata = ()


def _finding(methods: Methods) -> Callable[[grpc.HandlerCallDetails], Any]:
    """Return what finds methods for an interceptor."""

    async def find(details: grpc.HandlerCallDetails) -> object:
        return methods.handler(str(details.method))

    return find
