"""`shoal backup` and `shoal restore`: everything that a private Redis and its archive have."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from shoal.cli.options import AsJson
from shoal.cli.server import run_in_server

DataDir: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        envvar="SHOAL_DATA_DIR",
        metavar="DIR",
        help="Where the private Redis keeps its data; by default your state directory.",
    ),
]
ArchiveDir: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        envvar="SHOAL_ARCHIVE_DIR", metavar="DIR", help="Where finished matches are kept as files."
    ),
]


def backup(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="A folder that is not there yet.")],
    *,
    data_dir: DataDir = None,
    archive_dir: ArchiveDir = None,
    without_archive: Annotated[
        bool, typer.Option("--without-archive", help="Leave the archive out: you copy it yourself.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Back up a private Redis and its archive.

    While the server plays, or without it: all that there was at one moment. Matches, bots, tokens, ladders,
    tournaments, results. docs/operations.md says what to do with a Redis of your own.

    Example: shoal backup /var/backups/shoal-2026-11-30
    """
    run_in_server(
        "backup",
        out=out,
        data_dir=data_dir,
        archive_dir=archive_dir,
        without_archive=without_archive,
        json=json,
    )


def restore(
    backup: Annotated[Path, typer.Argument(metavar="BACKUP", help="What `shoal backup` has made.")],
    *,
    data_dir: DataDir = None,
    archive_dir: ArchiveDir = None,
    json: AsJson = False,
) -> None:
    """Put a backup into folders without a store.

    It is checked first, and nothing is overwritten. Then start `shoal serve` on these folders.

    Example: shoal restore /var/backups/shoal-2026-11-30 --data-dir /var/lib/shoal/data
    """
    run_in_server("restore", backup=backup, data_dir=data_dir, archive_dir=archive_dir, json=json)
