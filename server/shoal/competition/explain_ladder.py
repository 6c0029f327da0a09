"""Why bots of a ladder sit together, and why one that has room does not sit anywhere."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import final

from shoal.competition.explanation import Explanation, many
from shoal.competition.guests import LONGEST_PATIENCE, TICKS
from shoal.competition.pool import Candidate, Company, Table, Terms


@final
@dataclass(frozen=True, slots=True)
class _Others:
    """The other bots of a pool, by what each could be to the one who waits."""

    fit: Sequence[Candidate]
    """They play a size and a ruleset that it plays and the ladder has."""
    free: Sequence[Candidate]
    """They have room besides."""
    free_strangers: Sequence[Candidate]
    """They are of another owner besides."""


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


def why_waiting(
    bot_id: str, pool: Iterable[Candidate], terms: Terms, tables: Iterable[Table]
) -> Explanation:
    """Return why a bot of the pool is at none of the tables that came of it. ValueError: not there."""
    pool, tables = tuple(pool), tuple(tables)
    found = [who for who in pool if who.bot_id == bot_id]
    if not found:
        raise ValueError(f"{bot_id} is not present")
    who, others = found[0], _others(found[0], pool, terms, tables)
    numbers = {
        "room": who.room,
        "waited_ms": who.waited_ms,
        "ticks": who.ticks,
        "present": len(pool),
        "fit": len(others.fit),
        "free": len(others.free),
        "free_of_other_owners": len(others.free_strangers),
        "tables": len(tables),
    }
    return Explanation((bot_id,), (_cause(who, others, terms, tables),), numbers)


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


def _others(
    who: Candidate, pool: Iterable[Candidate], terms: Terms, tables: Iterable[Table]
) -> _Others:
    seated = [bot for table in tables for bot in table.bots]
    sizes, rulesets = who.seats & set(terms.sizes), who.rulesets & set(terms.rulesets)
    fit = [
        other
        for other in pool
        if other.bot_id != who.bot_id and other.seats & sizes and other.rulesets & rulesets
    ]
    free = [other for other in fit if other.room > seated.count(other.bot_id)]
    strangers = [other for other in free if not terms.rated or not other.owner == who.owner != ""]
    return _Others(fit, free, strangers)


def _cause(who: Candidate, others: _Others, terms: Terms, tables: Sequence[Table]) -> str:
    """Return the first that applies, from what only the bot can change to what will pass by itself."""
    name, at_tables = who.bot_id, sum(who.bot_id in table.bots for table in tables)
    needed = min((size for size in terms.sizes if size in who.seats), default=1) - 1
    fit, free, strangers = len(others.fit), len(others.free), len(others.free_strangers)
    owners = {other.owner or f"bot {other.bot_id}" for other in others.free_strangers}
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
            terms.rated and len(owners) < needed,
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
