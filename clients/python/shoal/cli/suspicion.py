"""`shoal ladder suspicion` and `shoal bench suspicion`, by the server package."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from shoal.cli.files import must_be_readable
from shoal.cli.options import AsJson
from shoal.cli.server import run_in_server

Rate: TypeAlias = Annotated[
    float,
    typer.Option(
        min=0.0001,
        max=0.5,
        help="What part of the findings may be false; so many honest ladders have any.",
    ),
]


def ladder_suspicion(
    export: Annotated[
        Path, typer.Argument(metavar="EXPORT", help="A file of `shoal ladder export --out`.")
    ],
    *,
    rate: Rate = 0.05,
    hours: Annotated[
        int, typer.Option(min=1, max=8760, help="How many hours a period has; in UTC.")
    ] = 24,
    json: AsJson = False,
) -> None:
    """Show what no strength explains.

    Whether a bot does better when a certain other one sits at its table, and which bots and days do not fit.
    It accuses nobody, and changes nothing: each finding has the commands with which an organizer, after a
    look at the matches, can let results not count. docs/ratings.md says what it means.

    Example: shoal ladder suspicion main.jsonl
    """
    must_be_readable(export)
    run_in_server(
        "ladder_suspicion", door="ratings_cli", export=export, rate=rate, hours=hours, json=json
    )


def bench_suspicion(  # noqa: PLR0913 - one for each flag
    *,
    sizes: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SIZES",
            help="Ladders with these table sizes, like 2,3,4; may be repeated. Without it there are "
            "ladders of 2, of 4, and of 2, 3 and 4.",
        ),
    ] = None,
    ladders: Annotated[int, typer.Option(min=1, help="How many ladders of each kind.")] = 40,
    bots: Annotated[int, typer.Option(min=8, max=200, help="How many bots a ladder has.")] = 20,
    blocks: Annotated[int, typer.Option(min=10, help="How many blocks each of them plays.")] = 60,
    rate: Rate = 0.05,
    outcomes: Annotated[
        str,
        typer.Option(
            metavar="model|engine",
            help="Outcomes are drawn from the rating model, or from real matches of the baselines.",
        ),
    ] = "model",
    real_matches: Annotated[
        int,
        typer.Option(min=1, help="With engine: about how many are played for each table size."),
    ] = 600,
    seed: Annotated[int, typer.Option(help="What every strength and outcome follow from.")] = 1,
    json: AsJson = False,
) -> None:
    """Measure suspicion.

    How many honest ladders have findings, and how soon a support bot and a broken machine are found. What
    the figures mean is in docs/ratings.md.

    Example: shoal bench suspicion --sizes 4 --ladders 10 --json
    """
    run_in_server(
        "bench_suspicion",
        door="ratings_cli",
        kinds=sizes or [],
        ladders=ladders,
        bots=bots,
        blocks=blocks,
        rate=rate,
        outcomes=outcomes,
        real_matches=real_matches,
        seed=seed,
        json=json,
    )
