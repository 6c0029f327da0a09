"""The figures of a simulation for people: a line for each, without those of the single bots."""

from collections.abc import Iterator, Mapping
from typing import Final

from rich.console import Console
from rich.table import Table

from shoal.server.simulation.report import Figure

MEANING: Final = {
    "coverage": "of the 95 % intervals hold the truth",
    "rank_correlation": "of ratings and strengths, after so many rated matches",
    "coverage_after": "the same as coverage, after so many rated matches",
    "off_by_points": "how far ratings are from the truth",
    "share": "of the time that a bot could have been at tables",
    "longest_wait": "match lengths, while a table could have been made",
    "newcomer_wait_s": "seconds from coming to the first table, the longest",
    "repeat_rate": "of meetings are with somebody of the last table",
    "repeat_rate_by_chance": "would be, if company were drawn",
    "second_eigenvalue": "of who met whom: 0 all mix, 1 circles",
    "cpu_ms_per_match": "of the scheduler, for each match that started",
    "scheduler": "its CPU",
    "memory": "of the process, after a tenth of the run and at its end",
    "days": "of its own time",
    "blocks": "",
    "matches": "",
}


def show(figures: Mapping[str, Figure], console: Console) -> None:
    """Print figures."""
    table = Table(show_edge=False, box=None, pad_edge=False)
    table.add_column("figure")
    table.add_column("", justify="right")
    table.add_column("what it is", overflow="fold")
    for name, meaning in MEANING.items():
        for place, (label, value) in enumerate(_rows(name, figures[name])):
            table.add_row(label, value, meaning if place == 0 else "")
    console.print(table, highlight=False)


def _rows(name: str, figure: Figure) -> Iterator[tuple[str, str]]:
    """Yield a line for a figure, or one for each of its parts."""
    if not isinstance(figure, Mapping):
        yield name, "-" if figure is None else str(figure)
        return
    for part, inner in figure.items():
        yield from _rows(f"{name} {part}", inner)
