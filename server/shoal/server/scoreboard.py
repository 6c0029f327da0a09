"""How a demonstration looks: what was played, as a table while it runs and as text or JSON at its end."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the standings."""

    rank: int
    bot: str
    rating: float
    interval: float
    matches: int
    wins: int
    average_placement: float


@dataclass(frozen=True, slots=True)
class Score:
    """What was played in so many seconds; moves are those of the finished matches."""

    seconds: float
    matches: int
    moves: int
    standings: Sequence[Line]

    @property
    def matches_per_s(self) -> float:
        """Finished matches in a second."""
        return self.matches / self.seconds

    @property
    def moves_per_s(self) -> float:
        """Moves in a second."""
        return self.moves / self.seconds


def headline(score: Score) -> str:
    """Return the numbers in a line."""
    return (
        f"{score.seconds:.0f} s · {score.matches} matches ({score.matches_per_s:.1f}/s) · "
        f"{score.moves} moves ({score.moves_per_s:.0f}/s)"
    )


def view(score: Score) -> Group:
    """Return the headline and the standings."""
    table = Table("rank", "bot", "rating", "± 95 %", "matches", "wins", "average placement")
    for column in table.columns[2:]:
        column.justify = "right"
    for line in score.standings:
        table.add_row(
            str(line.rank),
            line.bot,
            f"{line.rating:.0f}",
            f"{line.interval:.0f}",
            str(line.matches),
            str(line.wins),
            f"{line.average_placement:.2f}" if line.matches else "-",
        )
    return Group(Text(headline(score)), table)


def print_score(score: Score, match_text: str, console: Console) -> None:
    """Print everything for people: one match first, so that the standings are what remains in sight."""
    console.print("\nOne of the matches:\n")
    console.print(match_text.rstrip(), markup=False, highlight=False, soft_wrap=True)
    console.print("\nThe ladder at the end:\n")
    console.print(view(score))


def print_json(score: Score, match: str) -> None:
    """Print everything as one JSON object; `match` is JSON already."""
    figures = {
        **asdict(score),
        "matches_per_s": round(score.matches_per_s, 2),
        "moves_per_s": round(score.moves_per_s, 1),
        "match": json.loads(match),
    }
    print(json.dumps(figures))  # noqa: T201 - a program reads it
