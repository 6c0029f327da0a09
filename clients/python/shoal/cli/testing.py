"""`shoal test`: is B better than A? And `shoal bench test`: how often such a test is wrong."""

import secrets
import shlex
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from shoal.cli.comparison.course import Course
from shoal.cli.comparison.crew import cores
from shoal.cli.comparison.kept import Asked, open_kept, read_asked, read_rows
from shoal.cli.comparison.loading import Loader
from shoal.cli.comparison.model import Drawn
from shoal.cli.comparison.plan import Plan
from shoal.cli.comparison.rehearsal import Pool, model_pools, rehearse
from shoal.cli.comparison.run import run_course
from shoal.cli.comparison.scoring import ADJUSTED, ADJUSTED_SEATS, PLAIN
from shoal.cli.comparison.tilt import UnreachableError
from shoal.cli.comparison.view import result_json, show
from shoal.cli.interrupt import INTERRUPTED
from shoal.cli.options import AsJson
from shoal.cli.output import fail, note, say_json, say_table
from shoal.cli.play import NEW_SEEDS
from shoal.cli.server import bench
from shoal.cli.spec import check_plays, ruleset_named
from shoal.sequential import BadRule, Rule, Scale, expected_blocks, least_blocks

_FEWEST = 100
"""Of fewer blocks than these nothing is drawn."""

_LONG = 10_000
"""A test of more blocks than these is said to be long before it begins."""

Elo0 = Annotated[float, typer.Option(metavar="ELO", help="H0: B is only so much better than A.")]
Elo1 = Annotated[float, typer.Option(metavar="ELO", help="H1: B is so much better than A.")]
Alpha = Annotated[
    float, typer.Option(metavar="RATE", help="How often H1 may be accepted though H0 is true.")
]
Beta = Annotated[
    float, typer.Option(metavar="RATE", help="How often H0 may be accepted though H1 is true.")
]


def is_better(  # noqa: PLR0913 - one for each flag
    a: Annotated[
        str,
        typer.Argument(
            metavar="A", help="What is there: path.py:MyBot, package.module:MyBot, or a baseline."
        ),
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="What may be better, as A.")],
    *,
    against: Annotated[
        str,
        typer.Option(
            metavar="BOT,BOT",
            help="A field that both play against; without it they meet each other, in two seats.",
        ),
    ] = "",
    rules: Annotated[str, typer.Option("--ruleset", help="The ruleset to play.")] = "base",
    seats: Annotated[int, typer.Option(min=2, max=4, help="Seats at the table.")] = 2,
    elo0: Elo0 = 0.0,
    elo1: Elo1 = 50.0,
    alpha: Alpha = 0.05,
    beta: Beta = 0.05,
    max_blocks: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="End undecided after so many blocks.")
    ] = None,
    blocks: Annotated[
        int | None,
        typer.Option(min=3, metavar="N", help="No test: play so many blocks, and say an interval."),
    ] = None,
    plain: Annotated[
        bool,
        typer.Option(
            "--plain",
            help="Decide by what was won; else, in two seats, by what of it was not the cards' luck.",
        ),
    ] = False,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=2**64 - 1,
            metavar="N",
            help="What all deals follow from; the file of --state has its own.",
        ),
    ] = None,
    state: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep what was played here, and go on with it."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, max=256, metavar="N", help="Processes that play; one for each core."),
    ] = None,
    json: AsJson = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Do not say how it goes while it runs.")
    ] = False,
) -> None:
    """Say whether B is better than A.

    Plays them on this machine, without a server, until the question is decided, or Ctrl-C. What is played,
    what the numbers mean and how often it is wrong is in docs/testing.md.

    Example: shoal test old.py:MyBot new.py:MyBot --against greedy,planner --elo0 0 --elo1 30
    """
    field = tuple(part for part in map(str.strip, against.split(",")) if part)
    if not field and seats > 2:
        fail(f"--seats {seats}: A and B alone are a table of two: --against names others")
    rule = None if blocks is not None else _rule(elo0, elo1, alpha, beta)
    if blocks is not None and max_blocks is not None:
        fail("--max-blocks is for a test, and --blocks is none: give one of them")
    chosen = ruleset_named(rules)
    loader, files = Loader(), {}
    for spec in dict.fromkeys((a, b, *field)):
        bot, files[spec] = loader.load(spec)
        check_plays(bot, spec, chosen, seats)
    kept_seed = _kept_seed(state)
    if seed is None:
        seed = secrets.randbelow(NEW_SEEDS) if kept_seed is None else kept_seed
    plan = Plan(a, b, field, chosen.name, seats, seed)
    asked = Asked(plan, rule, files, PLAIN if plain or seats != ADJUSTED_SEATS else ADJUSTED)
    if rule is not None:
        _check_reach(rule, asked.scale, max_blocks)
    kept = None if state is None else open_kept(state, asked)
    course = Course(asked.scale, rule, max_blocks if blocks is None else blocks)
    try:
        interrupted = run_course(plan, course, kept, workers or cores(), quiet=quiet)
    finally:
        if kept is not None:
            kept.close()
    if json:
        say_json(result_json(plan, course, interrupted=interrupted, state=str(state or "")))
    else:
        show(plan, course)
    if interrupted:
        note(
            "interrupted, and not kept: with --state FILE a test goes on where it was"
            if state is None
            else f"interrupted; it goes on with: {_again(asked, max_blocks, blocks, state)}"
        )
        raise typer.Exit(INTERRUPTED)


