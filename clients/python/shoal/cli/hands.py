"""Cards of a seat as a line of JSON: the only place that reads one, and says what is wrong with it.

The format is that of the recordings in tests/oracle, whose other fields are not looked at.
"""

import json
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from shoal.engine import (
    FACES,
    RULESETS,
    Card,
    Color,
    EventCard,
    Kind,
    Score,
    UnknownCard,
    card_name,
    event_name,
    face_id,
    ruleset,
    score,
)

_LONGEST_ECHO = 40
"""So much of a name that nobody knows is repeated."""

_RULES = max(map(ruleset, RULESETS), key=lambda rules: len(rules.deck))
"""The ruleset with all cards: what some of them are worth does not depend on the others in the box."""

_BASE = {FACES[card].kind for card in ruleset("base").deck}

_KINDS = {kind.name.lower(): kind for kind in Kind}
_COLORS = {color.name.lower(): color for color in Color}
_EVENTS = {event_name(card): card for card in EventCard}

_DUOS = {tuple(sorted((duo.first.name, duo.second.name))) for duo in _RULES.duos} | {
    # Only while an event allows it, but what was laid may have been laid before.
    ("SWIMMER", "SWIMMER"),
    ("SHARK", "SHARK"),
}
_THIRD = "STARFISH"
"""What may lie with a duo."""

_HIDDEN = Kind.SHELL
"""What may lie face down."""

_Json: TypeAlias = "dict[str, _Json] | list[_Json] | str | int | float | bool | None"


class BadHand(ValueError):
    """A line that is no hand: which field of it, and why."""

    def __init__(self, field: str, why: str) -> None:
        """Keep the field, such as `hand[2].color`; it is empty where the whole line is meant."""
        super().__init__(f"{field}: {why}" if field else why)
        self.field = field


class Hand(NamedTuple):
    """What a seat has: cards in hand, groups on the table, and the events that count for it."""

    hand: tuple[Card, ...]
    table: tuple[tuple[Card, ...], ...]
    events: tuple[str, ...]


def score_hand(hand: Hand) -> Score:
    """Return what the cards are worth."""
    return score(hand.hand, hand.table, _RULES, [_EVENTS[name] for name in hand.events])


def parse_hand(line: bytes) -> Hand:
    """Return the hand in a line of JSON; raise BadHand. What lies face down is checked, and worth nothing."""
    try:
        row: _Json = json.loads(line, object_pairs_hook=_each_once)
    except BadHand:
        raise
    except RecursionError:
        raise BadHand("", "not JSON: nested too deeply") from None
    except json.JSONDecodeError as error:
        raise BadHand("", f"not JSON: {error.msg} at character {error.pos + 1}") from None
    except ValueError:  # bytes that are no text, or a number of thousands of digits
        raise BadHand("", "not JSON: it cannot be read as text and numbers") from None
    if not isinstance(row, dict):
        raise BadHand("", f"a hand is an object, not {_type(row)}")
    hand = _cards(row, "hand")
    table = tuple(
        _group(group, f"table[{place}]") for place, group in enumerate(_list(row, "table"))
    )
    hidden = _cards(row, "face_down") if "face_down" in row else ()
    for place, card in enumerate(hidden):
        if FACES[card].kind is not _HIDDEN:
            raise BadHand(f"face_down[{place}].kind", "only a shell may lie face down")
    places = [(f"hand[{place}]", card) for place, card in enumerate(hand)]
    for number, group in enumerate(table):
        places += [(f"table[{number}][{place}]", card) for place, card in enumerate(group)]
    places += [(f"face_down[{place}]", card) for place, card in enumerate(hidden)]
    _check_box(places, salt=_salt(row))
    return Hand(hand, table, _events(row))


