"""The commands by which an organizer says who is paired, and which results count."""

from typing import Annotated

import typer

from shoal.cli.competition_calls import SEE_ALL, Bot, Id, steer
from shoal.cli.moments import moment_of
from shoal.cli.options import (
    SERVER,
    TOKEN_FILE,
    AdminTokenFile,
    AsJson,
    Server,
    Tls,
    Why,
)


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
    steer(
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
    steer(
        server,
        tls,
        token_file,
        competition,
        lambda c: c.competitions.readmit_bot(competition, bot, why, restore_results=restore),
        json=json,
        missing=SEE_ALL,
    )


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
    steer(
        server,
        tls,
        token_file,
        competition,
        lambda c: c.competitions.exclude_period(competition, first, last, why),
        json=json,
    )
