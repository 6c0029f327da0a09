"""`recompute` of ladders and tournaments: the published table of an export, by the server package."""

import re
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from shoal.cli.files import must_be_readable
from shoal.cli.options import AsJson
from shoal.cli.output import fail
from shoal.cli.server import run_in_server

Export: TypeAlias = Annotated[
    Path, typer.Argument(metavar="EXPORT", help="A file of `export --out`, all of it.")
]
Without: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--without",
        metavar="ID",
        help="As if a match had not been, or all of a bot; may be repeated.",
    ),
]


def recompute_ladder(export: Export, *, without: Without = None, json: AsJson = False) -> None:
    """Work out the published table of an export.

    From the results in it alone, to the digit as the server does. If the export has a published table, it is
    held against its results: exit code 1 says that it differs. docs/ratings.md says what the numbers mean.

    Example: shoal ladder recompute main.jsonl
    """
    _recompute(export, without or [], json=json)


def recompute_tournament(export: Export, *, without: Without = None, json: AsJson = False) -> None:
    """Work out the published table of an export.

    From the results in it alone, to the digit as the server does. If the export has a published table, it is
    held against its results: exit code 1 says that it differs. docs/ratings.md says what the numbers mean.

    Example: shoal tournament recompute cup.jsonl
    """
    _recompute(export, without or [], json=json)


def _recompute(export: Path, without: list[str], *, json: bool) -> None:
    must_be_readable(export)
    for each in without:
        if not re.fullmatch(r"[0-9a-f]{30}", each):
            fail(
                f"--without {each!r}: matches and bots are given by their ids, as {export} has them"
            )
    run_in_server("recompute", door="ratings_cli", export=export, without=without, json=json)
