"""Matches in play of which no result will come: a failover may lose what its replica had not heard.

Their blocks would wait for ever. A match that the store has lost is void, as its seats were told, and so it
is played again. One that has ended, and whose result nobody has heard of between two looks, is counted from
what is stored of it: the outbox, or what was counted, was lost in another part of the store.
"""

import json
import time
from collections.abc import Iterable
from typing import final

from shoal.match import Phase, decode_match, outbox_payload
from shoal.match.model import LeaveReason, Termination, VoidReason
from shoal.server.director.matches import pairing_of
from shoal.server.director.result import Finished, finished, stamped
from shoal.server.guard import one_of_many
from shoal.server.store.competition_nouns import Block, Competition
from shoal.server.store.keys import now_ms
from shoal.server.store.matches import MatchStore


@final
class Unheard:
    """Looks for such matches."""

    def __init__(self, matches: MatchStore) -> None:
        """Look here."""
        self._matches = matches
        self._suspects: dict[str, dict[str, float]] = {}

    def forget(self, found: Competition) -> None:
        """Keep no more of a competition."""
        self._suspects.pop(found.competition_id, None)

    async def results(
        self, found: Competition, blocks: Iterable[Block], caught_up: float
    ) -> list[Finished]:
        """Return the results of matches in play of a competition that will not come otherwise.

        Only of those that were so at the last look too: a match is reserved before it is created. One that
        has ended waits for its result to be read, so what ended before the monotonic moment `caught_up` must
        have been counted when the blocks were read.
        """
        now = time.monotonic()
        in_play = {block.match_id: block for block in blocks if block.match_id}
        statuses = await self._matches.statuses(list(in_play))
        missing = in_play.keys() - statuses.keys()
        ended = {match_id for match_id, status in statuses.items() if status == Phase.FINISHED}
        before = self._suspects.get(found.competition_id, {})
        since = {match_id: before.get(match_id, now) for match_id in missing | ended}
        self._suspects[found.competition_id] = since
        unheard = {match_id for match_id in ended if since[match_id] < caught_up}
        results = []
        for match_id in sorted((missing | unheard) & before.keys()):
            with one_of_many("match_not_recovered", match=match_id):
                results.append(
                    await self._result(match_id)
                    if match_id in ended
                    else _void(found, in_play[match_id])
                )
        return results

    async def _result(self, match_id: str) -> Finished:
        stored = await self._matches.load(match_id)
        assert stored is not None
        payload = outbox_payload(decode_match(stored.meta, stored.secret, stored.state))
        return finished(stamped(payload, now_ms()))  # a little late: when it ended is lost


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
        void=VoidReason.NONE,
        payload=json.dumps(payload).encode(),
    )
