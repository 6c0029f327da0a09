"""`shoal rules`: what cards are worth, and what they do."""

import os
import stat
import sys
from typing import Annotated

import typer

from shoal.cli.hands import BadHand, parse_hand, score_hand
from shoal.cli.options import AsJson
from shoal.cli.output import Json, fail, note, say, say_json, say_line
from shoal.cli.sheet import SHEETS, find, lines_of, table

PARTS = ("mermaids", "duos", "collectors", "multipliers")
"""What the points of cards are the sum of."""

app = typer.Typer(no_args_is_help=True, help="Look up what cards do, and score hands.")


@app.command()
def show(
    name: Annotated[
        list[str] | None,
        typer.Argument(metavar="[CARD|EVENT]", help="Such as crab, or penguin colony."),
    ] = None,
    *,
    json: AsJson = False,
) -> None:
    """Show what a card does.

    Without a name: all of them in a table.

    Example: shoal rules show crab
    """
    if not name:
        if json:
            say_json([sheet.as_dict() for sheet in SHEETS.values()])
            return
        for line in table():
            say(line)
        return
    sheet = find(" ".join(name))
    if json:
        say_json(sheet.as_dict())
        return
    for line in lines_of(sheet):
        say(line)


@app.command()
def score() -> None:
    """Score hands.

    Reads one hand a line from standard input, as JSON, and writes its points a line:

    \b
    {"hand": [{"kind": "crab", "color": "black"}], "table": [], "event": null}
    {"points": 0, "color_bonus": 1, "detail": {"mermaids": 0, "duos": 0, ...}}

    \b
    hand        the cards in hand
    table       a list of groups, each a list of cards that lie together
    event       the event in force; null, or left out: none
    events      may be there: all events that count, of which event is the first
    face_down   may be there: cards that lie face down, and count for nothing
    extra_salt  may be there: false refuses cards of that expansion

    Other fields are not looked at, and blank lines are skipped. The first line that is no hand ends
    it with exit code 2; those before it were answered.

    Example: shoal rules score < hands.jsonl
    """  # noqa: D301 - the backspace tells the help not to wrap what follows
    if sys.stdin is None:
        fail("there is no standard input: give it hands, one a line")
    if sys.stdin.isatty():
        note("one hand a line, as JSON; Ctrl-D ends (`shoal rules score --help` explains)")
    # Whoever sends line by line waits for each answer; of a file, only the end matters.
    waiting = not stat.S_ISREG(os.fstat(sys.stdin.fileno()).st_mode)
    for number, line in enumerate(sys.stdin.buffer, start=1):
        if not line.strip():
            continue
        try:
            found = score_hand(parse_hand(line))
        except BadHand as error:
            sys.stdout.flush()
            fail(f"line {number}, {error}" if error.field else f"line {number}: {error}")
        detail: dict[str, Json] = {part: getattr(found, part) for part in PARTS}
        say_line({"points": found.points, "color_bonus": found.color_bonus, "detail": detail})
        if waiting:
            sys.stdout.flush()
