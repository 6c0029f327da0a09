"""What a viewer knows is what it was told: neither more, which would be a leak, nor less (rules 9.1)."""

from random import Random

import pytest

from shoal.engine import (
    RULESETS,
    EndTurn,
    PickCard,
    PlayDuo,
    State,
    TakeDeck,
    TakePile,
    apply,
    decision,
    new_match,
    observe,
    redact,
    ruleset,
)
from tests.engine.support import card, cards, do, position
from tests.engine.watching import Watcher

MATCHES = 2


@pytest.mark.parametrize("rules", RULESETS)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_viewers_know_what_they_were_told(rules: str, seats: int) -> None:
    """T88, T93: every viewer knows, after every step, what its events alone have told it."""
    viewers = (None, *range(seats))
    for match in range(MATCHES):
        dice = Random(f"{rules} {seats} {match}")
        state = new_match(ruleset(rules), seats, dice.randbytes(32))
        watchers = {viewer: Watcher(observe(state, viewer)) for viewer in viewers}
        while (asked := decision(state)) is not None:
            move = dice.choice(asked.options)
            events = apply(state, move)
            for viewer, watcher in watchers.items():
                seen = observe(state, viewer)
                told = [redact(event, viewer) for event in events]
                watcher.watch(told, move if viewer == asked.seat else None, seen)
                assert seen.known == watcher.known(seen)
                assert seen.pile_cards == watcher.pile_cards()


def test_everybody_knows_a_pile_that_nobody_has_searched() -> None:
    """What was discarded and lies there still is known to all, also to a spectator."""
    state = position("", "", piles=("octopus lb, crab bk, shell db", "octopus ye"))
    for viewer in (None, 0, 1):
        seen = observe(state, viewer)
        assert seen.pile_cards == (
            tuple(cards("octopus lb, crab bk, shell db")),
            (card("octopus ye"),),
        )


@pytest.mark.parametrize(
    ("picked", "everybody"),
    [("shell db", "octopus lb, crab bk"), ("crab bk", "shell db"), ("octopus lb", "shell db")],
)
def test_a_pick_is_known_to_others_when_the_top_shows_it(picked: str, everybody: str) -> None:
    """Who searched knows the pile that is left; others do if the top has gone, else the top alone."""
    state = position(
        "crab db, crab ye", "", piles=("octopus lb, crab bk, shell db", ""), playing=True
    )
    do(state, PlayDuo(card("crab db"), card("crab ye"), 0), PickCard(card(picked), 0))
    left = [face for face in cards("octopus lb, crab bk, shell db") if face != card(picked)]
    assert observe(state, 0).pile_cards == (tuple(left), ())
    assert observe(state, 1).pile_cards == (tuple(cards(everybody)), ())
    assert observe(state, None).pile_cards == (tuple(cards(everybody)), ())


def test_an_uncovered_top_is_known_to_everybody() -> None:
    """The card under one that was taken is seen by all, whatever they knew of the pile before."""
    state = position(
        "crab db, crab ye", "", piles=("octopus lb, crab bk, shell db", ""), playing=True
    )
    do(state, PlayDuo(card("crab db"), card("crab ye"), 0), PickCard(card("crab bk"), 0))
    assert observe(state, 1).pile_cards == ((card("shell db"),), ())
    do(state, decision(state).default, TakePile(0))
    assert observe(state, None).pile_cards == ((card("octopus lb"),), ())


def test_a_search_shows_the_pile_before_the_pick() -> None:
    """Who searches knows the whole pile from then on, also what it had lost sight of."""
    state = position(
        "crab db, crab ye",
        "crab gn, crab gy",
        piles=("octopus lb, crab bk, octopus ye, shell db", ""),
        playing=True,
    )
    do(state, PlayDuo(card("crab db"), card("crab ye"), 0), PickCard(card("crab bk"), 0))
    do(state, decision(state).default, TakePile(0))
    assert observe(state, 1).pile_cards == ((card("octopus ye"),), ())
    do(state, PlayDuo(card("crab gn"), card("crab gy"), 0))
    for viewer in (0, 1):
        assert observe(state, viewer).pile_cards == (tuple(cards("octopus lb, octopus ye")), ())
    assert observe(state, None).pile_cards == ((card("octopus ye"),), ())


CRABS = ("crab db, crab ye", "crab gn, crab gy", "crab lb, crab bk")


def search(state: State, pair: str, pile: int, picked: str) -> None:
    """Let two crabs search a pile."""
    first, second = sorted(cards(pair))
    do(state, PlayDuo(first, second, pile), PickCard(card(picked), 0))


def test_a_search_of_one_pile_says_nothing_of_the_other() -> None:
    """A pile in which somebody picked unseen is not known to others because the other is searched."""
    hidden = "octopus lb, boat bk, shell db", "octopus ye, boat db, shell lb"
    for first, second in ((0, 1), (1, 0)):
        state = position(", ".join(CRABS[:2]), "", piles=hidden, playing=True)
        search(state, CRABS[0], first, ("boat bk", "boat db")[first])
        search(state, CRABS[1], second, ("boat bk", "boat db")[second])
        tops = (card("shell db"),), (card("shell lb"),)
        assert observe(state, 1).pile_cards == observe(state, None).pile_cards == tops
        known = tuple(cards("octopus lb, shell db")), tuple(cards("octopus ye, shell lb"))
        assert observe(state, 0).pile_cards == known


@pytest.mark.parametrize("pile", [0, 1])
def test_a_top_that_a_pick_uncovers_is_known_to_everybody(pile: int) -> None:
    """Who has forgotten what lies under the top sees it when somebody picks the top."""
    piles = ["octopus ye", "octopus ye"]
    piles[pile] = "octopus lb, boat bk, shell db"
    state = position(", ".join(CRABS[:2]), "", piles=(piles[0], piles[1]), playing=True)
    search(state, CRABS[0], pile, "boat bk")
    assert observe(state, 1).pile_cards[pile] == (card("shell db"),)
    search(state, CRABS[1], pile, "shell db")
    for viewer in (0, 1, None):
        assert observe(state, viewer).pile_cards[pile] == (card("octopus lb"),)


@pytest.mark.parametrize("pile", [0, 1])
@pytest.mark.parametrize("seat", [1, 2])
def test_a_search_tells_one_seat_alone(pile: int, seat: int) -> None:
    """Who looks through a pile knows it before the pick; of the others, those who knew it before."""
    piles = ["octopus ye", "octopus ye"]
    piles[pile] = "octopus lb, boat bk, shell db"
    state = position(*CRABS, piles=(piles[0], piles[1]), playing=True)
    search(state, CRABS[0], pile, "boat bk")
    for _ in range(seat):
        do(state, EndTurn(), TakeDeck())
        do(state, decision(state).default)
    first, second = sorted(cards(CRABS[seat]))
    do(state, PlayDuo(first, second, pile))
    knows = [len(observe(state, viewer).pile_cards[pile]) for viewer in (0, 1, 2, None)]
    everybody = len(observe(state, None).pile_cards[pile])
    assert everybody < len(state.piles[pile])
    assert [number > everybody for number in knows] == [True, seat == 1, seat == 2, False]
