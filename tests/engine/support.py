"""How the engine's tests set up positions, play at random and read recordings."""

import gzip
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any, TypeAlias, TypeVar

import pytest

from shoal.engine import (
    Card,
    Color,
    DecisionKind,
    Event,
    EventCard,
    IllegalMove,
    Kind,
    Move,
    PlayDuo,
    PlayTrio,
    Shield,
    State,
    apply,
    decision,
    face_id,
    leave,
    legal_moves,
    new_match,
    ruleset,
)
from shoal.engine.awards import set_terms
from shoal.engine.cards import FACES
from shoal.engine.chance import KeyedChance, Use
from shoal.engine.model import Pending
from shoal.engine.play import _ask
from shoal.engine.zones import recount

E = TypeVar("E", bound=Event)

Row: TypeAlias = dict[str, Any]
"""One line of a recording."""

ORACLE = Path(__file__).parents[1] / "oracle"

_COLORS = dict(
    zip(("db", "lb", "bk", "ye", "gn", "wh", "pu", "gy", "lo", "pk", "or"), Color, strict=False)
)
_KINDS = {kind.name.lower(): kind for kind in Kind} | {
    "shoal": Kind.SHOAL_OF_FISH,
    "colony": Kind.PENGUIN_COLONY,
}


class ForcedChance:
    """Chance whose picks are told beforehand; what is not told follows from a seed."""

    def __init__(self, *picks: int, seed: bytes = b"forced") -> None:
        self.picks = list(picks)
        self.seed = seed

    def pick(self, use: Use, count: int) -> int:
        return self.picks.pop(0) if self.picks else KeyedChance(self.seed).pick(use, count)

    def shuffle(self, use: Use, cards: list[int]) -> None:
        KeyedChance(self.seed).shuffle(use, cards)


def card(text: str) -> Card:
    """Return the card of a short text: `crab db`, or `lighthouse` where there is only one color."""
    kind_text, _, color_text = text.strip().partition(" ")
    kind = _KINDS[kind_text]
    if color_text:
        return face_id(kind, _COLORS[color_text])
    return next(number for number, face in enumerate(FACES) if face.kind == kind)


def cards(text: str) -> list[Card]:
    """Return the cards of a short text: `crab db, mermaid x3`."""
    found = []
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        name, _, times = part.partition(" x")
        found += [card(name)] * int(times or 1)
    return found


def groups(text: str) -> list[tuple[Card, ...]]:
    """Return the groups of a table: `boat db + boat ye; fish gn + fish ye`."""
    pieces = filter(None, (piece.strip() for piece in text.split(";")))
    return [tuple(sorted(card(name) for name in piece.split("+"))) for piece in pieces]


def position(
    *hands: str,
    tables: Sequence[str] = (),
    deck: str = "shell db, shell lb, shell bk, shell ye",
    piles: tuple[str, str] = ("octopus lb", "octopus ye"),
    playing: bool = False,
    active: int = 0,
    totals: Sequence[int] = (),
    last_points: Sequence[int] = (),
    caller: int | None = None,
    picks: Sequence[int] = (),
    rules: str = "base",
    event: str | None = None,
    owned: Sequence[str] = (),
    shields: Sequence[str] = (),
    stung: Sequence[int] = (),
) -> State:
    """Return a state in which `active` is about to take, or is `playing` already.

    The deck's first card is drawn next; the piles' last card is on top. The cards need not add up
    to the ruleset's. With a caller, hands from it up to the active seat are revealed.

    `event` is the round's event card; by seat, `owned` are names of event cards, and `shields` the
    cards that lie face down.
    """
    state = new_match(ruleset(rules), len(hands), b"position")
    seats = range(len(hands))
    state.chance = ForcedChance(*picks)
    state.hands = [sorted(cards(hand)) for hand in hands]
    state.tables = [groups(table) for table in tables] or [[] for _ in seats]
    state.deck = cards(deck)[::-1]
    state.piles = [cards(pile) for pile in piles]
    state.totals = list(totals) or [0 for _ in seats]
    state.last_points = list(last_points) or [0 for _ in seats]
    state.active = active
    state.caller = caller
    if caller is not None:
        for step in range((active - caller) % len(hands)):
            state.revealed[(caller + step) % len(hands)] = True
    state.stung = tuple(stung)
    if shields:
        state.shields = [card(name) if name else None for name in shields]
    if state.rules.event_cards:
        set_event_cards(state, event, owned or [""] * len(hands))
    play, take = Pending(DecisionKind.PLAY, active), Pending(DecisionKind.TAKE, active)
    state.pending = [play] if playing else [play, take]
    recount(state)
    _ask(state, [])
    return state


