"""Chance can be recomputed by anyone, from the documented algorithm alone."""

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from shoal.engine import new_match, ruleset
from shoal.engine.chance import KeyedChance, Purpose, Use

SEED = bytes(range(32))
DOCS = Path(__file__).parents[2] / "docs" / "engine.md"


def documented_words(
    seed: bytes, purpose: str, round_: int, counter: int, blocks: int = 8
) -> tuple[bytes, list[int]]:
    """Return the 16-bit words of one use, as docs/engine.md tells."""
    message = purpose.encode() + b"\x00" + round_.to_bytes(4, "big") + counter.to_bytes(4, "big")
    key = hmac.new(seed, message, hashlib.sha256).digest()
    stream = b"".join(
        hashlib.sha256(key + block.to_bytes(4, "big")).digest() for block in range(blocks)
    )
    return key, [int.from_bytes(stream[at : at + 2], "big") for at in range(0, len(stream), 2)]


def documented_below(words: list[int], count: int) -> int:
    """Return the first fair word modulo count, and take it and those before it off the list."""
    while True:
        word = words.pop(0)
        if word < 65536 - 65536 % count:
            return word % count


def documented_shuffle(words: list[int], cards: Iterable[int]) -> list[int]:
    """Return the cards shuffled, as docs/engine.md tells."""
    cards = list(cards)
    for last in range(len(cards) - 1, 0, -1):
        other = documented_below(words, last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def test_the_documented_algorithm_is_the_one_in_use() -> None:
    """A straight reading of docs/engine.md gives the same starter, deals and picks."""
    chance = KeyedChance(SEED)
    for counter in range(50):
        for count in (1, 2, 3, 7, 58):
            _, words = documented_words(SEED, "steal", 3, counter)
            assert chance.pick(Use(Purpose.STEAL, 3, counter), count) == (
                documented_below(words, count)
            )
        _, words = documented_words(SEED, "deal", counter, 0)
        cards = list(range(58))
        chance.shuffle(Use(Purpose.DEAL, counter, 0), cards)
        assert cards == documented_shuffle(words, range(58))


def test_the_worked_example_in_the_docs_is_true() -> None:
    """docs/engine.md shows the key, first words, starter and first cards of this very match."""
    text = DOCS.read_text()
    state = new_match(ruleset("base"), 4, SEED)
    key, words = documented_words(SEED, "deal", 1, 0)
    deck = documented_shuffle(list(words), ruleset("base").deck)
    assert state.piles == [[deck[-1]], [deck[-2]]]
    assert state.deck == deck[:-2]
    assert key.hex() in text
    assert ", ".join(map(str, words[:4])) in text
    assert bytes(deck[::-1][:8]).hex(" ") in text
    _, starter_words = documented_words(SEED, "starter", 0, 0)
    assert state.starter == documented_below(starter_words, 4)
    assert f"seat {state.starter} starts" in text


def test_every_purpose_round_and_counter_has_its_own_chance() -> None:
    """No two uses share their draws."""
    chance = KeyedChance(SEED)
    orders = set()
    for purpose in Purpose:
        for round_ in range(4):
            for counter in range(4):
                cards = list(range(58))
                chance.shuffle(Use(purpose, round_, counter), cards)
                orders.add(tuple(cards))
    assert len(orders) == len(Purpose) * 16


def test_picks_are_even() -> None:
    """Each of three outcomes comes about a third of the time."""
    chance = KeyedChance(SEED)
    picks = Counter(chance.pick(Use(Purpose.STEAL, 1, counter), 3) for counter in range(3000))
    assert all(900 < picks[number] < 1100 for number in range(3))


def test_words_that_would_favor_low_numbers_are_passed_over() -> None:
    """With 40,000 outcomes only words below 40,000 are used, and all of them are."""
    chance = KeyedChance(SEED)
    for counter in range(200):
        _, words = documented_words(SEED, "steal", 1, counter)
        expected = next(word for word in words if word < 40_000)
        assert chance.pick(Use(Purpose.STEAL, 1, counter), 40_000) == expected
