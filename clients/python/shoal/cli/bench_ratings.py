"""`shoal bench ratings`: whether published ratings hold what they say, by the server package."""

from typing import Annotated

import typer

from shoal.cli.options import AsJson
from shoal.cli.server import run_in_server


def bench_ratings(  # noqa: PLR0913 - one for each flag
    *,
    sizes: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SIZES",
            help="Ladders with these table sizes, like 2,3,4; may be repeated. Without it there are "
            "ladders of 2, of 4, and of 2, 3 and 4.",
        ),
    ] = None,
    ladders: Annotated[
        int, typer.Option(min=0, help="How many ladders of each kind and pairing; 0: none.")
    ] = 40,
    bots: Annotated[int, typer.Option(min=4, max=200, help="How many bots a ladder has.")] = 20,
    blocks: Annotated[
        int, typer.Option(min=4, help="How many blocks each of them plays on average.")
    ] = 20,
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
    ] = 1000,
    seed: Annotated[int, typer.Option(help="What every strength and outcome follow from.")] = 1,
    rated_bots: Annotated[
        int, typer.Option(min=4, help="How many bots the cost is measured with.")
    ] = 500,
    rated_blocks: Annotated[
        int, typer.Option(min=0, help="With how many blocks; 0: it is not measured.")
    ] = 100_000,
    json: AsJson = False,
) -> None:
    """Measure the published ratings.

    How many of the 95 % intervals hold the truth in simulated ladders, whether ratings depend on who
    makes the tables, and what a large table costs. What the figures mean is in docs/ratings.md. By
    default it takes a quarter of an hour.

    Example: shoal bench ratings --sizes 2 --ladders 10 --json
    """
    run_in_server(
        "bench_ratings",
        door="ratings_cli",
        kinds=sizes or [],
        ladders=ladders,
        bots=bots,
        blocks=blocks,
        outcomes=outcomes,
        real_matches=real_matches,
        seed=seed,
        rated_bots=rated_bots,
        rated_blocks=rated_blocks,
        json=json,
    )
