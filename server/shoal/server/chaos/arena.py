"""What a fault may touch."""

from dataclasses import dataclass
from typing import final

from shoal.server.chaos.crowd import Crowd
from shoal.server.chaos.stack import Stack
from shoal.server.chaos.timeline import Timeline


class NothingToTouch(Exception):
    """A fault cannot happen now, because what it would touch is not there; or it has happened in vain."""


@final
@dataclass(frozen=True, slots=True)
class Arena:
    """The stack and the bots, and where a fault notes what comes of it beside its time."""

    stack: Stack
    crowd: Crowd
    timeline: Timeline
