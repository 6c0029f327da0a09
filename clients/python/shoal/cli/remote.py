"""Calling a server from a command: errors become one line that names the server."""

import contextlib
from collections.abc import AsyncIterator

import grpc

from shoal.cli.output import fail
from shoal.client import Client, ShoalError, Unreachable

_NOBODY = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}


@contextlib.asynccontextmanager
async def connect(
    server: str, token: str | None = None, *, tls: bool = False, missing: str = ""
) -> AsyncIterator[Client]:
    """Yield a client; what goes wrong with it ends the command in one line.

    `missing` says where to look for the name of what is not found. Raises Unreachable where nobody
    answers, which `main` prints if nobody catches it.
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
        fail(explain(error, missing))


def explain(error: ShoalError, missing: str = "") -> str:
    """Return an error of the server as a line for people, with what they can do."""
    if isinstance(error, Unreachable):
        return f"{error.message}: check --server, or start one with `shoal serve`"
    text = error.message or error.code.name.lower().replace("_", " ")
    advice = _advice(error, missing)
    return f"{text} ({error.reason or error.code.name})" + (f": {advice}" if advice else "")


def _advice(error: ShoalError, missing: str) -> str:
    """Return what to do; "" where the error itself says it."""
    match error.reason:
        case "NOT_FOUND":
            return missing
        case "TOKEN_INVALID" | "TOKEN_REVOKED":
            return "give the token file that this server made, or the --server that made it"
        case "UNKNOWN_RULESET":
            return f"there are {', '.join(error.metadata.get('known', '').split(','))}"
        case _:
            return ""
