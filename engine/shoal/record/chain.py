"""The running hash of a record's log: what it should be at each entry, and where it breaks."""

from collections.abc import Sequence
from typing import NamedTuple, final

from shoal.match import LoggedEntry, rev_after


@final
class Link(NamedTuple):
    """The hash of the log at one entry.

    `expected` is what the entry hashes to. `believed` is what the log after it goes on from: usually
    the hash that the record says, but `expected` where it is the said hash that was changed.
    """

    expected: str
    believed: str


def links(start: str, log: Sequence[LoggedEntry]) -> list[Link]:
    """Return the link of each entry of a log that begins with the hash `start`.

    Each is expected to continue what is believed of the one before, so that a break is told of one
    entry and not of all that follow it.
    """
    found: list[Link] = []
    believed = start
    for place, (entry, at_ms, think_ms, said) in enumerate(log):
        expected = rev_after(believed, entry, at_ms, think_ms)
        following = log[place + 1 : place + 2]
        if expected != said and any(
            rev_after(expected, *each[:3]) == each.rev for each in following
        ):
            believed = expected
        else:
            believed = said
        found.append(Link(expected, believed))
    return found
