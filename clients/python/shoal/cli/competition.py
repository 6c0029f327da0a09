"""`shoal competition`: a ladder or a tournament that runs, in the hand of its organizer."""

from typing import Annotated

import typer

from shoal.cli.competition_calls import SEE_ALL, Id, ask, bots_of, steer
from shoal.cli.competition_ruling import exclude, exclude_period, readmit
from shoal.cli.competition_view import show_actions, show_competition, show_open_blocks
from shoal.cli.names import Names, names_of
from shoal.cli.options import (
    SERVER,
    TOKEN_FILE,
    AdminTokenFile,
    AsJson,
    Server,
    Tls,
    Why,
)
from shoal.cli.output import note, say, say_json
from shoal.client import Client, pb

app = typer.Typer(
    no_args_is_help=True,
    help="Steer a ladder or a tournament that runs, as its organizer.",
)


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
        return found, await names_of(client, bots_of(found))

    found, names = ask(server, tls, token_file, work)
    if json:
        say_json(found)
    else:
        show_competition(found, names)


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
    steer(
        server,
        tls,
        token_file,
        competition,
        lambda c: c.competitions.pause(competition, why),
        json=json,
    )


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
    steer(
        server,
        tls,
        token_file,
        competition,
        lambda c: c.competitions.resume(competition, why),
        json=json,
    )


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
        return found, await names_of(client, bots_of(found.competition))

    found, names = ask(server, tls, token_file, work)
    if json:
        say_json(found)
    else:
        show_competition(found.competition, names)
        show_open_blocks(found.open_block_keys)


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
    made = ask(
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

    found, names = ask(server, tls, token_file, work)
    if json:
        say_json(found)
    else:
        show_actions(found, names)


for command in (show, pause, resume, drain, exclude, readmit, exclude_period, force, actions):
    app.command()(command)
