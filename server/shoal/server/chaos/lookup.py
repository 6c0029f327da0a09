"""Matches of a thin client of which nobody speaks any more: asked for, as docs/api.md tells every author."""

import asyncio
import time
from collections.abc import Iterable
from typing import Final, final

import grpc

from shoal.client import ShoalError, pb
from shoal.server.chaos.journal import Journal
from shoal.server.chaos.talk import ONE_CALL, Talk

PATIENCE: Final = 2.0
"""Seconds in which the service tells of an end by itself."""

QUIET: Final = 5.0
"""Seconds after which a bot that polls wonders about a match: it has no snapshot that could lack one."""

_GONE: Final = "NOT_FOUND"


@final
class LookUp:
    """Notes as the end of a match that the service does not have it any more, and nothing else.

    That a match is over is for the service to tell, to every seat: so an end that was only looked up is none.
    """

    def __init__(self, journal: Journal, talk: Talk) -> None:
        """Ask on one connection for matches that the journal has begun and not ended."""
        self._journal = journal
        self._talk = talk
        self._asked: set[str] = set()
        self._begun = time.monotonic()
        self._heard: dict[str, float] = {}

    def hears(self, match_id: str) -> None:
        """Note that somebody speaks of a match."""
        self._heard[match_id] = time.monotonic()

    def brought(self, snapshot: pb.Snapshot) -> None:
        """Ask for what a new stream does not bring."""
        self._ask(self._journal.held - {each.match_id for each in snapshot.matches})

    def polled(self) -> None:
        """Ask for what no poll has spoken of for long."""
        since = time.monotonic() - QUIET
        self._ask(id_ for id_ in self._journal.held if self._heard.get(id_, self._begun) < since)

    def _ask(self, match_ids: Iterable[str]) -> None:
        """Begin to ask for these, but for what is being asked for already."""
        for match_id in {*match_ids} - self._asked:
            self._asked.add(match_id)
            self._talk.start(self._find(match_id))

    async def _find(self, match_id: str) -> None:
        """Ask for a match until the service says that it has it or not, or tells its end by itself."""
        is_known = False
        while not is_known:
            await asyncio.sleep(PATIENCE)
            is_known = match_id not in self._journal.held or await self._is_found(match_id)
        self._asked.discard(match_id)

    async def _is_found(self, match_id: str) -> bool:
        """Ask for a match once; tell whether the service said something definite."""
        request = pb.GetMatchRequest(match_id=match_id)
        talk = self._talk
        try:
            await talk.matches.GetMatch(request, metadata=talk.metadata, timeout=ONE_CALL)
        except grpc.aio.AioRpcError as failure:
            if ShoalError.from_rpc(failure).reason != _GONE:
                return False
            if match_id in self._journal.held:  # else the end was told meanwhile
                self._journal.loses(match_id)
        return True
