"""`crosstable` and `head-to-head`: who did what against whom, on a ladder or in a tournament."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, TypeAlias, TypeVar

import typer

from shoal.cli.options import (
    SEE_BOTS,
    SEE_BOTS_OF_LADDERS,
    SEE_LADDERS,
    SERVER,
    AsJson,
    Ladder,
    Server,
    Tls,
)
from shoal.cli.output import say, say_json
from shoal.cli.remote import connect
from shoal.cli.tournament_view import show_crosstable
from shoal.client import Client, pb

T = TypeVar("T")

Bot: TypeAlias = Annotated[str, typer.Argument(metavar="ID", help="The bot whose view it is.")]
Other: TypeAlias = Annotated[str, typer.Argument(metavar="OTHER", help="The other bot.")]


def ladder_crosstable(
    *, ladder: Ladder = "main", server: Server = SERVER, tls: Tls = False, json: AsJson = False
) -> None:
    """Show everybody against everybody, best first.

    Points of the possible points, from the blocks that are over.

    Example: shoal ladder crosstable
    """
    rows = _ask(server, tls, SEE_LADDERS, lambda client: client.exports.crosstable(ladder))
    if json:
        say_json(rows)
    else:
        show_crosstable(rows)


def ladder_head_to_head(
    bot: Bot,
    other: Other,
    *,
    ladder: Ladder = "main",
    server: Server = SERVER,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """Show what two bots have done against each other.

    In the blocks that were played to their end; at larger tables only these two places are looked at.

    Example: shoal ladder head-to-head 0a0199f5c1a2b30123456789abcdef 0b0199f5c1a2b30123456789abcdef
    """
    _head_to_head(ladder, bot, other, server, SEE_BOTS_OF_LADDERS, tls=tls, as_json=json)


def tournament_head_to_head(
    tournament: Annotated[str, typer.Argument(metavar="TOURNAMENT", help="Which tournament.")],
    bot: Bot,
    other: Other,
    *,
    server: Server = SERVER,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """Show what two bots have done against each other.

    In the blocks that were played to their end; at larger tables only these two places are looked at. All
    three are ids: `shoal tournament standings` shows those of the bots.

    Example: shoal tournament head-to-head 0c0199f5c1a2b30123456789abcdef
    0a0199f5c1a2b30123456789abcdef 0b0199f5c1a2b30123456789abcdef
    """
    _head_to_head(tournament, bot, other, server, SEE_BOTS, tls=tls, as_json=json)


def _head_to_head(
    competition: str, bot: str, other: str, server: str, missing: str, *, tls: bool, as_json: bool
) -> None:
    found = _ask(
        server, tls, missing, lambda client: client.exports.head_to_head(competition, bot, other)
    )
    if as_json:
        say_json(found)
    else:
        _show(found)


def _show(found: pb.GetHeadToHeadResponse) -> None:
    """Print the matches of two, as the first sees them."""
    say(f"{found.bot_name} against {found.other_name}")
    say(f"won {found.won}, drawn {found.drawn}, lost {found.lost}")
    say(f"points  {found.score.points:g} of {found.score.possible_points:g}")
    say(f"blocks  {found.block_count}")


def _ask(server: str, tls: bool, missing: str, work: Callable[[Client], Awaitable[T]]) -> T:
    """Return what a call to the server returns."""

    async def ask() -> T:
        async with connect(server, tls=tls, missing=missing) as client:
            return await work(client)

    return asyncio.run(ask())
