"""Encoded states that are not ours are refused."""

import json

import pytest

from shoal.engine import (
    FORMAT,
    CorruptState,
    UnknownFormat,
    UnknownRuleset,
    decision,
    decode,
    encode,
    new_match,
    observe,
    ruleset,
)
from shoal.engine.memory import clear_memory
from shoal.engine.piles import forget_all_but_tops
from tests.engine.support import random_steps


def altered(**changes: object) -> bytes:
    """Return an encoded state with some fields, by place, set to other values."""
    fields = json.loads(encode(new_match(ruleset("pepper"), 3, b"encoding")))
    for place, value in changes.items():
        fields[int(place[1:])] = value
    return json.dumps(fields).encode()


def test_an_unaltered_state_is_read() -> None:
    """Writing a state without changes writes what was read."""
    assert json.loads(encode(decode(altered()))) == json.loads(altered())


@pytest.mark.parametrize("data", [altered(_0=FORMAT + 1), altered(_0=None), altered(_2=99)])
def test_another_format_or_ruleset_version_is_refused(data: bytes) -> None:
    """A state of another engine is told from a damaged one."""
    with pytest.raises(UnknownFormat):
        decode(data)


def test_another_ruleset_is_refused() -> None:
    """A state of a ruleset that is not known here is never read as another one."""
    with pytest.raises(UnknownRuleset):
        decode(altered(_1="base-triple"))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"[]",
        b"\xff",
        altered()[:-9],
        altered(_3=2),
        altered(_3=5),
        altered(_4="zz"),
        altered(_5=[["weather", 1]]),
        altered(_7=3),
        altered(_8=-1),
        altered(_9=7),
        altered(_10="00"),
        altered(_11=[""]),
        altered(_12=["ff", "", ""]),
        altered(_15=[0, 0]),
        altered(_17=[4]),
        altered(_18=[]),
        altered(_18=[[9, 0, "", None]]),
        altered(_18=[[4, 0, "", None]]),
        altered(_18=[[4, 0, "", 5]]),
        altered(_18=[[3, 0, "", None, 3]]),
        altered(_18=[[3, 0, "", None, 1]]),
        altered(_18=[[5, 0, "", None, None]]),
        altered(_19=["target", [1, 2, 2]]),
        altered(_20=[3]),
        altered(_21=[None, None]),
        altered(_21=[25, None, None]),
        altered(_22=13),
        altered(_22=None),
        altered(_23=[1, 2]),
        altered(_25=[[], []]),
        altered(_26=["00", "", ""]),
        altered(_27=[[9, ""]]),
        altered(_27=[[1, "00"]]),
        altered(_28=[0]),
        altered(_28=[0] * 8),
        altered(_28=[1] + [0] * 7),
        altered(_28=[0] * 7 + [1]),
        altered(_28=None),
    ],
)
def test_a_damaged_state_is_refused(data: bytes) -> None:
    """Bytes that `encode` cannot have written raise CorruptState, and nothing else."""
    with pytest.raises(CorruptState):
        decode(data)


def test_the_previous_format_is_read() -> None:
    """A state written before the expansions plays on; what seats knew but for tops is forgotten."""
    for state, _ in random_steps("base", 3, 11):
        fields = json.loads(encode(state))
        pending = [asked[:4] for asked in fields[18]]
        before = [1, *fields[1:18], pending, fields[19]]
        twin = decode(json.dumps(before).encode())
        assert decision(twin) == decision(state)
        forgotten = state.copy()
        clear_memory(forgotten)
        forget_all_but_tops(forgotten)
        assert encode(twin) == encode(forgotten)
        for viewer in (None, 0, 1, 2):
            seen = observe(twin, viewer)
            tops = [() if pile.top is None else (pile.top,) for pile in seen.piles]
            assert list(seen.pile_cards) == tops


@pytest.mark.parametrize(("rules", "size"), [("base", 1024), ("salt-pepper", 1200)])
def test_encodings_are_small(rules: str, size: int) -> None:
    """A state takes about a kilobyte."""
    assert max(len(encode(state)) for state, _ in random_steps(rules, 4, 3)) < size
