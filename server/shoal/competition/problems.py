"""What is wrong with a specification: the path of a field, and a sentence about it."""

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing to mend; `path` is as in the file: `format.stopping.minutes`."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"
