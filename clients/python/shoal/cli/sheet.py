"""What there is to say of each card and event: its words, its copies by color, its points."""

import textwrap
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from shoal.cli.glossary import CARDS, EVENTS, Entry
from shoal.cli.output import Json, columns, fail
from shoal.engine import FACES, RULESETS, Kind, Ruleset, ruleset

CARD = "card"
EVENT = "event"

_WIDTH = 78
_MARGIN = 10


class Sheet(NamedTuple):
    """One card or event.

    `colors` are the copies by color, none for an event; `points` is empty where the text says it.
    """

    name: str
    type: str
    title: str
    text: str
    section: str
    colors: Mapping[str, int]
    points: str

    @property
    def copies(self) -> int:
        """How many the game has, in all colors."""
        return sum(self.colors.values())

    def as_dict(self) -> dict[str, Json]:
        """Return it as JSON."""
        return {
            "name": self.name,
            "type": self.type,
            "title": self.title,
            "text": self.text,
            "points": self.points,
            "copies": self.copies,
            "colors": dict(self.colors),
            "section": self.section,
        }


def find(name: str) -> Sheet:
    """Return the sheet with a name, however it is spelled; fail where there is none."""
    asked = "_".join(name.replace("-", " ").replace("_", " ").lower().split())
    if asked not in SHEETS:
        fail(f"no card or event is called {name[:40]!r}; there are: {', '.join(SHEETS)}")
    return SHEETS[asked]


def lines_of(sheet: Sheet) -> Iterator[str]:
    """Yield all of a sheet for people."""
    yield f"{sheet.name}: {sheet.title}"
    for line in textwrap.wrap(sheet.text, _WIDTH - 2):
        yield f"  {line}"
    if sheet.points:
        yield from _field("points", sheet.points)
    if sheet.colors:
        colors = ", ".join(
            color if count == 1 else f"{color} x{count}" for color, count in sheet.colors.items()
        )
        yield from _field("cards", f"{sheet.copies}: {colors}")
    yield from _field("rules", f"docs/rules.md, {sheet.section}")


def table() -> Iterator[str]:
    """Yield a line for each card, and then for each event."""
    cards = [
        [sheet.name, str(sheet.copies), sheet.title, sheet.points.partition(";")[0], sheet.section]
        for sheet in SHEETS.values()
        if sheet.type == CARD
    ]
    yield from columns(["card", "cards", "what it does", "points", "rules"], cards, right={1})
    events = [
        [sheet.name, sheet.title, sheet.section] for sheet in SHEETS.values() if sheet.type == EVENT
    ]
    if events:
        yield ""
        yield from columns(["event", "what it does", "rules"], events, right=set())


def _field(name: str, text: str) -> Iterator[str]:
    """Yield a field with its name before it."""
    indent = " " * _MARGIN
    yield from textwrap.wrap(
        text, _WIDTH, initial_indent=f"  {name}".ljust(_MARGIN), subsequent_indent=indent
    )


def _points(kind: Kind, rules: Ruleset) -> str:
    """Return what the rows of the ruleset say of a kind's points: first those of the card alone."""
    said = []
    partners = [
        (duo.second if kind is duo.first else duo.first).name.lower()
        for duo in rules.duos
        if kind in duo[:2]
    ]
    if partners:
        said.append(f"1 with a {' or '.join(partners)}")
    for row in rules.collectors:
        if row.kind is kind:
            points = " ".join(map(str, row.points[1:]))
            said.append(f"{points} for 1 to {len(row.points) - 1}")
    said += [
        f"{each} for each {of.name.lower()}" for own, of, each in rules.multipliers if own is kind
    ]
    said += [
        f"{each} more with the {own.name.lower()}"
        for own, of, each in rules.multipliers
        if of is kind
    ]
    return "; ".join(said)


def _sheets() -> Iterator[Sheet]:
    """Yield the cards in the order of the card list, then the events."""
    rules = max(map(ruleset, RULESETS), key=lambda each: len(each.deck))
    for kind, entry in CARDS.items():
        colors = {face.color.name.lower(): face.copies for face in FACES if face.kind is kind}
        yield _sheet(kind.name.lower(), CARD, entry, colors, _points(kind, rules))
    for name, entry in EVENTS.items():
        yield _sheet(name, EVENT, entry, {}, "")


def _sheet(name: str, what: str, entry: Entry, colors: Mapping[str, int], points: str) -> Sheet:
    return Sheet(name, what, entry.title, entry.text, entry.section, colors, points)


SHEETS: Mapping[str, Sheet] = {sheet.name: sheet for sheet in _sheets()}
"""All of them, by name."""
