"""Moves, their codes and their texts."""

import copy
import pickle
from collections.abc import Callable
from hashlib import sha256

import pytest

from shoal.engine import (
    FACES,
    EndTurn,
    Keep,
    LastChance,
    PickCard,
    PlayDuo,
    Stop,
    TakeDeck,
    TakePile,
    UnknownCard,
    UnknownMove,
    all_moves,
    card_name,
    face_id,
    format_move,
    move_from_code,
    parse_card,
    parse_move,
)

PINNED = {
    TakeDeck(): 0x01_00_00_00,
    TakePile(1): 0x02_01_00_00,
    Keep(45, None): 0x03_2D_00_00,
    Keep(45, 0): 0x03_2D_01_00,
    PlayDuo(15, 20, None): 0x04_0F_14_00,
    PlayDuo(15, 20, 3): 0x04_0F_14_04,
    PickCard(45, 3): 0x05_2D_03_00,
    EndTurn(): 0x06_00_00_00,
    Stop(): 0x07_00_00_00,
    LastChance(): 0x08_00_00_00,
}


def test_codes_are_the_documented_ones() -> None:
    """One move of each shape has the code that docs/engine.md derives."""
    assert {move: move.code for move in PINNED} == PINNED


def test_no_code_has_ever_changed() -> None:
    """All moves of the base game have the codes they had in the first release."""
    lines = [f"{move.code} {format_move(move)}\n" for move in all_moves()]
    digest = sha256("".join(lines).encode()).hexdigest()
    assert (len(lines), digest) == (
        1827,
        "cacc826df581477093c2b8d3770066528bd074f094b303f7707306f4e40c2e59",
    )


def test_moves_and_codes_are_one_to_one() -> None:
    """Every code leads back to its move, and fits a positive int32."""
    moves = all_moves()
    assert len({move.code for move in moves}) == len(moves)
    for move in moves:
        assert move_from_code(move.code) is move
        assert 0 < move.code < 2**31


def test_moves_and_texts_are_one_to_one() -> None:
    """Every text leads back to its move."""
    moves = all_moves()
    assert len({format_move(move) for move in moves}) == len(moves)
    for move in moves:
        assert parse_move(format_move(move)) is move


def test_a_move_is_made_once() -> None:
    """Building, copying, pickling and evaluating a move gives the same object."""
    for move in all_moves():
        assert copy.deepcopy(move) is move
        assert pickle.loads(pickle.dumps(move)) is move  # noqa: S301 - our own bytes
    for move in PINNED:
        assert eval(repr(move)) is move  # noqa: S307 - our own text


def test_a_move_is_read_only() -> None:
    """Fields of a move cannot be set."""
    with pytest.raises(AttributeError):
        TakePile(0).pile = 1


@pytest.mark.parametrize(
    "make",
    [
        lambda: TakePile(2),
        lambda: Keep(len(FACES), 0),
        lambda: PickCard(0, 2),
        lambda: PlayDuo(1, 0, None),
        lambda: PlayDuo(0, 45, None),
        lambda: PlayDuo(0, 1, 4),
        lambda: move_from_code(0),
        lambda: move_from_code(-1),
        lambda: parse_move("take deck "),
    ],
)
def test_what_is_no_move_cannot_be_built(make: Callable[[], object]) -> None:
    """Fields, codes and texts that make no move raise UnknownMove."""
    with pytest.raises(UnknownMove):
        make()


def test_cards_and_names_are_one_to_one() -> None:
    """Every name leads back to its card, and so do kind and color."""
    for card, face in enumerate(FACES):
        assert parse_card(card_name(card)) == card
        assert face_id(face.kind, face.color) == card


@pytest.mark.parametrize(
    "look_up",
    [
        lambda: card_name(-1),
        lambda: card_name(len(FACES)),
        lambda: parse_card("crab pink"),
        lambda: face_id(FACES[45].kind, FACES[0].color),
    ],
)
def test_what_is_no_card_is_refused(look_up: Callable[[], object]) -> None:
    """Numbers, names and colors that no card has raise UnknownCard."""
    with pytest.raises(UnknownCard):
        look_up()
