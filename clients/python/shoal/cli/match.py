"""`shoal match`: looking at matches and making them."""

import asyncio
import re
from typing import Annotated

import typer

from shoal.cli.ending import ending_lines
from shoal.cli.luck import luck_fields, luck_lines
from shoal.cli.options import (
    MADE_FOR_ADMINS,
    SEE_BOTS,
    SEE_MATCHES,
    SERVER,
    TOKEN_FILE,
    AdminTokenFile,
    AsJson,
    Server,
    Tls,
    TokenFile,
    Why,
    read_token,
)
from shoal.cli.output import fail, say, say_json, say_table
from shoal.cli.record import read_record, record_of
from shoal.cli.remote import connect
from shoal.cli.telling import head_lines, turn_lines
from shoal.cli.view import (
    adjusted_text,
    clock_text,
    placements,
    present_lines,
    rated_text,
    status_name,
)
from shoal.client import Client, pb
from shoal.luck import NotAdjustable, adjusted_record
from shoal.record import BadRecord, Record, verify

app = typer.Typer(no_args_is_help=True, help="Look at matches and make them.")

MatchId = Annotated[str, typer.Argument(metavar="ID", help="The match, as `match list` names it.")]


@app.command()
def show(
    match_id: MatchId, *, server: Server = SERVER, tls: Tls = False, json: AsJson = False
) -> None:
    """Show one match.

    A finished one turn by turn, a running one as spectators see it now.

    Example: shoal match show 0a0199f5c1a2b30123456789abcdef
    """

    async def work() -> tuple[pb.Match, pb.MatchRecord | pb.SpectateMatchResponse | None]:
        async with connect(server, tls=tls, missing=SEE_MATCHES) as client:
            match = await client.get_match(match_id)
            if match.status == pb.MATCH_STATUS_FINISHED:
                return match, await client.get_record(match_id)
            return match, await _present(client, match_id)

    match, found = asyncio.run(work())
    if json:
        say_json(match if found is None else found)
        return
    _say_head(match)
    try:
        if isinstance(found, pb.MatchRecord):
            record = record_of(found)
            if findings := verify(record):
                fail(f"the record cannot be trusted: {findings[0]}")
            for line in (*ending_lines(record), *turn_lines(record)):
                say(line)
        elif found is not None and found.HasField("observation"):
            for line in present_lines(found):
                say(line)
    except BadRecord as error:
        fail(f"the record cannot be followed with this version's rules: {error}")


