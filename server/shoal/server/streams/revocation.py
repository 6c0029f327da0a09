"""Tokens that are revoked while a stream, or a poll that waits, goes on by them."""

import asyncio

from shoal.server.store.errors import StoreUnavailable
from shoal.server.store.tokens import TokenStore


async def until_revoked(tokens: TokenStore, token_id: str, every: float) -> None:
    """Return when a token has been revoked: looked at now, for it may just have been, and so often then.

    The part of the store that has it may be another than that of its bot: while it is away, nothing of the
    bot waits for it.
    """
    while True:
        try:
            if await tokens.is_revoked(token_id):
                return
        except StoreUnavailable:
            pass  # it is told of by what needs it more
        await asyncio.sleep(every)
