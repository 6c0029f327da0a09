"""What can be answered, and what an answer would bring, in words.

An option is shown as the engine's notation has it, because that text may be typed. Moves that are not
named here have no hint.
"""

from collections.abc import Mapping

from shoal.cli.game.telling import Names
from shoal.cli.game.worth import own_score, rules_for
from shoal.engine import (
    FACES,
    Card,
    Catch,
    EndTurn,
    Keep,
    KeepEventCard,
    LastChance,
    Move,
    Observation,
    PickCard,
    PlayDuo,
    Stop,
    TakeDeck,
    TakeEqualTop,
    TakePile,
    card_name,
    format_move,
)
from shoal.engine.glossary import EVENTS

_QUESTIONS: Mapping[str, str] = {
    "TAKE": "Take a card: from the deck, or the top of a pile.",
    "KEEP": "Keep one of the two cards; the other goes on a pile, where all can take it.",
    "PLAY": "Lay a duo for its effect, or end your turn, or the round where you may.",
    "PICK": "Take one card of the pile.",
    "CATCH": "Keep one of these cards from the top of the deck; then the deck is shuffled.",
    "SWAP": "Give one of your cards for one of this hand, or swap nothing.",
    "EQUAL_TOP": "Both piles show the same color: take one of the two cards.",
    "KEEP_EVENT_CARD": "You own two event cards: keep one.",
}
"""What a decision asks, by its kind."""

_EFFECTS: Mapping[str, str] = {
    "SEARCH_PILE": "take any card of pile {target}",
    "ANOTHER_TURN": "take again, and go on",
    "DRAW": "draw the top card of the deck",
    "STEAL": "a random card of {name}",
    "SEARCH_DECK": "keep one of the top five cards of the deck",
    "STING": "in its next turn each opponent only draws one card",
    "SEARCH_BOTH_PILES": "take any card of each pile, pile {target} first",
    "DRAW_TWO": "draw the two top cards of the deck",
    "SWAP": "see the hand of {name}, and swap a card if you like",
    "STEAL_DUO": "takes this duo",
}
"""What laying a duo does, by the name of its effect."""


def question(view: Observation) -> str:
    """Return what the open decision asks; empty where the options speak for themselves."""
    assert view.question is not None
    return _QUESTIONS.get(view.question.kind.name, "")


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
            return "" if top is None else f"{_gain(view, top)} {card_name(top)}"
        case Keep(card, pile):
            covered = None if pile is None else view.piles[pile].top
            return _gain(view, card) + ("" if covered is None else f" covers {card_name(covered)}")
        case PickCard(card, _) | Catch(card):
            return _gain(view, card)
        case PlayDuo(first, second, target):
            return _effect(view, first, second, target, names)
        case EndTurn():
            if view.deck_size == 0 and view.caller is None:
                return "the deck is empty: the round ends, and nobody scores"
            return ""
        case Stop():
            return f"the round ends, everybody scores: you {view.points}"
        case LastChance():
            return _bet(view)
        case KeepEventCard(event_card):
            return EVENTS[event_card].text
        case _:
            return ""


def _gain(view: Observation, card: Card) -> str:
    """Return how many points one more card would add to the hand, in two columns."""
    gain = own_score(view, [card]).points - own_score(view).points
    return f"{gain:+}" if gain else " 0"


def _effect(view: Observation, first: Card, second: Card, target: int | None, names: Names) -> str:
    """Return what a duo does; one that needs a target and has none does nothing."""
    assert view.seat is not None
    kinds = (FACES[first].kind, FACES[second].kind)
    for duo in rules_for(view, view.seat).duos:
        if kinds == (duo.first, duo.second):
            text = _EFFECTS.get(duo.effect.name, "")
            if "{" not in text:
                return text
            if target is None:
                return "nobody and nothing to aim at: no effect, but safe on the table"
            return text.format(target=target, name=names[target] if target < len(names) else "")
    return ""


def _bet(view: Observation) -> str:
    """Return what LAST CHANCE may bring."""
    points, bonus = view.points, view.color_bonus
    assert points is not None
    assert bonus is not None
    return (
        "the others have one more turn; if nobody then has more than you:"
        f" you {points} + {bonus}, they their color bonus; else you {bonus}, they their points"
    )
