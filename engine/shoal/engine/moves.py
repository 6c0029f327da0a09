"""The moves: every answer a seat can give, whatever the position, and its stable code.

Building a move with the same fields returns the same object (`interned`). A code is four bytes,
`operation · a · b · c` (docs/engine.md, "Codes"): it fits a positive int32 and never changes its
meaning.
"""

from collections.abc import Iterator
from enum import IntEnum, unique
from itertools import chain
from typing import Self, TypeAlias, cast, final

from shoal.engine.cards import DUO_KINDS, FACES, KIND_OF, Card, Kind
from shoal.engine.event_cards import EventCard
from shoal.engine.interned import Fields, Interned, by_code, in_order_of_code, intern

PILES = (0, 1)
"""The two discard piles."""

SEATS = (0, 1, 2, 3)
"""The seats of the largest match."""

LAID_DUOS = 32
"""A table has fewer groups than this, of all the cards that can be part of one."""


def laid_duo(seat: int, position: int) -> int:
    """Return the target that means the group at this position, from 0, of a seat's table."""
    return seat * LAID_DUOS + position


def laid_duo_of(target: int) -> tuple[int, int]:
    """Return seat and position of a laid duo, the inverse of `laid_duo`."""
    return divmod(target, LAID_DUOS)


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
    PLAY_TRIO = 9
    SHIELD = 10
    CATCH = 11
    SWAP = 12
    NO_SWAP = 13
    TAKE_EQUAL_TOP = 14
    KEEP_EVENT_CARD = 15


@final
class TakeDeck(Interned):
    """Draw the two top cards of the deck, or the only one that is left (rules 3.1)."""

    __slots__ = ()

    def __new__(cls) -> Self:
        """Return the interned move."""
        return cls._interned()


@final
class TakePile(Interned):
    """Take the top card of a discard pile into hand (rules 3.1)."""

    __slots__ = ("pile",)
    __match_args__ = ("pile",)

    pile: int

    def __new__(cls, pile: int) -> Self:
        """Return the interned move; raise UnknownMove."""
        return cls._interned(pile)


@final
class Keep(Interned):
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
class PlayDuo(Interned):
    """Place two cards from hand, `first <= second`, and use their effect (rules 4).

    `target` is the pile to search, the seat to steal from or to swap with, or the `laid_duo` to
    steal; None when the effect needs no choice, or when nothing can be chosen and the duo is placed
    without effect.
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
class PickCard(Interned):
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
class EndTurn(Interned):
    """End the turn without ending the round (rules 3.4)."""

    __slots__ = ()

    def __new__(cls) -> Self:
        """Return the interned move."""
        return cls._interned()


@final
class Stop(Interned):
    """End the round at once: every seat scores its cards (rules 5.1)."""

    __slots__ = ()

    def __new__(cls) -> Self:
        """Return the interned move."""
        return cls._interned()


@final
class LastChance(Interned):
    """Bet on having the best cards after one more turn of everyone else (rules 5.2)."""

    __slots__ = ()

    def __new__(cls) -> Self:
        """Return the interned move."""
        return cls._interned()


@final
class PlayTrio(Interned):
    """Place two cards that make a duo, `first <= second`, and a third; no effect (rules 11.4)."""

    __slots__ = ("first", "second", "third")
    __match_args__ = ("first", "second", "third")

    first: Card
    second: Card
    third: Card

    def __new__(cls, first: Card, second: Card, third: Card) -> Self:
        """Return the interned move; raise UnknownMove."""
        return cls._interned(first, second, third)


@final
class Shield(Interned):
    """Lay a card of the hand face down, and be safe from others (rules 12.2, coral reef)."""

    __slots__ = ("card",)
    __match_args__ = ("card",)

    card: Card

    def __new__(cls, card: Card) -> Self:
        """Return the interned move; raise UnknownMove."""
        return cls._interned(card)


@final
class Catch(Interned):
    """Keep one of the deck's top cards that the lobster showed (rules 11.2)."""

    __slots__ = ("card",)
    __match_args__ = ("card",)

    card: Card

    def __new__(cls, card: Card) -> Self:
        """Return the interned move; raise UnknownMove."""
        return cls._interned(card)


