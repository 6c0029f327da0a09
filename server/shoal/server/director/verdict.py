"""What a match of a ladder means for the memberships of its bots. No input or output."""

from collections.abc import Mapping
from typing import Final, NamedTuple, final

from shoal.server.director import health
from shoal.server.store.memberships import Membership


@final
class Verdict(NamedTuple):
    """The memberships of a match's bots, as far as there are any, and those that it changes."""

    known: Mapping[str, Membership]
    changed: Mapping[str, Membership]

    @property
    def paused(self) -> set[str]:
        """Those of the bots that are not paired any more."""
        now = {**self.known, **self.changed}
        return {bot for bot, each in now.items() if not health.is_paired(each)}


NO_VERDICT: Final = Verdict({}, {})
