"""How long to wait before connecting again: exponential with full jitter."""

import random
from dataclasses import dataclass, field


@dataclass(slots=True)
class Backoff:
    """Waiting times in seconds, each drawn evenly from 0 to a bound that doubles up to `most`.

    Full jitter keeps the bots of a restarted server from all coming back at one moment.
    """

    least: float = 0.2
    most: float = 4.0
    generator: random.Random = field(default_factory=random.Random)
    failures: int = 0

    def next(self) -> float:
        """Return the next waiting time and count a failure."""
        bound = min(self.most, self.least * 2.0 ** min(self.failures, 32))
        self.failures += 1
        return self.generator.uniform(0.0, bound)

    def reset(self) -> None:
        """Start again from `least`: the last connection was a good one."""
        self.failures = 0

    def jitter(self, seconds: float) -> float:
        """Return `seconds` and up to a fifth more, at least up to `least` more."""
        return seconds + self.generator.uniform(0.0, max(self.least, seconds / 5))
