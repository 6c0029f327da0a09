"""Where two documents differ: the path of each value, and both values."""

from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple, TypeAlias, final

from shoal.record.shape import Plain


class _Absent(Enum):
    """What stands where only the other document has a value."""

    ABSENT = "absent"


ABSENT = _Absent.ABSENT

Value: TypeAlias = "Plain | _Absent"


@final
class Difference(NamedTuple):
    """A place, and what each document has there."""

    path: str
    one: Value
    other: Value


def differences(one: Value, other: Value, path: str = "") -> Iterator[Difference]:
    """Yield each place where two documents differ, in the order of the first."""
    if isinstance(one, dict) and isinstance(other, dict) and one.get("kind") == other.get("kind"):
        for name in {**one, **other}:
            below = f"{path}.{name}" if path else name
            yield from differences(one.get(name, ABSENT), other.get(name, ABSENT), below)
    elif isinstance(one, dict) and isinstance(other, dict):
        # Of another kind: everything else in it is of course another thing.
        yield Difference(f"{path}.kind", one.get("kind"), other.get("kind"))
    elif isinstance(one, list) and isinstance(other, list):
        for place in range(max(len(one), len(other))):
            here = one[place] if place < len(one) else ABSENT
            there = other[place] if place < len(other) else ABSENT
            yield from differences(here, there, f"{path}[{place}]")
    elif type(one) is not type(other) or one != other:
        yield Difference(path, one, other)
