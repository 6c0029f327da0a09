"""Why bots of a ladder sit together, and why one that has room does not sit anywhere."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import final

from shoal.competition.explanation import Explanation, many
from shoal.competition.guests import LONGEST_PATIENCE, TICKS
from shoal.competition.pool import Candidate, Company, Table, Terms


@final
@dataclass(frozen=True, slots=True)
class _Others:
    """How many bots of a pool, but for the one who waits, could be what to it."""

    fit: int
    """They play a size and a ruleset that it plays and the ladder has."""
    free: int
    """They have room besides."""
    free_strangers: int
    """They are of another owner besides."""
    owners: int
    """So many owners the strangers have; a bot that is nobody's is as good as one more."""


@final
@dataclass(slots=True)
class _Fitting:
    """All bots that fit one offer: how many there are, and by owner those of them that have room."""

    fit: int = 0
    free: int = 0
    owners: Counter[str] = field(default_factory=Counter)


@final
class Waiting:
    """A pool, and the tables that came of it: tells of each of its bots why it is at none of them.

    Who fits is counted once for each offer that there is in the pool: all of hundreds may be asked about.
    """

    def __init__(self, pool: Iterable[Candidate], terms: Terms, tables: Iterable[Table]) -> None:
        """Know these."""
        self._pool = {who.bot_id: who for who in pool}
        self._terms = terms
        self._tables = tuple(tables)
        self._seated = Counter(bot for table in self._tables for bot in table.bots)
        self._fitting: dict[tuple[frozenset[int], frozenset[str]], _Fitting] = {}

    def why(self, bot_id: str) -> Explanation:
        """Return why a bot is at none of the tables. ValueError: not there."""
        who = self._pool.get(bot_id)
        if who is None:
            raise ValueError(f"{bot_id} is not present")
        others = self._others(who)
        numbers = {
            "room": who.room,
            "waited_ms": who.waited_ms,
            "ticks": who.ticks,
            "present": len(self._pool),
            "fit": others.fit,
            "free": others.free,
            "free_of_other_owners": others.free_strangers,
            "tables": len(self._tables),
        }
        cause = _cause(who, others, self._terms, self._tables)
        return Explanation((bot_id,), (cause,), numbers)

    def _others(self, who: Candidate) -> _Others:
        sizes = who.seats & set(self._terms.sizes)
        rulesets = who.rulesets & set(self._terms.rulesets)
        found = self._fitting.get((sizes, rulesets))
        if found is None:
            found = self._fitting[sizes, rulesets] = self._fit(sizes, rulesets)
        fits = bool(sizes and rulesets)  # who waits is one of them then
        is_free = fits and self._is_free(who)
        strangers, owners = found.free - is_free, len(found.owners) - ("" in found.owners)
        if self._terms.rated and who.owner:
            of_owner = found.owners[who.owner]
            strangers -= of_owner - is_free
            owners -= of_owner > 0
        nobodys = found.owners[""] - (is_free and not who.owner)
        return _Others(found.fit - fits, found.free - is_free, strangers, owners + nobodys)

    def _fit(self, sizes: frozenset[int], rulesets: frozenset[str]) -> _Fitting:
        found = _Fitting()
        for other in self._pool.values():
            if other.seats & sizes and other.rulesets & rulesets:
                found.fit += 1
                if self._is_free(other):
                    found.free += 1
                    found.owners[other.owner] += 1
        return found

    def _is_free(self, who: Candidate) -> bool:
        return who.room > self._seated[who.bot_id]


def explain_table(table: Table) -> Explanation:
    """Return why this table was made: whose turn it was, what is played, and why this company."""
    return Explanation(
        bots=table.bots,
        sentences=tuple(_sentences(table)),
        numbers={
            "size": len(table.bots),
            "sizes_before": table.sizes_before,
            "patient": float(table.patient),
            "information": sum(company.information for company in table.company),
            "repeats": sum(company.repeats for company in table.company),
        },
    )


def _sentences(table: Table) -> Iterator[str]:
    yield f"The table was made for {table.first}: {table.turn.value}."
    yield (
        f"It plays {table.ruleset} with {len(table.bots)} seats, as at {many(table.sizes_before, 'table')} "
        f"of {table.first}'s latest."
    )
    for company in table.company:
        yield _why_company(company, table)
    if not table.rated:
        yield "It is not rated: the ladder is not, or bots of one owner had nobody else to play."


def _why_company(company: Company, table: Table) -> str:
    met = (
        f", met lately with a weight of {company.repeats:.2f}"
        if company.repeats
        else ", not met lately"
    )
    return (
        f"{company.bot_id} was worth most of {company.asked} that fitted: {table.first}'s odds are "
        f"{company.odds:.0%}, a match tells {company.information:.3f} nats{met}, and it has waited "
        f"{company.waited:.1f} of its match lengths."
    )


def _cause(who: Candidate, others: _Others, terms: Terms, tables: Sequence[Table]) -> str:
    """Return the first that applies, from what only the bot can change to what will pass by itself."""
    name, at_tables = who.bot_id, sum(who.bot_id in table.bots for table in tables)
    needed = min((size for size in terms.sizes if size in who.seats), default=1) - 1
    fit, free, strangers = others.fit, others.free, others.free_strangers
    causes = (
        (
            at_tables > 0,
            f"{name} does not wait: it has just been given {many(at_tables, 'table')}.",
        ),
        (who.room <= 0, f"{name} plays as many matches as it takes at once."),
        (
            needed == 0,
            f"{name} plays tables of {_listed(who.seats)}, and the ladder of {_listed(terms.sizes)}.",
        ),
        (
            who.rulesets.isdisjoint(terms.rulesets),
            f"{name} plays {_listed(who.rulesets)}, and the ladder {_listed(terms.rulesets)}.",
        ),
        (fit < needed, f"{name} needs {needed} to play with, and {fit} that fit are present."),
        (
            free < needed,
            f"{name} waits for company: of {fit} that fit, {fit - free} are busy.",
        ),
        (
            terms.rated and others.owners < needed,
            f"{name} waits for other owners' bots, one of each at a table: {strangers} of {free} free ones.",
        ),
        (
            len(tables) >= terms.at_most,
            f"{name} is seated next: {terms.at_most} tables are made at a time, and it was not its turn.",
        ),
        (
            who.ticks < TICKS,
            f"{name} has just come free, and passes {TICKS - 1} tick for better company that is busy.",
        ),
    )
    otherwise = (
        f"{name} has just met who is free, and waits for others, or until {LONGEST_PATIENCE:g} of its "
        f"match lengths are over: now it is {who.waited_ms / max(1.0, who.match_ms):.2f}."
    )
    return next((cause for applies, cause in causes if applies), otherwise)


def _listed(items: Iterable[object]) -> str:
    return ", ".join(sorted(map(str, items))) or "nothing"
