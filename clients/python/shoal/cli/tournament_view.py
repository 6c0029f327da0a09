"""Tournaments as text."""

from collections.abc import Sequence

from shoal.cli.output import say, say_table
from shoal.client import pb
from shoal.client.tournaments import Placings

_STATE = len("TOURNAMENT_STATE_")


def state_of(tournament: pb.Tournament) -> str:
    """Return the state of a tournament as a word."""
    return pb.TournamentState.Name(tournament.state)[_STATE:].lower()


def progress_of(tournament: pb.Tournament) -> str:
    """Return how many blocks have been played, and of how many if that is known."""
    played = str(tournament.finished_blocks)
    return f"{played}/{tournament.planned_blocks}" if tournament.planned_blocks else played


def show_list(tournaments: Sequence[pb.Tournament]) -> None:
    """Print a line for each."""
    rows = [
        [
            each.specification.name,
            (each.specification.format.WhichOneof("kind") or "").replace("_", "-"),
            state_of(each),
            str(each.entrant_count),
            progress_of(each),
            each.tournament_id,
            each.ended,
        ]
        for each in tournaments
    ]
    say_table(
        ["tournament", "format", "state", "entrants", "blocks", "id", "why over"],
        rows,
        right={3, 4},
    )


def show_tournament(found: pb.Tournament) -> None:
    """Print how far it is."""
    specification = found.specification
    say(f"{specification.name}  {found.tournament_id}")
    ended = f": {found.ended}" if found.ended else ""
    say(f"state     {state_of(found)}{ended}")
    say(f"format    {(specification.format.WhichOneof('kind') or '').replace('_', '-')}")
    say(
        f"plays     {', '.join(specification.rulesets)} at tables of {_listed(specification.seats)}"
    )
    say(f"entrants  {found.entrant_count}")
    say(f"blocks    {progress_of(found)} over, {found.open_blocks} in play")


def show_standings(found: Placings) -> None:
    """Print the standings with the tie-breaks."""
    header = ["rank", "bot", "points", "of", *found.tiebreak_names, "rating", "±", "matches", "id"]
    rows = [
        [
            str(line.rank),
            f"{line.bot_name} (withdrawn)" if line.withdrawn else line.bot_name,
            f"{line.points:g}",
            f"{line.possible_points:g}",
            *(f"{value:g}" for value in line.tiebreaks),
            f"{line.rating:.0f}",
            f"{line.interval:.0f}",
            str(line.match_count),
            line.bot_id,
        ]
        for line in found.lines
    ]
    say_table(header, rows, right={0, *range(2, len(header) - 1)})


def show_crosstable(rows: Sequence[pb.CrosstableRow]) -> None:
    """Print points of possible points, with a dash where two have not met."""
    header = ["", "bot", *(str(number) for number, _ in enumerate(rows, start=1)), "points"]
    lines = [
        [
            str(number),
            row.bot_name,
            *(_cell(cell, is_self=place == number) for place, cell in enumerate(row.cells, 1)),
            _cell(row.total, is_self=False),
        ]
        for number, row in enumerate(rows, start=1)
    ]
    say_table(header, lines, right={0, *range(2, len(header))})


def show_explanations(found: Sequence[pb.Explanation]) -> None:
    """Print the sentences, with an empty line between two explanations."""
    say("\n\n".join("\n".join(each.sentences) for each in found))


def _cell(cell: pb.CrosstableCell, *, is_self: bool) -> str:
    if is_self:
        return "x"
    return f"{cell.points:g}/{cell.possible_points:g}" if cell.possible_points else "-"


def _listed(sizes: Sequence[int]) -> str:
    return " and ".join(str(size) for size in sizes)
