"""The `shoal` command: its commands, and how it ends."""

import errno
import os
import sys
from importlib.metadata import version
from typing import Annotated, Final, NoReturn

import typer

from shoal.cli import (
    bot,
    challenge,
    competition,
    ladder,
    match,
    replay,
    rules,
    server,
    tournament,
)
from shoal.cli.backup import backup, restore
from shoal.cli.bench_ratings import bench_ratings
from shoal.cli.files import FULL, unusable
from shoal.cli.interrupt import INTERRUPTED
from shoal.cli.output import FAILED, Failed, note, say
from shoal.cli.play import play
from shoal.cli.remote import explain
from shoal.cli.running import end
from shoal.cli.suspicion import bench_suspicion
from shoal.cli.testing import is_better
from shoal.cli.usage import explain_usage
from shoal.client.errors import ShoalError

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Shoal: an open arena where bots play Sea Salt & Paper against each other.",
)
app.command()(play)
app.command("test")(is_better)
app.add_typer(bot.app, name="bot")
app.add_typer(ladder.app, name="ladder")
app.add_typer(tournament.app, name="tournament")
app.add_typer(competition.app, name="competition")
app.add_typer(challenge.app, name="challenge")
app.add_typer(match.app, name="match")
app.add_typer(rules.app, name="rules")
app.add_typer(replay.app, name="replay")
server.add_to(app)
server.bench.command("ratings")(bench_ratings)
server.bench.command("suspicion")(bench_suspicion)
app.command()(backup)
app.command()(restore)


_FULL = {*FULL, errno.EIO}
"""What the system says of output that has no more room."""


def _version(*, asked: bool) -> None:
    if asked:
        say(f"shoal {version('shoal')}")
        raise typer.Exit


@app.callback()
def _root(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Shoal: an open arena where bots play Sea Salt & Paper against each other."""


CUT_SHORT: Final = 1
"""Exit code where nobody reads on, such as `head`; typer, which may notice it first, ends with the same."""


def main() -> NoReturn:
    """Run the command; errors are one line on stderr and exit code 2."""
    try:
        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # in the few lines that `run` itself is
        code = INTERRUPTED
    end(code)


def run(arguments: list[str]) -> int:
    """Run the command with these arguments and return its exit code; all output is written then."""
    try:
        code = _run(arguments)
        _write_out(code)
    except BrokenPipeError:
        _drop_output()
        return CUT_SHORT
    except OSError as error:
        if error.filename:
            note(f"shoal: {unusable(error)}")
        elif error.errno in _FULL:
            note(f"shoal: the output cannot be written: {error.strerror}")
            _drop_output()
        else:
            raise
    else:
        return code
    return FAILED


def _run(arguments: list[str]) -> int:
    """Run the command, and say its error in one line."""
    try:
        result = app(arguments, prog_name="shoal", standalone_mode=False)
    except (typer.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except typer.TyperException as error:
        note(explain_usage(error))
    except Failed as error:
        note(f"shoal: {error}")
    except ShoalError as error:
        note(f"shoal: {explain(error)}")
    else:
        return result if isinstance(result, int) else 0
    return FAILED


def _write_out(code: int) -> None:
    """Write what is not written yet; that it cannot be is said once, and was if that is why we failed."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except OSError:
        if code != FAILED:
            raise
        _drop_output()


def _drop_output() -> None:
    """Let what was not written go nowhere: Python would try once more at its end, and complain."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
