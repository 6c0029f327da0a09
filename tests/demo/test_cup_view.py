"""How standings are printed: whole, whatever reads them and however narrow a terminal is."""

import io

import pytest
from rich.console import Console

from shoal.client import pb
from shoal.server.cup.view import Now, show, view

TIEBREAKS = ("Buchholz cut 1", "Buchholz", "Sonneborn-Berger", "direct encounter", "wins")
LINES = [
    pb.TournamentStanding(
        rank=rank,
        bot_name=name,
        points=points,
        possible_points=20,
        tiebreaks=[12345.5, 98765.5, 16161.25, 7.5, 4],
        rating=1612,
        interval=181,
        match_count=20,
    )
    for rank, name, points in ((1, "planner", 15.5), (2, "greedy-2", 9.0))
]
NOW = Now(pb.Tournament(finished_blocks=10), LINES, TIEBREAKS)


def printed(width: int, *, terminal: bool) -> str:
    """Return what is printed at the end."""
    out = io.StringIO()
    show(NOW, Console(file=out, width=width, force_terminal=terminal, color_system=None))
    return out.getvalue()


@pytest.mark.parametrize(("width", "terminal"), [(80, False), (300, False), (40, True)])
def test_a_pipe_and_a_narrow_terminal_get_lines_that_are_whole(
    width: int,
    terminal: bool,  # noqa: FBT001
) -> None:
    """A row a line, with every heading and every digit."""
    head, *rows = printed(width, terminal=terminal).splitlines()[1:]
    assert head.split("  ")[0] == "rank"
    assert all(name in head for name in TIEBREAKS)
    assert [row.split() for row in rows] == [
        f"1 planner 15.5 20 {'12345.5 98765.5 16161.2 7.5 4'} 1612 181 20".split(),
        f"2 greedy-2 9 20 {'12345.5 98765.5 16161.2 7.5 4'} 1612 181 20".split(),
    ]


def test_a_terminal_with_room_gets_a_box() -> None:
    shown = printed(200, terminal=True)
    assert "┃" in shown
    assert "…" not in shown
    assert all(name in shown for name in TIEBREAKS)


@pytest.mark.parametrize("width", [40, 80, 120, 200])
def test_what_is_shown_while_it_plays_is_never_cut(width: int) -> None:
    """It leaves out the last columns where there is no room."""
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=True, color_system=None)
    console.print(view(NOW, console))
    shown = out.getvalue()
    assert "…" not in shown
    assert max(map(len, shown.splitlines())) <= width
    assert "greedy-2" in shown
    assert ("matches" in shown) == (width == 200)


def test_who_is_excluded_is_said_to_be_so_while_it_plays_and_why_at_the_end() -> None:
    """A reason is too long for a table that has to fit."""
    gone = pb.TournamentStanding(
        rank=1, bot_name="anna", excluded=True, excluded_why="it floods us"
    )
    now, out = Now(pb.Tournament(), [gone], ()), io.StringIO()
    console = Console(file=out, width=120)
    console.print(view(now, console))
    assert "anna (excluded) " in out.getvalue()
    show(now, console)
    assert "anna (excluded: it floods us)" in out.getvalue()
