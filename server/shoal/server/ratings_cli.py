"""The commands of the server package that need arrays: nobody who serves or directs imports this."""

import sys
from pathlib import Path

from shoal.server.calibration.report import report as measure_ratings
from shoal.server.calibration.study import KINDS, Study
from shoal.server.calibration.suspecting import Trust, trusted
from shoal.server.cli import one_line, print_figures, say
from shoal.server.recomputing import as_figures as table_figures
from shoal.server.recomputing import as_lines as table_lines
from shoal.server.recomputing import recompute as recompute_table
from shoal.server.simulation.plan import sizes_of, source_of
from shoal.server.suspicion.command import as_figures, as_lines, run_suspicion


def bench_ratings(*, kinds: list[str], outcomes: str, json: bool, **study: int) -> None:
    """Measure the published ratings; `study` has the other fields of a study."""
    with one_line():
        chosen_kinds = tuple(map(sizes_of, kinds)) or KINDS
        made = Study(kinds=chosen_kinds, outcomes=source_of(outcomes), **study)
        print_figures({**measure_ratings(made, say)}, as_json=json)


def bench_suspicion(*, kinds: list[str], outcomes: str, json: bool, **study: float) -> None:
    """Measure suspicion; `study` has the other fields of it."""
    with one_line():
        chosen_kinds = tuple(map(sizes_of, kinds)) or KINDS
        made = Trust(kinds=chosen_kinds, outcomes=source_of(outcomes), **study)  # type: ignore[arg-type]
        print_figures({**trusted(made, say)}, as_json=json)


def ladder_suspicion(*, export: Path, rate: float, hours: int, json: bool) -> None:
    """Print what no strength explains in an export."""
    with one_line():
        read, report = run_suspicion(export, rate=rate, hours=hours)
        if json:
            print_figures(as_figures(read, report), as_json=True)
        else:
            sys.stdout.writelines(f"{line}\n" for line in as_lines(read, report))


def recompute(*, export: Path, without: list[str], json: bool) -> int:
    """Print the table of an export; return the exit code, 1 if the published one differs."""
    with one_line():
        found = recompute_table(export, without)
        if json:
            print_figures(table_figures(found), as_json=True)
        else:
            sys.stdout.writelines(f"{line}\n" for line in table_lines(found))
        return int(found.differs)
