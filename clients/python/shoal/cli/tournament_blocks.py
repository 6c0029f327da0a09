"""`shoal tournament blocks`: who was paired with whom, and how each match of it ended."""

import asyncio
from collections.abc import Iterator
from typing import Annotated

import typer

from shoal.cli.names import Names, names_of
from shoal.cli.options import (
    MADE_FOR_ADMINS,
    SERVER,
    AsJson,
    OrganizerTokenFile,
    Server,
    Tls,
    read_token,
)
from shoal.cli.output import say_json, say_table
from shoal.cli.remote import connect
from shoal.client import pb
from shoal.competition.block import seating

SEE = "`shoal tournament list` shows those that there are"


def blocks(
    tournament: Annotated[str, typer.Argument(metavar="ID", help="Which tournament.")],
    *,
    server: Server = SERVER,
    token_file: OrganizerTokenFile = None,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """Show who was paired with whom, and how each match ended.

    The blocks that have begun, by their keys: round, table and number, all counted from 0. The bots of a
    match by seat, with their places. Where names are hidden, blocks in play are for an organizer alone, with
    --token-file.

    Example: shoal tournament blocks 0a0199f5c1a2b30123456789abcdef
    """
    token = None if token_file is None else read_token(token_file, MADE_FOR_ADMINS)

    async def work() -> tuple[list[pb.TournamentBlock], Names]:
        async with connect(server, token, tls=tls, missing=SEE) as client:
            found = await client.tournaments.blocks(tournament)
            return found, await names_of(client, (each.block_key for each in found))

    found, names = asyncio.run(work())
    if json:
        say_json(found)
    else:
        header = ["block", "ruleset", "state", "match", "ending", "bots"]
        say_table(header, [row for block in found for row in _rows(block, names)], right=set())


def _rows(block: pb.TournamentBlock, names: Names) -> Iterator[list[str]]:
    """Yield a line for each match of a block, and one for a block without any."""
    state = _word(pb.BlockState.Name(block.state), "BLOCK_STATE_")
    head = [block.block_key, block.ruleset, state if block.rated else f"{state}, not rated"]
    called = [names.get(bot, bot) for bot in block.bot_ids]
    for match in block.matches:
        ending = _word(pb.BlockMatchEnding.Name(match.ending), "BLOCK_MATCH_ENDING_")
        seats = seating(called, match.rotation)
        places = match.placements or [0] * len(seats)
        shown = [
            f"{bot} ({place})" if place else bot for bot, place in zip(seats, places, strict=True)
        ]
        in_play = "in play" if ending == "unspecified" else ending
        yield [*head, match.match_id, in_play, ", ".join(shown)]
    if not block.matches:
        yield [*head, "", "", ", ".join(called)]


def _word(name: str, prefix: str) -> str:
    return name.removeprefix(prefix).lower().replace("_", " ")
