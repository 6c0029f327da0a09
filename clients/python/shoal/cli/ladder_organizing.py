"""The commands by which a ladder is made, looked at, explained and ended."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Annotated, Final, TypeAlias, TypeVar

import typer

from shoal.cli.competition_file import as_written, end_with, problems_of, read_ladder_file
from shoal.cli.ladder_view import show_ladder
from shoal.cli.names import Names, names_of
from shoal.cli.options import (
    MADE_FOR_ADMINS,
    SERVER,
    TOKEN_FILE,
    AdminTokenFile,
    AsJson,
    Ladder,
    OrganizerTokenFile,
    Server,
    Tls,
    read_token,
)
from shoal.cli.output import fail, note, say, say_json
from shoal.cli.remote import connect
from shoal.cli.tournament_view import show_explanations
from shoal.client import Client, pb
from shoal.competition import document
from shoal.competition.specification import PLAIN, Specification
from shoal.competition.specification import Ladder as LadderFormat
from shoal.wire.ladders import ladder_specification_message
from shoal.wire.tournaments import with_ids

T = TypeVar("T")

MAIN: Final = "main"

SEE: Final = (
    "`shoal ladder list` shows the ladders, `shoal ladder standings` the bots of one and "
    "`shoal match list` matches; bots and matches are given by their ids"
)

_OPTIONS: Final = {
    "name": "--name",
    "rulesets": "--rulesets",
    "seats": "--seats",
    "format.stopping.minutes": "--minutes",
    "format.official": "--official",
}
"""What a problem with a field is called where the field was given by an option."""

OneLadder: TypeAlias = Annotated[
    str, typer.Option("--ladder", envvar="SHOAL_LADDER", metavar="NAME", help="Which ladder.")
]


def create(  # noqa: PLR0913 - one for each option
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="The ladder, as TOML.", show_default=False),
    ] = None,
    *,
    name: Annotated[
        str, typer.Option(metavar="NAME", help="Its name, such as weekly.", show_default=False)
    ] = "",
    rulesets: Annotated[
        str, typer.Option(metavar="NAMES", help="What is played, with commas between.")
    ] = "base",
    seats: Annotated[
        str, typer.Option(metavar="SIZES", help="The sizes of the tables, with commas between.")
    ] = "2",
    casual: Annotated[bool, typer.Option("--casual", help="Rate no match.")] = False,
    minutes: Annotated[
        int | None, typer.Option(min=1, help="End it after so many minutes.", show_default="never")
    ] = None,
    official: Annotated[
        str,
        typer.Option(
            metavar="plain|adjusted", help="Which rating standings go by: adjusted is without luck."
        ),
    ] = PLAIN,
    server: Server = SERVER,
    token_file: AdminTokenFile = TOKEN_FILE,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """Create a ladder, as an organizer.

    From a file, which can say everything: time control, who may join, start and end, when it stops by
    itself. Or by options, which say the most usual. It begins at once unless the file says when. Its name
    is printed; bots join with `shoal ladder join`.

    Example: shoal ladder create --name weekly --seats 2,3,4 --token-file admin.token
    """
    given = [name, minutes is not None, casual, rulesets != "base", seats != "2"]
    given.append(official != PLAIN)
    if file is not None and any(given):
        fail("give a file or options, not both: the file says everything")
    if file is None and not name:
        fail("give a file, such as weekly.toml, or --name")
    if file is not None:
        specification = read_ladder_file(file)
    else:
        specification = _of_options(
            name, rulesets, seats, minutes, casual=casual, official=official
        )

    async def work(client: Client) -> pb.Ladder:
        ids = {}
        form = specification.format
        if specification.entry.invited or (isinstance(form, LadderFormat) and form.anchors):
            ids = {bot.name: bot.bot_id for bot in await client.list_bots()}
        message = ladder_specification_message(with_ids(specification, ids))
        with as_written(file or "", str if file else _option):
            return await client.ladders.create(message)

    made = _ask(server, tls, work, token_file)
    if json:
        say_json(made)
    else:
        say(made.ladder_id)


def show(
    *, ladder: Ladder = MAIN, server: Server = SERVER, tls: Tls = False, json: AsJson = False
) -> None:
    """Show what a ladder plays, how far it is and when it ends.

    Example: shoal ladder show --ladder weekly
    """

    async def work(client: Client) -> tuple[pb.Ladder, Names]:
        found = await client.ladders.get(ladder)
        anchors = (each.bot_id for each in found.specification.anchors)
        return found, await names_of(client, anchors)

    found, names = _ask(server, tls, work)
    if json:
        say_json(found)
    else:
        show_ladder(found, names)


def end(
    *,
    ladder: OneLadder,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="Why, for people.")] = "",
    server: Server = SERVER,
    token_file: AdminTokenFile = TOKEN_FILE,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """End a ladder, as an organizer.

    No further tables are made, those in play are played to their end, and its standings stay.

    Example: shoal ladder end --ladder weekly --token-file admin.token
    """
    found = _ask(server, tls, lambda client: client.ladders.end(ladder, why), token_file)
    if json:
        say_json(found)
    else:
        note(f"the ladder {ladder} ends: {found.open_blocks} blocks are still played")


def explain(
    *,
    ladder: Ladder = MAIN,
    bot: Annotated[
        str, typer.Option("--bot", metavar="ID", help="Which bot; without it everybody.")
    ] = "",
    match: Annotated[
        str, typer.Option("--match", metavar="ID", help="Only why there is this match.")
    ] = "",
    server: Server = SERVER,
    token_file: OrganizerTokenFile = None,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """Say why bots sit at their tables, and what those wait for who sit at none.

    Where names are hidden, tables in play are shown to an organizer alone, with --token-file.

    Example: shoal ladder explain --ladder weekly
    """

    async def work(client: Client) -> tuple[Sequence[pb.Explanation], pb.Ladder, Names]:
        found = await client.ladders.explain(ladder, bot, match)
        names = (
            {} if json else await names_of(client, (each for one in found for each in one.bot_ids))
        )
        return found, await client.ladders.get(ladder), names

    found, about, names = _ask(server, tls, work, token_file)
    if about.specification.names_hidden and token_file is None:
        note("names are hidden here: tables in play are shown to an organizer, with --token-file")
    if json:
        say_json(found)
    elif found:
        show_explanations(found, names)
    else:
        note(f"nobody has joined the ladder {ladder}")


def _of_options(
    name: str, rulesets: str, seats: str, minutes: int | None, *, casual: bool, official: str
) -> Specification:
    """Return the ladder that options ask for; end with what is wrong with them."""
    form: dict[str, object] = {"kind": "ladder", "official": official}
    if minutes is not None:
        form["stopping"] = {"minutes": minutes}
    reading = document.read(
        {
            "name": name,
            "rulesets": [each.strip() for each in rulesets.split(",")],
            "seats": [_size(each) for each in seats.split(",")],
            "rated": not casual,
            "format": form,
        }
    )
    problems = [_by_option(problem) for problem in problems_of(reading)]
    if problems:
        end_with("", problems)
    return reading.specification


def _size(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        fail(f"--seats: {text.strip()!r} is no size of a table: give numbers like 2,3,4")


def _by_option(problem: str) -> str:
    """Return a problem with the option that it is about for the path of its field."""
    path, _, message = problem.partition(": ")
    return f"{_option(path)}: {message}"


def _option(path: str) -> str:
    """Return the option by which a field was given, or its path where there is none."""
    return _OPTIONS.get(path.partition("[")[0], path)


def _ask(
    server: str,
    tls: bool,
    work: Callable[[Client], Awaitable[T]],
    token_file: Path | None = None,
) -> T:
    """Return what a call to the server returns."""
    token = None if token_file is None else read_token(token_file, MADE_FOR_ADMINS)

    async def ask() -> T:
        async with connect(server, token, tls=tls, missing=SEE) as client:
            return await work(client)

    return asyncio.run(ask())


COMMANDS: Sequence[Callable[..., None]] = (show, explain, create, end)
