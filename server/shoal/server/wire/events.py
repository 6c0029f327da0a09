"""Events, already redacted for their reader, as messages."""

from typing import assert_never

from shoal.engine import (
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
from shoal.server.wire.cards import CARDS, aims_at_pile
from shoal.v1 import event_pb2

_ENDINGS = {
    ending: event_pb2.RoundEnding.Value(f"ROUND_ENDING_{ending.name}") for ending in RoundEnding
}


def write_event(out: event_pb2.Event, version: int, event: Event) -> None:
    """Fill an empty event message. A hidden card (None) stays absent."""
    out.version = version
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
            if target is not None:
                if aims_at_pile(first):
                    duo.pile = target
                else:
                    duo.victim = target
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
        case (
            CardDrawn()
            | Caught()
            | DeckSearched()
            | DuoStolen()
            | EventAwarded()
            | EventDiscarded()
            | EventRevealed()
            | HandSeen()
            | Shielded()
            | Stung()
            | SwapDeclined()
            | Swapped()
            | TrioPlayed()
        ):
            pass  # the protocol has no message for the events of the expansions yet
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
