"""The door through which the `shoal` command reaches this package: one function for each of its commands.

An expected error becomes a CommandFailed: one line that says what to do.
"""

import json as json_format
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from pydantic import ValidationError
from rich.console import Console

from shoal.competition.specification import Specification
from shoal.engine import UnknownRuleset
from shoal.rating import BadExport
from shoal.server.app import PortTaken
from shoal.server.backup import Manifest, back_up, put_back
from shoal.server.baselines import BaselinesFailed, folder_of, names_of, run_baselines
from shoal.server.baselines import Plan as Baselines
from shoal.server.bench.engine import bench_engine as measure_engine
from shoal.server.bench.http import bench_http as measure_http
from shoal.server.bench.luck import bench_luck as measure_luck
from shoal.server.bench.serve import bench_serve as measure_serve
from shoal.server.chaos.command import FolderNotEmpty, run_chaos
from shoal.server.chaos.faults import UnknownFault, chosen
from shoal.server.chaos.plan import Plan
from shoal.server.children import ChildFailed
from shoal.server.cup import BadEntrant, Place, check_fit, entrants_of, run_cup
from shoal.server.demo import run_demo
from shoal.server.files import FileRefused
from shoal.server.logs import set_up_logs
from shoal.server.processes import run_director, run_server
from shoal.server.settings import Settings
from shoal.server.simulation.command import run_simulation
from shoal.server.simulation.plan import BadPlan, sizes_of, source_of
from shoal.server.simulation.plan import Plan as Simulation
from shoal.server.store.errors import StoreError, StoreUnavailable
from shoal.server.together import first_error
from shoal.server.workers import WorkerFailed

EXPECTED = (
    *(StoreError, PortTaken, UnknownRuleset, UnknownFault, FolderNotEmpty),
    *(ChildFailed, WorkerFailed, BadEntrant, BadPlan, BaselinesFailed, BadExport),
)
"""Errors that are the caller's or the machine's, not a bug: one line is enough for them."""


INTERRUPTED = 130
"""Exit code after Ctrl-C."""

__all__ = ["FileRefused"]  # which the command catches too


class CommandFailed(Exception):
    """A command cannot do what it was asked; the message is one line that says what to do."""


def serve(
    *,
    no_director: bool,
    announce: bool,
    admin_token_file: Path | None,
    json_logs: bool,
    worker: bool,
    with_parent: bool,
    **settings: object,
) -> None:
    """Run a server until it is interrupted; `settings` are those given on the command line."""
    with one_line():
        merged = _settings(json_logs, settings)
        set_up_logs(merged)
        run_server(
            merged,
            director=not no_director,
            announce=announce,
            admin_token_file=admin_token_file,
            worker=worker,
            with_parent=with_parent,
        )


def director(*, with_parent: bool, json_logs: bool, **settings: object) -> None:
    """Run a director until it is interrupted, or, `with_parent`, its standard input is closed."""
    with one_line():
        merged = _settings(json_logs, settings)
        if not merged.redis_url:
            raise CommandFailed("a director needs the store of a server: give --redis-url")
        set_up_logs(merged)
        run_director(merged, with_parent=with_parent)


def backup(
    *,
    out: Path,
    data_dir: Path | None,
    archive_dir: Path | None,
    without_archive: bool,
    json: bool,
) -> None:
    """Back up a private Redis and its archive."""
    with one_line():
        settings = _settings(json_logs=False, given={"data_dir": data_dir})
        made = back_up(settings.data_dir, archive_dir, out, without_archive=without_archive)
        _say_backup(made, as_json=json)


def restore(*, backup: Path, data_dir: Path | None, archive_dir: Path | None, json: bool) -> None:
    """Put a backup into folders without a store."""
    with one_line():
        settings = _settings(json_logs=False, given={"data_dir": data_dir})
        _say_backup(put_back(backup, settings.data_dir, archive_dir), as_json=json)


def demo(*, seconds: float, json: bool) -> int:
    """Run the demonstration; return the exit code."""
    with one_line():
        return run_demo(seconds, Console(), json)


def baselines_run(
    *,
    names: list[str],
    server: str,
    tls: bool,
    admin_token: str,
    ladders: list[str],
    folder: Path | None,
    max_matches: int,
    json: bool,
) -> int:
    """Keep baselines running until interrupted; return the exit code."""
    with one_line():
        set_up_logs(_settings(json_logs=False, given={}))
        plan = Baselines(
            names=names_of(names),
            server=server,
            tls=tls,
            admin_token=admin_token,
            ladders=tuple(ladders),
            folder=folder_of(folder),
            max_matches=max_matches,
        )
        return run_baselines(plan, as_json=json)


def tournament_run(
    *,
    specification: Specification,
    entrants: tuple[str, ...],
    folder: Path,
    server: str,
    token: str,
    tls: bool,
    max_matches: int,
    json: bool,
) -> int:
    """Play a tournament from its beginning to its end, on a server of its own if none is given."""
    with one_line():
        bots = entrants_of(entrants, folder=folder, given=bool(server))
        check_fit(specification, bots, given=bool(server))
        place = Place(server, token, tls) if server else None
        return run_cup(
            specification, bots, Console(), place=place, max_matches=max_matches, as_json=json
        )


