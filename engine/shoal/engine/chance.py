"""The only source of chance: counted, keyed by the match's seed, and the same in any language.

Every use of chance has its own key, `HMAC-SHA256(seed, purpose · 0 · round · counter)`, so that
different play does not shift unrelated draws. docs/engine.md, "Chance", has the algorithm in full
and a worked example.
"""

import itertools
from collections.abc import Iterator
from enum import StrEnum, unique
from hashlib import sha256
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple, Protocol, final

if TYPE_CHECKING:
    from hashlib import _Hash

_NUMBER = Struct(">I")
_NUMBERS = Struct(">II")
_BLOCK = Struct(">16H")

_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))

_WORDS = 1 << 16
_FAIR = (0, *(_WORDS - _WORDS % count for count in range(1, 257)))
"""By how many positions there are: words from here on would favor the first of them."""


@unique
class Purpose(StrEnum):
    """What chance is used for; the text goes into the key."""

    STARTER = "starter"
    DEAL = "deal"
    STEAL = "steal"
    LOBSTER = "lobster"
    EVENTS = "events"


class Use(NamedTuple):
    """One use of chance: the counter-th (from 0) for this purpose in this round."""

    purpose: Purpose
    round: int
    counter: int


class Chance(Protocol):
    """Decides what is left to chance. Immutable, so that copies of a state may share it."""

    @property
    def seed(self) -> bytes:
        """The secret that decides every use."""

    def pick(self, use: Use, count: int) -> int:
        """Return a number from 0 to count - 1, each equally likely."""

    def shuffle(self, use: Use, cards: list[int]) -> None:
        """Put the cards in an order, each equally likely."""


@final
class KeyedChance:
    """Chance that follows from a seed."""

    __slots__ = ("_inner", "_outer", "seed")

    def __init__(self, seed: bytes) -> None:
        """Keep the seed (at most 64 bytes): secret until the match is over."""
        self.seed = seed
        self._inner: _Hash | None = None
        self._outer: _Hash | None = None

    def pick(self, use: Use, count: int) -> int:
        """Return a number from 0 to count - 1, each equally likely."""
        fair = _WORDS - _WORDS % count
        return next(word for word in _words(self._key(use)) if word < fair) % count

    def shuffle(self, use: Use, cards: list[int]) -> None:
        """Shuffle in place, by Fisher and Yates from the last position to the second."""
        left = len(cards)
        if left < 2:
            return
        for word in _words(self._key(use)):
            if word < _FAIR[left]:
                other = word % left
                left -= 1
                cards[other], cards[left] = cards[left], cards[other]
                if left == 1:
                    return

    def _key(self, use: Use) -> bytes:
        """Return the key of one use: HMAC by its definition (RFC 2104), the seed hashed once.

        `hmac.digest` would hash the seed again for every use.
        """
        if self._inner is None or self._outer is None:
            padded = self.seed.ljust(64, b"\0")
            self._inner = sha256(padded.translate(_INNER))
            self._outer = sha256(padded.translate(_OUTER))
        inner, outer = self._inner.copy(), self._outer.copy()
        purpose, round_, counter = use
        inner.update(purpose.encode() + b"\0" + _NUMBERS.pack(round_, counter))
        outer.update(inner.digest())
        return outer.digest()


def _words(key: bytes) -> Iterator[int]:
    """Return the 16-bit words that follow from a key, block after block without end."""
    return itertools.chain.from_iterable(map(_block, itertools.repeat(key), itertools.count()))


def _block(key: bytes, number: int) -> tuple[int, ...]:
    """Return the sixteen words of one block, SHA-256 of the key and the block's number."""
    return _BLOCK.unpack(sha256(key + _NUMBER.pack(number)).digest())
