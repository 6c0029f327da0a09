"""How many ways there are to play on from fixed positions (perft), split by the first move.

Run with SHOAL_REGENERATE=1 to write perft.json anew, and review the difference.
"""

import json
import os
from pathlib import Path
from typing import TypeAlias

import pytest

from shoal.engine import (
    RULESETS,
    State,
    apply,
    decode,
    encode,
    format_move,
    legal_moves,
    new_match,
    ruleset,
)

DATA = Path(__file__).parent / "perft.json"
Position: TypeAlias = tuple[str, int, int, int]
"""Ruleset, seats, moves played before, and depth."""

POSITIONS: list[Position] = [
    (rules, seats, played, depth)
    for rules in RULESETS
    for seats in (2, 3, 4)
    for played, depth in ((0, 12), (25, 8), (60, 8))
]


def nodes(state: State, depth: int) -> int:
    """Return the number of move sequences of this length, or shorter where the match ends."""
    options = legal_moves(state)
    if depth == 1 or not options:
        return len(options) or 1
    total = 0
    for move in options:
        after = state.copy()
        apply(after, move)
        total += nodes(after, depth - 1)
    return total


def split(rules: str, seats: int, played: int, depth: int) -> dict[str, int]:
    """Return the number of nodes below each first move, from a position `played` moves in."""
    state = new_match(ruleset(rules), seats, b"perft")
    for number in range(played):
        options = legal_moves(state)
        apply(state, options[number * 7 % len(options)])
    state = decode(encode(state))
    below = {}
    for move in legal_moves(state):
        after = state.copy()
        apply(after, move)
        below[format_move(move)] = nodes(after, depth - 1)
    return below


def name(rules: str, seats: int, played: int, depth: int) -> str:
    return f"{rules} {seats} seats, {played} played, depth {depth}"


def test_perft_counts_are_written_on_purpose() -> None:
    """The file has the counts of all positions, and no others."""
    if os.environ.get("SHOAL_REGENERATE"):
        counts = {name(*position): split(*position) for position in POSITIONS}
        DATA.write_text(json.dumps(counts, indent=1) + "\n")
    assert set(json.loads(DATA.read_text())) == {name(*position) for position in POSITIONS}


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: name(*position))
def test_the_number_of_ways_to_play_on_is_known(position: Position) -> None:
    """The counts below each first move are the recorded ones."""
    assert split(*position) == json.loads(DATA.read_text())[name(*position)]
