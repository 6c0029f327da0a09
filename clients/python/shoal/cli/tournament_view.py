"""Tournaments as text."""

from collections.abc import Iterator, Sequence
from typing import Final

from shoal.cli.bot_view import ADJUSTED, adjusted_of, interval_of, points_of
from shoal.cli.ladder_view import limits, moment
from shoal.cli.names import Names
from shoal.cli.output import WIDEST, say, say_table
from shoal.cli.view import clock_text
from shoal.client import pb
from shoal.client.called import called_in_tournament
from shoal.client.tournaments import Placings

_STATE = len("TOURNAMENT_STATE_")

_NAMES_A_LINE: Final = 6
_MOST_NAMES: Final = 48
"""How many of those who have entered are listed where a tournament is shown."""


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


def show_tournament(found: pb.Tournament, entered: Sequence[str]) -> None:
    """Print what it plays, by which rules, who has entered, how far it is, and when it begins and ends."""
    specification = found.specification
    say(f"{specification.name}  {found.tournament_id}")
    ended = f": {found.ended}" if found.ended else ""
    say(f"state     {state_of(found)}{ended}")
    say(f"format    {(specification.format.WhichOneof('kind') or '').replace('_', '-')}")
    say(
        f"plays     {', '.join(specification.rulesets)} at tables of {_listed(specification.seats)}"
    )
    say(f"matches   {'rated' if specification.rated else 'casual'}")
    say(f"clock     {clock_text(specification.time_control)}")
    if specification.names_hidden:
        say("names     hidden: who sits at a match is told when it is over")
    say(f"entrants  {found.entrant_count}{limits(specification.entry)}")
    for line in _entered(entered):
        say(line)
    say(f"blocks    {progress_of(found)} over, {found.open_blocks} in play")
    starts = specification.starts_ms
    say(f"begins    {moment(starts) if starts else 'when an organizer starts it'}")
    if specification.HasField("ends_ms"):
        say(f"ends      at {moment(specification.ends_ms)}, or when all has been played")
    else:
        say("ends      when all has been played")


def _entered(names: Sequence[str]) -> Iterator[str]:
    """Yield who has entered, some to a line; of very many the first."""
    for begin in range(0, min(len(names), _MOST_NAMES), _NAMES_A_LINE):
        label = "" if begin else "entered"
        yield f"{label:9} {', '.join(names[begin : begin + _NAMES_A_LINE])}"
    if len(names) > _MOST_NAMES:
        yield f"{'':9} and {len(names) - _MOST_NAMES} more, which `shoal tournament standings` shows"


def show_standings(found: Placings) -> None:
    """Print the standings with the tie-breaks, and published ratings of those who have one."""
    header = ["rank", "bot", "points", "of", *found.tiebreak_names]
    header += ["rating", "interval", *ADJUSTED, "matches", "id"]
    rows = [
        [
            str(line.rank),
            called_in_tournament(line),
            f"{line.points:g}",
            f"{line.possible_points:g}",
            *(f"{value:g}" for value in line.tiebreaks),
            points_of(line.published) if line.HasField("published") else "-",
            interval_of(line.published) if line.HasField("published") else "-",
            *adjusted_of(line.published if line.HasField("published") else None),
            str(line.match_count),
            line.bot_id,
        ]
        for line in found.lines
    ]
    say_table(header, rows, right={0, *range(2, len(header) - 1)}, widest=WIDEST)


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


def show_explanations(found: Sequence[pb.Explanation], names: Names) -> None:
    """Print the sentences, with an empty line between two explanations.

    What several bots wait for alike is said once. Where no sentence names a bot that it is about, a line
    before them does.
    """
    alike: dict[tuple[int, tuple[str, ...]], list[str]] = {}
    for number, each in enumerate(found, start=1):
        table = number if len(each.bot_ids) > 1 else 0  # what was said of one table is of no other
        alike.setdefault((table, tuple(each.sentences)), []).extend(each.bot_ids)
    said = []
    for (_, sentences), bots in alike.items():
        called = [names.get(bot, bot) for bot in bots]
        untold = not all(any(name in sentence for sentence in sentences) for name in called)
        said.append("\n".join([f"{', '.join(called)}:"] * untold + list(sentences)))
    say("\n\n".join(said))


def _cell(cell: pb.CrosstableCell, *, is_self: bool) -> str:
    if is_self:
        return "x"
    return f"{cell.points:g}/{cell.possible_points:g}" if cell.possible_points else "-"


def _listed(sizes: Sequence[int]) -> str:
    return " and ".join(str(size) for size in sizes)
