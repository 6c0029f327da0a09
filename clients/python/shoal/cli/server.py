"""The commands of the server package, which is imported only when one of them runs."""

import importlib
from pathlib import Path
from typing import Annotated

import typer

from shoal.cli.files import unusable
from shoal.cli.options import (
    MADE_FOR_ADMINS,
    SERVER,
    TOKEN_FILE,
    AdminTokenFile,
    AsJson,
    Server,
    Tls,
    WithParent,
    read_token,
)
from shoal.cli.output import fail

RedisUrl = Annotated[
    str | None,
    typer.Option(
        envvar="SHOAL_REDIS_URL",
        metavar="URL",
        help="The Redis to use, redis://host:port/db, or nodes of a cluster with commas between; "
        "without it a private one is started.",
    ),
]

SharedRedisUrl = Annotated[
    str | None,
    typer.Option(
        envvar="SHOAL_REDIS_URL",
        metavar="URL",
        help="The Redis of the servers, redis://host:port/db; it must be given.",
    ),
]

JsonLogs = Annotated[bool, typer.Option("--json-logs", help="Write log lines as JSON.")]

Seconds = Annotated[float, typer.Option(min=0.1, help="How long to play.")]

bench = typer.Typer(
    no_args_is_help=True,
    help="Measure how fast this machine plays, and how often `shoal test` is wrong.",
)

baselines = typer.Typer(no_args_is_help=True, help="The arena's own bots, always on.")


@baselines.callback()
def _baselines() -> None:
    """The arena's own bots, always on."""


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(serve)
    app.command()(director)
    app.command()(demo)
    app.command()(chaos)
    app.add_typer(bench, name="bench")
    app.add_typer(baselines, name="baselines")


def serve(  # noqa: PLR0913 - one for each flag
    *,
    host: Annotated[
        str | None,
        typer.Option(
            envvar="SHOAL_HOST",
            help="The address to listen on, 0.0.0.0 for all.",
            show_default="127.0.0.1",
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            envvar="SHOAL_PORT",
            min=0,
            max=65535,
            help="The port, 0 for any free one.",
            show_default="7430",
        ),
    ] = None,
    http: Annotated[
        bool | None,
        typer.Option(
            "--http/--no-http", envvar="SHOAL_HTTP", help="Serve everything over HTTP too."
        ),
    ] = None,
    http_port: Annotated[
        int | None,
        typer.Option(
            envvar="SHOAL_HTTP_PORT",
            min=0,
            max=65535,
            help="The port for HTTP, 0 for any free one.",
            show_default="1000 above --port",
        ),
    ] = None,
    http_cors_origin: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ORIGIN",
            help="Pages of this origin, such as https://example.org, may use HTTP from a browser; "
            "once for each, '*' for all.",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            envvar="SHOAL_WORKERS",
            min=1,
            max=64,
            help="How many server processes share the port: one for each core.",
            show_default="1",
        ),
    ] = None,
    redis_url: RedisUrl = None,
    data_dir: Annotated[
        Path | None,
        typer.Option(
            envvar="SHOAL_DATA_DIR",
            metavar="DIR",
            help="Where the private Redis keeps its data; by default your state directory.",
        ),
    ] = None,
    no_director: Annotated[
        bool,
        typer.Option("--no-director", help="Start no director: one runs elsewhere."),
    ] = False,
    admin_token_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the first admin token of a new store here, not to stderr."
        ),
    ] = None,
    announce: Annotated[
        bool, typer.Option("--announce", help="Print port and process ids as a line of JSON.")
    ] = False,
    json_logs: JsonLogs = False,
    worker: Annotated[
        bool,
        typer.Option("--worker", hidden=True, help="Be one of several; for `shoal serve`."),
    ] = False,
    with_parent: WithParent = False,
) -> None:
    """Run a server and its director.

    Bots connect to the server; the director pairs those on a ladder and rates their matches.

    Example: shoal serve --port 7430
    """
    run_in_server(
        "serve",
        host=host,
        port=port,
        http=http,
        http_port=http_port,
        http_cors_origins=",".join(http_cors_origin) if http_cors_origin else None,
        workers=workers,
        redis_url=redis_url,
        data_dir=data_dir,
        no_director=no_director,
        admin_token_file=admin_token_file,
        announce=announce,
        json_logs=json_logs,
        worker=worker,
        with_parent=with_parent,
    )


def director(
    *,
    redis_url: SharedRedisUrl = None,
    with_parent: WithParent = False,
    json_logs: JsonLogs = False,
) -> None:
    """Run a director alone.

    It pairs the bots of the servers that share its Redis, and rates their matches.

    Example: shoal director --redis-url redis://localhost:6379/0
    """
    run_in_server("director", redis_url=redis_url, with_parent=with_parent, json_logs=json_logs)


def demo(*, seconds: Seconds = 40.0, json: AsJson = False) -> None:
    """See it work on this machine.

    Starts a server, lets six baseline bots play on its ladder, and shows the standings and a match.

    Example: shoal demo --seconds 40
    """
    run_in_server("demo", seconds=seconds, json=json)


