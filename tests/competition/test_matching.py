"""A matching has as many pairs as any other could have."""

from functools import cache
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.competition.matching import matching, number_of_pairs


@st.composite
def graphs(draw: st.DrawFn) -> list[int]:
    """Neighbors of up to nine vertices, as bits; dense and sparse ones."""
    number = draw(st.integers(0, 9))
    chance = Random(draw(st.integers()))
    density = draw(st.floats(0, 1))
    allowed = [0] * number
    for one in range(number):
        for other in range(one):
            if chance.random() < density:
                allowed[one] |= 1 << other
                allowed[other] |= 1 << one
    return allowed


def most_pairs(allowed: list[int]) -> int:
    """Try everything."""

    @cache
    def most(alive: int) -> int:
        if not alive:
            return 0
        first = alive.bit_length() - 1
        rest = alive & ~(1 << first)
        options = (
            other for other in range(first) if rest & allowed[first] >> other << other & 1 << other
        )
        return max([most(rest), *(1 + most(rest & ~(1 << other)) for other in options)])

    return most((1 << len(allowed)) - 1)


@settings(max_examples=500, deadline=None)
@given(graphs())
def test_no_matching_has_more_pairs(allowed: list[int]) -> None:
    partners = matching(range(len(allowed)), allowed)
    assert len(partners) == 2 * most_pairs(allowed)
    for one, other in partners.items():
        assert partners[other] == one
        assert allowed[one] >> other & 1


def test_odd_circles_are_seen_through() -> None:
    """Two triangles joined by an edge can be paired completely; from outside that is hard to see."""
    edges = [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (4, 5), (3, 5)]
    allowed = [0] * 6
    for one, other in edges:
        allowed[one] |= 1 << other
        allowed[other] |= 1 << one
    assert number_of_pairs(range(6), allowed) == 3
    assert number_of_pairs([0, 1, 2], allowed) == 1


def test_only_the_vertices_that_are_given_are_paired() -> None:
    everybody = [0b1110, 0b1101, 0b1011, 0b0111]
    assert matching([0, 3], everybody) == {0: 3, 3: 0}
    assert matching([2], everybody) == {}
