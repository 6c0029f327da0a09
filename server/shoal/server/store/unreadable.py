"""What is stored and cannot be read, of a later version or broken: it is put aside, and said once."""

from collections.abc import Callable
from typing import TypeVar, final

import structlog

_log = structlog.get_logger(__name__)

T = TypeVar("T")


@final
class Unreadable:
    """What one reader has put aside."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._said: set[tuple[str, str]] = set()

    def read(self, event: str, id_: str, read: Callable[[], T]) -> T | None:
        """Return what is read; None if that fails, which is logged as this event once for each id."""
        try:
            found = read()
        except (ValueError, TypeError, LookupError, AttributeError):
            if (event, id_) not in self._said:
                self._said.add((event, id_))
                _log.exception(event, id=id_)
            return None
        self._said.discard((event, id_))
        return found
