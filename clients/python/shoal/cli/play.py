"""`shoal play`: a game at the terminal, against bots, without a server."""

import secrets
import shlex
from typing import Annotated

import typer

from shoal.cli.output import fail
from shoal.cli.spec import bot_for, ruleset_named

NEW_SEEDS = 1_000_000
"""A seed that is not given is less than this, so that it can be typed again."""


def play(
    *,
    against: Annotated[
        str,
        typer.Option(
            metavar="BOT,BOT",
            help="One to three opponents: random, greedy, planner, or path.py:MyBot.",
        ),
    ] = "greedy",
    rules: Annotated[str, typer.Option("--ruleset", help="The ruleset to play.")] = "base",
    seed: Annotated[
        int | None,
        typer.Option(
            min=0, max=2**64 - 1, metavar="N", help="Deal the cards of this number again."
        ),
    ] = None,
    seat: Annotated[int, typer.Option(min=0, max=3, metavar="N", help="Where you sit.")] = 0,
) -> None:
    """Play at the terminal.

    You against bots, with the rules of the arena, and without a server. It says what your cards are
    worth and why; ? explains the game.

    Example: shoal play --against greedy,planner
    """
    specs = [part for part in map(str.strip, against.split(",")) if part]
    if not 1 <= len(specs) <= 3:
        fail(f"--against takes one to three bots, separated by commas, not {len(specs)}")
    if seat > len(specs):
        fail(f"--seat {seat}: this table has the seats 0 to {len(specs)}")
    chosen = ruleset_named(rules)
    dealt = secrets.randbelow(NEW_SEEDS) if seed is None else seed
    bots = [bot_for(spec, chosen, len(specs) + 1, f"{dealt}/{n}") for n, spec in enumerate(specs)]
    from shoal.cli.game.local import play_match

    options = {"against": ",".join(specs), "ruleset": rules, "seed": dealt, "seat": seat}
    words = (f"--{option}={value}" for option, value in options.items())
    play_match(bots, chosen, dealt, seat, again=shlex.join(["shoal", "play", *words]))
