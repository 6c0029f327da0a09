"""What can be answered, and what an answer would bring, in words.

An option is shown as the engine's notation has it, because that text may be typed.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias, assert_never

from shoal.cli.game.effects import effect_text
from shoal.cli.game.telling import Names
from shoal.cli.game.worth import own_score
from shoal.engine import (
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
)
from shoal.engine.glossary import EVENTS

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
            return effect_text(view, move, names)
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
