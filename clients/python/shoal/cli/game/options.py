"""What can be answered, and what an answer would bring, in words.

An option is shown as the engine's notation has it, because that text may be typed.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, assert_never

from shoal.cli.game.telling import Names, listing
from shoal.cli.game.worth import own_score, rules_for
from shoal.engine import (
    FACES,
    Card,
    Catch,
    DecisionKind,
    EndTurn,
    Keep,
    KeepEventCard,
    LastChance,
    Move,
    NoSwap,
    Observation,
    PickCard,
    PlayDuo,
    PlayTrio,
    Shield,
    Stop,
    Swap,
    TakeDeck,
    TakeEqualTop,
    TakePile,
    card_name,
    format_move,
    laid_duo_of,
)
from shoal.engine.effects import LOBSTER_CARDS, Target
from shoal.engine.glossary import EVENTS
from shoal.engine.ruleset import DuoEffect

QUESTIONS: Mapping[DecisionKind, str] = {
    DecisionKind.TAKE: "Take a card: from the deck, or the top of a pile.",
    DecisionKind.KEEP: "Keep one of the two cards; the other goes on a pile, where all can take it.",
    DecisionKind.PLAY: "Lay a duo for its effect, or end your turn, or the round where you may.",
    DecisionKind.PICK: "Take one card of the pile.",
    DecisionKind.CATCH: "Keep one of these cards from the top of the deck; then the deck is shuffled.",
    DecisionKind.SWAP: "Give one of your cards for one of this hand, or swap nothing.",
    DecisionKind.EQUAL_TOP: "Both piles show the same color: take one of the two cards.",
    DecisionKind.KEEP_EVENT_CARD: "You own two event cards: keep one.",
}
"""What a decision asks."""


_Play: TypeAlias = PlayDuo | PlayTrio | Shield | EndTurn | Stop | LastChance


_EMPTY_DECK = "no effect: the deck is empty"
_EMPTY_PILES = "no effect: both piles are empty"


def question(view: Observation) -> str:
    """Return what the open decision asks."""
    assert view.question is not None
    return QUESTIONS[view.question.kind]


def option_rows(view: Observation, names: Names) -> list[list[str]]:
    """Return number, text and hint of every option."""
    return [
        [str(number), format_move(move), hint(move, view, names)]
        for number, move in enumerate(view.options, start=1)
    ]


def hint(move: Move, view: Observation, names: Names) -> str:
    """Return what a move would bring now."""
    match move:
        case TakeDeck():
            return "the last card" if view.deck_size == 1 else "see two cards, keep one"
        case TakePile(pile) | TakeEqualTop(pile):
            top = view.piles[pile].top
            return "" if top is None else f"{_change(view, [top])} {card_name(top)}"
        case Keep(card, pile):
            covered = None if pile is None else view.piles[pile].top
            text = "" if covered is None else f" covers {card_name(covered)}"
            return f"{_change(view, [card])}{text}"
        case PickCard(card, _) | Catch(card):
            return _change(view, [card])
        case Swap(given, gained):
            return _change(view, [gained], [given])
        case NoSwap():
            return " 0 both hands stay as they are"
        case KeepEventCard(event_card):
            return EVENTS[event_card].text
        case _:
            return _hint_to_play(move, view, names)


def _hint_to_play(move: _Play, view: Observation, names: Names) -> str:
    """Return what an answer to PLAY would bring."""
    match move:
        case PlayDuo():
            return _effect(view, move, names)
        case PlayTrio(first, second, third):
            return f"{_change(view, laid=(first, second, third))} without the effect of the duo"
        case Shield(card):
            lost = _change(view, less=[card])
            return f"{lost} in this round nobody takes from you, and no jellyfish stings you"
        case EndTurn():
            empty = view.deck_size == 0 and view.caller is None
            return "the deck is empty: the round ends, and nobody scores" if empty else ""
        case Stop():
            return f"the round ends, everybody scores: you {view.points}"
        case LastChance():
            return _bet(view)
        case _:
            assert_never(move)


def _change(
    view: Observation,
    more: Sequence[Card] = (),
    less: Sequence[Card] = (),
    laid: Sequence[Card] = (),
) -> str:
    """Return how many points cards would add that come, go or are laid, in two columns."""
    change = own_score(view, more, less, laid).points - own_score(view).points
    return f"{change:+}" if change else " 0"


def _bet(view: Observation) -> str:
    """Return what LAST CHANCE may bring."""
    points, bonus = view.points, view.color_bonus
    assert points is not None
    assert bonus is not None
    return (
        "the others have one more turn; if nobody then has more than you:"
        f" you {points} + {bonus}, they their color bonus; else you {bonus}, they their points"
    )


def _effect(view: Observation, move: PlayDuo, names: Names) -> str:
    """Return what one of the view's duos would do."""
    return EFFECTS[_effect_of(view, move)](view, move.target, names)


