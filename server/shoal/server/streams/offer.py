"""What a bot says of itself when it comes, by whichever way."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

from shoal.server.store.presence import Claim


@final
@dataclass(frozen=True, slots=True)
class Offer:
    """What a bot is there for, and what it has seen; `since` and `follow` concern streams alone."""

    max_matches: int
    rulesets: tuple[str, ...]
    seats: tuple[int, ...]
    since: Mapping[str, int]
    follow: bool
    version: str = ""

    def claim(self, bot_id: str, process: str) -> Claim:
        """Return what the store is told of the bot; `process` hosts its stream, or its poll."""
        return Claim(bot_id, process, self.max_matches, self.rulesets, self.seats, self.version)
