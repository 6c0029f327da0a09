"""What there is to say of each card and event: its words, its copies by color, its points."""

import textwrap
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from shoal.cli.output import Json, fail
from shoal.engine import FACES, RULESETS, Kind, Ruleset, event_name, ruleset
from shoal.engine.glossary import EVENTS, KINDS

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
    yield sheet.name
    for line in textwrap.wrap(sheet.text, _WIDTH - 2):
        yield f"  {line}"
    if sheet.points:
        yield from _field("points", sheet.points)
    if sheet.colors:
        colors = ", ".join(
            color if count == 1 else f"{color} x{count}" for color, count in sheet.colors.items()
        )
        yield from _field("cards", f"{sheet.copies}: {colors}")
    yield from _field("rules", f"docs/rules.md, section {sheet.section}")


def table() -> Iterator[str]:
    """Yield all cards, and then all events, with what they do."""
    for number, (what, counted) in enumerate(((CARD, "cards"), (EVENT, ""))):
        sheets = [sheet for sheet in SHEETS.values() if sheet.type == what]
        if not sheets:
            continue
        if number:
            yield ""
        longest = max(len(sheet.name) for sheet in sheets)
        yield f"{what.ljust(longest)}  {counted}  what it does"
        for sheet in sheets:
            count = str(sheet.copies or "").rjust(len(counted))
            begin = f"{sheet.name.ljust(longest)}  {count}  "
            yield from textwrap.wrap(
                sheet.text, _WIDTH, initial_indent=begin, subsequent_indent=" " * len(begin)
            )


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
    for kind, entry in KINDS.items():
        colors = {face.color.name.lower(): face.copies for face in FACES if face.kind is kind}
        yield Sheet(kind.name.lower(), CARD, *entry, colors, _points(kind, rules))
    for card, entry in EVENTS.items():
        yield Sheet(event_name(card), EVENT, *entry, {}, "")


SHEETS: Mapping[str, Sheet] = {sheet.name: sheet for sheet in _sheets()}
"""All of them, by name."""
