"""What a fault may touch."""

from dataclasses import dataclass
from typing import final

from shoal.server.chaos.crowd import Crowd
from shoal.server.chaos.stack import Stack


class NothingToTouch(Exception):
    """A fault cannot happen now, because what it would touch is not there."""


@final
@dataclass(frozen=True, slots=True)
class Arena:
    """The stack and the bots."""

    stack: Stack
    crowd: Crowd
