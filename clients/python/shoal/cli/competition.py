"""`shoal competition`: a ladder or a tournament that runs, in the hand of its organizer."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Annotated, TypeAlias, TypeVar

import typer

from shoal.cli.competition_view import decided, show_actions, show_competition, show_open_blocks
from shoal.cli.moments import moment_of
from shoal.cli.names import Names, names_of
from shoal.cli.options import (
    MADE_FOR_ADMINS,
    SERVER,
    TOKEN_FILE,
    AdminTokenFile,
    AsJson,
    Server,
    Tls,
    Why,
    read_token,
)
from shoal.cli.output import note, say, say_json
from shoal.cli.remote import connect
from shoal.client import Client, ShoalError, pb

app = typer.Typer(
    no_args_is_help=True,
    help="Steer a ladder or a tournament that runs, as its organizer.",
)

T = TypeVar("T")

SEE = "`shoal ladder list` and `shoal tournament list` show those that there are"
SEE_ALL = f"{SEE}, and `shoal bot list` the bots: they are given by id"

Id: TypeAlias = Annotated[
    str,
    typer.Argument(metavar="ID", help="Which: the name of a ladder, or the id of a tournament."),
]
Bot: TypeAlias = Annotated[str, typer.Argument(metavar="BOT", help="Which bot, by its id.")]


@app.command()
def show(
    competition: Id,
    *,
    server: Server = SERVER,
    token_file: AdminTokenFile = TOKEN_FILE,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """Show how it stands, and what was decided about it.

    Example: shoal competition show main --token-file admin.token
    """

    async def work(client: Client) -> tuple[pb.Competition, Names]:
        found = await client.competitions.get(competition)
        return found, await names_of(client, _bots_of(found))

    found, names = _ask(server, tls, token_file, work)
    if json:
        say_json(found)
    else:
        show_competition(found, names)


@app.command()
def pause(
    competition: Id,
    *,
    why: Why = "",
    server: Server = SERVER,
    token_file: AdminTokenFile = TOKEN_FILE,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """Let no match begin; those in play are played, and count.

    Example: shoal competition pause main --why "we look into it" --token-file admin.token
    """
    _steer(
        server,
        tls,
        token_file,
        competition,
        lambda c: c.competitions.pause(competition, why),
        json=json,
    )


@app.command()
def resume(
    competition: Id,
    *,
    why: Why = "",
    server: Server = SERVER,
    token_file: AdminTokenFile = TOKEN_FILE,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """Go on after a pause, or in the middle of draining.

    Example: shoal competition resume main --token-file admin.token
    """
    _steer(
        server,
        tls,
        token_file,
        competition,
        lambda c: c.competitions.resume(competition, why),
        json=json,
    )


@app.command()
def drain(
    competition: Id,
    *,
    why: Why = "",
    server: Server = SERVER,
    token_file: AdminTokenFile = TOKEN_FILE,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """Begin no new blocks, play those in play to their end, and then pause.

    Example: shoal competition drain main --token-file admin.token
    """

    async def work(client: Client) -> tuple[pb.DrainCompetitionResponse, Names]:
        found = await client.competitions.drain(competition, why)
        return found, await names_of(client, _bots_of(found.competition))

    found, names = _ask(server, tls, token_file, work)
    if json:
        say_json(found)
    else:
        show_competition(found.competition, names)
        show_open_blocks(found.open_block_keys)


@app.command()
def exclude(
    competition: Id,
    bot: Bot,
    *,
    why: Why = "",
    uncounted: Annotated[
        str,
        typer.Option(
            "--uncounted",
            metavar="TIME[/TIME]",
            help="From when on, and until when, its results do not count; without it all do.",
        ),
    ] = "",
    server: Server = SERVER,
    token_file: AdminTokenFile = TOKEN_FILE,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """Pair a bot no more; what it plays now is played.

    A TIME is like 2026-03-01T18:00+01:00, or UTC where no offset is given. Without a second one it lasts
    until the bot is readmitted.

    Example: shoal competition exclude main 0a0199f5c1a2b30123456789abcdef --why "it crashes"
    --token-file admin.token
    """
    begin, _, end = uncounted.partition("/")
    first, last = moment_of("--uncounted", begin), moment_of("--uncounted", end)
    _steer(
        server,
        tls,
        token_file,
        competition,
        lambda c: c.competitions.exclude_bot(
            competition, bot, why, uncounted_from_ms=first, uncounted_until_ms=last
        ),
        json=json,
        missing=SEE_ALL,
    )


@app.command()
def readmit(
    competition: Id,
    bot: Bot,
    *,
    why: Why = "",
    restore: Annotated[
        bool, typer.Option("--restore", help="Let its results count that did not.")
    ] = False,
    server: Server = SERVER,
    token_file: AdminTokenFile = TOKEN_FILE,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """Pair a bot again that was excluded.

    Example: shoal competition readmit main 0a0199f5c1a2b30123456789abcdef --token-file admin.token
    """
    _steer(
        server,
        tls,
        token_file,
        competition,
        lambda c: c.competitions.readmit_bot(competition, bot, why, restore_results=restore),
        json=json,
        missing=SEE_ALL,
    )


@app.command("exclude-period")
def exclude_period(
    competition: Id,
    *,
    begin: Annotated[
        str, typer.Option("--from", metavar="TIME", help="The first moment that does not count.")
    ],
    until: Annotated[
        str, typer.Option("--until", metavar="TIME", help="The first moment after it.")
    ],
    why: Why = "",
    server: Server = SERVER,
    token_file: AdminTokenFile = TOKEN_FILE,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """Let no match count that ended in a time; ratings and standings are computed again.

    A TIME is like 2026-03-01T18:00+01:00, or UTC where no offset is given.

    Example: shoal competition exclude-period main --from 2026-03-01T18:00Z --until 2026-03-01T19:30Z
    --token-file admin.token
    """
    first, last = moment_of("--from", begin) or 0, moment_of("--until", until) or 0
    _steer(
        server,
        tls,
        token_file,
        competition,
        lambda c: c.competitions.exclude_period(competition, first, last, why),
        json=json,
    )


@app.command()
def force(
    competition: Id,
    *,
    bots: Annotated[
        str, typer.Option("--bots", metavar="IDS", help="The bots, by id, with commas between.")
    ],
    ruleset: Annotated[
        str, typer.Option("--ruleset", help="Without it the first of the competition.")
    ] = "",
    why: Why = "",
    server: Server = SERVER,
    token_file: AdminTokenFile = TOKEN_FILE,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """Let a block of these bots begin next; in a tournament one that is due. A pause takes it back.

    Example: shoal competition force main
    --bots 0a0199f5c1a2b30123456789abcdef,1b0199f5c1a2b30123456789abcdef --token-file admin.token
    """
    ids = [each.strip() for each in bots.split(",")]
    made = _ask(
        server,
        tls,
        token_file,
        lambda c: c.competitions.force_pairing(competition, ids, ruleset, why),
        missing=SEE_ALL,
    )
    if json:
        say_json(made)
    else:
        say(made.block_key)
        note(f"block {made.block_key} begins next, {'rated' if made.rated else 'not rated'}")


@app.command()
def actions(
    competition: Id,
    *,
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many.")] = None,
    server: Server = SERVER,
    token_file: AdminTokenFile = TOKEN_FILE,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """List who did what to it, when and why, the latest first; `-` lists what belongs to none.

    Example: shoal competition actions main --token-file admin.token
    """

    async def work(client: Client) -> tuple[list[pb.Action], Names]:
        found = await client.competitions.actions(competition, limit)
        return found, await names_of(client, (each.detail or each.who for each in found))

    found, names = _ask(server, tls, token_file, work)
    if json:
        say_json(found)
    else:
        show_actions(found, names)


def _steer(
    server: str,
    tls: bool,
    token_file: Path,
    competition: str,
    call: Callable[[Client], Awaitable[pb.Competition]],
    *,
    json: bool,
    missing: str = SEE,
) -> None:
    """Make a call, and show how the competition stands after it; say if it stood so before."""

    async def work(client: Client) -> tuple[pb.Competition, Names, bool]:
        before = None
        with suppress(ShoalError):  # what is wrong is said by the call itself
            before = await client.competitions.get(competition)
        found = await call(client)
        same = before is not None and decided(before) == decided(found)
        return found, await names_of(client, _bots_of(found)), same

    found, names, was_so = _ask(server, tls, token_file, work, missing)
    if was_so:
        note("nothing has changed: it was so already")
    if json:
        say_json(found)
    else:
        show_competition(found, names)


def _bots_of(found: pb.Competition) -> list[str]:
    """Return the ids of the bots about which something was decided."""
    excluded = [each.bot_id for each in found.excluded_bots]
    return [*excluded, *(each.bot_id for each in found.excluded_periods)]


def _ask(
    server: str,
    tls: bool,
    token_file: Path,
    work: Callable[[Client], Awaitable[T]],
    missing: str = SEE,
) -> T:
    """Return what a call to the server returns; `missing` is where to look for what is not there."""
    token = read_token(token_file, MADE_FOR_ADMINS)

    async def ask() -> T:
        async with connect(server, token, tls=tls, missing=missing) as client:
            return await work(client)

    return asyncio.run(ask())
