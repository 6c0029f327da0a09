"""Calling a server from a command: errors become one line that names the server."""

import contextlib
from collections.abc import AsyncIterator
from typing import Final

import grpc

from shoal.cli.output import fail
from shoal.client import Client, ShoalError, Unreachable

_FIELDS: Final = {
    "from_ms": ("--from", ""),
    "until_ms": ("--until", "must be later than --from, and not later than now"),
    "uncounted_from_ms": ("--uncounted", ""),
    "uncounted_until_ms": (
        "--uncounted",
        "the second time must be later than the first one, and not later than now",
    ),
    "bot_ids": ("bots", ""),
    "hello.bot_version": ("the bot's version", ""),
    "since": (
        "--since",
        "not one that this list gave out: give the `next` of the last line of an earlier export, or its file",
    ),
}
"""What a user calls a field, and what is wrong with it where the server's words have other fields in them."""

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
    text = _in_options(error.message) or error.code.name.lower().replace("_", " ")
    advice = _advice(error, missing)
    return f"{text} ({error.reason or error.code.name})" + (f": {advice}" if advice else "")


def _in_options(message: str) -> str:
    """Return a message that begins with the name of a field as one that says it as this command does."""
    field, colon, problem = message.partition(": ")
    said = _FIELDS.get(field) if colon else None
    return message if said is None else f"{said[0]}: {said[1] or problem}"


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