def bench_serve(*, seconds: float, http: bool, json: bool) -> None:
    """Measure what a move costs the server, beside an echo, or by HTTP beside one on a stream."""
    with one_line():
        measure = measure_http if http else measure_serve
        print_figures(measure(seconds, say), as_json=json)


def bench_engine(*, ruleset: str, seats: int, seconds: float, json: bool) -> None:
    """Measure random playouts of the engine."""
    with one_line():
        print_figures(measure_engine(ruleset, seats, seconds), as_json=json)


def bench_luck(*, matches: int, others: int, seed: int, folder: Path | None, json: bool) -> int:
    """Measure what the adjustment for luck saves; return the exit code."""
    with one_line():
        try:
            print_figures(measure_luck(matches, others, seed, folder, say), as_json=json)
        except KeyboardInterrupt:
            say("stopped; there are no figures")
            return INTERRUPTED
        return 0


def chaos(  # noqa: PLR0913
    *,
    minutes: float,
    seed: int,
    matches: int,
    servers: int,
    workers: int,
    cluster: bool,
    faults: str,
    at_least: int,
    patience: float,
    thinking: float,
    folder: Path | None,
    json: bool,
) -> int:
    """Play under faults, and hold the journals of the bots against the records; return the exit code."""
    with one_line():
        kinds = chosen(faults, cluster=cluster, workers=workers)
        plan = Plan(
            seconds=minutes * 60,
            seed=seed,
            matches=matches,
            faults=kinds,
            at_least=at_least,
            patience=patience,
            servers=servers,
            thinking=thinking,
            workers=workers,
            cluster=cluster,
        )
        return run_chaos(plan, folder, as_json=json)


def simulate(*, sizes: str, outcomes: str, json: bool, **plan: object) -> int:
    """Simulate a ladder; `plan` has the other fields of a plan. Return the exit code."""
    with one_line():
        made = Simulation(**plan, sizes=sizes_of(sizes), outcomes=source_of(outcomes))  # type: ignore[arg-type]
        return run_simulation(made, as_json=json)


def _say_backup(manifest: Manifest, *, as_json: bool) -> None:
    """Print what a backup has."""
    print_figures(asdict(manifest), as_json=as_json)


def _settings(json_logs: bool, given: dict[str, object]) -> Settings:  # noqa: FBT001 - a flag of all
    """Return the settings of the environment, with those of the command line above them."""
    overrides = {name: value for name, value in given.items() if value is not None}
    if json_logs:
        overrides["log_format"] = "json"
    try:
        return Settings.model_validate({**Settings().model_dump(), **overrides})
    except ValidationError as error:
        first = error.errors()[0]
        name = "_".join(str(part) for part in first["loc"]).upper()
        raise CommandFailed(f"SHOAL_{name}: {_in_words(first['msg'])}") from error


def _in_words(said: str) -> str:
    """Return what a setting must be, without the words of a library."""
    said = said.removeprefix("Value error, ").partition(", unable to ")[0]
    return said.replace("Input should be", "must be").replace("a valid boolean", "true or false")


@contextmanager
def one_line() -> Iterator[None]:
    """Turn expected errors into one line, also those that a task group wraps.

    Raises CommandFailed and FileRefused, and lets pass what is a bug.
    """
    try:
        yield
    except (*EXPECTED, OSError, FileRefused, BaseExceptionGroup) as error:
        match first_error(error):
            case FileRefused() as refused:
                raise refused from error
            case OSError() as refused:
                raise FileRefused(refused) from error
            case StoreUnavailable() as refused:
                advice = "check --redis-url, and that Redis runs there"
                raise CommandFailed(f"{refused}: {advice}") from error
            case first if isinstance(first, EXPECTED):
                raise CommandFailed(str(first)) from error
            case _:
                raise


def say(text: str) -> None:
    """Say what a long operation does, beside its result."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def print_figures(figures: dict[str, object], *, as_json: bool) -> None:
    """Print figures, one a line, or as JSON."""
    if as_json:
        sys.stdout.write(json_format.dumps(figures) + "\n")
        return
    for line in figure_lines(figures):
        sys.stdout.write(f"{line}\n")


def figure_lines(figures: dict[str, object]) -> Iterator[str]:
    """Yield figures for people, one a line with its path, such as loads[0].matches."""
    found = list(_flat("", figures))
    width = max([24, *(len(name) for name, _ in found)])
    for name, value in found:
        yield f"{name:{width}} {value}"


def _flat(name: str, value: object) -> Iterator[tuple[str, object]]:
    """Yield each figure after the path to it; plain values of a list are one."""
    match value:
        case dict():
            for key, each in value.items():
                yield from _flat(f"{name}.{key}" if name else str(key), each)
        case list() | tuple() if any(isinstance(each, dict) for each in value):
            for number, each in enumerate(value):
                yield from _flat(f"{name}[{number}]", each)
        case list() | tuple():
            yield name, " ".join(map(str, value))
        case _:
            yield name, value
