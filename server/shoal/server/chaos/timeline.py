"""What was done to whom, and when: the only place that says what a fault excuses."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum, unique
from pathlib import Path
from typing import Final, final

AFTERMATH: Final = 3.0
"""Seconds after a fault in which a bot may still be on its way back: see `LONGEST_BACKOFF` in `crowd.py`."""


@unique
class Blame(StrEnum):
    """Whose side a fault is on."""

    NETWORK = "network"
    """The way between a bot and the servers: its time is the bot's own risk."""

    SERVER = "server"
    """A server process or its way to the store; time is given back, but for what nobody could see."""

    STORE = "store"
    """Redis itself: an outage of over two seconds is charged to nobody."""

    NONE = "none"
    """Nothing that could take time, such as a move that is sent twice."""


@final
@dataclass(frozen=True, slots=True)
class Incident:
    """One fault that happened; times are of `time.monotonic`. Without `bots` it touched all."""

    kind: str
    blame: Blame
    begin: float
    end: float
    bots: frozenset[str] = frozenset()


@final
@dataclass(frozen=True, slots=True)
class Takeover:
    """A replica has taken the place of a master, perhaps without what that one acknowledged just before.

    From `begin` on the replica may have been behind; at `end` all nodes had agreed on it. Both are of
    `time.monotonic`. Others than these partitions have lost nothing.
    """

    begin: float
    end: float
    partitions: frozenset[int]


@final
class Timeline:
    """Every incident of a run."""

    def __init__(self) -> None:
        """Begin with none."""
        self.incidents: list[Incident] = []
        self.takeovers: list[Takeover] = []
        self.accepted: list[str] = []
        """What the service took although it was no message of it."""

    def add(self, incident: Incident) -> None:
        """Note one."""
        self.incidents.append(incident)

    def counts(self, kinds: Iterable[str]) -> dict[str, int]:
        """Return how often each of these kinds happened."""
        counter = Counter(each.kind for each in self.incidents)
        return {kind: counter[kind] for kind in kinds}

    def kinds(self, blame: Blame, bot: str, begin: float, end: float) -> list[str]:
        """Return which kinds of this blame touched a bot within a span."""
        return [each.kind for each, _, _ in self._touching(blame, bot, begin, end)]

    def seconds(self, blame: Blame, bot: str, begin: float, end: float) -> float:
        """Return for how much of a span a bot was touched by this blame, the aftermath included."""
        total = 0.0
        reached = begin
        for _, first, last in sorted(
            self._touching(blame, bot, begin, end), key=lambda each: each[1]
        ):
            total += max(0.0, last - max(first, reached))
            reached = max(reached, last)
        return total

    def write(self, file: Path) -> None:
        """Write all incidents as lines of JSON."""
        with file.open("w") as stream:
            for each in self.incidents:
                line = {
                    "kind": each.kind,
                    "blame": each.blame,
                    "begin": round(each.begin, 3),
                    "end": round(each.end, 3),
                    "bots": sorted(each.bots),
                }
                stream.write(json.dumps(line) + "\n")

    def _touching(
        self, blame: Blame, bot: str, begin: float, end: float
    ) -> list[tuple[Incident, float, float]]:
        """Return the incidents that touched a bot in a span, with the part that lies in it."""
        return [
            (each, max(begin, each.begin), min(end, each.end + AFTERMATH))
            for each in self.incidents
            if each.blame is blame
            and (not each.bots or bot in each.bots)
            and each.begin <= end
            and each.end + AFTERMATH >= begin
        ]
