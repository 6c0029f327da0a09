"""What the processes themselves said: bugs in their logs, and ends in order that were none."""

import json
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Final

from shoal.server.chaos.findings import Finding
from shoal.server.chaos.stack import Stack

BUGS: Final = {
    "bug",
    "match_not_seated",
    "match_not_swept",
    "pairing_given_up",
    "result_not_counted_again",
    "result_rejected",
    "table_not_refreshed",
}
"""Lines of the table in docs/operations.md that no fault of this kit may bring about."""

LOSSES: Final = {
    "live_match_was_lost",
    "live_match_was_over",
    "match_lost_by_store",
    "match_never_created",
    "results_lost",
    "timeline_changed",
}
"""Lines that only a failover may bring about."""

UNSTRUCTURED: Final = (
    "Traceback",
    "Fatal",
    "Future exception was never retrieved",
    "Task exception was never retrieved",
)
"""How lines begin that are no lines of ours, and speak of a bug."""

STORE_AWAY: Final = "StoreUnavailable"
"""Part of a line that only says that the store was away."""


def check_logs(folder: Path, stack: Stack, *, failed_over: bool) -> Iterator[Finding]:
    """Look through the logs of all processes that ever ran in the folder."""
    bugs = BUGS if failed_over else BUGS | LOSSES
    for process in stack.processes:
        for code in process.exits:
            if code:
                yield Finding("unclean_exits", f"{process.name} ended with {code} when asked to")
        failure = process.failure()
        if failure is not None:
            yield Finding("died", str(failure))
    for file in sorted(folder.glob("*.log")):
        for line in file.read_text(errors="replace").splitlines():
            if _is_bug(line, bugs):
                yield Finding("bugs_logged", f"{file.name}: {line}")


def _is_bug(line: str, bugs: AbstractSet[str]) -> bool:
    """Tell whether a line should not be there: a bug, or what is no line of ours at all."""
    try:
        said = json.loads(line)
    except ValueError:
        return line.startswith(UNSTRUCTURED)
    return isinstance(said, dict) and said.get("event") in bugs and STORE_AWAY not in line