def _rule(elo0: float, elo1: float, alpha: float, beta: float) -> Rule:
    try:
        return Rule(elo0, elo1, alpha, beta)
    except BadRule as error:
        fail(f"--{error}")


def _kept_seed(state: Path | None) -> int | None:
    """Return the seed of a test that goes on."""
    kept = None if state is None else read_asked(state)
    return None if kept is None else kept.plan.seed


def _pool(state: Path) -> Pool:
    """Return the blocks of a test that was played."""
    asked = read_asked(state)
    rows = [] if asked is None else read_rows(state)
    if asked is None or len(rows) < _FEWEST:
        fail(
            f"--state {state}: {len(rows)} blocks are too few to draw from: play {_FEWEST} or more"
        )
    plan = asked.plan
    drawn = Counter(Drawn(row.score, row.luck) for row in rows)
    return Pool(f"{plan.a}, {plan.b}", plan.scale, drawn)


def _check_reach(rule: Rule, scale: Scale, most: int | None) -> None:
    """Refuse a cap before which no test ends; warn of one before which most do not, and of a long way."""
    at0, between, at1 = expected_blocks(rule, scale)
    average = max(at0, at1)
    if most is None:
        if average > _LONG:
            note(
                f"this takes about {average:.0f} blocks on average, {average * scale.matches:.0f} matches: "
                "hypotheses that are further apart take fewer"
            )
        return
    least = least_blocks(rule, scale)
    if most < least:
        fail(
            f"--max-blocks {most}: this test cannot end before {least} blocks, whatever happens: give more, "
            "or hypotheses that are further apart"
        )
    if most < average:
        note(
            f"--max-blocks {most} will often end it undecided: on average it takes about {average:.0f} "
            f"blocks, and {between:.0f} if the truth lies between the two"
        )


def _again(asked: Asked, most: int | None, blocks: int | None, state: Path) -> str:
    """Return the command that goes on."""
    plan, rule = asked.plan, asked.rule
    words = ["shoal", "test", plan.a, plan.b]
    if plan.field:
        words.append(f"--against={','.join(plan.field)}")
    words += [f"--ruleset={plan.ruleset}", f"--seats={plan.seats}"]
    if rule is not None:
        words += [f"--elo0={rule.elo0:g}", f"--elo1={rule.elo1:g}"]
        words += [f"--alpha={rule.alpha:g}", f"--beta={rule.beta:g}"]
    words += [f"--max-blocks={most}"] if most is not None else []
    words += [f"--blocks={blocks}"] if blocks is not None else []
    words += ["--plain"] if asked.scores == PLAIN and plan.seats == ADJUSTED_SEATS else []
    return shlex.join([*words, f"--state={state}"])


@bench.command("test")
def bench_test(
    *,
    elo0: Elo0 = 0.0,
    elo1: Elo1 = 50.0,
    alpha: Alpha = 0.05,
    beta: Beta = 0.05,
    tests: Annotated[
        int, typer.Option(min=10, max=1_000_000, metavar="N", help="How many tests of each kind.")
    ] = 1000,
    seed: Annotated[int, typer.Option(help="What all chance follows from.")] = 1,
    state: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the blocks that a `shoal test` kept there."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Measure how often `shoal test` is wrong.

    Many tests of bots whose difference is known, on blocks that are drawn and not played: where H0 is true,
    and where H1 is. docs/testing.md says what is drawn.

    Example: shoal bench test --elo1 50 --json
    """
    rule = _rule(elo0, elo1, alpha, beta)
    found = []
    pools = model_pools(seed) if state is None else [_pool(state)]
    try:
        for rates in rehearse(rule, tests, seed, pools):
            named = f"{rates['setting']}, {rates['scores']}, B {rates['true_elo']:+g}"
            note(f"{named}: wrong {rates['wrong']:.1%}")
            found.append(rates)
    except UnreachableError:
        fail(
            f"--state {state}: no weights make B of these blocks as good as that: play more of them"
        )
    if json:
        say_json(found)
        return
    say_table(
        [
            "setting",
            "scores",
            "B is",
            "asked",
            "wrong",
            "blocks",
            "9 of 10",
            "saved",
            "interval holds",
        ],
        [
            [
                each["setting"],
                each["scores"],
                f"{each['true_elo']:+g}",
                f"{each['asked']:.1%}",
                f"{each['wrong']:.1%} ± {each['wrong_error']:.1%}",
                f"{each['blocks']:g}",
                str(each["blocks_9_of_10"]),
                "" if each["saved"] is None else f"{each['saved']:.0%}",
                f"{each['held']:.1%}",
            ]
            for each in found
        ],
        right={2, 3, 4, 5, 6, 7, 8},
    )
