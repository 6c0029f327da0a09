"""How evenly a round robin brings everybody together, in pairs and in larger tables."""

from collections import Counter
from itertools import chain, combinations

import pytest

from shoal.competition import design as design_module
from shoal.competition.design import berger, design, number_of_tables

PUBLISHED = {
    4: ["1-4 2-3", "4-3 1-2", "2-4 3-1"],
    6: ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"],
}
"""Berger tables as printed in the annex to the FIDE rules for round robins."""


@pytest.mark.parametrize("entrants", PUBLISHED)
def test_pairs_come_in_the_order_of_the_published_tables(entrants: int) -> None:
    printed = [
        {frozenset(int(number) - 1 for number in pair.split("-")) for pair in line.split()}
        for line in PUBLISHED[entrants]
    ]
    assert [{frozenset(table) for table in tables} for tables in berger(entrants)] == printed


@pytest.mark.parametrize("entrants", range(2, 30))
def test_of_pairs_each_is_there_once_and_an_odd_number_leaves_one_free(entrants: int) -> None:
    rounds = berger(entrants)
    assert len(rounds) == entrants - 1 + entrants % 2
    assert all(len(tables) == entrants // 2 for tables in rounds)
    assert sorted(chain(*rounds)) == list(combinations(range(entrants), 2))


def meetings(entrants: int, seats: int, times: int) -> list[int]:
    met = Counter(
        pair for table in chain(*design(entrants, seats, times)) for pair in combinations(table, 2)
    )
    return [met[pair] for pair in combinations(range(entrants), 2)]


@pytest.mark.parametrize("times", [1, 2, 3])
@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("entrants", range(3, 25))
def test_larger_tables_are_balanced(entrants: int, seats: int, times: int) -> None:
    """Everybody has as many tables; every two meet often enough, and nearly equally often."""
    rounds = design(entrants, seats, times)
    if entrants < seats:
        assert rounds == ()
        return
    tables = Counter(place for table in chain(*rounds) for place in table)
    assert len(set(tables.values())) == 1
    assert len(tables) == entrants
    met = meetings(entrants, seats, times)
    assert min(met) >= times
    assert max(met) - min(met) <= (1 if entrants % 2 else 3)


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("entrants", [41, 60, 97, 130])
def test_so_are_those_of_many(entrants: int, seats: int, times: int) -> None:
    """Of whom not all tables can be tried."""
    tables = Counter(place for table in chain(*design(entrants, seats, times)) for place in table)
    assert set(tables) == set(range(entrants))
    assert len(set(tables.values())) == 1
    met = meetings(entrants, seats, times)
    assert times <= min(met) <= max(met) <= min(met) + 2 * times


@pytest.mark.parametrize("seats", [3, 4])
def test_how_many_tables_are_looked_at_grows_with_the_square_of_the_entrants(
    seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So what there is to be played can be counted while others wait."""
    looked: list[int] = []
    count = design_module._cost
    monkeypatch.setattr(design_module, "_cost", lambda *asked: looked.append(1) or count(*asked))
    tables = number_of_tables(150, seats, 3)
    assert tables == sum(map(len, design(150, seats, 3)))
    assert len(looked) // 2 <= 150**2


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("entrants", range(4, 14))
def test_nobody_sits_twice_in_a_round(entrants: int, seats: int) -> None:
    for tables in design(entrants, seats, 2):
        seated = list(chain(*tables))
        assert len(seated) == len(set(seated))


@pytest.mark.parametrize(
    ("entrants", "seats", "tables"),
    [(7, 3, 7), (13, 4, 13), (4, 3, 4), (4, 4, 1), (15, 3, 45), (19, 3, 76)],
)
def test_known_designs_are_found(entrants: int, seats: int, tables: int) -> None:
    """The Fano plane, the projective plane of order 3, and what is as near as a circle comes."""
    assert sum(map(len, design(entrants, seats, 1))) == tables


@pytest.mark.parametrize(("entrants", "seats"), [(7, 3), (13, 4)])
def test_a_perfect_design_lets_every_two_meet_equally_often(entrants: int, seats: int) -> None:
    assert set(meetings(entrants, seats, 1)) == {1}


@pytest.mark.parametrize("entrants", [0, 1])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_too_few_have_no_tables(entrants: int, seats: int) -> None:
    assert design(entrants, seats, 1) == ()
