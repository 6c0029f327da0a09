"""What the author of a bot writes: a class with a `choose`."""

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass

from shoal.client import pb


@dataclass(frozen=True, slots=True)
class MatchEnd:
    """A match that is over, as its seat is told.

    `faults` counts the decisions in which `choose` raised or returned something else than one of
    the options, so that the default was played instead.
    """

    match: pb.Match
    seat: int
    result: pb.MatchResult
    faults: int

    @property
    def placement(self) -> int | None:
        """1 is the best; None when nothing was played."""
        own = (line.placement for line in self.result.seats if line.seat == self.seat)
        return next(own, None) or None

    @property
    def won(self) -> bool:
        """True for a win, a shared one included."""
        return self.placement == 1


class Resign(Exception):
    """Raised by a `choose`: the bot leaves the match at once, and ranks last of those still in it."""


class Bot:
    """A player. Subclass it and write `choose`; everything else is optional.

    One object plays all matches of the process, several at a time. A bot that remembers something
    of a match overrides `for_match` to return a fresh object for each, and keeps it in `self`.

    `choose` and the hooks may be plain functions or `async def`. Plain ones run in threads, so that
    one slow `choose` does not hold up other matches; those of one match never run at the same time.
    Of an `async def`, the code between two awaits holds up everything.
    """

    name: str | None = None
    """What log lines call it; the server knows the bot by its token. None: the name of the class."""
    version: str = ""
    """Its version, at most 40 printable characters. On a ladder each version is rated by itself."""
    max_matches: int = 4
    """How many matches it plays at a time, 1 to 1000."""
    rulesets: Sequence[str] = ()
    """The rulesets it can play; empty: "base" alone."""
    table_sizes: Sequence[int] = ()
    """The table sizes it can play; empty: all."""

    def choose(
        self, observation: pb.Observation, decision: pb.Decision
    ) -> pb.Option | Awaitable[pb.Option]:
        """Return one of `decision.options`, within `decision.remaining_ms`.

        When it raises, or returns something else, the decision's default is played. Raise Resign to leave
        the match.
        """
        raise NotImplementedError(f"{type(self).__name__} has no choose()")

    def for_match(self, match: pb.Match) -> "Bot":  # noqa: ARG002
        """Return the player of one match: this very object, or a fresh one that may remember."""
        return self

    def on_match_start(self, match: pb.Match) -> Awaitable[None] | None:
        """Hear that a match begins, or that the process joins one that was begun before."""

    def on_events(self, match_id: str, events: Sequence[pb.Event]) -> Awaitable[None] | None:
        """Hear what happened since the last time, before `choose` is asked about it."""

    def on_match_end(self, end: MatchEnd) -> Awaitable[None] | None:
        """Hear how a match ended."""
