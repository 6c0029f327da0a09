"""What happened, in words, by the names of those who sit at the table.

The events of the game's core have words of their own; every other event is told as the engine's
notation has it, with names in place of seats.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, assert_never

from shoal.engine import (
    Called,
    Card,
    CardDrawn,
    CardPicked,
    Caught,
    DeckSearched,
    DuoPlayed,
    DuoStolen,
    Event,
    EventAwarded,
    EventDiscarded,
    EventRevealed,
    FishDrawn,
    HandRevealed,
    HandSeen,
    Kept,
    MatchEnded,
    MermaidsShown,
    PileSearched,
    RoundEnded,
    RoundStarted,
    SeatLeft,
    Shielded,
    Stolen,
    Stung,
    SwapDeclined,
    Swapped,
    Took,
    TrioPlayed,
    TurnEnded,
    card_name,
    format_event,
)
from shoal.engine.glossary import EVENTS

_SEAT = re.compile(r"\bseat (\d)")
_UNSEEN = re.compile(r"\?(?:, \?)*")


class Clause(NamedTuple):
    """Something that a seat did, without its name before it; `seat` is None where nobody did it."""

    seat: int | None
    text: str


class Deed(NamedTuple):
    """What the notation says of an event, without its actor; `seat` is None where nobody did it."""

    seat: int | None
    text: str


class Names:
    """Who sits where; the person at the terminal is "you"."""

    def __init__(self, names: Sequence[str], me: int) -> None:
        """Take the names by seat, and the seat of the person."""
        self.me = me
        self._names = [*names]
        self._names[me] = "you"

    def __getitem__(self, seat: int) -> str:
        """Return the name of a seat."""
        return self._names[seat]

    def __len__(self) -> int:
        """Return the number of seats."""
        return len(self._names)

    @property
    def width(self) -> int:
        """The length of the longest name."""
        return max(map(len, self._names))

    def does(self, seat: int, verb: str) -> str:
        """Return a verb, given as `draws`, in the form that goes with the name."""
        if seat != self.me:
            return verb
        return verb[:-2] if verb.endswith(("ches", "shes")) else verb.removesuffix("s")

    def in_text(self, text: str) -> str:
        """Return a text with names in place of seats."""
        return _SEAT.sub(lambda match: self[int(match[1])], text)


def clauses(events: Iterable[Event], names: Names) -> list[Clause]:
    """Return what is worth telling of these events; how a turn, a round or the match ends is not."""
    told = (_clause(event, names) for event in events)
    return [each for each in told if each is not None]


def listing(cards: Iterable[Card], between: str = ", ") -> str:
    """Return cards by their names; `nothing` where there are none."""
    return between.join(map(card_name, cards)) or "nothing"


def groups(table: Iterable[Sequence[Card]]) -> str:
    """Return the groups on a table; `-` where there are none."""
    return "; ".join(listing(group, " + ") for group in table) or "-"


def deed(event: Event) -> Deed:
    """Return who did what."""
    seat, text = actor(event), format_event(event)
    return Deed(seat, text if seat is None else text.removeprefix(f"seat {seat} "))


def actor(event: Event) -> int | None:
    """Return the seat that did something; None for what happened to all."""
    match event:
        case (
            Took()
            | Kept()
            | DuoPlayed()
            | PileSearched()
            | CardPicked()
            | FishDrawn()
            | TurnEnded()
            | Called()
            | HandRevealed()
            | MermaidsShown()
            | SeatLeft()
            | TrioPlayed()
            | Stung()
            | CardDrawn()
            | DeckSearched()
            | Caught()
            | Shielded()
            | HandSeen()
            | Swapped()
            | SwapDeclined()
            | EventDiscarded()
        ):
            return event.seat
        case Stolen() | DuoStolen():
            return event.thief
        case RoundStarted() | RoundEnded() | MatchEnded() | EventRevealed() | EventAwarded():
            return None
        case _:
            assert_never(event)


def _clause(event: Event, names: Names) -> Clause | None:
    """Return what an event says."""
    match event:
        case Took(seat, pile, count, cards):
            return Clause(seat, _took(pile, count, cards, names.does(seat, "takes")))
        case Kept(seat, card, discarded, pile):
            kept = "one" if card is None else card_name(card)
            text = f"{names.does(seat, 'keeps')} {kept}"
            if discarded is not None:
                text += f", {names.does(seat, 'puts')} {card_name(discarded)} on pile {pile}"
            return Clause(seat, text)
        case DuoPlayed(seat, first, second, _):  # what it was aimed at, the next event tells
            return Clause(seat, f"{names.does(seat, 'lays')} {listing((first, second), ' + ')}")
        case PileSearched(seat, pile, size, cards):
            shown = f": {listing(cards)}" if cards else ""
            looks = names.does(seat, "looks")
            return Clause(seat, f"{looks} through pile {pile}, {_some(size)}{shown}")
        case CardPicked(seat, _, card, _, top):
            picked = "one of them" if card is None else card_name(card)
            left = "leaving it empty" if top is None else f"leaving {card_name(top)} on top"
            return Clause(seat, f"{names.does(seat, 'takes')} {picked}, {left}")
        case FishDrawn(seat, card):
            return Clause(seat, f"{names.does(seat, 'draws')} {_hidden(card)}")
        case Stolen(thief, victim, card):
            return Clause(
                thief, f"{names.does(thief, 'steals')} {_hidden(card)} from {names[victim]}"
            )
        case HandRevealed(seat, hand):
            return Clause(seat, f"{names.does(seat, 'shows')} {listing(hand)}")
        case Called(seat, call):
            return Clause(
                seat, f"{names.does(seat, 'calls')} {call.value.upper().replace('_', ' ')}"
            )
        case MermaidsShown(seat, count):
            wins = names.does(seat, "wins")
            return Clause(
                seat, f"{names.does(seat, 'shows')} {count} mermaids and {wins} the match"
            )
        case EventAwarded(event_card, owner) if owner is not None:
            told = _from_notation(event, names)
            lasting = f"and counts for {names[owner]} from now on"
            return Clause(None, f"{told.text}, {lasting}: {EVENTS[event_card].text}")
        case TurnEnded() | RoundStarted() | RoundEnded() | MatchEnded():
            return None
        case _:
            return _from_notation(event, names)


def _from_notation(event: Event, names: Names) -> Clause:
    """Return the engine's text on an event with names in place of seats, and words in place of `?`."""
    seat, text = deed(event)
    text = names.in_text(_UNSEEN.sub(lambda match: _some(match[0].count("?")), text))
    if seat is None:
        return Clause(None, text)
    verb, space, rest = text.partition(" ")
    return Clause(seat, f"{names.does(seat, verb)}{space}{rest}")


def _took(pile: int | None, count: int, cards: Sequence[Card] | None, takes: str) -> str:
    """Return how cards were taken."""
    if pile is not None:
        return f"{takes} {listing(cards or ())} from pile {pile}"
    if cards is not None:
        return f"{takes} {listing(cards)} from the deck"
    return f"{takes} {_some(count)} from the deck"


def _some(count: int) -> str:
    """Return a number of cards that are hidden."""
    return "a card" if count == 1 else f"{count} cards"


def _hidden(card: Card | None) -> str:
    """Return a card that may be hidden."""
    return _some(1) if card is None else card_name(card)
