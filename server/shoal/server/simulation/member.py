"""What a simulation knows of one of the bots of its ladder, beside what the ladder remembers of it."""

from dataclasses import dataclass, field
from typing import final

from shoal.competition.rating import Rating
from shoal.server.simulation.population import Profile
from shoal.server.store.presence import Presence


@final
@dataclass(slots=True, eq=False)
class Member:
    """A bot on the ladder. `strength` is in the units of the outcomes, and known to them alone.

    `number` is its place among all. `is_here` tells whether the ladder sees it, `is_down` whether it has
    crashed, which the ladder may not know yet. `match_ms` is how long its matches are taken to be, and
    `waited_ms` for how long it has had room now while a table for it could have been made.
    """

    number: int
    profile: Profile
    strength: float
    match_ms: float
    strength_at_ms: float = 0.0
    rating: Rating = field(default_factory=Rating)
    is_here: bool = False
    is_down: bool = False
    at_tables: int = 0
    blocks: int = 0
    rated_matches: int = 0
    last_opponents: frozenset[str] | None = None
    """Those at its last table, None before the first."""
    came_ms: float = 0.0
    """When it came the last time."""
    has_been_seated: bool = False
    waited_ms: float = 0.0
    longest_wait: float = 0.0
    """The longest `waited_ms` that came to an end, in the match lengths that it had then."""
    changed_ms: float = 0.0
    """Until when `present_ms` and `table_ms` are counted."""
    present_ms: float = 0.0
    """Its time here, and that in which it was gone already and had a table still."""
    table_ms: float = 0.0
    """Its time at tables; two at once count twice."""
    shown: Presence | None = None
    """How a director was shown it, as long as it sits at as many tables."""

    @property
    def room(self) -> int:
        """How many more tables it can sit at."""
        return self.profile.at_once - self.at_tables


def pass_time(member: Member, now_ms: float) -> None:
    """Count the time until now; to be called before a bot comes, goes, sits down or gets up."""
    passed = now_ms - member.changed_ms
    member.present_ms += passed if member.is_here or member.at_tables else 0.0
    member.table_ms += passed * member.at_tables
    member.changed_ms = now_ms


def end_wait(member: Member) -> None:
    """Forget a wait, because it has a table or is gone, but not how long it was."""
    member.longest_wait = max(member.longest_wait, member.waited_ms / member.match_ms)
    member.waited_ms = 0.0


def presence(member: Member) -> Presence:
    """Return what a director reads of a bot that is here."""
    if member.shown is None or member.shown.live_count != member.at_tables:
        profile = member.profile
        member.shown = Presence(
            bot_id=profile.bot_id,
            process="simulation",
            epoch=1,
            max_matches=profile.at_once,
            rulesets=("base",),
            seats=tuple(sorted(profile.sizes)),
            live_count=member.at_tables,
        )
    return member.shown
