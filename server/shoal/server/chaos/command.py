"""`shoal chaos`: where a run has its folder, how it tells of itself, and how it ends."""

import json
import logging
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvloop
from rich.console import Console

from shoal.server.chaos.plan import Plan
from shoal.server.chaos.report import Report
from shoal.server.chaos.run import run_plan
from shoal.server.chaos.summary import show
from shoal.server.children import ChildFailed, run_to_the_end
from shoal.server.together import first_error

PASSED, FAILED, BROKEN, STOPPED = 0, 1, 2, 130


class FolderNotEmpty(Exception):
    """Something is in the folder already."""


def run_chaos(plan: Plan, folder: Path | None, *, as_json: bool) -> int:
    """Run a plan, print what it found, and return the exit code: 1 when anything was.

    Without a folder it has a temporary one, which is kept when something was found. Raise FolderNotEmpty.
    """
    if folder is not None and folder.exists() and any(folder.iterdir()):
        raise FolderNotEmpty(f"{folder} is not empty: a run begins in a folder of its own")
    kept = folder is not None
    place = folder or Path(tempfile.mkdtemp(prefix="shoal-chaos-"))
    place.mkdir(parents=True, exist_ok=True)
    try:
        with _kit_log(place / "kit.log"):
            report = run_to_the_end(run_plan(plan, place, _say), uvloop.new_event_loop)
    except KeyboardInterrupt:
        _say("stopped; nothing is left running")
        return STOPPED
    except (ChildFailed, ExceptionGroup) as failure:
        kept = True
        _say(f"shoal chaos: {first_error(failure)}; journals and logs are in {place}")
        return BROKEN
    else:
        if report.failed and not kept:
            kept = True
            _say(f"journals and logs are in {place}")
        _print(report, as_json=as_json)
        return FAILED if report.failed else PASSED
    finally:
        if not kept:
            shutil.rmtree(place, ignore_errors=True)


@contextmanager
def _kit_log(file: Path) -> Iterator[None]:
    """Write what the kit logs into a file: under faults it has much to say."""
    log = logging.getLogger("shoal.client")
    handler = logging.FileHandler(file)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    propagated, log.propagate = log.propagate, False
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.propagate = propagated
        handler.close()


def _print(report: Report, *, as_json: bool) -> None:
    """Print the figures for people, or as JSON."""
    if as_json:
        sys.stdout.write(json.dumps(report.as_dict()) + "\n")
    else:
        show(report, Console())


def _say(text: str) -> None:
    """Say how it goes, beside the result."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()
