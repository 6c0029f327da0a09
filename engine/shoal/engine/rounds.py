"""How rounds and matches begin and end: dealing, settling, ranking (rules 2, 5, 6, 7)."""

from shoal.engine.awards import award_event_card, reveal_event_card
from shoal.engine.chance import Purpose
from shoal.engine.counts import count_mermaids
from shoal.engine.events import (
    Event,
    EventRevealed,
    HandRevealed,
    MatchEnded,
    MermaidsShown,
    RoundEnded,
    RoundStarted,
)
from shoal.engine.luck import shuffle
from shoal.engine.model import PLAY_PENDING, TAKE_PENDING, DecisionKind, Pending, State
from shoal.engine.results import Ending, Result, RoundEnding
from shoal.engine.scoring import color_bonus_of, points_of
from shoal.engine.zones import clear


def start_round(state: State, starter: int, events: list[Event]) -> None:
    """Shuffle all cards, turn two up as the piles, and give the starter its turn (rules 2)."""
    clear(state)
    state.round += 1
    state.uses = {}
    state.starter = starter
    state.caller = None
    state.revealed = [False] * state.seats
    state.stung = ()
    state.deck = list(state.rules.deck)
    shuffle(state, Purpose.DEAL, state.deck)
    for pile in state.piles:
        pile.append(state.deck.pop())
    if state.rules.event_cards:
        reveal_event_card(state)
    events += opening_events(state)
    open_turn(state, starter)


def opening_events(state: State) -> list[Event]:
    """Return what happened when the present round was dealt; nothing else may have happened in it."""
    tops = tuple(pile[-1] for pile in state.piles)
    events: list[Event] = [RoundStarted(state.round, state.starter, tops, len(state.deck))]
    if state.event_card is not None:
        events.append(EventRevealed(state.event_card))
    return events


def open_turn(state: State, seat: int) -> None:
    """Ask the seat to take, and then to play."""
    state.active = seat
    state.pending = [PLAY_PENDING[seat], TAKE_PENDING[seat]]


def reveal(state: State, seat: int, events: list[Event]) -> None:
    """Show a seat's hand to all, unless it is shown already."""
    if not state.revealed[seat]:
        state.revealed[seat] = True
        events.append(HandRevealed(seat, tuple(state.hands[seat])))


def end_round(state: State, ending: RoundEnding, events: list[Event]) -> None:
    """Score the round; then end the match, or start the next round (rules 5)."""
    events.append(_settle(state, ending, events))
    if max(state.totals) >= state.rules.targets[state.seats]:
        end_match(state, Ending.TARGET, None, events)
        return
    chooser = award_event_card(state, events) if state.rules.event_cards else None
    if chooser is None:
        start_next_round(state, events)
    else:
        state.pending = [Pending(DecisionKind.KEEP_EVENT_CARD, chooser)]


def start_next_round(state: State, events: list[Event]) -> None:
    """Let the seat left of the one who ended the round start the next (rules 5.4)."""
    ended_by = state.active if state.caller is None else state.caller
    start_round(state, (ended_by + 1) % state.seats, events)


def _settle(state: State, ending: RoundEnding, events: list[Event]) -> RoundEnded:
    """Show all hands and add what they are worth to the totals; nothing after EMPTY_DECK."""
    caller = state.caller
    if caller is None:
        nothing = (0,) * state.seats
        totals = tuple(state.totals)
        return RoundEnded(state.round, ending, None, None, None, None, nothing, totals)
    seats = range(state.seats)
    points = tuple([points_of(state, seat) for seat in seats])
    bonus = tuple([color_bonus_of(state, seat) for seat in seats])
    bet_won = None
    gained = points
    if ending is RoundEnding.LAST_CHANCE:
        bet_won, gained = settle_bet(caller, points, bonus)
    for seat in seats:
        reveal(state, seat, events)
        state.totals[seat] += gained[seat]
    state.last_points = list(gained)
    totals = tuple(state.totals)
    return RoundEnded(state.round, ending, caller, bet_won, points, bonus, gained, totals)


def settle_bet(
    caller: int, points: tuple[int, ...], bonus: tuple[int, ...]
) -> tuple[bool, tuple[int, ...]]:
    """Return whether LAST CHANCE was won, and what every seat gets for it (rules 5.2)."""
    won = points[caller] == max(points)
    if won:
        gained = list(bonus)
        gained[caller] += points[caller]
    else:
        gained = list(points)
        gained[caller] = bonus[caller]
    return won, tuple(gained)


def win_by_mermaids(state: State, seat: int, events: list[Event]) -> None:
    """End the match for the seat that shows its mermaids (rules 6)."""
    events.append(MermaidsShown(seat, count_mermaids(state.in_hand[seat])))
    end_match(state, Ending.MERMAIDS, seat, events)


def end_match(state: State, ending: Ending, winner: int | None, events: list[Event]) -> None:
    """Rank the seats and close the match; `winner` is set when it does not follow from totals."""
    ranks = _ranks(state, winner)
    state.result = Result(
        ending=ending,
        ranks=ranks,
        winners=tuple(seat for seat, rank in enumerate(ranks) if rank == 1),
        totals=tuple(state.totals),
    )
    for pending in state.pending:
        state.deck += pending.drawn  # cards that a last seat's victory leaves undecided
    state.pending = []
    events.append(MatchEnded(state.result))


def _ranks(state: State, winner: int | None) -> tuple[int, ...]:
    """Return the rank of each seat (rules 7.1, 7.2).

    The sole winner goes first, then seats in play by total and points of the final round, then
    seats that left, the last to leave first. Without a scored final round there is no tie-break.
    """
    standing: list[tuple[int, ...]] = []
    for seat in range(state.seats):
        if seat in state.left:
            standing.append((-1, state.left.index(seat)))
        elif winner is None:
            standing.append((0, state.totals[seat], state.last_points[seat]))
        else:
            standing.append((1,) if seat == winner else (0, state.totals[seat]))
    return tuple(1 + sum(other > mine for other in standing) for mine in standing)
