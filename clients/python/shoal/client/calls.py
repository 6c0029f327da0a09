"""Unary calls: with a token, a time limit and typed errors; and lists that come in pages."""

import uuid
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol, TypeVar

import grpc

from shoal.client.errors import ShoalError

TIMEOUT = 10.0
"""Seconds that a call may take, the retries of gRPC included."""

A_contra = TypeVar("A_contra", contravariant=True)
B_co = TypeVar("B_co", covariant=True)
Request = TypeVar("Request")
Response = TypeVar("Response")
Item = TypeVar("Item")


class _Unary(Protocol[A_contra, B_co]):
    """What a stub's method for a unary call looks like."""

    def __call__(
        self,
        request: A_contra,
        /,
        *,
        timeout: float | None = None,
        metadata: tuple[tuple[str, str], ...] | None = None,
    ) -> Awaitable[B_co]: ...


class Calls:
    """How all calls of a client are made."""

    def __init__(self, metadata: tuple[tuple[str, str], ...] | None) -> None:
        """Send these metadata along, the token among them."""
        self._metadata = metadata

    async def call(self, method: _Unary[Request, Response], request: Request) -> Response:
        """Make a call; raise ShoalError."""
        try:
            return await method(request, metadata=self._metadata, timeout=TIMEOUT)
        except grpc.aio.AioRpcError as error:
            raise ShoalError.from_rpc(error) from None


async def all_pages(
    page: Callable[[str], Awaitable[tuple[Sequence[Item], str]]], limit: int | None
) -> list[Item]:
    """Follow the pages until the last, or until there are `limit` items."""
    items: list[Item] = []
    token = ""
    while True:
        more, token = await page(token)
        items.extend(more)
        if not token or (limit is not None and len(items) >= limit):
            return items[:limit]


def page_size(limit: int | None) -> int:
    """Return how large a page to ask for; 0 leaves it to the server."""
    return 0 if limit is None else min(limit, 500)


def new_request_id() -> str:
    """Return an id by which the server knows a request that is sent again."""
    return str(uuid.uuid4())
