"""What a ladder knows of one of its bots, and what the scheduler is shown of it."""

from collections import deque
from dataclasses import dataclass, field
from typing import Final, final

from shoal.competition.fair_share import Usage, share, used
from shoal.competition.pool import Candidate, Past
from shoal.server.director.rating import Rating
from shoal.server.simulation.population import Profile

_RULESETS: Final = frozenset({"base"})

RECENT: Final = 12
"""How many of its latest tables a bot is remembered by."""

_NEWEST: Final = 0.2
"""What the latest match weighs in how long a bot's matches take."""


@final
@dataclass(slots=True, eq=False)
class Member:
    """A bot on the ladder. `strength` is in the units of the outcomes, and known to them alone.

    `number` is its place among all. `is_here` tells whether the ladder sees it, `is_down` whether it has
    crashed, which the ladder may not know yet. `waited_ms` is for how long it has had room now while a
    table for it could have been made; the times of `Candidate` are kept beside it.
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
    free_since_ms: float = 0.0
    ticks: int = 0
    usage: Usage = field(default_factory=lambda: Usage(0.0))
    recent: deque[Past] = field(default_factory=lambda: deque(maxlen=RECENT))
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
    shown: Candidate | None = None
    """What the scheduler was shown, as long as it has no room: then nothing of it changes."""

    @property
    def room(self) -> int:
        """How many more tables it can sit at."""
        return self.profile.at_once - self.at_tables


def pass_time(member: Member, now_ms: float) -> None:
    """Count the time until now; to be called before a bot comes, goes, sits down or gets up."""
    passed = now_ms - member.changed_ms
    member.present_ms += passed if member.is_here or member.at_tables else 0.0
    member.table_ms += passed * member.at_tables
    member.usage = used(member.usage, now_ms, member.at_tables, present=member.is_here)
    member.changed_ms = now_ms
    member.shown = None


def note_match(member: Member, took_ms: float) -> None:
    """Learn from a match how long its matches take."""
    member.match_ms += _NEWEST * (took_ms - member.match_ms)


def end_wait(member: Member) -> None:
    """Forget a wait, because it has a table or is gone, but not how long it was."""
    member.longest_wait = max(member.longest_wait, member.waited_ms / member.match_ms)
    member.waited_ms = 0.0


def candidate(member: Member, now_ms: float) -> Candidate:
    """Return what the scheduler is shown of a bot that is here."""
    if member.shown is not None:
        return member.shown
    has_room = member.room > 0
    shown = Candidate(
        bot_id=member.profile.bot_id,
        room=member.room,
        rulesets=_RULESETS,
        seats=member.profile.sizes,
        mu=member.rating.mu,
        sigma=member.rating.sigma,
        owner=member.profile.owner,
        at_once=member.profile.at_once,
        idle=member.at_tables == 0,
        blocks=member.blocks,
        waited_ms=now_ms - member.free_since_ms if has_room else 0.0,
        ticks=member.ticks if has_room else 0,
        match_ms=member.match_ms,
        share=share(used(member.usage, now_ms, member.at_tables, present=member.is_here)),
        recent=tuple(member.recent),
    )
    if not has_room:
        member.shown = shown
    return shown
