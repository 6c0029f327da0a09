"""Moves and events as text: moves parse back, events are for reading.

Cards are written as `card_name` says, seats and piles as numbers from 0.
"""

from collections.abc import Sequence
from typing import assert_never

from shoal.engine.cards import KIND_OF, Card, Kind, card_name
from shoal.engine.errors import UnknownMove
from shoal.engine.event_cards import event_name
from shoal.engine.events import (
    Called,
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
)
from shoal.engine.moves import (
    Catch,
    EndTurn,
    Keep,
    KeepEventCard,
    LastChance,
    Move,
    NoSwap,
    PickCard,
    PlayDuo,
    PlayTrio,
    Shield,
    Stop,
    Swap,
    TakeDeck,
    TakeEqualTop,
    TakePile,
    all_moves,
    laid_duo_of,
)


def format_move(move: Move) -> str:
    """Return the move as text, such as `keep crab black, discard to 1`."""
    match move:
        case TakeDeck():
            return "take deck"
        case TakePile(pile):
            return f"take pile {pile}"
        case Keep(card, None):
            return f"keep {card_name(card)}"
        case Keep(card, pile):
            return f"keep {card_name(card)}, discard to {pile}"
        case PlayDuo(first, second, target):
            return f"play {card_name(first)} + {card_name(second)}{_on(first, second, target)}"
        case PickCard(card, 0):
            return f"pick {card_name(card)}"
        case PickCard(card, copy):
            return f"pick {card_name(card)} under {copy}"
        case EndTurn():
            return "end turn"
        case Stop():
            return "stop"
        case LastChance():
            return "last chance"
        case PlayTrio(first, second, third):
            return f"play {card_name(first)} + {card_name(second)} + {card_name(third)}"
        case Shield(card):
            return f"shield {card_name(card)}"
        case Catch(card):
            return f"catch {card_name(card)}"
        case Swap(given, gained):
            return f"swap {card_name(given)} for {card_name(gained)}"
        case NoSwap():
            return "no swap"
        case TakeEqualTop(pile):
            return f"take equal top {pile}"
        case KeepEventCard(event_card):
            return f"keep event {event_name(event_card)}"
        case _:
            assert_never(move)


def _on(first: Card, second: Card, target: int | None) -> str:
    """Return the text of a duo's target, if any: a pile or seat, or a laid duo for two sharks."""
    if target is None:
        return ""
    if KIND_OF[first] == KIND_OF[second] == Kind.SHARK:
        seat, position = laid_duo_of(target)
        return f" on duo {position} of seat {seat}"
    return f" on {target}"


_BY_TEXT = {format_move(move): move for move in all_moves()}


def parse_move(text: str) -> Move:
    """Return the move with this text, the inverse of `format_move`; raise UnknownMove."""
    try:
        return _BY_TEXT[text]
    except KeyError:
        raise UnknownMove(repr(text)) from None


def format_event(event: Event) -> str:
    """Return one line that tells the event; hidden cards are `?`."""
    match event:
        case RoundStarted(number, starter, tops, deck_size):
            return f"round {number}: seat {starter} starts, piles {_list(tops)}, deck {deck_size}"
        case Took(seat, None, count, cards):
            return f"seat {seat} draws {_list(cards, count)}"
        case Took(seat, pile, count, cards):
            return f"seat {seat} takes {_list(cards, count)} from pile {pile}"
        case Kept(seat, card, None, _):
            return f"seat {seat} keeps {_name(card)}"
        case Kept(seat, card, discarded, pile):
            return f"seat {seat} keeps {_name(card)}, puts {_name(discarded)} on pile {pile}"
        case DuoPlayed(seat, first, second, target):
            names = f"{card_name(first)} + {card_name(second)}"
            return f"seat {seat} plays {names}{_on(first, second, target)}"
        case PileSearched(seat, pile, size, cards):
            return f"seat {seat} looks through pile {pile}: {_list(cards, size)}"
        case CardPicked(seat, pile, card, size, top):
            left = f"{size} left" if top is None else f"{size} left, top {card_name(top)}"
            return f"seat {seat} picks {_name(card)} from pile {pile}, {left}"
        case FishDrawn(seat, card):
            return f"seat {seat} fishes {_name(card)}"
        case Stolen(thief, victim, card):
            return f"seat {thief} steals {_name(card)} from seat {victim}"
        case TurnEnded(seat):
            return f"seat {seat} ends its turn"
        case Called(seat, call):
            return f"seat {seat} calls {call.value}"
        case HandRevealed(seat, hand):
            return f"seat {seat} shows {_list(hand) or 'an empty hand'}"
        case RoundEnded():
            return _format_round_end(event)
        case MermaidsShown(seat, count):
            return f"seat {seat} shows {count} mermaids"
        case SeatLeft(seat):
            return f"seat {seat} leaves"
        case MatchEnded(result):
            return f"match over by {result.ending.value}: ranks {_numbers(result.ranks)}"
        case TrioPlayed(seat, first, second, third):
            names = f"{card_name(first)} + {card_name(second)} + {card_name(third)}"
            return f"seat {seat} plays {names}"
        case Stung(seat):
            return f"seat {seat} stings all others"
        case CardDrawn(seat, cause, card):
            return f"seat {seat} draws {_name(card)} for {cause.value}"
        case DeckSearched(seat, count, cards):
            return f"seat {seat} looks at the top of the deck: {_list(cards, count)}"
        case Caught(seat, card, deck_size):
            return f"seat {seat} catches {_name(card)}, deck {deck_size} shuffled"
        case Shielded(seat, card):
            return f"seat {seat} lays {_name(card)} face down"
        case HandSeen(seat, victim, size, hand):
            return f"seat {seat} looks at the hand of seat {victim}: {_list(hand, size)}"
        case Swapped(seat, victim, given, gained):
            return f"seat {seat} gives {_name(given)} to seat {victim} for {_name(gained)}"
        case SwapDeclined(seat, victim):
            return f"seat {seat} swaps nothing with seat {victim}"
        case DuoStolen(thief, victim, group):
            return f"seat {thief} takes {' + '.join(map(card_name, group))} from seat {victim}"
        case EventRevealed(event_card):
            return f"event {event_name(event_card)} for everybody"
        case EventAwarded(event_card, None):
            return f"event {event_name(event_card)} goes to nobody"
        case EventAwarded(event_card, seat):
            return f"event {event_name(event_card)} goes to seat {seat}"
        case EventDiscarded(seat, event_card):
            return f"seat {seat} loses event {event_name(event_card)}"
        case _:
            assert_never(event)


def _format_round_end(event: RoundEnded) -> str:
    """Return one line that tells how a round ended."""
    parts = [f"round {event.round} over by {event.ending.value}"]
    if event.bet_won is not None:
        parts.append("bet won" if event.bet_won else "bet lost")
    if event.card_points is not None and event.color_bonus is not None:
        parts.append(f"cards {_numbers(event.card_points)}")
        parts.append(f"colors {_numbers(event.color_bonus)}")
    parts.append(f"points {_numbers(event.round_points)}")
    parts.append(f"totals {_numbers(event.totals)}")
    return ", ".join(parts)


def _name(card: Card | None) -> str:
    """Return the name of a card that may be hidden."""
    return "?" if card is None else card_name(card)


def _list(cards: Sequence[Card] | None, count: int = 0) -> str:
    """Return the names of the cards, or as many question marks as there are hidden ones."""
    names = ["?"] * count if cards is None else [card_name(card) for card in cards]
    return ", ".join(names)


def _numbers(numbers: Sequence[int]) -> str:
    """Return numbers by seat."""
    return "-".join(map(str, numbers))
