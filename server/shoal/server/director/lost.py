"""Matches in play that the store has lost: a failover may lose what its replica had not heard.

Their blocks would wait for ever. Such a match is void, as its seats were told, and so it is played again.
"""

import json
from collections.abc import Iterable

from shoal.match.model import LeaveReason, Termination
from shoal.server.director.matches import pairing_of
from shoal.server.director.result import Finished
from shoal.server.store.competition_nouns import Block, Competition
from shoal.server.store.matches import MatchStore


async def lost_of(
    found: Competition, blocks: Iterable[Block], matches: MatchStore
) -> list[Finished]:
    """Return those matches in play of a competition that are not there, as if they had ended as void."""
    in_play = [block for block in blocks if block.match_id]
    revs = await matches.revs([block.match_id for block in in_play])
    return [_void(found, block) for block, rev in zip(in_play, revs, strict=True) if rev is None]


def _void(found: Competition, block: Block) -> Finished:
    pairing = pairing_of(found, block)
    nobody = (LeaveReason.NONE,) * len(pairing.bots)
    nothing = (0,) * len(pairing.bots)
    payload = {
        "match": pairing.match_id,
        "ladder": pairing.competition_id,
        "rated": pairing.rated,
        "ruleset": pairing.ruleset,
        "bots": pairing.bots,
        "placements": nothing,
        "termination": Termination.VOID.value,
        "left": [reason.value for reason in nobody],
    }
    return Finished(
        match_id=pairing.match_id,
        competition=pairing.competition_id,
        rated=pairing.rated,
        bots=pairing.bots,
        placements=nothing,
        termination=Termination.VOID,
        left=nobody,
        payload=json.dumps(payload).encode(),
    )