@app.command("list")
def list_matches(
    *,
    bot: Annotated[str, typer.Option(metavar="BOT_ID", help="Only the matches of this bot.")] = "",
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 20,
    server: Server = SERVER,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """List matches, the newest first.

    Example: shoal match list --limit 10
    """

    async def work() -> list[pb.Match]:
        async with connect(server, tls=tls, missing=SEE_BOTS) as client:
            return await client.list_matches(bot, limit)

    matches = asyncio.run(work())
    if json:
        say_json(matches)
        return
    rows = [
        [
            match.match_id,
            status_name(match),
            match.ruleset,
            match.ladder_id or "-",
            ", ".join(placements(match)),
        ]
        for match in matches
    ]
    say_table(["match", "status", "ruleset", "ladder", "bots"], rows, right=set())


@app.command()
def luck(
    match_id: Annotated[
        str, typer.Argument(metavar="[ID]", help="The match, as `match list` names it.")
    ] = "",
    *,
    record: Annotated[
        str,
        typer.Option("--record", metavar="FILE", help="A record instead; - for standard input."),
    ] = "",
    most: Annotated[
        int, typer.Option("--most", min=0, metavar="N", help="Only the N largest; 0: all.")
    ] = 0,
    server: Server = SERVER,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """Show what was luck in a match that is over, card by card.

    Each line is a use of chance, and by seat how much of the win it brought beyond what all that could
    have come would bring on average. docs/luck.md says what that means, and what not.

    Example: shoal match luck --record match.json --most 10
    """
    if bool(match_id) == bool(record):
        fail("one of ID and --record: the match to look at")

    async def work() -> Record:
        async with connect(server, tls=tls, missing=SEE_MATCHES) as client:
            return record_of(await client.get_record(match_id))

    try:
        found = read_record(record) if record else asyncio.run(work())
        if findings := verify(found):
            fail(f"{record or match_id}: not sound, so there is nothing to say: {findings[0]}")
        adjustment = adjusted_record(found)
    except BadRecord as error:
        fail(f"{record or match_id}: {error}")
    except NotAdjustable as error:
        fail(f"{record or match_id}: {error}")
    if json:
        say_json(luck_fields(adjustment))
        return
    for line in (*head_lines(found), *luck_lines(adjustment, most)):
        say(line)


@app.command()
def create(  # noqa: PLR0913 - one for each flag
    *,
    bots: Annotated[str, typer.Option(metavar="ID,ID", help="Two to four ids of bots, by seat.")],
    ruleset: Annotated[str, typer.Option(help="The ruleset to play.")] = "base",
    move_ms: Annotated[
        int,
        typer.Option(
            min=0,
            max=600_000,
            metavar="MS",
            help="Milliseconds for a decision; 0: the server's default, 10000.",
        ),
    ] = 0,
    bank: Annotated[
        str,
        typer.Option(
            metavar="MS[+MS]",
            help="Milliseconds beyond that for the whole match, and those that each move adds.",
        ),
    ] = "0",
    max_strikes: Annotated[
        int,
        typer.Option(
            min=0,
            max=100,
            metavar="N",
            help="How many silences make a seat leave; 0: the server's default, 3.",
        ),
    ] = 0,
    max_illegal: Annotated[
        int,
        typer.Option(
            min=0,
            max=100,
            metavar="N",
            help="How many answers that are no options make a seat leave; 0: the server's default, 10.",
        ),
    ] = 0,
    match_ms: Annotated[
        int,
        typer.Option(
            min=0,
            max=604_800_000,
            metavar="MS",
            help="Milliseconds after which the match is void, however far it is; 0: the server's "
            "default, 14400000 (four hours).",
        ),
    ] = 0,
    server: Server = SERVER,
    token_file: TokenFile = TOKEN_FILE,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """Create an unrated match.

    Between bots of your owner and baselines; it begins when all of them are ready, and is over
    if they are not within 10 s. A baseline that has 2 unfinished matches gets no more by request:
    run an opponent of your own (`shoal bot register NAME --owner-token-file FILE`, then `shoal bot
    run greedy`). With a baseline a move has at most 60000 ms, a bank 600000+10000, and a match a day.

    Example: shoal match create --bots 0a0199f5c1a2b30123456789abcdef,070199f5c1a2c4fedcba9876543210
    """
    found = re.fullmatch(r"(\d{1,9})(?:\+(\d{1,9}))?", bank)
    if found is None:
        raise typer.BadParameter(
            f"{bank!r} is not like 60000 or 60000+1000, in milliseconds of at most nine digits",
            param_hint="--bank",
        )
    bank_ms, increment_ms = (int(part or 0) for part in found.groups())
    bot_ids = [part for part in map(str.strip, bots.split(",")) if part]

    async def work() -> pb.Match:
        async with connect(server, read_token(token_file), tls=tls, missing=SEE_BOTS) as client:
            time_control = pb.TimeControl(
                move_ms=move_ms,
                bank_ms=bank_ms,
                increment_ms=increment_ms,
                max_strikes=max_strikes,
                max_illegal=max_illegal,
                match_ms=match_ms,
            )
            return await client.create_match(bot_ids, ruleset=ruleset, time_control=time_control)

    match = asyncio.run(work())
    if json:
        say_json(match)
    else:
        say(match.match_id)


@app.command()
def abort(
    match_id: Annotated[str, typer.Argument(help="The match.")],
    *,
    why: Why = "",
    server: Server = SERVER,
    token_file: AdminTokenFile = TOKEN_FILE,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """End a match that is not over, with an admin token: nothing is rated, and every seat is told.

    Example: shoal match abort 0a0199f5c1a2b30123456789abcdef --token-file admin.token
    """

    async def work() -> pb.Match:
        async with connect(
            server, read_token(token_file, MADE_FOR_ADMINS), tls=tls, missing=SEE_MATCHES
        ) as client:
            return await client.abort_match(match_id, why)

    match = asyncio.run(work())
    if json:
        say_json(match)
    else:
        say(f"match {match.match_id}: aborted")


@app.command()
def void(
    match_id: Annotated[str, typer.Argument(help="The match.")],
    *,
    why: Why = "",
    server: Server = SERVER,
    token_file: AdminTokenFile = TOKEN_FILE,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """Let a match of a competition not count, with an admin token, also when it is over.

    It is played again if its block is still in play; otherwise the block does not count.

    Example: shoal match void 0a0199f5c1a2b30123456789abcdef --token-file admin.token
    """

    async def work() -> pb.Match:
        async with connect(
            server, read_token(token_file, MADE_FOR_ADMINS), tls=tls, missing=SEE_MATCHES
        ) as client:
            return await client.void_match(match_id, why)

    match = asyncio.run(work())
    if json:
        say_json(match)
    else:
        say(f"match {match.match_id}: does not count")


async def _present(client: Client, match_id: str) -> pb.SpectateMatchResponse | None:
    """Return what spectators see of a match now."""
    stream = client.spectate(match_id)
    try:
        return await anext(stream, None)
    finally:
        await stream.aclose()


def _say_head(match: pb.Match) -> None:
    """Print what a match is."""
    say(f"match {match.match_id}: {match.ruleset}, {status_name(match)}")
    for seat, text in enumerate(placements(match)):
        say(f"  seat {seat}  {text}")
    say(f"  clock   {clock_text(match.time_control)}")
    say(f"  rated   {rated_text(match)}")
    if without_luck := adjusted_text(match):
        say(f"  without luck  {without_luck}")
