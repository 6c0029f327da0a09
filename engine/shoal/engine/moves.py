"""The moves: every answer a seat can give, whatever the position, and its stable code.

Moves are interned: building one with the same fields returns the same object, so comparing and
hashing them is comparing and hashing identities. A code is four bytes, `operation · a · b · c`
(docs/engine.md, "Codes"): it fits a positive int32 and never changes its meaning.
"""

from collections.abc import Iterator
from enum import IntEnum, unique
from typing import Self, TypeAlias, cast, final

from shoal.engine.cards import DUO_KINDS, FACES, KIND_OF, Card
from shoal.engine.errors import UnknownMove

PILES = (0, 1)
"""The two discard piles."""

SEATS = (0, 1, 2, 3)
"""The seats of the largest match."""


@unique
class Operation(IntEnum):
    """The first byte of a move's code. Numbers are never given a second meaning."""

    TAKE_DECK = 1
    TAKE_PILE = 2
    KEEP = 3
    PLAY_DUO = 4
    PICK_CARD = 5
    END_TURN = 6
    STOP = 7
    LAST_CHANCE = 8


class _Interned:
    """What all moves share: one object for each combination of fields, read-only, with a code."""

    __slots__ = ("code",)
    __match_args__: tuple[str, ...] = ()

    code: int

    @classmethod
    def _interned(cls, *fields: int | None) -> Self:
        """Return the one move with these fields; raise UnknownMove when they make no move."""
        try:
            return cast("Self", _BY_FIELDS[cls, fields])
        except KeyError:
            raise UnknownMove(f"{cls.__name__}{fields}") from None

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse: a move never changes."""
        raise AttributeError(f"moves are read-only: {name} = {value!r}")

    def __reduce__(self) -> tuple[object, tuple[int]]:
        """Copy and pickle by code, so that the copy is the same object."""
        return move_from_code, (self.code,)

    def __repr__(self) -> str:
        """Return the expression that builds this move."""
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
        return f"{type(self).__name__}({fields})"


@final
class TakeDeck(_Interned):
    """Draw the two top cards of the deck, or the only one that is left (rules 3.1)."""

    __slots__ = ()

    def __new__(cls) -> Self:
        """Return the interned move."""
        return cls._interned()


@final
class TakePile(_Interned):
    """Take the top card of a discard pile into hand (rules 3.1)."""

    __slots__ = ("pile",)
    __match_args__ = ("pile",)

    pile: int

    def __new__(cls, pile: int) -> Self:
        """Return the interned move; raise UnknownMove."""
        return cls._interned(pile)


@final
class Keep(_Interned):
    """Keep `card` of the drawn ones and put the other on `pile` (rules 3.2).

    `pile` is None when only one card was drawn, so that there is no other.
    """

    __slots__ = ("card", "pile")
    __match_args__ = ("card", "pile")

    card: Card
    pile: int | None

    def __new__(cls, card: Card, pile: int | None) -> Self:
        """Return the interned move; raise UnknownMove."""
        return cls._interned(card, pile)


@final
class PlayDuo(_Interned):
    """Place two cards from hand, `first <= second`, and use their effect (rules 4).

    `target` is the pile to search or the seat to steal from; None when the effect needs no choice,
    or when nothing can be chosen and the duo is placed without effect.
    """

    __slots__ = ("first", "second", "target")
    __match_args__ = ("first", "second", "target")

    first: Card
    second: Card
    target: int | None

    def __new__(cls, first: Card, second: Card, target: int | None) -> Self:
        """Return the interned move; raise UnknownMove."""
        return cls._interned(first, second, target)


@final
class PickCard(_Interned):
    """Take `card` from the pile being searched (rules 4.1).

    `copy` says which one, where the pile holds several: it is the number of equal cards that lie
    above it, so 0 is the topmost. It matters for what the pile shows afterwards.
    """

    __slots__ = ("card", "copy")
    __match_args__ = ("card", "copy")

    card: Card
    copy: int

    def __new__(cls, card: Card, copy: int = 0) -> Self:
        """Return the interned move; raise UnknownMove."""
        return cls._interned(card, copy)


@final
class EndTurn(_Interned):
    """End the turn without ending the round (rules 3.4)."""

    __slots__ = ()

    def __new__(cls) -> Self:
        """Return the interned move."""
        return cls._interned()


@final
class Stop(_Interned):
    """End the round at once: every seat scores its cards (rules 5.1)."""

    __slots__ = ()

    def __new__(cls) -> Self:
        """Return the interned move."""
        return cls._interned()


@final
class LastChance(_Interned):
    """Bet on having the best cards after one more turn of everyone else (rules 5.2)."""

    __slots__ = ()

    def __new__(cls) -> Self:
        """Return the interned move."""
        return cls._interned()


Move: TypeAlias = TakeDeck | TakePile | Keep | PlayDuo | PickCard | EndTurn | Stop | LastChance

_Fields: TypeAlias = tuple[int | None, ...]


def _all_moves() -> Iterator[tuple[type[_Interned], Operation, _Fields]]:
    """Yield the class, operation and fields of every move of every ruleset."""
    cards = range(len(FACES))
    duo_cards = [card for card in cards if KIND_OF[card] in DUO_KINDS]
    yield TakeDeck, Operation.TAKE_DECK, ()
    yield EndTurn, Operation.END_TURN, ()
    yield Stop, Operation.STOP, ()
    yield LastChance, Operation.LAST_CHANCE, ()
    for pile in PILES:
        yield TakePile, Operation.TAKE_PILE, (pile,)
    for card in cards:
        for kept_with in (None, *PILES):
            yield Keep, Operation.KEEP, (card, kept_with)
        for copy in range(FACES[card].copies):
            yield PickCard, Operation.PICK_CARD, (card, copy)
    for first in duo_cards:
        for second in duo_cards:
            for target in (None, *SEATS):
                if first <= second:
                    yield PlayDuo, Operation.PLAY_DUO, (first, second, target)


def _code(kind: type[_Interned], operation: Operation, fields: _Fields) -> int:
    """Return the code: the operation's byte, then one byte for each field, then zeros.

    A field that may be absent (a pile of Keep, a target) is stored as one more than its value, and
    as 0 when it is None.
    """
    optional = {Keep: 1, PlayDuo: 2}.get(kind)
    code = int(operation)
    for place in range(3):
        value = fields[place] if place < len(fields) else 0
        if place == optional:
            value = 0 if value is None else value + 1
        code = code << 8 | cast("int", value)
    return code


def _build() -> tuple[dict[tuple[type[_Interned], _Fields], _Interned], dict[int, Move]]:
    """Make every move once, and index it by its fields and by its code."""
    by_fields: dict[tuple[type[_Interned], _Fields], _Interned] = {}
    by_code: dict[int, Move] = {}
    for kind, operation, fields in _all_moves():
        move = object.__new__(kind)
        code = _code(kind, operation, fields)
        object.__setattr__(move, "code", code)
        for name, value in zip(kind.__match_args__, fields, strict=True):
            object.__setattr__(move, name, value)
        by_fields[kind, fields] = move
        by_code[code] = cast("Move", move)
    return by_fields, by_code


_BY_FIELDS, _BY_CODE = _build()


def move_from_code(code: int) -> Move:
    """Return the move with this code; raise UnknownMove when there is none."""
    try:
        return _BY_CODE[code]
    except KeyError:
        raise UnknownMove(f"code {code}") from None


def all_moves() -> tuple[Move, ...]:
    """Return every move there is, of all rulesets, in the order of their codes."""
    return tuple(_BY_CODE[code] for code in sorted(_BY_CODE))