def _effect_of(view: Observation, move: PlayDuo) -> DuoEffect:
    """Return which effect a duo has under the event cards of this seat."""
    assert view.seat is not None
    kinds = (FACES[move.first].kind, FACES[move.second].kind)
    duos = rules_for(view, view.seat).duos
    return next(duo.effect for duo in duos if kinds == (duo.first, duo.second))


def _search_pile(_view: Observation, pile: Target, _names: Names) -> str:
    """Return which pile crabs search."""
    return _EMPTY_PILES if pile is None else f"take any card of pile {pile}"


def _another_turn(view: Observation, _target: Target, _names: Names) -> str:
    """Return whether boats find something to take."""
    something = view.deck_size or any(pile.size for pile in view.piles)
    return "take again, and go on" if something else "no effect: there is nothing to take"


def _draw(view: Observation, _target: Target, _names: Names) -> str:
    """Return what fish draw."""
    match view.deck_size:
        case 0:
            return _EMPTY_DECK
        case 1:
            return "draw the last card of the deck"
        case _:
            return "draw the top card of the deck"


def _draw_two(view: Observation, target: Target, names: Names) -> str:
    """Return what fish draw while they may draw two cards."""
    if view.deck_size <= 1:
        return _draw(view, target, names)
    return f"draw the two {'last' if view.deck_size == 2 else 'top'} cards of the deck"


def _steal(_view: Observation, victim: Target, names: Names) -> str:
    """Return whom a shark and a swimmer rob."""
    if victim is None:
        return "no effect: no opponent has a card that can be stolen"
    return f"a random card of {names[victim]}"


def _search_deck(view: Observation, _target: Target, _names: Names) -> str:
    """Return what the lobster shows."""
    match min(LOBSTER_CARDS, view.deck_size):
        case 0:
            return _EMPTY_DECK
        case 1:
            return "take the last card of the deck"
        case count:
            return f"keep one of the top {count} cards of the deck"


def _search_both_piles(view: Observation, _target: Target, _names: Names) -> str:
    """Return what crabs find while they may search both piles."""
    match [number for number, pile in enumerate(view.piles) if pile.size]:
        case []:
            return _EMPTY_PILES
        case [pile]:
            return f"take any card of pile {pile}; the other one is empty"
        case piles:
            return f"take any card of each pile, pile {piles[0]} first"


def _sting(view: Observation, _target: Target, _names: Names) -> str:
    """Return whose turn a jellyfish takes: who has none left, has a shell or loses it already loses none."""
    assert view.seat is not None
    end = view.seat if view.caller is None else view.caller
    steps = (end - view.seat - 1) % view.seats
    coming = [view.players[(view.seat + step) % view.seats] for step in range(1, steps + 1)]
    if not coming:
        return "no effect: nobody has another turn in this round"
    if all(player.shielded or player.stung for player in coming):
        return "no effect: each opponent is safe behind a shell, or loses its turn already"
    if view.deck_size == 0:
        return "in its next turn each opponent does nothing"
    return "in its next turn each opponent only draws one card"


def _swap(view: Observation, victim: Target, names: Names) -> str:
    """Return whose hand two swimmers see."""
    if victim is None:
        return "no effect: no opponent has a hand that can be seen"
    if len(view.hand) == 2:
        return f"see the hand of {names[victim]}; you will have no card to swap"
    return f"see the hand of {names[victim]}, and swap a card if you like"


def _steal_duo(view: Observation, target: Target, names: Names) -> str:
    """Return which laid duo two sharks take."""
    if target is None:
        return "no effect: no opponent has a duo that can be taken"
    seat, position = laid_duo_of(target)
    return f"take {listing(view.players[seat].table[position], ' + ')} of {names[seat]}"


_Text: TypeAlias = Callable[[Observation, Target, Names], str]

EFFECTS: Mapping[DuoEffect, _Text] = {
    DuoEffect.SEARCH_PILE: _search_pile,
    DuoEffect.ANOTHER_TURN: _another_turn,
    DuoEffect.DRAW: _draw,
    DuoEffect.STEAL: _steal,
    DuoEffect.SEARCH_DECK: _search_deck,
    DuoEffect.STING: _sting,
    DuoEffect.SEARCH_BOTH_PILES: _search_both_piles,
    DuoEffect.DRAW_TWO: _draw_two,
    DuoEffect.SWAP: _swap,
    DuoEffect.STEAL_DUO: _steal_duo,
}
"""What says what an effect would do for a target."""
