"""From what is stored of a ladder to its standings."""

import asyncio

from shoal.competition.rating import Rating
from shoal.rating import Table
from shoal.rating.ladder_standings import NOTHING, Row, Standing, standings
from shoal.server.director.result import NEWCOMER, with_anchors
from shoal.server.store.competition_nouns import Roster
from shoal.server.store.competitions import CompetitionStore


async def ladder_standings(
    competitions: CompetitionStore, ladder_id: str, table: Table = NOTHING
) -> tuple[Standing, ...]:
    """Return the standings of a ladder, best first: all who have joined or have a rated match.

    `table` is the one that is published.
    """
    found = await competitions.get(ladder_id)
    roster = await competitions.roster(ladder_id)
    # Of hundreds it takes a while, in which the moves of others must not wait.
    return await asyncio.to_thread(
        lambda: standings(_rows(with_anchors(roster, found.specification)), table)
    )


def _rows(roster: Roster) -> list[Row]:
    scores = {**dict.fromkeys(roster.entrants, NEWCOMER), **roster.scores}
    return [
        Row(
            bot_id=bot_id,
            rating=Rating(score.mu, score.sigma),
            matches=score.matches,
            wins=score.wins,
            placement_sum=score.placement_sum,
            joined=bot_id in roster.entrants,  # a release that plays no more is under another name
        )
        for bot_id, score in scores.items()
    ]
