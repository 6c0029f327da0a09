"""How these tests speak HTTP to a server: over real sockets, and with nothing of ours on this side."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import httpx

from tests.server.support import Bot, Server

Json: TypeAlias = Any
Http: TypeAlias = httpx.AsyncClient


@asynccontextmanager
async def speaking(server: Server, **options: Any) -> AsyncIterator[Http]:
    """Speak to a server."""
    async with httpx.AsyncClient(base_url=server.http, timeout=30, **options) as client:
        yield client


def of(bot: Bot) -> dict[str, str]:
    """Return the header that a bot's token travels in."""
    return {"authorization": f"Bearer {bot.token}"}


def error_of(response: httpx.Response) -> dict[str, Json]:
    """Return the error of an answer, which must be in the form that all errors have."""
    assert response.headers["content-type"] == "application/json"
    body = response.json()
    assert body.keys() == {"error"}
    error: dict[str, Json] = body["error"]
    assert error.keys() == {"code", "message", "status", "details"}
    assert error["code"] == response.status_code
    return error


def reason_of(response: httpx.Response) -> str:
    """Return why a request was refused."""
    (info,) = (
        each
        for each in error_of(response)["details"]
        if each["@type"].endswith("/google.rpc.ErrorInfo")
    )
    assert info["domain"] == "shoal"
    return str(info["reason"])


def fields_of(response: httpx.Response) -> list[str]:
    """Return the fields that an error names."""
    return [
        violation["field"]
        for each in error_of(response)["details"]
        if each["@type"].endswith("/google.rpc.BadRequest")
        for violation in each["fieldViolations"]
    ]
