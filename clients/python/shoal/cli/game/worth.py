"""What cards are worth and why, in words.

The numbers are the engine's; a reason is given only where it adds up to them.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from shoal.engine import (
    FACES,
    Card,
    Color,
    Kind,
    Observation,
    Ruleset,
    Score,
    ruleset,
    score,
)
from shoal.engine.terms import terms_under

Table: TypeAlias = Sequence[Sequence[Card]]


class Part(NamedTuple):
    """One part of the points; `why` is empty where there is no reason that adds up."""

    name: str
    points: int
    why: str


def rules_for(view: Observation, seat: int) -> Ruleset:
    """Return the rules by which a seat's cards are scored now, as the event cards change them."""
    cards = {*view.players[seat].event_cards, view.event_card}
    return terms_under(ruleset(view.ruleset), frozenset(card for card in cards if card)).rules


def own_score(
    view: Observation,
    more: Sequence[Card] = (),
    less: Sequence[Card] = (),
    laid: Sequence[Card] = (),
) -> Score:
    """Return what the seat's cards are worth.

    Or would be with more cards in hand, with less, and with those laid on the table as one group.
    """
    assert view.seat is not None
    hand = [*view.hand, *more]
    for card in (*less, *laid):
        hand.remove(card)
    table = [*view.players[view.seat].table, *([laid] if laid else [])]
    return score(hand, table, rules_for(view, view.seat))


def parts(hand: Sequence[Card], table: Table, rules: Ruleset) -> Iterator[Part]:
    """Yield the parts of the points that are not 0."""
    found = score(hand, table, rules)
    held = [*hand, *(card for group in table for card in group)]
    kinds = Counter(FACES[card].kind for card in held)
    laid = score((), table, rules).duos
    in_hand = found.duos - laid
    duos = [(f"{laid} laid", laid), (f"{in_hand} in hand", in_hand)]
    yield from _part("duos", found.duos, duos)
    yield from _part("collectors", found.collectors, _priced(_collectors(kinds, rules)))
    yield from _part("multipliers", found.multipliers, _priced(_multipliers(kinds, rules)))
    yield from _part("mermaids", found.mermaids, _mermaids(held, kinds[Kind.MERMAID]))


def reasons(hand: Sequence[Card], table: Table, rules: Ruleset) -> str:
    """Return all parts in one line; empty where the cards are worth nothing."""
    return ", ".join(
        f"{name} {points} ({why})" if why else f"{name} {points}"
        for name, points, why in parts(hand, table, rules)
    )


def color_of_bonus(hand: Sequence[Card], table: Table) -> str:
    """Return the most frequent color of cards, with its number; empty where there are none."""
    colors = _colors([*hand, *(card for group in table for card in group)])
    return f"{colors[0][1]} {colors[0][0]}" if colors else ""


def plural(count: int, kind: Kind) -> str:
    """Return a number of cards of a kind, such as `2 boats`."""
    name = kind.name.lower()
    return f"{count} {name}" if count == 1 or name.endswith("fish") else f"{count} {_many(name)}"


def _many(name: str) -> str:
    return f"{name}es" if name.endswith("s") else f"{name}s"


def _part(name: str, points: int, found: Sequence[tuple[str, int]]) -> Iterator[Part]:
    """Yield a part unless it is 0."""
    given = [(text, worth) for text, worth in found if worth]
    adds_up = sum(worth for _, worth in given) == points
    if points:
        yield Part(name, points, ", ".join(text for text, _ in given) if adds_up else "")


def _priced(found: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return those reasons that count, with their points where there are several."""
    given = [(text, worth) for text, worth in found if worth]
    if len(given) == 1:
        return given
    return [(f"{text} = {worth}", worth) for text, worth in given]


def _collectors(kinds: Counter[Kind], rules: Ruleset) -> list[tuple[str, int]]:
    """Return what each set is worth, the joker among the one that it adds most to (rules 11.5)."""
    joined = None if rules.joker is None or not kinds[rules.joker] else _joined(kinds, rules)
    found = []
    for kind, points in rules.collectors:
        more = kind is joined
        name = f" + {rules.joker.name.lower()}" if more and rules.joker is not None else ""
        found.append((f"{plural(kinds[kind], kind)}{name}", points[kinds[kind] + more]))
    return found


def _joined(kinds: Counter[Kind], rules: Ruleset) -> Kind | None:
    """Return the set that one more card adds most to; None where none is begun and not complete."""
    gains = {
        kind: points[kinds[kind] + 1] - points[kinds[kind]]
        for kind, points in rules.collectors
        if 0 < kinds[kind] < len(points) - 1
    }
    return max(gains, key=gains.__getitem__, default=None)


def _multipliers(kinds: Counter[Kind], rules: Ruleset) -> list[tuple[str, int]]:
    """Return what each card that counts others is worth."""
    return [
        (
            f"{kind.name.lower()} with {plural(kinds[counted], counted)}",
            each * kinds[kind] * kinds[counted],
        )
        for kind, counted, each in rules.multipliers
    ]


def _mermaids(held: Sequence[Card], mermaids: int) -> list[tuple[str, int]]:
    """Return which colors the mermaids count."""
    return [(f"{count} {name}", count) for name, count in _colors(held)[:mermaids]]


def _colors(held: Sequence[Card]) -> list[tuple[str, int]]:
    """Return the colors with their numbers, the most frequent first."""
    counts = Counter(FACES[card].color for card in held)
    return [
        (color.name.lower(), counts[color])
        for color in sorted(Color, key=lambda color: (-counts[color], color))
        if counts[color]
    ]
