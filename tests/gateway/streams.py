"""Streams over HTTP as a client reads them: events, and lines."""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx


async def events(response: httpx.Response) -> AsyncIterator[dict[str, Any]]:
    """Read Server-Sent Events: each with its `event`, `id` and `data`, as far as it has them."""
    event: dict[str, Any] = {}
    async for line in response.aiter_lines():
        if line:
            name, _, value = line.partition(": ")
            event[name] = json.loads(value) if name == "data" else value
        elif event:
            yield event
            event = {}


async def lines(response: httpx.Response) -> AsyncIterator[Any]:
    """Read lines of JSON."""
    async for line in response.aiter_lines():
        yield json.loads(line)
