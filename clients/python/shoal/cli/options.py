"""Options that several commands share: where the server is, and which token to speak with."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from shoal.cli.files import cannot_read
from shoal.cli.output import fail
from shoal.client.channel import DEFAULT_SERVER

TOKEN_FILE = Path("bot.token")

Server: TypeAlias = Annotated[
    str,
    typer.Option(
        "--server",
        envvar="SHOAL_SERVER",
        metavar="HOST:PORT",
        help="Where the server is: host:port, or https://host for TLS. Several of one arena with commas "
        "between: the first that answers, and `bot run` goes on at the next when one ends.",
    ),
]

Tls: TypeAlias = Annotated[
    bool, typer.Option("--tls", envvar="SHOAL_TLS", help="Speak TLS, as https:// does.")
]

TokenFile: TypeAlias = Annotated[
    Path,
    typer.Option(
        "--token-file",
        envvar="SHOAL_TOKEN_FILE",
        metavar="FILE",
        help="The file with the bot's token, which `shoal bot register` writes.",
    ),
]

AdminTokenFile: TypeAlias = Annotated[
    Path,
    typer.Option(
        "--token-file",
        envvar="SHOAL_TOKEN_FILE",
        metavar="FILE",
        help="The file with an admin token: `shoal serve` shows that of a new store.",
    ),
]

OrganizerTokenFile: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--token-file",
        envvar="SHOAL_TOKEN_FILE",
        metavar="FILE",
        help="A file with an admin token, where names are hidden: an organizer sees them.",
    ),
]

ReaderTokenFile: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--token-file",
        envvar="SHOAL_TOKEN_FILE",
        metavar="FILE",
        help="A file with a token, for why a bot is excluded: its owner and organizers are told.",
    ),
]

Ladder: TypeAlias = Annotated[
    str, typer.Option("--ladder", envvar="SHOAL_LADDER", metavar="NAME", help="Which ladder.")
]

Why: TypeAlias = Annotated[str, typer.Option("--why", metavar="TEXT", help="Why, for people.")]

WithParent: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--with-parent",
        hidden=True,
        help="End when standard input is closed: with whoever started it, however that ends.",
    ),
]

AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]

SERVER = DEFAULT_SERVER

SEE_BOTS = "a bot is given by its id, not its name; `shoal bot list` shows both"
SEE_BOTS_OF_LADDERS = (
    "`shoal ladder list` shows the ladders; a bot is given by its id, which `shoal bot list` shows"
)
SEE_LADDERS = "`shoal ladder list` shows those that there are"
SEE_MATCHES = "`shoal match list` shows the ids"
"""Where to look for what a server did not find."""


MADE_FOR_BOTS = "name the one that has yours, or make one with `shoal bot register NAME`"
MADE_FOR_ADMINS = (
    "name yours with --token-file; `shoal serve --admin-token-file FILE` writes that of a new store"
)
"""Where a token comes from."""


def one_of(word: str, option: str) -> str:
    """Return the bot that was given as a word or with --bot, "" if it was given by neither."""
    if word and option and word != option:
        fail("give the bot once: as a word, or with --bot")
    return word or option


def read_token(path: Path, origin: str = MADE_FOR_BOTS) -> str:
    """Return the token in a file; `origin` is said where there is none."""
    try:
        token = path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        fail(f"{path}: no such token file: {origin}")
    except OSError as error:
        cannot_read(path, error)
    except UnicodeDecodeError:
        token = ""
    if not token or not token.isprintable() or len(token.split()) != 1:
        fail(
            f"{path}: not a token file, which holds one word: name the one that "
            "`shoal bot register` wrote"
        )
    return token
