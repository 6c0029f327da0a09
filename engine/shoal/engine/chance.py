"""The only source of chance: counted, keyed by the match's seed, and the same in any language.

Every use of chance has its own key, `HMAC-SHA256(seed, purpose · 0 · round · counter)`, so that
different play does not shift unrelated draws. docs/engine.md, "Chance", has the algorithm in full
and a worked example.
"""

import hmac
import itertools
from enum import StrEnum, unique
from hashlib import sha256
from struct import Struct
from typing import NamedTuple, Protocol, final

_NUMBER = Struct(">I")
_BLOCK = Struct(">16H")
_WORDS = 1 << 16


@unique
class Purpose(StrEnum):
    """What chance is used for; the text goes into the key."""

    STARTER = "starter"
    DEAL = "deal"
    STEAL = "steal"


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

    __slots__ = ("seed",)

    def __init__(self, seed: bytes) -> None:
        """Keep the seed: secret until the match is over."""
        self.seed = seed

    def pick(self, use: Use, count: int) -> int:
        """Return a number from 0 to count - 1, each equally likely."""
        key = _key(self.seed, use)
        for block in itertools.count():
            for word in _words(key, block):
                number = word % count
                if word - number <= _WORDS - count:
                    return number
        raise AssertionError("blocks never end")

    def shuffle(self, use: Use, cards: list[int]) -> None:
        """Shuffle in place, by Fisher and Yates from the last position to the second."""
        key = _key(self.seed, use)
        left = len(cards)
        for block in itertools.count():
            for word in _words(key, block):
                if left < 2:
                    return
                other = word % left
                # The highest words, fewer than the positions, would favor the first of them.
                if word - other <= _WORDS - left:
                    left -= 1
                    cards[left], cards[other] = cards[other], cards[left]


def _key(seed: bytes, use: Use) -> bytes:
    """Return the key of one use."""
    round_, counter = _NUMBER.pack(use.round), _NUMBER.pack(use.counter)
    return hmac.digest(seed, b"%s\0%s%s" % (use.purpose.encode(), round_, counter), "sha256")


def _words(key: bytes, block: int) -> tuple[int, ...]:
    """Return the sixteen 16-bit words of one block, SHA-256 of the key and the block's number."""
    return _BLOCK.unpack(sha256(key + _NUMBER.pack(block)).digest())
