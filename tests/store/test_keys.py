"""Laws of ids and keys."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.server.store import keys


def test_ids_never_collide() -> None:
    """Many ids made in the same moment are all different (T11)."""
    assert len({keys.new_id() for _ in range(50_000)}) == 50_000


def test_ids_of_one_partition_sort_by_time() -> None:
    """An id made in a later millisecond sorts behind those of its partition (T11)."""
    earlier = [keys.new_id(5) for _ in range(100)]
    now = time.time_ns() // 1_000_000
    while time.time_ns() // 1_000_000 <= now:
        pass
    later = [keys.new_id(5) for _ in range(100)]
    assert max(earlier) < min(later)
    assert max(map(keys.time_of, earlier)) < min(map(keys.time_of, later))


def test_an_id_carries_its_partition() -> None:
    """Every partition can be asked for, and is found again."""
    assert [keys.partition_of(keys.new_id(p)) for p in range(keys.PARTITIONS)] == list(range(64))


def test_random_partitions_reach_all() -> None:
    """Ids without a wish are spread over all partitions."""
    assert {keys.partition_of(keys.new_id()) for _ in range(5_000)} == set(range(64))


@pytest.mark.parametrize(
    "text",
    ["", "00", "g" * 30, "A" * 30, "40" + "0" * 28, "0" * 29, "0" * 31, "00" + "é" * 28],
)
def test_what_is_no_id_is_refused(text: str) -> None:
    """Length, alphabet and partition must be right."""
    assert not keys.is_id(text)
    with pytest.raises(ValueError, match="not an id"):
        keys.partition_of(text)


@given(st.text())
def test_no_text_makes_is_id_fail(text: str) -> None:
    """Asking is safe with any text."""
    assert keys.is_id(text) in {True, False}


@given(st.text(max_size=50))
def test_a_name_cannot_choose_its_slot(name: str) -> None:
    """The hash tag of a key is ours, whatever braces a name contains."""
    key = keys.bot_name(name)
    tag = key[key.index("{") + 1 : key.index("}")]
    assert tag == f"p{keys.partition_of_name(name):02x}"


def test_what_one_commit_touches_is_in_one_slot() -> None:
    """All keys of a match and its partition have the same hash tag."""
    id_ = keys.new_id()
    partition = keys.partition_of(id_)
    touched = [
        keys.match(id_),
        keys.log(id_),
        keys.DEADLINES[partition],
        keys.OUTBOX[partition],
        keys.CLOCK[partition],
        keys.MATCHES[partition],
    ]
    assert {key[: key.index("}")] for key in touched} == {f"shoal:{{p{partition:02x}"}
