"""A tournament as it stands: for a terminal, in a line, and for programs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from google.protobuf.json_format import MessageToDict
from rich.console import Group
from rich.table import Table
from rich.text import Text

from shoal.client import Client, pb


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


def view(now: Now) -> Group:
    """Return the standings for a terminal."""
    table = Table("rank", "bot", "points", "of", *now.tiebreaks, "rating", "± 95 %", "matches")
    table.columns[1].no_wrap = True
    for column in table.columns[2:]:
        column.justify = "right"
    for line in now.lines:
        table.add_row(
            str(line.rank),
            line.bot_name,
            f"{line.points:g}",
            f"{line.possible_points:g}",
            *(f"{value:g}" for value in line.tiebreaks),
            f"{line.rating:.0f}",
            f"{line.interval:.0f}",
            str(line.match_count),
        )
    return Group(Text(headline(now)), table)


def plain(now: Now) -> dict[str, object]:
    """Return it for programs."""
    return {
        "tournament": MessageToDict(now.tournament, always_print_fields_with_no_presence=True),
        "standings": [
            MessageToDict(line, always_print_fields_with_no_presence=True) for line in now.lines
        ],
        "tiebreakNames": list(now.tiebreaks),
    }
