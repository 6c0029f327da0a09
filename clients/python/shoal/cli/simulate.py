"""`shoal ladder simulate`: weeks of a ladder in minutes, by the server package."""

from typing import Annotated

import typer

from shoal.cli.options import AsJson
from shoal.cli.server import run_in_server


def simulate(  # noqa: PLR0913 - one for each flag
    *,
    bots: Annotated[int, typer.Option(min=2, max=2000, help="How many bots.")] = 50,
    days: Annotated[
        float, typer.Option(min=0, help="How many days of its own it runs; 0: until --blocks.")
    ] = 7.0,
    blocks: Annotated[
        int, typer.Option(min=0, help="It ends after so many blocks, if that is earlier; 0: never.")
    ] = 0,
    seed: Annotated[
        int, typer.Option(help="What every strength, crash and outcome follow from.")
    ] = 1,
    slow: Annotated[
        float,
        typer.Option(
            min=0, max=1, help="The part of the bots whose matches take 10 times as long."
        ),
    ] = 0.1,
    crashing: Annotated[
        float,
        typer.Option(min=0, max=1, help="The part that does not come to one match in 100."),
    ] = 0.1,
    churn: Annotated[
        float,
        typer.Option(min=0, max=1, help="The part that comes later and is away for a while."),
    ] = 0.2,
    owners: Annotated[
        int, typer.Option(min=0, help="How many owners have them; 0: each bot its own.")
    ] = 0,
    sizes: Annotated[
        str, typer.Option(metavar="SIZES", help="The table sizes, with commas between.")
    ] = "2,3,4",
    drift: Annotated[
        float,
        typer.Option(min=0, help="By how many points a strength changes in a day, as a deviation."),
    ] = 0.0,
    at_once: Annotated[
        int,
        typer.Option(min=1, max=100, help="At how many tables a bot sits at once, at the most."),
    ] = 2,
    match_seconds: Annotated[
        float, typer.Option(min=1, help="How long a match of two plain bots takes.")
    ] = 60.0,
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
    json: AsJson = False,
) -> None:
    """Simulate a ladder on a fake clock.

    The real scheduler and ratings, with bots of known strength that are slow, crash, come and go. Needs
    the server package, but no server. What the figures mean is in docs/competitions.md.

    Example: shoal ladder simulate --bots 50 --days 7 --json
    """
    run_in_server(
        "simulate",
        bots=bots,
        days=days,
        blocks=blocks,
        seed=seed,
        slow=slow,
        crashing=crashing,
        churn=churn,
        owners=owners,
        sizes=sizes,
        drift=drift,
        at_once=at_once,
        match_s=match_seconds,
        outcomes=outcomes,
        real_matches=real_matches,
        json=json,
    )
