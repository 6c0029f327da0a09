"""Results that are worked out once: for what comes up again and again and never changes."""

from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Remembered(dict[K, V], Generic[K, V]):
    """A function of one argument, called by subscript, that remembers every result.

    What is remembered is shared by all states and never dropped: the arguments must be few, and the
    results read-only. It pays for what takes several calls to make, not for a single small object.
    """

    def __init__(self, function: Callable[[K], V]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, key: K) -> V:
        """Work out the result for a key that did not occur before."""
        result = self[key] = self._function(key)
        return result
