"""What laying a duo would do now, in words: as far as its seat can see, and `no effect` where nothing."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from shoal.cli.game.telling import Names, listing
from shoal.cli.game.worth import rules_for
from shoal.engine import FACES, Observation, PlayDuo, laid_duo_of
from shoal.engine.effects import LOBSTER_CARDS, Target
from shoal.engine.ruleset import DuoEffect

_EMPTY_DECK = "no effect: the deck is empty"
_EMPTY_PILES = "no effect: both piles are empty"


def effect_text(view: Observation, move: PlayDuo, names: Names) -> str:
    """Return what one of the view's duos would do."""
    return TEXTS[effect_of(view, move)](view, move.target, names)


def effect_of(view: Observation, move: PlayDuo) -> DuoEffect:
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

TEXTS: Mapping[DuoEffect, _Text] = {
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
