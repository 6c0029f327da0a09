"""Events, already redacted for their reader, as the bytes of messages."""

from functools import lru_cache
from typing import assert_never

from shoal.engine import (
    Called,
    CardDrawn,
    CardPicked,
    Caught,
    DeckSearched,
    DrawCause,
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
    RoundEnding,
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
from shoal.v1 import event_pb2
from shoal.wire.cards import CARDS, EVENT_CARDS, aim
from shoal.wire.parts import number

_CAUSES = {cause: event_pb2.DrawCause.Value(f"DRAW_CAUSE_{cause.name}") for cause in DrawCause}
_ENDINGS = {
    ending: event_pb2.RoundEnding.Value(f"ROUND_ENDING_{ending.name}") for ending in RoundEnding
}


_VERSION = number(event_pb2.Event, "version")


def event_bytes(version: int, event: Event) -> bytes:
    """Return the message of an event of this version. A hidden card (None) stays absent."""
    return _VERSION[version] + _kind(event)


@lru_cache(maxsize=32_768)
def _kind(event: Event) -> bytes:
    """Return the message without its version: most of what happens has happened before."""
    message = event_pb2.Event()
    _write_event(message, event)
    return message.SerializeToString()


def _write_event(out: event_pb2.Event, event: Event) -> None:
    """Fill an empty message."""
    match event:
        case Took(seat, pile, count, cards):
            took = out.cards_taken
            took.seat = seat
            took.count = count
            if pile is not None:
                took.pile = pile
            if cards is not None:
                took.cards.extend([CARDS[card] for card in cards])
        case Kept(seat, card, discarded, pile):
            kept = out.card_kept
            kept.seat = seat
            if card is not None:
                kept.card.CopyFrom(CARDS[card])
            if discarded is not None and pile is not None:
                kept.discarded.CopyFrom(CARDS[discarded])
                kept.pile = pile
        case TurnEnded(seat):
            out.turn_ended.seat = seat
            out.turn_ended.SetInParent()
        case DuoPlayed(seat, first, second, target):
            duo = out.duo_played
            duo.seat = seat
            duo.first.CopyFrom(CARDS[first])
            duo.second.CopyFrom(CARDS[second])
            aim(duo, first, second, target)
        case PileSearched(seat, pile, size, cards):
            search = out.pile_searched
            search.seat = seat
            search.pile = pile
            search.size = size
            if cards is not None:
                search.cards.extend([CARDS[card] for card in cards])
        case CardPicked(seat, pile, card, size, top):
            pick = out.card_picked
            pick.seat = seat
            pick.pile = pile
            pick.size = size
            if card is not None:
                pick.card.CopyFrom(CARDS[card])
            if top is not None:
                pick.top.CopyFrom(CARDS[top])
        case FishDrawn(seat, card):
            drawn = out.cards_drawn
            drawn.seat = seat
            drawn.count = 1
            drawn.cause = event_pb2.DRAW_CAUSE_FISH
            if card is not None:
                drawn.cards.append(CARDS[card])
        case Stolen(thief, victim, card):
            stolen = out.card_stolen
            stolen.seat = thief
            stolen.victim = victim
            if card is not None:
                stolen.card.CopyFrom(CARDS[card])
        case RoundStarted(number, starter, tops, deck_size):
            start = out.round_started
            start.round = number
            start.starter = starter
            start.piles.extend([CARDS[card] for card in tops])
            start.deck_size = deck_size
        case Called(seat, call):
            out.round_called.seat = seat
            out.round_called.call = _ENDINGS[call]
        case HandRevealed(seat, hand):
            out.hand_revealed.seat = seat
            out.hand_revealed.hand.extend([CARDS[card] for card in hand])
            out.hand_revealed.SetInParent()
        case RoundEnded():
            _write_round_ended(out.round_ended, event)
        case MermaidsShown(seat, count):
            out.mermaids_shown.seat = seat
            out.mermaids_shown.count = count
        case SeatLeft(seat):
            out.seat_left.seat = seat
            out.seat_left.SetInParent()
        case MatchEnded(result):
            out.match_ended.placements.extend(result.ranks)
            out.match_ended.totals.extend(result.totals)
        case TrioPlayed(seat, first, second, third):
            trio = out.trio_played
            trio.seat = seat
            trio.first.CopyFrom(CARDS[first])
            trio.second.CopyFrom(CARDS[second])
            trio.third.CopyFrom(CARDS[third])
        case Stung(seat):
            out.opponents_stung.seat = seat
            out.opponents_stung.SetInParent()
        case CardDrawn(seat, cause, card):
            alone = out.cards_drawn
            alone.seat = seat
            alone.count = 1
            alone.cause = _CAUSES[cause]
            if card is not None:
                alone.cards.append(CARDS[card])
        case DeckSearched(seat, count, cards):
            out.deck_searched.seat = seat
            out.deck_searched.count = count
            if cards is not None:
                out.deck_searched.cards.extend([CARDS[card] for card in cards])
        case Caught(seat, card, deck_size):
            out.card_caught.seat = seat
            out.card_caught.deck_size = deck_size
            out.card_caught.SetInParent()
            if card is not None:
                out.card_caught.card.CopyFrom(CARDS[card])
        case Shielded(seat, card):
            out.shield_laid.seat = seat
            out.shield_laid.SetInParent()
            if card is not None:
                out.shield_laid.card.CopyFrom(CARDS[card])
        case HandSeen(seat, victim, size, hand):
            seen = out.hand_seen
            seen.seat, seen.victim, seen.size = seat, victim, size
            if hand is not None:
                seen.hand.extend([CARDS[card] for card in hand])
        case Swapped(seat, victim, given, gained):
            swapped = out.cards_swapped
            swapped.seat, swapped.victim = seat, victim
            if given is not None:
                swapped.given.CopyFrom(CARDS[given])
            if gained is not None:
                swapped.gained.CopyFrom(CARDS[gained])
        case SwapDeclined(seat, victim):
            out.swap_declined.seat, out.swap_declined.victim = seat, victim
            out.swap_declined.SetInParent()
        case DuoStolen(thief, victim, group):
            robbed = out.duo_stolen
            robbed.seat, robbed.victim = thief, victim
            robbed.cards.extend([CARDS[card] for card in group])
        case EventRevealed(event_card):
            out.event_revealed.event_card = EVENT_CARDS[event_card]
        case EventAwarded(event_card, owner):
            out.event_awarded.event_card = EVENT_CARDS[event_card]
            if owner is not None:
                out.event_awarded.seat = owner
        case EventDiscarded(seat, event_card):
            out.event_discarded.seat = seat
            out.event_discarded.event_card = EVENT_CARDS[event_card]
        case _:
            assert_never(event)


def _write_round_ended(out: event_pb2.RoundEnded, event: RoundEnded) -> None:
    """Fill the message of a round's end."""
    out.round = event.round
    out.ending = _ENDINGS[event.ending]
    if event.caller is not None:
        out.caller = event.caller
    if event.bet_won is not None:
        out.bet_won = event.bet_won
    if event.card_points is not None:
        out.card_points.extend(event.card_points)
    if event.color_bonus is not None:
        out.color_bonus.extend(event.color_bonus)
    out.round_points.extend(event.round_points)
    out.totals.extend(event.totals)
