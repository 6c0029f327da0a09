"""What the figures tell of schedulers: of the real one, and of some that are broken on purpose."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest

from shoal.competition.ladder_pairing import pair
from shoal.competition.pool import Candidate, Table, Terms
from tests.simulation.plans import figures, part

PLAIN = {"blocks": 250, "churn": 0.0, "crashing": 0.0, "slow": 0.0}


def with_neighbors_only(pool: Iterable[Candidate], terms: Terms, seed: int) -> Sequence[Table]:
    """Seats a bot with the one whose number is next to its own, and nobody else, ever."""
    couples: dict[int, list[Candidate]] = {}
    for who in pool:
        couples.setdefault(int(who.bot_id[1:]) // 2, []).append(replace(who, recent=()))
    return [
        table
        for couple in couples.values()
        for table in pair(couple, replace(terms, sizes=(2,)), seed)
    ]


def that_starves_one(pool: Iterable[Candidate], terms: Terms, seed: int) -> Sequence[Table]:
    """Forgets one bot."""
    return pair([who for who in pool if who.bot_id != "b0007"], terms, seed)


def that_is_lazy(pool: Iterable[Candidate], terms: Terms, seed: int) -> Sequence[Table]:
    """Looks only now and then, as one that waits for rounds does."""
    pool = list(pool)
    waiting = max((who.waited_ms for who in pool if who.room > 0), default=0.0)
    return pair(pool, terms, seed) if waiting > 2 * 60_000 else ()


def that_loves_the_quick(pool: Iterable[Candidate], terms: Terms, seed: int) -> Sequence[Table]:
    """Shares out matches rather than time: those with short ones come first, the rest if there is room."""
    quick = sorted((who for who in pool if who.room > 0), key=lambda who: who.match_ms)
    return pair(quick[: len(quick) // 2], terms, seed)


def test_the_real_scheduler_is_found_good() -> None:
    found = figures(**PLAIN)
    assert part(found, "longest_wait") < 3
    assert part(found, "second_eigenvalue") < 0.5
    assert part(found, "share", "least") > 0.8
    assert part(found, "share", "gini") < 0.05
    assert part(found, "rank_correlation", "end") > 0.7


def test_one_that_knows_only_neighbors_is_noticed() -> None:
    found = figures(with_neighbors_only, **PLAIN)
    assert part(found, "second_eigenvalue") > 0.95
    assert part(found, "repeat_rate") > 0.95


def test_one_that_starves_a_bot_is_noticed() -> None:
    found = figures(that_starves_one, **PLAIN)
    assert part(found, "longest_wait") > 3
    assert part(found, "share", "least") == 0
    hours = part(found, "days") * 24
    assert part(found, "newcomer_wait_s") > 0.9 * hours * 3600


def test_one_that_waits_for_rounds_is_noticed() -> None:
    found = figures(that_is_lazy, **PLAIN)
    assert part(found, "longest_wait") > 3
    assert part(found, "share", "median") < 0.6


def test_one_that_loves_the_quick_is_noticed() -> None:
    real, found = figures(**PLAIN), figures(that_loves_the_quick, **PLAIN)
    assert part(found, "share", "gini") > 2 * part(real, "share", "gini")


@pytest.mark.parametrize("number", range(2, 7))
@pytest.mark.parametrize("sizes", [(2,), (2, 3, 4)])
def test_in_small_pools_nobody_waits_longer_than_three_match_lengths(
    number: int, sizes: tuple[int, ...]
) -> None:
    """While a table could be made (T72, T79)."""
    found = figures(bots=number, sizes=sizes, at_once=1, **PLAIN)
    assert part(found, "longest_wait") < 3


def test_slow_bots_hold_up_nobody() -> None:
    """The others are at tables as much as without them (T67), and they themselves as much (T80)."""
    without = figures(**PLAIN, bots=24)
    found = figures(**{**PLAIN, "slow": 0.2, "bots": 24})
    assert part(found, "share", "others") > part(without, "share", "median") - 0.05
    assert abs(part(found, "share", "slow") - part(found, "share", "others")) < 0.1


def test_newcomers_play_within_a_minute() -> None:
    """Whatever their luck is, some table ends, and they come first (T69)."""
    found = figures(bots=30, blocks=400, churn=0.5)
    assert 0 <= part(found, "newcomer_wait_s") < 60


@pytest.mark.parametrize("bots", [12, 30])
def test_no_table_size_takes_over(bots: int) -> None:
    """Not even where matches are long, and two bots at a time come free (T64, T75)."""
    found = figures(bots=bots, blocks=250, match_s=60.0, churn=0.0)
    seats = {size: size * size * part(found, "blocks", "by_size", str(size)) for size in (2, 3, 4)}
    assert min(seats.values()) > 0.08 * sum(seats.values())
