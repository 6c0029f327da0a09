"""What the options of a person at the terminal say: for each effect, where it can happen and where not."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from shoal.cli.game.options import EFFECTS, QUESTIONS, hint
from shoal.cli.game.telling import Names
from shoal.engine import (
    DecisionKind,
    Move,
    NoSwap,
    PlayDuo,
    PlayTrio,
    Shield,
    State,
    Stung,
    Swap,
    TakeDeck,
    apply,
    decision,
    legal_moves,
    new_match,
    observe,
    ruleset,
)
from shoal.engine.ruleset import DuoEffect
from tests.engine.support import position

NAMES = Names(["you", "ann", "bob"], 0)
NOTHING = ("", "")
CRABS, BOATS, FISH = "crab db, crab lb", "boat db, boat lb", "fish db, fish bk"
THIEVES, STINGERS, CATCHERS = "swimmer bk, shark db", "swimmer bk, jellyfish pu", "crab db, lobster"
SWIMMERS, SHARKS = "swimmer bk, swimmer ye", "shark db, shark bk"
DECK = "shell db, shell lb, shell bk, shell ye, shell gn, shell gy"


def playing(
    hand: str,
    *,
    others: Sequence[str] = ("octopus pu", "octopus gy"),
    tables: Sequence[str] = (),
    deck: str = DECK,
    piles: tuple[str, str] = ("penguin pk", "penguin lo"),
    event: str | None = None,
    shields: Sequence[str] = (),
    stung: Sequence[int] = (),
    caller: int | None = None,
) -> State:
    """Three at a table of all expansions, of whom the person is about to play."""
    return position(
        hand,
        *others,
        tables=tables,
        deck=deck,
        piles=piles,
        playing=True,
        rules="salt-pepper",
        event=event,
        shields=shields,
        stung=stung,
        caller=caller,
    )


def hints(state: State, kind: type[Move] = PlayDuo) -> list[str]:
    """What the options of one kind say."""
    view = observe(state, 0)
    return [hint(move, view, NAMES) for move in view.options if isinstance(move, kind)]


POSSIBLE = {
    DuoEffect.SEARCH_PILE: (
        playing(CRABS),
        ["take any card of pile 0", "take any card of pile 1"],
    ),
    DuoEffect.ANOTHER_TURN: (playing(BOATS, deck=""), ["take again, and go on"]),
    DuoEffect.DRAW: (playing(FISH), ["draw the top card of the deck"]),
    DuoEffect.STEAL: (playing(THIEVES), ["a random card of ann", "a random card of bob"]),
    DuoEffect.SEARCH_DECK: (playing(CATCHERS), ["keep one of the top 5 cards of the deck"]),
    DuoEffect.STING: (
        playing(STINGERS),
        ["in its next turn each opponent only draws one card"],
    ),
    DuoEffect.SEARCH_BOTH_PILES: (
        playing(CRABS, event="hermit_crab"),
        ["take any card of each pile, pile 0 first"],
    ),
    DuoEffect.DRAW_TWO: (
        playing(FISH, event="sunfish"),
        ["draw the two top cards of the deck"],
    ),
    DuoEffect.SWAP: (
        playing(f"{SWIMMERS}, captain", event="water_rodeo"),
        [f"see the hand of {name}, and swap a card if you like" for name in ("ann", "bob")],
    ),
    DuoEffect.STEAL_DUO: (
        playing(
            SHARKS,
            event="water_rodeo",
            tables=("", "crab bk + crab ye; boat db + boat bk", "fish ye + fish gn"),
        ),
        [
            "take crab black + crab yellow of ann",
            "take boat dark_blue + boat black of ann",
            "take fish yellow + fish green of bob",
        ],
    ),
}
"""By effect: where it can happen, and what each option with it says."""

IMPOSSIBLE = {
    DuoEffect.SEARCH_PILE: playing(CRABS, piles=NOTHING),
    DuoEffect.ANOTHER_TURN: playing(BOATS, deck="", piles=NOTHING),
    DuoEffect.DRAW: playing(FISH, deck=""),
    DuoEffect.STEAL: playing(THIEVES, others=NOTHING),
    DuoEffect.SEARCH_DECK: playing(CATCHERS, deck=""),
    DuoEffect.STING: playing(STINGERS, caller=1),
    DuoEffect.SEARCH_BOTH_PILES: playing(CRABS, event="hermit_crab", piles=NOTHING),
    DuoEffect.DRAW_TWO: playing(FISH, event="sunfish", deck=""),
    DuoEffect.SWAP: playing(SWIMMERS, event="water_rodeo", others=NOTHING),
    DuoEffect.STEAL_DUO: playing(SHARKS, event="water_rodeo"),
}
"""By effect: where it cannot happen."""


def test_everything_that_can_be_asked_or_done_has_words() -> None:
    """A new decision or effect is not to be met for the first time by a person at the table."""
    assert set(QUESTIONS) == set(DecisionKind)
    assert set(EFFECTS) == set(POSSIBLE) == set(IMPOSSIBLE) == set(DuoEffect)


@pytest.mark.parametrize("effect", POSSIBLE)
def test_a_duo_says_what_it_does(effect: DuoEffect) -> None:
    """Each option says what it aims at, so that no two of them read alike."""
    state, said = POSSIBLE[effect]
    assert hints(state) == said


@pytest.mark.parametrize("effect", IMPOSSIBLE)
def test_a_duo_without_effect_says_so(effect: DuoEffect) -> None:
    """And why."""
    (said,) = hints(IMPOSSIBLE[effect])
    assert said.startswith("no effect: ")


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (playing(FISH, deck="shell db"), "draw the last card of the deck"),
        (playing(FISH, event="sunfish", deck="shell db"), "draw the last card of the deck"),
        (
            playing(FISH, event="sunfish", deck="shell db, shell lb"),
            "draw the two last cards of the deck",
        ),
        (playing(CATCHERS, deck="shell db"), "take the last card of the deck"),
        (
            playing(CATCHERS, deck="shell db, shell lb"),
            "keep one of the top 2 cards of the deck",
        ),
        (
            playing(CRABS, event="hermit_crab", piles=("", "penguin pk")),
            "take any card of pile 1; the other one is empty",
        ),
        (
            playing(SWIMMERS, event="water_rodeo", others=("octopus pu", "")),
            "see the hand of ann; you will have no card to swap",
        ),
        (playing(STINGERS, deck=""), "in its next turn each opponent does nothing"),
        (
            playing(STINGERS, event="coral_reef", shields=("", "shell db", "shell lb")),
            "no effect: each opponent is safe behind a shell, or loses its turn already",
        ),
        (
            playing(STINGERS, stung=(1, 2)),
            "no effect: each opponent is safe behind a shell, or loses its turn already",
        ),
        (
            playing(THIEVES, event="coral_reef", shields=("", "shell db", "shell lb")),
            "no effect: no opponent has a card that can be stolen",
        ),
    ],
)
def test_a_duo_with_half_an_effect_says_which_half(state: State, said: str) -> None:
    """What is left of the deck and the piles, and who is safe."""
    assert hints(state) == [said]


def test_the_other_ways_to_lay_cards_say_what_they_cost() -> None:
    """A trio has no effect, and a shell that lies face down counts no more."""
    state = playing(f"{BOATS}, starfish db, shell db, shell lb", event="coral_reef")
    assert hints(state, PlayTrio) == [" 0 without the effect of the duo"]
    safe = "-2 in this round nobody takes from you, and no jellyfish stings you"
    assert hints(state, Shield) == [safe, safe]


def test_a_swap_says_what_it_gains() -> None:
    """The difference that it makes to the own points."""
    state = playing(
        f"{SWIMMERS}, shell db, octopus lb", event="water_rodeo", others=("shell lb", "")
    )
    apply(state, next(move for move in legal_moves(state) if isinstance(move, PlayDuo)))
    assert hints(state, NoSwap) == [" 0 both hands stay as they are"]
    assert hints(state, Swap) == [" 0", "+2"]  # a shell for a shell, the octopus for a shell


def test_the_last_card_of_the_deck_is_told() -> None:
    """Whoever takes it sees no second one."""
    view = observe(new_match(ruleset("base"), 3, b"deck"), 0)
    assert hint(TakeDeck(), view, NAMES) == "see two cards, keep one"
    assert hint(TakeDeck(), replace(view, deck_size=1), NAMES) == "the last card"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_has_no_effect_by_its_words_has_none_in_the_engine(seats: int) -> None:
    """In random matches, for every duo that could be laid; whom a jellyfish stings is not seen at once."""
    dice = Random(seats)
    names = Names([f"bot {seat}" for seat in range(seats)], 0)
    said = {True: 0, False: 0}
    for seed in range(6):
        state = new_match(ruleset("salt-pepper-double"), seats, bytes([seats, seed]))
        while (asked := decision(state)) is not None:
            view = observe(state, asked.seat)
            for move in view.options:
                text = hint(move, view, names)
                if not isinstance(move, PlayDuo):
                    continue
                after = state.copy()
                events = apply(after, move)
                if any(isinstance(event, Stung) for event in events):
                    continue
                does = len(events) > 1 or after.asked is None
                does = does or (after.asked is not None and after.asked.kind is not asked.kind)
                assert text.startswith("no effect") is not does, (text, events)
                said[does] += 1
            apply(state, dice.choice(asked.options))
    assert min(said.values()) > 0
