"""What a value function has to say of each use of chance. Any will do: the mean of its luck is zero."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias, final

from shoal.engine.event_cards import EventCard
from shoal.luck.means import Numbers
from shoal.luck.scene import Scene

BySeat: TypeAlias = tuple[float, ...]
"""A number for each seat."""


@final
class Part(NamedTuple):
    """A part of a value: by card a number, times what one of it is to each seat."""

    numbers: Numbers
    to_seats: BySeat


@final
class Worth(NamedTuple):
    """What one card is worth that comes to a seat, the sum of its parts.

    Numbers are by kind instead of by card where `by_kind` says so.
    """

    parts: Sequence[Part]
    by_kind: bool = False


@final
class Choice(NamedTuple):
    """What cards are worth of which a seat keeps one: it is taken to keep the one it has most `wanted`.

    `other` is the worth of the one that it does not keep, where there are two. All numbers are by kind
    where `kept` says so, and otherwise by card.
    """

    wanted: Numbers
    kept: Worth
    other: Worth


class Values(Protocol):
    """A value function. It is asked before a use of chance, and must not know what comes.

    What it says may follow from the scene, from what was known before the match, and from nothing else.
    """

    def start(self, scene: Scene) -> Sequence[BySeat]:
        """Return by seat what it is worth that this one begins the match."""

    def tops(self, scene: Scene, starter: int) -> Worth:
        """Return what a card is worth that lies on a pile as a round begins."""

    def events(self, scene: Scene) -> Mapping[EventCard, BySeat]:
        """Return what event cards are worth that may be the round's."""

    def gain(self, scene: Scene, seat: int) -> Worth:
        """Return what a card of the deck is worth in a seat's hand."""

    def choice(self, scene: Scene, seat: int) -> Choice:
        """Return what drawn cards are worth of which the seat keeps one."""

    def theft(self, scene: Scene, thief: int, victim: int) -> Worth:
        """Return what a card is worth that goes from one hand to another."""
