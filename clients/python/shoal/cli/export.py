"""`export` of ladders and tournaments: results, pairings and ratings as JSON lines."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TextIO, TypeAlias

import typer

from shoal.cli.export_lines import line_of
from shoal.cli.files import cannot_read, cannot_write
from shoal.cli.options import (
    MADE_FOR_ADMINS,
    SEE_LADDERS,
    SERVER,
    Ladder,
    OrganizerTokenFile,
    Server,
    Tls,
    read_token,
)
from shoal.cli.output import Json, fail, note
from shoal.cli.remote import connect

SEE_TOURNAMENTS = "`shoal tournament list` shows those that there are"

Since: TypeAlias = Annotated[
    str,
    typer.Option(
        "--since",
        metavar="TOKEN",
        help="Only what was counted since an earlier export: the `next` of its last line, or its file.",
    ),
]
Out: TypeAlias = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="Write here, when all has come, and not to stdout."),
]
Force: TypeAlias = Annotated[bool, typer.Option("--force", help="Overwrite FILE.")]


def export_ladder(
    *,
    ladder: Ladder = "main",
    since: Since = "",
    out: Out = None,
    force: Force = False,
    server: Server = SERVER,
    token_file: OrganizerTokenFile = None,
    tls: Tls = False,
) -> None:
    """Print results, pairings and ratings as JSON lines.

    Each line has a type: head, result, pairing, rating, end. Without an end it is not complete. The page
    docs/export.md says what is in them. Where names are hidden, blocks in play are for an organizer alone,
    with --token-file.

    Example: shoal ladder export --ladder main --out main.jsonl
    """
    _export(ladder, since, out, SEE_LADDERS, server, token_file, force=force, tls=tls)


def export_tournament(
    tournament: Annotated[str, typer.Argument(metavar="ID", help="Which tournament.")],
    *,
    since: Since = "",
    out: Out = None,
    force: Force = False,
    server: Server = SERVER,
    token_file: OrganizerTokenFile = None,
    tls: Tls = False,
) -> None:
    """Print results, pairings and ratings as JSON lines.

    Each line has a type: head, result, pairing, rating, end. Without an end it is not complete. The page
    docs/export.md says what is in them. Where names are hidden, blocks in play are for an organizer alone,
    with --token-file.

    Example: shoal tournament export 0a0199f5c1a2b30123456789abcdef --out cup.jsonl
    """
    _export(tournament, since, out, SEE_TOURNAMENTS, server, token_file, force=force, tls=tls)


def _export(
    competition: str,
    since: str,
    out: Path | None,
    missing: str,
    server: str,
    token_file: Path | None,
    *,
    force: bool,
    tls: bool,
) -> None:
    begin = _token(since)
    token = None if token_file is None else read_token(token_file, MADE_FOR_ADMINS)

    async def lines() -> AsyncIterator[dict[str, Json]]:
        async with connect(server, token, tls=tls, missing=missing) as client:
            async for line in client.exports.lines(competition, begin):
                yield line_of(line, competition)

    async def write(stream: TextIO) -> dict[str, Json]:
        last: dict[str, Json] = {}
        async for last in lines():
            stream.write(f"{json.dumps(last, ensure_ascii=False)}\n")
        if last.get("type") != "end":
            fail("the export broke off: what has come is not complete, ask again")
        return last

    if out is None:
        asyncio.run(write(sys.stdout))
        return
    with _whole(out, force=force) as stream:
        last = asyncio.run(write(stream))
    note(
        f"{out}: {last['results']} results, {last['pairings']} pairings, {last['ratings']} ratings"
    )


@contextmanager
def _whole(out: Path, *, force: bool) -> Iterator[TextIO]:
    """Give a stream whose text is in the file `out` if the context ends well, and nowhere else."""
    if out.exists() and not force:
        fail(f"--out {out} exists already: --force overwrites it")
    part = out.with_name(f"{out.name}.part")
    try:
        with part.open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(out)
    except OSError as error:
        cannot_write(f"--out {out}", error)
    finally:
        part.unlink(missing_ok=True)


def _token(since: str) -> str:
    """Return the token that `--since` names: itself, or the end of a file."""
    if not since or not Path(since).is_file():
        return since
    last = ""
    try:
        with Path(since).open(encoding="utf-8") as lines:
            for line in lines:
                last = line
        end = json.loads(last)
        return str(end["next"])
    except OSError as error:
        cannot_read(f"--since {since}", error)
    except (ValueError, KeyError, TypeError):
        fail(f"--since {since}: its last line is not the end of an export: name a whole one")
