"""A tournament as it stands: for a terminal, in a line, and for programs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, final

from google.protobuf.json_format import MessageToDict
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from shoal.client import Client, pb
from shoal.client.called import called_in_tournament

_LEAST: Final = 4
"""So many columns are shown on the narrowest terminal: rank, bot, points and of how many."""


@final
@dataclass(frozen=True, slots=True)
class Now:
    """A tournament as it stands."""

    tournament: pb.Tournament
    lines: Sequence[pb.TournamentStanding]
    tiebreaks: Sequence[str]


async def look(client: Client, cup: str) -> Now:
    """Return a tournament as it stands; raise ShoalError."""
    # The tournament first: what is over then is in the standings that are read after it.
    tournament = await client.tournaments.get(cup)
    placings = await client.tournaments.standings(cup)
    return Now(tournament, placings.lines, placings.tiebreak_names)


def headline(now: Now) -> str:
    """Return how far it is, in a line."""
    found = now.tournament
    planned = f" of {found.planned_blocks}" if found.planned_blocks else ""
    ended = f" · {found.ended}" if found.ended else ""
    return (
        f"{found.specification.name} · {found.finished_blocks}{planned} blocks played, "
        f"{found.open_blocks} in play{ended}"
    )


def view(now: Now, console: Console) -> Group:
    """Return the standings for a terminal; without their last columns where it has no room for all."""
    header, rows = _table(now, why=False)
    count = len(header)
    while count > _LEAST and _box_width(header[:count], rows) > console.width:
        count -= 1
    return Group(Text(headline(now)), _boxed(header[:count], [row[:count] for row in rows]))


def show(now: Now, console: Console) -> None:
    """Print the standings: in a box where a terminal has room for it, and else as lines that are whole."""
    header, rows = _table(now)
    console.print(Text(headline(now)), soft_wrap=True)
    if console.is_terminal and _box_width(header, rows) <= console.width:
        console.print(_boxed(header, rows))
    else:
        for line in _lines(header, rows):
            console.print(line, soft_wrap=True, markup=False, highlight=False)


def _table(now: Now, *, why: bool = True) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of the standings; without `why` not for what bots are excluded."""
    header = ["rank", "bot", "points", "of", *now.tiebreaks, "rating", "± 95 %", "matches"]
    rows = [
        [
            str(line.rank),
            called_in_tournament(line, why=why),
            f"{line.points:g}",
            f"{line.possible_points:g}",
            *(f"{value:g}" for value in line.tiebreaks),
            f"{line.rating:.0f}",
            f"{line.interval:.0f}",
            str(line.match_count),
        ]
        for line in now.lines
    ]
    return header, rows


def _boxed(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """Return a table in a box, in which nothing is broken."""
    table = Table(*header)
    for column in table.columns:
        column.no_wrap = True
    for column in table.columns[2:]:
        column.justify = "right"
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def _box_width(header: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """Return how wide the box of these columns is."""
    widths = _widths(header, [row[: len(header)] for row in rows])
    return sum(widths) + 3 * len(widths) + 1


def _widths(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(len, column)) for column in zip(header, *rows, strict=True)]


def _lines(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield a table as lines."""
    widths = _widths(header, rows)
    for row in (header, *rows):
        cells = (
            cell.ljust(width) if number == 1 else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(cells).rstrip()


def plain(now: Now) -> dict[str, object]:
    """Return it for programs."""
    return {
        "tournament": MessageToDict(now.tournament, always_print_fields_with_no_presence=True),
        "standings": [
            MessageToDict(line, always_print_fields_with_no_presence=True) for line in now.lines
        ],
        "tiebreakNames": list(now.tiebreaks),
    }
