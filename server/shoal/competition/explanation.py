"""An answer to "why": sentences for people, and the numbers in them for programs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import final


@final
@dataclass(frozen=True, slots=True)
class Explanation:
    """Why these bots sit together, or why this one has no table."""

    bots: tuple[str, ...]
    sentences: tuple[str, ...]
    numbers: Mapping[str, float] = field(default_factory=dict)


def many(number: float, what: str) -> str:
    """Return a number with its noun: 1 point, 2.5 points."""
    return f"{number:g} {what}" if number == 1 else f"{number:g} {what}s"
