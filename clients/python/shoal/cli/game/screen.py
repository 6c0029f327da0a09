"""How the game looks: columns, headings, cards in their colors. The only place that knows rich.

Without a terminal, with NO_COLOR or with a terminal that cannot do it, the same text comes without
colors. Everything is ASCII, so that no terminal needs to be asked what it can show.
"""

import re
from collections.abc import Collection, Iterable, Sequence

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

from shoal.engine import Color, Kind

_STYLES = {
    Color.DARK_BLUE: "bright_blue",
    Color.LIGHT_BLUE: "bright_cyan",
    Color.BLACK: "bold",
    Color.YELLOW: "bright_yellow",
    Color.GREEN: "green",
    Color.WHITE: "bold underline",
    Color.PURPLE: "magenta",
    Color.GREY: "bright_black",
    Color.LIGHT_ORANGE: "color(215)",
    Color.PINK: "bright_magenta",
    Color.ORANGE: "color(208)",
}
"""How cards of a color are written; black and white must be seen on any background."""

_THEME = Theme({f"card.{color.name.lower()}": style for color, style in _STYLES.items()})

_GLUE = "\ue000"
"""Stands for the space in the name of a card, which is not to be torn apart at the end of a line."""

_KINDS = "|".join(kind.name.lower() for kind in Kind)


def _cards(between: str) -> re.Pattern[str]:
    """Return what finds the names of cards, in a group called like their color."""
    colors = (color.name.lower() for color in Color)
    return re.compile("|".join(rf"\b(?P<{name}>(?:{_KINDS}){between}{name})\b" for name in colors))


_CARD, _GLUED = _cards(" "), _cards(_GLUE)

_TRAILING = re.compile(r" +$", re.MULTILINE)

INDENT = 2

_GAP = 2
"""Spaces between columns."""

_LEAST = 12
"""With less room than this for the last column, the others are wrapped too."""


class Screen:
    """Writes to standard output, as wide as the terminal, or 80 columns where there is none."""

    def __init__(self) -> None:
        """Look at the terminal."""
        self._console = Console(theme=_THEME, highlight=False, markup=False, emoji=False)

    def heading(self, text: str) -> None:
        """Write a line across the screen with a title in it."""
        self.blank()
        self._print(Rule(Text(text, "bold"), align="left", characters="-", style="default"))

    def line(self, text: str, indent: int = INDENT) -> None:
        """Write a paragraph."""
        self._print(Padding(_painted(text), (0, 0, 0, indent)))

    def whole(self, text: str) -> None:
        """Write a line that is to be copied, however long it is."""
        self._console.file.write(f"{' ' * INDENT}{text}\n")

    def blank(self) -> None:
        """Write an empty line."""
        self._console.file.write("\n")

    def rows(
        self,
        rows: Iterable[Sequence[str]],
        *,
        right: Collection[int] = (),
        header: Sequence[str] = (),
        indent: int = INDENT,
    ) -> None:
        """Write cells one below the other; the last column takes what is left, and is wrapped in it."""
        listed = [*rows]
        if not listed:
            return
        table = Table.grid(padding=(0, _GAP, 0, 0))
        widths = [
            max(map(len, cells)) for cells in zip(*listed, *filter(None, [header]), strict=True)
        ]
        room = self._console.width - indent - sum(width + _GAP for width in widths[:-1])
        for column, width in enumerate(widths):
            last = column == len(widths) - 1
            table.add_column(
                justify="right" if column in right else "left",
                min_width=None if last or room < _LEAST else width,
                overflow="fold",
            )
        if header:
            table.add_row(*(Text(cell, "dim") for cell in header))
        for row in listed:
            table.add_row(*map(_painted, row))
        self._print(Padding(table, (0, 0, 0, indent)))

    def _print(self, what: RenderableType) -> None:
        """Write something without the spaces with which rich fills up its lines."""
        with self._console.capture() as captured:
            self._console.print(what)
        self._console.file.write(_TRAILING.sub("", captured.get()).replace(_GLUE, " "))


def _painted(text: str) -> Text:
    """Return a text with the cards in it in their colors."""
    painted = Text(_CARD.sub(lambda match: match[0].replace(" ", _GLUE), text))
    painted.highlight_regex(_GLUED, style_prefix="card.")
    return painted