@final
class Swap(Interned):
    """Give a card of the own hand for one of the hand that was looked at (rules 12.2)."""

    __slots__ = ("gained", "given")
    __match_args__ = ("given", "gained")

    given: Card
    gained: Card

    def __new__(cls, given: Card, gained: Card) -> Self:
        """Return the interned move; raise UnknownMove."""
        return cls._interned(given, gained)


@final
class NoSwap(Interned):
    """Look at the hand and swap nothing (rules 12.2)."""

    __slots__ = ()

    def __new__(cls) -> Self:
        """Return the interned move."""
        return cls._interned()


@final
class TakeEqualTop(Interned):
    """Take one of two tops of one color at the end of the turn (rules 12.2, angelfish)."""

    __slots__ = ("pile",)
    __match_args__ = ("pile",)

    pile: int

    def __new__(cls, pile: int) -> Self:
        """Return the interned move; raise UnknownMove."""
        return cls._interned(pile)


@final
class KeepEventCard(Interned):
    """Keep this one of two event cards, and discard the other (rules 12.1)."""

    __slots__ = ("event_card",)
    __match_args__ = ("event_card",)

    event_card: EventCard

    def __new__(cls, event_card: EventCard) -> Self:
        """Return the interned move; raise UnknownMove."""
        return cls._interned(event_card)


Move: TypeAlias = (
    TakeDeck
    | TakePile
    | Keep
    | PlayDuo
    | PickCard
    | EndTurn
    | Stop
    | LastChance
    | PlayTrio
    | Shield
    | Catch
    | Swap
    | NoSwap
    | TakeEqualTop
    | KeepEventCard
)


def _single_moves() -> Iterator[tuple[type[Interned], Operation, Fields]]:
    """Yield class, operation and fields of the moves without cards, or with one."""
    yield TakeDeck, Operation.TAKE_DECK, ()
    yield EndTurn, Operation.END_TURN, ()
    yield Stop, Operation.STOP, ()
    yield LastChance, Operation.LAST_CHANCE, ()
    yield NoSwap, Operation.NO_SWAP, ()
    for pile in PILES:
        yield TakePile, Operation.TAKE_PILE, (pile,)
        yield TakeEqualTop, Operation.TAKE_EQUAL_TOP, (pile,)
    for event_card in EventCard:
        yield KeepEventCard, Operation.KEEP_EVENT_CARD, (event_card,)
    for card, face in enumerate(FACES):
        for kept_with in (None, *PILES):
            yield Keep, Operation.KEEP, (card, kept_with)
        for copy in range(face.copies):
            yield PickCard, Operation.PICK_CARD, (card, copy)
        yield Catch, Operation.CATCH, (card,)
        if face.kind is Kind.SHELL:
            yield Shield, Operation.SHIELD, (card,)


def _card_pairs() -> Iterator[tuple[type[Interned], Operation, Fields]]:
    """Yield class, operation and fields of the moves with several cards."""
    cards = range(len(FACES))
    for given in cards:
        for gained in cards:
            yield Swap, Operation.SWAP, (given, gained)
    duo_cards = [card for card in cards if KIND_OF[card] in DUO_KINDS]
    thirds = [card for card in cards if KIND_OF[card] == Kind.STARFISH]
    laid_duos = [laid_duo(seat, position) for seat in SEATS for position in range(LAID_DUOS)]
    for first in duo_cards:
        for second in duo_cards:
            if first > second:
                continue
            two_sharks = KIND_OF[first] == KIND_OF[second] == Kind.SHARK
            for target in (None, *(laid_duos if two_sharks else SEATS)):
                yield PlayDuo, Operation.PLAY_DUO, (first, second, target)
            for third in thirds:
                yield PlayTrio, Operation.PLAY_TRIO, (first, second, third)


_OPTIONAL_FIELD: dict[type[Interned], int] = {Keep: 1, PlayDuo: 2}
"""Which field may be None."""


def _intern_all() -> None:
    """Make every move once."""
    for kind, operation, fields in chain(_single_moves(), _card_pairs()):
        intern(kind, operation, fields, _OPTIONAL_FIELD.get(kind))


_intern_all()


def move_from_code(code: int) -> Move:
    """Return the move with this code; raise UnknownMove when there is none."""
    return cast("Move", by_code(code))


def all_moves() -> tuple[Move, ...]:
    """Return every move there is, of all rulesets, in the order of their codes."""
    return cast("tuple[Move, ...]", in_order_of_code())
