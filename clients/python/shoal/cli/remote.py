"""Calling a server from a command: errors become one line that names the server."""

import contextlib
from collections.abc import AsyncIterator

import grpc

from shoal.cli.output import fail
from shoal.client import Client, ShoalError, Unreachable

_NOBODY = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}


@contextlib.asynccontextmanager
async def connect(
    server: str, token: str | None = None, *, tls: bool = False
) -> AsyncIterator[Client]:
    """Yield a client; what goes wrong with it ends the command in one line.

    Raises Unreachable where nobody answers, which `main` prints if nobody catches it.
    """
    try:
        client = Client(server, token, tls=tls)
    except ValueError as error:
        fail(str(error))
    try:
        async with client:
            yield client
    except ShoalError as error:
        if error.code in _NOBODY and not error.reason:
            raise Unreachable(
                error.code, "", {}, f"no server at {server}: {error.message}"
            ) from None
        fail(explain(error))


def explain(error: ShoalError) -> str:
    """Return an error of the server as a line for people."""
    if isinstance(error, Unreachable):
        return error.message
    text = error.message or error.code.name.lower().replace("_", " ")
    return f"{text} ({error.reason})" if error.reason else f"{text} ({error.code.name})"
