"""Blocks for tests: of placements that are given, and of strengths that are known."""

import math
from collections.abc import Iterable, Mapping, Sequence
from random import Random

from hypothesis import strategies as st

from shoal.competition.block import seating
from shoal.rating import Block, Match, Row, Table


def block(
    key: str, bots: Sequence[str], matches: Sequence[Sequence[int]], ended_ms: int = 0
) -> Block:
    """A block of these bots; placements are by match and bot, in the order of the bots."""
    made = []
    for rotation, placements in enumerate(matches):
        seated = seating(bots, rotation)
        place = dict(zip(bots, placements, strict=True))
        made.append(
            Match(f"{key}.{rotation}", seated, tuple(place[bot] for bot in seated), ended_ms)
        )
    return Block(key, tuple(made))


def drawn(
    strengths: Mapping[str, float], number: int, chance: Random, sizes: Sequence[int] = (2, 3, 4)
) -> list[Block]:
    """Blocks with outcomes of the model, at tables by lot; strengths are in logits."""
    blocks = []
    for each in range(number):
        bots = chance.sample(sorted(strengths), chance.choice(sizes))
        matches = []
        for _ in bots:
            shown = [strengths[bot] - math.log(chance.expovariate(1.0)) for bot in bots]
            matches.append([1 + sum(other > mine for other in shown) for mine in shown])
        blocks.append(block(f"k{each:04}", bots, matches))
    return blocks


def by_bot(table: Table) -> dict[str, Row]:
    return {row.bot_id: row for row in table.rows}


def renamed(blocks: Iterable[Block], names: Mapping[str, str]) -> list[Block]:
    return [
        Block(
            each.key,
            tuple(
                Match(m.match_id, tuple(names[bot] for bot in m.bots), m.placements, m.ended_ms)
                for m in each.matches
            ),
        )
        for each in blocks
    ]


@st.composite
def placements(draw: st.DrawFn, seats: int) -> list[int]:
    """Placements as the engine gives them: ties share one, and the next is left out."""
    levels = draw(st.lists(st.integers(0, seats - 1), min_size=seats, max_size=seats))
    return [1 + sum(other < level for other in levels) for level in levels]


@st.composite
def ladders(draw: st.DrawFn, bots: int = 6, most: int = 12) -> list[Block]:
    """Some blocks of some bots, of all sizes and with ties; some of them were cut short."""
    names = [f"b{number}" for number in range(draw(st.integers(2, bots)))]
    made = []
    for number in range(draw(st.integers(1, most))):
        seats = draw(st.integers(2, min(4, len(names))))
        table = draw(st.permutations(names))[:seats]
        matches = [draw(placements(seats)) for _ in range(draw(st.integers(1, seats)))]
        made.append(block(f"k{number:02}", table, matches, ended_ms=1000 * number))
    return made