def _each_once(pairs: list[tuple[str, _Json]]) -> dict[str, _Json]:
    """Return an object; raise BadHand for a field that is there twice, since readers differ on it."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        raise BadHand(next(name for name in names if names.count(name) > 1), "is there twice")
    return fields


def _list(row: Mapping[str, _Json], field: str) -> list[_Json]:
    """Return a field that holds a list."""
    if field not in row:
        raise BadHand(field, "is missing")
    return _as_list(row[field], field)


def _as_list(value: _Json, field: str) -> list[_Json]:
    if not isinstance(value, list):
        raise BadHand(field, f"must be a list, not {_type(value)}")
    return value


def _cards(row: Mapping[str, _Json], field: str) -> tuple[Card, ...]:
    """Return a field that holds cards."""
    return tuple(_card(card, f"{field}[{place}]") for place, card in enumerate(_list(row, field)))


def _card(value: _Json, field: str) -> Card:
    """Return one card."""
    if not isinstance(value, dict):
        raise BadHand(field, f"must be an object with kind and color, not {_type(value)}")
    kind = _KINDS[_name(value, "kind", _KINDS, field)]
    color = _COLORS[_name(value, "color", _COLORS, field)]
    try:
        return face_id(kind, color)
    except UnknownCard as error:
        colors = ", ".join(face.color.name.lower() for face in FACES if face.kind is kind)
        raise BadHand(
            f"{field}.color", f"there is no {error}; {kind.name.lower()} comes in {colors}"
        ) from None


def _name(card: Mapping[str, _Json], key: str, known: Mapping[str, object], field: str) -> str:
    """Return one of the known names."""
    place = f"{field}.{key}"
    if key not in card:
        raise BadHand(place, "is missing")
    return _known(card[key], place, known)


def _known(value: _Json, field: str, known: Mapping[str, object]) -> str:
    if not isinstance(value, str):
        raise BadHand(field, f"must be a name, not {_type(value)}")
    if value not in known:
        shown = repr(value[:_LONGEST_ECHO])
        raise BadHand(field, f"{shown} is not known; known are: {', '.join(known) or 'none'}")
    return value


def _group(value: _Json, field: str) -> tuple[Card, ...]:
    """Return cards that lie on the table together: a duo, or a duo with a third card."""
    cards = tuple(
        _card(card, f"{field}[{place}]") for place, card in enumerate(_as_list(value, field))
    )
    kinds = sorted(FACES[card].kind.name for card in cards)
    if len(kinds) == 3 and _THIRD in kinds:
        kinds.remove(_THIRD)
    if tuple(kinds) not in _DUOS:
        what = " + ".join(FACES[card].kind.name.lower() for card in cards) or "nothing"
        raise BadHand(field, f"{what} cannot lie on the table together")
    return cards


def _salt(row: Mapping[str, _Json]) -> bool:
    """Return whether cards of Extra Salt may be among them: they may where nothing is said."""
    value = row.get("extra_salt", True)
    if not isinstance(value, bool):
        raise BadHand("extra_salt", f"must be true or false, not {_type(value)}")
    return value


def _check_box(places: list[tuple[str, Card]], *, salt: bool) -> None:
    """Refuse cards that are not in the box, or not so often."""
    seen: Counter[Card] = Counter()
    for field, card in places:
        face = FACES[card]
        seen[card] += 1
        if seen[card] > face.copies:
            raise BadHand(field, f"the game has {card_name(card)} only {face.copies} times")
        if face.kind not in _BASE and not salt:
            name = face.kind.name.lower()
            raise BadHand(f"{field}.kind", f"{name} is a card of Extra Salt; extra_salt is false")


def _events(row: Mapping[str, _Json]) -> tuple[str, ...]:
    """Return the events: all of `events`, whose first is `event`, or else that one alone."""
    first = row.get("event")
    if first is not None:
        first = _known(first, "event", _EVENTS)
    if "events" not in row:
        return () if first is None else (first,)
    events: list[str] = []
    for place, value in enumerate(_list(row, "events")):
        name = _known(value, f"events[{place}]", _EVENTS)
        if name in events:
            raise BadHand(f"events[{place}]", f"{name} is there twice")
        events.append(name)
    if "event" in row and first != (events[0] if events else None):
        raise BadHand("event", "must be the first of events, or null where there are none")
    return tuple(events)


def _type(value: _Json) -> str:
    """Return what JSON calls the type of a value."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case list():
            return "a list"
        case _:
            return "an object"
