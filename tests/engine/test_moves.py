"""Moves, their codes and their texts."""

import copy
import pickle
from collections.abc import Callable, Iterable
from hashlib import sha256

import pytest

from shoal.engine import (
    FACES,
    Catch,
    Color,
    EndTurn,
    EventCard,
    Keep,
    KeepEventCard,
    Kind,
    LastChance,
    Move,
    NoSwap,
    PickCard,
    PlayDuo,
    PlayTrio,
    Shield,
    Stop,
    Swap,
    TakeDeck,
    TakeEqualTop,
    TakePile,
    UnknownCard,
    UnknownMove,
    all_moves,
    card_name,
    face_id,
    format_move,
    laid_duo,
    laid_duo_of,
    move_from_code,
    parse_card,
    parse_move,
)
from shoal.engine.cards import KIND_OF

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
    PlayDuo(20, 21, 33): 0x04_14_15_22,
    PlayTrio(15, 46, 52): 0x09_0F_2E_34,
    Shield(25): 0x0A_19_00_00,
    Catch(53): 0x0B_35_00_00,
    Swap(45, 0): 0x0C_2D_00_00,
    NoSwap(): 0x0D_00_00_00,
    TakeEqualTop(1): 0x0E_01_00_00,
    KeepEventCard(EventCard.CORAL_REEF): 0x0F_0C_00_00,
}


def test_codes_are_the_documented_ones() -> None:
    """One move of each shape has the code that docs/engine.md derives."""
    assert {move: move.code for move in PINNED} == PINNED


def in_first_release(move: Move) -> bool:
    """Tell whether a move existed before the expansions; two sharks had nothing to be played on."""
    fields = [getattr(move, name, 0) for name in ("card", "first", "second")]
    sharks = isinstance(move, PlayDuo) and {KIND_OF[move.first], KIND_OF[move.second]} == {4}
    return (
        move.code >> 24 <= LastChance().code >> 24
        and max(fields) <= face_id(Kind.MERMAID, Color.WHITE)
        and not (sharks and move.target is not None)
    )


def digest_of(moves: Iterable[Move]) -> tuple[int, str]:
    lines = [f"{move.code} {format_move(move)}\n" for move in moves]
    return len(lines), sha256("".join(lines).encode()).hexdigest()


def test_no_code_has_ever_changed() -> None:
    """All moves have the codes they were released with: those of the base game, and all."""
    assert digest_of(filter(in_first_release, all_moves())) == (
        1767,
        "ecd567bc9cf1d1a78237e8ad91b81118089152cee66711dfe03555643a9f2529",
    )
    assert digest_of(all_moves()) == (
        8333,
        "eded702d54382bd742af3ef5bedd96e1b67c3bc9dd4590e0e16ad0d45755ddab",
    )


def test_a_laid_duo_is_a_target_and_back() -> None:
    """Seat and position of a laid duo make a target, and a target makes them."""
    targets = [laid_duo(seat, position) for seat in range(4) for position in range(32)]
    assert targets == list(range(128))
    assert [laid_duo_of(target) for target in targets[31:33]] == [(0, 31), (1, 0)]


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
        assert eval(repr(move).replace("<EventCard.CORAL_REEF: 12>", "12")) is move  # noqa: S307 - our own text


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
        lambda: PlayDuo(20, 21, 128),
        lambda: PlayTrio(0, 1, 2),
        lambda: Shield(0),
        lambda: Swap(0, len(FACES)),
        lambda: TakeEqualTop(2),
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
