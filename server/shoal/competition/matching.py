"""Pairs as many as can be paired: a maximum matching of any graph, by Edmonds' blossoms.

Vertices are small numbers; who may be paired with vertex v is the set of bits of `allowed[v]`. A greedy
start leaves few unpaired, so for hundreds of vertices that may nearly all be paired it takes a millisecond.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import TypeAlias

Partners: TypeAlias = dict[int, int]
"""The partner of each vertex that has one."""


def matching(vertices: Sequence[int], allowed: Sequence[int]) -> Partners:
    """Return a matching of these vertices with as many pairs as there can be; always the same one."""
    alive = sum(1 << vertex for vertex in vertices)
    partners = _greedy(vertices, alive, allowed)
    for vertex in vertices:
        if vertex not in partners:
            # What a search that found nothing has reached is of no use to any other.
            alive &= ~_Search(vertex, alive, allowed, partners).augment()
    return partners


def number_of_pairs(vertices: Sequence[int], allowed: Sequence[int]) -> int:
    """Return how many pairs there can be at the most."""
    return len(matching(vertices, allowed)) // 2


def _greedy(vertices: Sequence[int], alive: int, allowed: Sequence[int]) -> Partners:
    partners: Partners = {}
    free = alive
    for vertex in vertices:
        if free >> vertex & 1:
            free &= ~(1 << vertex)
            if options := allowed[vertex] & free:
                other = _lowest(options)
                free &= ~(1 << other)
                partners[vertex], partners[other] = other, vertex
    return partners


def _lowest(bits: int) -> int:
    return (bits & -bits).bit_length() - 1


def _each(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


class _Search:
    """Looks for a way from one unpaired vertex to another on which pairs and others take turns.

    `came_from` has, for each vertex reached by a step that is no pair, where from. Vertices of a blossom,
    a circle of odd length, can all be left by such a step; they share the `base` where it was entered.
    """

    def __init__(self, root: int, alive: int, allowed: Sequence[int], partners: Partners) -> None:
        self._root = root
        self._alive = alive
        self._allowed = allowed
        self._partners = partners
        self._base: dict[int, int] = {vertex: vertex for vertex in _each(alive)}
        self._came_from: dict[int, int] = {}
        self._seen = {root}
        self._queue = deque([root])

    def augment(self) -> int:
        """Swap pairs and others along such a way: then one pair more. Return what was reached if none is."""
        while self._queue:
            vertex = self._queue.popleft()
            for other in _each(self._allowed[vertex] & self._alive):
                if self._base[vertex] == self._base[other] or self._partners.get(vertex) == other:
                    continue
                if other == self._root or self._partners.get(other) in self._came_from:
                    self._contract(vertex, other)
                elif other not in self._came_from:
                    self._came_from[other] = vertex
                    if other not in self._partners:
                        self._swap(other)
                        return 0
                    self._see(self._partners[other])
        return sum(1 << vertex for vertex in self._seen.union(self._came_from))

    def _see(self, vertex: int) -> None:
        self._seen.add(vertex)
        self._queue.append(vertex)

    def _swap(self, end: int) -> None:
        at: int | None = end
        while at is not None:
            before = self._came_from[at]
            further = self._partners.get(before)
            self._partners[at], self._partners[before] = before, at
            at = further

    def _contract(self, one: int, other: int) -> None:
        base = self._common_base(one, other)
        blossom: set[int] = set()
        self._mark(one, base, other, blossom)
        self._mark(other, base, one, blossom)
        for vertex in self._base:
            if self._base[vertex] in blossom:
                self._base[vertex] = base
                if vertex not in self._seen:
                    self._see(vertex)

    def _common_base(self, one: int, other: int) -> int:
        passed = set()
        at = self._base[one]
        passed.add(at)
        while at != self._root:
            at = self._base[self._came_from[self._partners[at]]]
            passed.add(at)
        at = self._base[other]
        while at not in passed:
            at = self._base[self._came_from[self._partners[at]]]
        return at

    def _mark(self, vertex: int, base: int, child: int, blossom: set[int]) -> None:
        while self._base[vertex] != base:
            partner = self._partners[vertex]
            blossom.update((self._base[vertex], self._base[partner]))
            self._came_from[vertex] = child
            child = partner
            vertex = self._came_from[partner]
