"""Bots whose ratings are given hold the scale of a ladder, on a real Redis."""

from dataclasses import replace

import pytest

from shoal.competition.plan import Entrant
from shoal.competition.rating import anchored, interval, shown
from shoal.competition.specification import Anchor, Ladder
from shoal.rating.ladder_standings import Standing
from shoal.server.director import MAIN, ladder_standings
from shoal.server.store.bells import Bells
from shoal.server.store.pipe import Pipe

from .arena import Arena


async def lines(arena: Arena) -> dict[str, Standing]:
    return {line.bot_id: line for line in await ladder_standings(arena.competitions, "main")}


async def test_an_anchor_stays_where_it_is_and_others_are_rated_by_it(
    pipe: Pipe, bells: Bells
) -> None:
    """From the beginning on, whatever it wins or loses; half of the points are as many as it has."""
    arena = Arena(pipe, bells)
    anchor, bot = await arena.arrive("anchor", "bot", joined=False)
    form = Ladder(trial=False, anchors=(Anchor(anchor, 1800),))
    await arena.make(replace(MAIN, format=form, seats=(2,)), "main")
    await arena.enter("main", Entrant(anchor, "x"), Entrant(bot, "y"))
    assert (await lines(arena))[anchor].rating == 1800
    async with arena.directing():
        for number in range(60):
            match = await arena.next_match()
            winner = (anchor, bot)[number % 2]
            await arena.finish(match, placements=[1 if b == winner else 2 for b in match.bots])
        await arena.next_match()
    after = await lines(arena)
    assert (after[anchor].rating, after[anchor].interval, after[anchor].matches) == (1800, 0, 60)
    assert after[bot].rating == pytest.approx(1800, abs=after[bot].interval)
    assert after[bot].rating > 1700


def test_a_given_rating_is_shown_as_it_was_given() -> None:
    for points in (0.0, 1500.0, 2345.6):
        assert shown(anchored(points)) == pytest.approx(points)
        assert interval(anchored(points)) < 0.05
