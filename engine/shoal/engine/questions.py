"""What is asked: the options of every pending decision, and what silence means. Legality is here.

Options are canonical, in a fixed order (docs/engine.md, "Options"). Decisions that come up again
and again are made once and shared: they never change.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations, product
from typing import TypeAlias

from shoal.engine.cards import Card
from shoal.engine.counts import MERMAIDS
from shoal.engine.drawing import DRAWINGS
from shoal.engine.effects import EFFECTS, Target
from shoal.engine.model import Decision, DecisionKind, Pending, State
from shoal.engine.moves import (
    PILES,
    SEATS,
    Catch,
    EndTurn,
    KeepEventCard,
    Move,
    NoSwap,
    PickCard,
    PlayDuo,
    PlayTrio,
    Shield,
    Swap,
    TakeDeck,
    TakeEqualTop,
    TakePile,
)
from shoal.engine.remembered import Remembered
from shoal.engine.ruleset import Duo, DuoEffect
from shoal.engine.scoring import has_winning_mermaids, points_but_for_duos_in_hand
from shoal.engine.zones import cards_in_hand

_PLAY_KIND = DecisionKind.PLAY
_STEAL_DUO = DuoEffect.STEAL_DUO
_END_TURN = EndTurn()
_NO_MOVES: tuple[Move, ...] = ()


def _take_decisions(seat: int) -> tuple[Decision | None, ...]:
    """Return what TAKE asks a seat, by what there is: deck 4, pile 0 2, pile 1 1, added up.

    The deck comes first, then the piles; the default is the first of them.
    """
    decisions: list[Decision | None] = [None]
    for there_is in range(1, 8):
        moves: tuple[Move, ...] = (TakeDeck(), TakePile(0), TakePile(1))
        options = tuple(move for move, bit in zip(moves, (4, 2, 1), strict=True) if there_is & bit)
        decisions.append(Decision(seat, DecisionKind.TAKE, options, options[0]))
    return tuple(decisions)


_TAKE = tuple(_take_decisions(seat) for seat in SEATS)
_TAKE_ANY = tuple(decisions[-1] for decisions in _TAKE)


def take_question(state: State, pending: Pending) -> Decision | None:
    """Ask which card to take; None, to be skipped, when there is nothing at all (rules 3.1)."""
    pile_0, pile_1 = state.piles
    if pile_0 and pile_1 and state.deck:
        return _TAKE_ANY[pending.seat]
    there_is = (4 if state.deck else 0) | (2 if pile_0 else 0) | (1 if pile_1 else 0)
    return _TAKE[pending.seat][there_is]


def keep_question(state: State, pending: Pending) -> Decision:
    """Ask which drawn card to keep, and where the other goes (rules 3.2).

    Drawn cards ascending, each with each pile; an empty pile must be filled first.
    """
    drawing = DRAWINGS[pending.seat][pending.drawn]
    pile_0, pile_1 = state.piles
    if pile_0:
        return drawing.either_pile if pile_1 else drawing.pile_1
    return drawing.pile_0


def play_question(state: State, pending: Pending) -> Decision | None:
    """Ask what to play, or how to end the turn; the default is to end it (rules 3.3, 3.4).

    None, when the seat shows mermaids instead and wins (rules 6).

    Ending the turn comes first, then the calls, then the duos: in the order of the rows of the
    seat's rules, each different pair ascending with each target ascending; then the trios in the
    same order, each with each third card ascending; then the shields, ascending.
    """
    seat = pending.seat
    terms = state.terms[seat]
    in_hand = state.in_hand[seat]
    if in_hand & MERMAIDS >= terms.winning_mermaids and has_winning_mermaids(state, seat):
        return None
    worth = terms.worth
    points, duos = worth.duos[in_hand & worth.duo_mask]
    calls = _NO_MOVES
    if state.caller is None:
        points += points_but_for_duos_in_hand(state, seat)
        if points >= terms.call_points:
            calls = terms.calls
    if not duos and terms.shield_kind is None:
        return _NO_DUOS[seat][calls]
    options = _NO_DUOS[seat][calls].options
    for first, second, effect in duos:
        key = (
            cards_in_hand(state, seat, first),
            None if first == second else cards_in_hand(state, seat, second),
            EFFECTS[effect].targets(state, seat),
        )
        options += _duo_moves(key) if effect is _STEAL_DUO else _DUO_MOVES[key]
    if worth.trio_mask and in_hand & worth.trio_mask:
        options += _trios(state, seat, duos)
    if terms.shield_kind is not None:
        options += _shields(state, seat)
    return Decision(seat, _PLAY_KIND, options, _END_TURN)


def _play_decision(seat: int, calls: tuple[Move, ...]) -> Decision:
    """Return what PLAY asks a seat that can only end its turn."""
    return Decision(seat, _PLAY_KIND, (_END_TURN, *calls), _END_TURN)


_NO_DUOS = tuple(Remembered(partial(_play_decision, seat)) for seat in SEATS)


_Cards: TypeAlias = tuple[Card, ...]


def _pairs(firsts: _Cards, seconds: _Cards | None) -> list[tuple[Card, Card]]:
    """Return the different pairs of one duo, ascending; of a single kind when `seconds` is None."""
    pairs = combinations(firsts, 2) if seconds is None else product(firsts, seconds)
    return sorted(set(pairs))


def _duo_moves(key: tuple[_Cards, _Cards | None, tuple[Target, ...]]) -> tuple[Move, ...]:
    """Return the pairs of one duo with each target."""
    firsts, seconds, targets = key
    return tuple(PlayDuo(*pair, target) for pair in _pairs(firsts, seconds) for target in targets)


# Not those whose targets are positions on all tables: they hardly ever come up again.
_DUO_MOVES = Remembered(_duo_moves)


def _trios(state: State, seat: int, duos: Sequence[Duo]) -> tuple[Move, ...]:
    """Return each pair of each duo with each third card (rules 11.4)."""
    third_kind = state.terms[seat].rules.trio_kind
    assert third_kind is not None
    thirds = sorted(set(cards_in_hand(state, seat, third_kind)))
    return tuple(
        PlayTrio(*pair, third)
        for first, second, _ in duos
        for pair in _pairs(
            cards_in_hand(state, seat, first),
            None if first == second else cards_in_hand(state, seat, second),
        )
        for third in thirds
    )


def _shields(state: State, seat: int) -> tuple[Move, ...]:
    """Return each card that the seat may lay face down, once in a round (rules 12.2)."""
    kind = state.terms[seat].shield_kind
    if kind is None or state.shields[seat] is not None:
        return _NO_MOVES
    return tuple(Shield(card) for card in sorted(set(cards_in_hand(state, seat, kind))))


def pick_question(state: State, pending: Pending) -> Decision:
    """Ask which card of the searched pile to take; the default is its top card (rules 4.1).

    Options go from the top down. Equal cards lying on each other leave the same pile behind
    whichever is taken, so that they are one option.
    """
    assert pending.pile is not None
    above: dict[Card, int] = {}
    options: list[Move] = []
    last: Card | None = None
    for card in reversed(state.piles[pending.pile]):
        copy = above.get(card, 0)
        above[card] = copy + 1
        if card != last:
            options.append(PickCard(card, copy))
        last = card
    return Decision(pending.seat, DecisionKind.PICK, tuple(options), options[0])


def catch_question(_state: State, pending: Pending) -> Decision:
    """Ask which card of the deck the lobster catches; the default is the first (rules 11.2)."""
    options: tuple[Move, ...] = tuple(Catch(card) for card in sorted(set(pending.drawn)))
    return Decision(pending.seat, DecisionKind.CATCH, options, options[0])


def swap_question(state: State, pending: Pending) -> Decision:
    """Ask what to swap; the default is nothing, which comes first (rules 12.2, water rodeo).

    Each different card of the own hand ascending, with each one of the other hand ascending.
    """
    assert pending.victim is not None
    swaps = product(
        sorted(set(state.hands[pending.seat])), sorted(set(state.hands[pending.victim]))
    )
    options: tuple[Move, ...] = (NoSwap(), *(Swap(given, gained) for given, gained in swaps))
    return Decision(pending.seat, DecisionKind.SWAP, options, options[0])


def equal_top_question(_state: State, pending: Pending) -> Decision:
    """Ask which of two tops of one color to take; the default is pile 0 (rules 12.2, angelfish)."""
    options = tuple(TakeEqualTop(pile) for pile in PILES)
    return Decision(pending.seat, DecisionKind.EQUAL_TOP, options, options[0])


def keep_event_card_question(state: State, pending: Pending) -> Decision:
    """Ask which of two event cards to keep; the default is the older one (rules 12.1)."""
    options = tuple(KeepEventCard(card) for card in state.event_cards[pending.seat])
    return Decision(pending.seat, DecisionKind.KEEP_EVENT_CARD, options, options[0])


QUESTIONS: Mapping[DecisionKind, Callable[[State, Pending], Decision | None]] = {
    DecisionKind.TAKE: take_question,
    DecisionKind.KEEP: keep_question,
    DecisionKind.PLAY: play_question,
    DecisionKind.PICK: pick_question,
    DecisionKind.CATCH: catch_question,
    DecisionKind.SWAP: swap_question,
    DecisionKind.EQUAL_TOP: equal_top_question,
    DecisionKind.KEEP_EVENT_CARD: keep_event_card_question,
}
"""What a pending decision of each kind asks now; None means that there is nothing to ask."""
