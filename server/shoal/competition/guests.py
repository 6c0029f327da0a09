"""The bots of a pool while tables are being made: whose turn it is, and what becomes of who is seated."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, TypeAlias

from shoal.competition.fair_share import more_share
from shoal.competition.pool import Candidate, Company, Table, Terms, Turn

OVERDUE: Final = 2.0
"""Who has waited for so many of its own match lengths comes before everybody else."""

NEW: Final = 3
"""A bot is new until it has played so many blocks."""

TICKS: Final = 2
"""With so many ticks a bot takes any table, but for too early a rematch."""

PATIENCE: Final = 0.25
"""How long, in its own match lengths, a bot waits rather than meet the same opponent again; as much again
for each time that they have met in a row, but `LONGEST_PATIENCE` at most."""

LONGEST_PATIENCE: Final = 1.0

SMALL: Final = 6
"""In a pool of so many it only begins to wait after `SMALL_GRACE` rematches: small pools are not to idle."""

SMALL_GRACE: Final = 2

FADE: Final = 0.75
"""What a former table counts for, compared with the one after it."""

Kind: TypeAlias = tuple[int, str]
"""What may be played at a table: its size, and a ruleset."""


@dataclass(slots=True, eq=False)
class Guest:
    """A candidate while tables are being made."""

    who: Candidate
    side: str
    """What no two guests of a rated table may share."""
    turn: Turn
    room: int
    repeats: dict[str, float]
    """How much it has met others lately, as `Company.repeats` counts."""
    in_a_row: dict[str, int]
    """How often without a break it has met others, up to its latest table."""
    played: Counter[Kind]
    share: float
    waited: float
    """In its own match lengths."""
    tables: int = 0

    @property
    def is_patient(self) -> bool:
        """Whether it may be passed over: it has only just come free, or has a table by now."""
        return self.who.ticks < TICKS or self.tables > 0

    @property
    def takes_anything(self) -> bool:
        """Whether it has waited long enough to meet whoever there is."""
        return not self.is_patient and self.waited >= LONGEST_PATIENCE


@dataclass(slots=True)
class Hall:
    """Those who have room, in the order of their ids, and what may be played."""

    open: list[Guest]
    kinds: list[Kind]
    rated: bool
    somebody_is_busy: bool
    grace: int
    """How often two may meet again at once."""
    chance: Random
    tables: list[Table] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Party:
    """Those who will sit at a table, the one it is made for first, and why the others."""

    kind: Kind
    guests: Sequence[Guest]
    company: Sequence[Company]


def hall_of(pool: Iterable[Candidate], terms: Terms, seed: int) -> Hall:
    """Return the hall with everybody who is present; a size that they could not fill is not played."""
    present = sorted({who.bot_id: who for who in pool}.values(), key=lambda who: who.bot_id)
    sizes, rulesets = dict.fromkeys(terms.sizes), dict.fromkeys(terms.rulesets)
    kinds = [
        (size, ruleset)
        for size in sizes
        for ruleset in rulesets
        if sum(size in who.seats and ruleset in who.rulesets for who in present) >= size
    ]
    return Hall(
        open=[_guest(who, rated=terms.rated) for who in present if who.room > 0],
        kinds=kinds,
        rated=terms.rated,
        somebody_is_busy=any(who.room <= 0 for who in present),
        grace=SMALL_GRACE if len(present) <= SMALL else 0,
        chance=Random(seed),  # noqa: S311 - a whim, not a secret
    )


def plays(guest: Guest, kind: Kind) -> bool:
    """Tell whether a bot sits down at such tables."""
    return kind[0] in guest.who.seats and kind[1] in guest.who.rulesets


def too_soon(one: Guest, other: Guest, grace: int) -> bool:
    """Tell whether these two have just met, and neither has waited long enough to do so again.

    For the first `grace` times in a row that is when it is no longer patient.
    """
    times = times_met(one, other)
    if times == 0:
        return False
    enough = min(PATIENCE * (times - grace), LONGEST_PATIENCE)
    return all(guest.is_patient or guest.waited < enough for guest in (one, other))


def times_met(one: Guest, other: Guest) -> int:
    """Return how often without a break these two have met, up to the latest table of one of them."""
    return max(
        one.in_a_row.get(other.who.bot_id, 0),
        other.in_a_row.get(one.who.bot_id, 0),
    )


def turn_of(guest: Guest) -> tuple[bool, int, float, float, str]:
    """Return a key that is smaller for a bot whose turn is earlier; nobody twice before all had one."""
    match guest.turn:
        case Turn.OVERDUE:
            rank, first, second = 0, -guest.waited, guest.share
        case Turn.NEWCOMER:
            rank, first, second = 1, float(guest.who.blocks + guest.tables), -guest.who.sigma
        case Turn.SHARE:
            rank, first, second = 2, guest.share, -guest.waited
    return (guest.tables > 0, rank, first, second, guest.who.bot_id)


def seat(party: Party, hall: Hall, *, patient: bool) -> None:
    """Put a table into the hall, and give its guests what comes of it: less room, more share."""
    (size, ruleset), first = party.kind, party.guests[0]
    seated = list(party.guests)
    hall.chance.shuffle(seated)
    hall.tables.append(
        Table(
            bots=tuple(guest.who.bot_id for guest in seated),
            ruleset=ruleset,
            rated=hall.rated and len({guest.side for guest in seated}) == size,
            first=first.who.bot_id,
            turn=first.turn,
            patient=patient,
            company=tuple(party.company),
            sizes_before=first.played[party.kind],
        )
    )
    longest = max(guest.who.match_ms for guest in seated)
    for guest in seated:
        guest.room -= 1
        guest.tables += 1
        guest.share += more_share(size, longest)
        guest.played[party.kind] += 1
        guest.repeats = {other: times * FADE for other, times in guest.repeats.items()}
        for other in seated:
            if other is not guest:
                met = guest.repeats.get(other.who.bot_id, 0.0)
                guest.repeats[other.who.bot_id] = met + 1.0
    hall.open = [guest for guest in hall.open if guest.room > 0]


def _guest(who: Candidate, *, rated: bool) -> Guest:
    repeats: dict[str, float] = {}
    for age, past in enumerate(who.recent):
        for other in past.opponents:
            repeats[other] = repeats.get(other, 0.0) + FADE**age
    waited = who.waited_ms / max(1.0, who.match_ms)
    return Guest(
        who=who,
        side=f"owner {who.owner}" if who.owner and rated else f"bot {who.bot_id}",
        turn=_why_its_turn(who, waited),
        room=who.room,
        repeats=repeats,
        in_a_row=_in_a_row(who),
        played=Counter((len(past.opponents) + 1, past.ruleset) for past in who.recent),
        share=who.share,
        waited=waited,
    )


def _in_a_row(who: Candidate) -> dict[str, int]:
    """Return how often without a break a bot has met others.

    Of a bot that sits at several tables at once, as many of its latest tables are looked at together: which
    of them began last says nothing.
    """
    window = max(1, who.at_once)
    met: dict[str, int] = {}
    for times, start in enumerate(range(0, len(who.recent), window)):
        others = frozenset[str]().union(
            *(past.opponents for past in who.recent[start : start + window])
        )
        still = [other for other in others if met.get(other, 0) == times]
        if not still:
            break
        met.update(dict.fromkeys(still, times + 1))
    return met


def _why_its_turn(who: Candidate, waited: float) -> Turn:
    if waited >= OVERDUE:
        return Turn.OVERDUE
    return Turn.NEWCOMER if who.blocks < NEW else Turn.SHARE