@baselines.command("run")
def baselines_run(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME...]",
            help="random, greedy, planner, also numbered (random-2); without any, all three.",
        ),
    ] = None,
    *,
    server: Server = SERVER,
    token_file: AdminTokenFile = TOKEN_FILE,
    ladder: Annotated[
        list[str] | None,
        typer.Option("--ladder", metavar="NAME", help="Enter them there; once for each."),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Where their tokens and logs are; by default in your state directory.",
        ),
    ] = None,
    max_matches: Annotated[
        int,
        typer.Option(min=1, max=1000, metavar="N", help="How many matches each plays at a time."),
    ] = 8,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """Keep the arena's own bots running until Ctrl-C.

    Each is an ordinary client in a process of its own. Those that are not registered yet are, with the
    admin token; one that dies is started again.

    Example: shoal baselines run --ladder main --token-file admin.token
    """
    run_in_server(
        "baselines_run",
        names=names or [],
        server=server,
        tls=tls,
        admin_token=read_token(token_file, MADE_FOR_ADMINS),
        ladders=ladder or [],
        folder=folder,
        max_matches=max_matches,
        json=json,
    )


@bench.command("serve")
def bench_serve(
    *,
    http: Annotated[
        bool, typer.Option("--http", help="Compare moves by POST with moves on gRPC streams.")
    ] = False,
    seconds: Seconds = 10.0,
    json: AsJson = False,
) -> None:
    """Measure moves through a server.

    With --http, http_over_stream is the server's CPU for a move by POST over that for one on a stream.

    Example: shoal bench serve --json
    """
    run_in_server("bench_serve", seconds=seconds, http=http, json=json)


@bench.command("engine")
def bench_engine(
    *,
    ruleset: Annotated[str, typer.Option(help="The ruleset to play.")] = "base",
    seats: Annotated[int, typer.Option(min=2, max=4, help="Seats at the table.")] = 2,
    seconds: Seconds = 5.0,
    json: AsJson = False,
) -> None:
    """Measure random moves in the engine.

    Without server and network. moves_per_s is that of the whole run, moves_per_cpu_s the same by
    the CPU that it got, best_slice_moves_per_s that of the best of its equal slices of about half
    a second: the engine's own speed on a busy machine.

    Example: shoal bench engine --seats 4
    """
    run_in_server("bench_engine", ruleset=ruleset, seats=seats, seconds=seconds, json=json)


@bench.command("luck")
def bench_luck(
    *,
    matches: Annotated[
        int, typer.Option(min=0, help="About how many matches in `base` with 2 seats.")
    ] = 2000,
    others: Annotated[
        int, typer.Option(min=0, help="About how many in each other ruleset and seat count.")
    ] = 0,
    seed: Annotated[int, typer.Option(help="What every table, deal and move follow from.")] = 1,
    folder: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Keep what was played here, and go on from it."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Measure what the adjustment for luck saves.

    Random tables of the baselines, each in every rotation of its seats, on the engine alone. saving_both
    is the part of the matches that can be left out for an interval of the same width.

    Example: shoal bench luck --matches 2000 --json
    """
    run_in_server("bench_luck", matches=matches, others=others, seed=seed, folder=folder, json=json)


def chaos(  # noqa: PLR0913
    *,
    minutes: Annotated[float, typer.Option(min=0.05, help="How long faults happen.")] = 10.0,
    seed: Annotated[
        int, typer.Option(help="What the order of faults, and every move, follow from.")
    ] = 1,
    matches: Annotated[int, typer.Option(min=1, help="About how many matches at once.")] = 24,
    servers: Annotated[int, typer.Option(min=1, help="How many servers.")] = 2,
    workers: Annotated[
        int, typer.Option(min=1, help="How many processes the first of them has.")
    ] = 2,
    cluster: Annotated[
        bool,
        typer.Option("--cluster", help="On a Redis Cluster, three masters and their replicas."),
    ] = False,
    faults: Annotated[
        str, typer.Option(metavar="KINDS", help="Only these, with commas between; all by default.")
    ] = "",
    at_least: Annotated[
        int, typer.Option(min=0, help="How often each kind must happen, however long it takes.")
    ] = 10,
    patience: Annotated[
        float, typer.Option(min=0, help="Seconds without a move after which a match is stuck.")
    ] = 14.0,
    thinking: Annotated[
        float,
        typer.Option(min=0.005, max=5, help="Seconds that a bot thinks about a move, at most."),
    ] = 0.05,
    folder: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Keep journals and logs here, whatever is found."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Break things, and see that nothing is lost.

    Starts a private Redis or a cluster, servers and a director, lets bots play, and kills, pauses, cuts
    and delays what it has started. Then the bots' journals are held against the records. Exit code 1:
    something was lost, charged, leaked or stuck, or a kind of fault happened too seldom.

    Example: shoal chaos --minutes 10 --json
    """
    run_in_server(
        "chaos",
        minutes=minutes,
        seed=seed,
        matches=matches,
        servers=servers,
        workers=workers,
        cluster=cluster,
        faults=faults,
        at_least=at_least,
        patience=patience,
        thinking=thinking,
        folder=folder,
        json=json,
    )


def run_in_server(command: str, *, door: str = "cli", **options: object) -> None:
    """Run a command of a module of the server package, and end with the exit code that it may return."""
    try:
        server = importlib.import_module("shoal.server.cli")
        commands = importlib.import_module(f"shoal.server.{door}")
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("shoal.server."):
            raise
        fail("this command needs the server: pip install 'shoal[server]'")
    try:
        code = getattr(commands, command)(**options)
    except server.CommandFailed as error:
        fail(str(error))
    except server.FileRefused as error:
        fail(unusable(error.cause, error.option))
    raise typer.Exit(code or 0)
