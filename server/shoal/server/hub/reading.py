"""Matches as the store has them: made from what is kept, and from the log where that leads further."""

import asyncio
from typing import final

import structlog

from shoal.match import (
    Match,
    StateFormatError,
    decode_match,
    decode_meta,
    parse_entry,
    replay,
)
from shoal.server.store.keys import is_id, partition_of
from shoal.server.store.matches import MatchStore, StoredMatch
from shoal.server.store.partition_clock import PartitionClock

log = structlog.get_logger()


@final
class Reading:
    """Reads matches for the tables of this process."""

    def __init__(self, matches: MatchStore) -> None:
        """Read from `matches`."""
        self._store = matches

    async def load(self, match_id: str) -> tuple[Match, PartitionClock] | None:
        """Return the match as stored, and the clock of its partition, which has been seen just now."""
        if not is_id(match_id):
            return None
        _, stored = await asyncio.gather(
            self._store.submit_tick(partition_of(match_id), 0), self._store.load(match_id)
        )
        if stored is None:
            return None
        match = _as_stored(stored)
        texts = await self._store.entries(match_id, match.version, stored.version)
        replay(match, map(parse_entry, texts))
        match.names_hidden = stored.names_hidden
        match.version = stored.version
        match.rev = stored.rev
        match.decision_id = stored.decision_id
        match.asked_ms = stored.asked_ms
        match.limit_ms = stored.limit_ms
        if stored.banks is not None:
            match.banks = list(stored.banks)
        return match, self._store.clock_of(match_id)


def _as_stored(stored: StoredMatch) -> Match:
    """Return the match as the store has kept it, from which the log leads on.

    What another version of this server has kept, and this one does not read, is made again from the log:
    so servers can be replaced one after the other, by the next version or by the one before.
    """
    try:
        match = decode_match(stored.meta, stored.secret, stored.state)
    except StateFormatError as error:
        log.info("state_made_again", match=stored.match_id, reason=str(error))
        return Match(decode_meta(stored.meta), stored.secret)
    match.version = stored.state_version
    return match
