"""Matches of competitions that are really made, as a director's process makes them."""

import asyncio
from collections.abc import Awaitable, Callable

from shoal.server.director import Pairing
from shoal.server.play.creation import Creation

from .arena import Arena


def creating(
    arena: Arena,
) -> tuple[Callable[[Pairing], Awaitable[None]], asyncio.Queue[Pairing]]:
    """Return what makes a match of a pairing, and the pairings whose match was made."""
    creation = Creation(arena.matches, arena.stores.bots, arena.competitions, "test")
    made: asyncio.Queue[Pairing] = asyncio.Queue()

    async def create(pairing: Pairing) -> None:
        await creation.create_for_competition(
            pairing.match_id,
            pairing.bots,
            ruleset_name=pairing.ruleset,
            competition=pairing.competition_id,
            rated=pairing.rated,
        )
        made.put_nowait(pairing)

    return create, made