def set_event_cards(state: State, event: str | None, owned: Sequence[str]) -> None:
    """Put these event cards into play; of the others, lower numbers come first."""
    state.event_card = EventCard[event.upper()] if event else None
    state.event_cards = tuple(
        tuple(EventCard[name.strip().upper()] for name in names.split(",") if name)
        for names in owned
    )
    used = {state.event_card}.union(*state.event_cards)
    state.event_deck = tuple(
        sorted((card for card in state.rules.event_cards if card not in used), reverse=True)
    )
    state.event_discards = ()
    set_terms(state)


def full_deck(state: State) -> State:
    """Return the state with all cards in its deck that lie nowhere else, so that they add up."""
    laid = chain.from_iterable(chain.from_iterable(state.tables))
    elsewhere = Counter(chain(*state.piles, *state.hands, laid))
    elsewhere.update(shield for shield in state.shields if shield is not None)
    state.deck = sorted((Counter(state.rules.deck) - elsewhere).elements())
    _ask(state, [])
    return state


def asked(state: State) -> tuple[int, DecisionKind]:
    """Return who is asked, and what."""
    open_decision = decision(state)
    assert open_decision is not None
    return open_decision.seat, open_decision.kind


def do(state: State, *moves: Move) -> list[Event]:
    """Apply the moves and return all that happened."""
    return [event for move in moves for event in apply(state, move)]


def only(kind: type[E], events: Sequence[Event]) -> E:
    """Return the one event of a class."""
    (event,) = (event for event in events if isinstance(event, kind))
    return event


def duo(first: str, second: str, target: int | None = None) -> PlayDuo:
    """Return the move that places two cards, whichever comes first."""
    return PlayDuo(*sorted((card(first), card(second))), target)


def trio(first: str, second: str, third: str) -> PlayTrio:
    """Return the move that places two cards with a starfish."""
    return PlayTrio(*sorted((card(first), card(second))), card(third))


def plays(state: State) -> list[Move]:
    """Return the options that lay cards."""
    return [move for move in legal_moves(state) if isinstance(move, PlayDuo | PlayTrio | Shield)]


def refused(state: State, move: Move) -> bool:
    """Tell that a move is refused; fail if it is not."""
    with pytest.raises(IllegalMove):
        apply(state, move)
    return True


def kinds(events: Sequence[object]) -> list[str]:
    """Return the names of the classes of what happened."""
    return [type(event).__name__ for event in events]


def random_steps(
    rules: str, seats: int, seed: int, *, leaving: bool = False
) -> Iterator[tuple[State, list[Event]]]:
    """Play a random match, and yield the state after every step, with what happened in it.

    With `leaving`, seats leave now and then.
    """
    dice = Random(seed)
    state = new_match(ruleset(rules), seats, seed.to_bytes(32, "big"))
    yield state, []
    while (open_decision := decision(state)) is not None:
        in_play = [seat for seat in range(seats) if seat not in state.left]
        if leaving and dice.random() < 0.01:
            events = leave(state, dice.choice(in_play))
        else:
            events = apply(state, dice.choice(open_decision.options))
        yield state, events


def recording(name: str) -> list[Row]:
    """Return the rows of a recording of the reference implementation."""
    with gzip.open(ORACLE / f"{name}.jsonl.gz", "rt") as lines:
        return [json.loads(line) for line in lines]


def recorded_card(row: dict[str, str] | list[str]) -> Card:
    """Return the card that a recording names."""
    kind, color = (row["kind"], row["color"]) if isinstance(row, dict) else row
    return face_id(Kind[kind.upper()], Color[color.upper()])


def recorded_rules(row: Row) -> str:
    """Return the name of the ruleset that a recording was played under."""
    salt, pepper = row.get("extra_salt"), row.get("extra_pepper")
    parts = [part for part, is_in in (("salt", salt), ("pepper", pepper)) if is_in] or ["base"]
    return "-".join([*parts, *(["double"] if row.get("double_points") else [])])
