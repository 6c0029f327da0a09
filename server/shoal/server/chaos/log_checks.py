"""What the processes themselves said: bugs in their logs, and ends in order that were none."""

import json
import time
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from shoal.server.chaos.findings import Finding
from shoal.server.chaos.stack import Stack
from shoal.server.chaos.timeline import Timeline

ERROR: Final = "error"
"""The level of the lines that report a bug, whatever their event: so a new one is not overlooked."""

BROUGHT_ABOUT: Final = {"worker_died"}
"""Events of that level that a fault of this kit brings about."""

LOSSES: Final = {
    "live_match_was_lost": 30.0,
    "live_match_was_over": 90.0,
    "match_lost_by_store": 30.0,
    "match_never_created": 30.0,
    "match_recovered": 30.0,
    "results_lost": 30.0,
    "timeline_changed": 30.0,
}
"""Events of any level that only a takeover may bring about, and in how many seconds after it.

Who needs longest is a bot that is not there. A match of which nothing is left counts as one that may still be
made until it is a minute old; only then does it leave the list of its bots.
"""

UNSTRUCTURED: Final = (
    "Traceback",
    "Fatal",
    "Future exception was never retrieved",
    "Task exception was never retrieved",
)
"""How lines begin that are no lines of ours, and speak of a bug."""

STORE_AWAY: Final = "StoreUnavailable"
"""How the name of the exception ends that only says that the store was away."""


def check_logs(folder: Path, stack: Stack, timeline: Timeline) -> Iterator[Finding]:
    """Look through the logs of all processes that ever ran in the folder."""
    for process in stack.processes:
        for code in process.exits:
            if code:
                yield Finding("unclean_exits", f"{process.name} ended with {code} when asked to")
        failure = process.failure()
        if failure is not None:
            yield Finding("died", str(failure))
    since = time.time() - time.monotonic()
    spans = [(since + each.begin, since + each.end) for each in timeline.takeovers]
    for file in sorted(folder.glob("*.log")):
        for line in file.read_text(errors="replace").splitlines():
            if is_bug(line, spans):
                yield Finding("bugs_logged", f"{file.name}: {line}")


def is_bug(line: str, takeovers: Sequence[tuple[float, float]] = ()) -> bool:
    """Tell whether a line should not be there: a bug, or what is no line of ours at all.

    `takeovers` are from when to when they went on, in seconds since 1970.
    """
    try:
        said = json.loads(line)
    except ValueError:
        return line.startswith(UNSTRUCTURED)
    if not isinstance(said, dict):
        return False
    event = said.get("event")
    if event in LOSSES:
        at = datetime.fromisoformat(said["timestamp"]).timestamp()
        return not any(first <= at <= last + LOSSES[event] for first, last in takeovers)
    if said.get("level") != ERROR or event in BROUGHT_ABOUT:
        return False
    return not _store_was_away(said.get("exception", ""))


def _store_was_away(traceback: str) -> bool:
    """Tell whether the exception that was logged, and not only one that led to it, says so."""
    last = traceback.rstrip().rpartition("\n")[2]
    return last.partition(":")[0].endswith(STORE_AWAY)
