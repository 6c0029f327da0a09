"""Requests that create something: what a repeated one may find of the first."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from shoal.server.store import keys, scripts
from shoal.server.store.errors import RequestIdReused
from shoal.server.store.link import Reply
from shoal.server.store.pipe import Pipe

_KEPT_MS: Final = 24 * 60 * 60 * 1000


@dataclass(frozen=True, slots=True)
class Reservation:
    """What stands in the store for a request."""

    fresh: bool
    """Whether this very call has put it there."""

    reserved: dict[str, str]
    """The ids to use: those of the first time, whatever was offered now."""

    answer: bytes | None
    """What was answered; None when the first has not finished, or never will."""


class RequestStore:
    """The requests of the last 24 hours, each in the part of the store that is its caller's."""

    def __init__(self, pipe: Pipe) -> None:
        """Ask through this pipe."""
        self._pipe = pipe

    async def reserve(
        self, caller: str, request_id: str, body_hash: str, reserved: Mapping[str, str]
    ) -> Reservation:
        """Remember a request and the ids made for it, or return what is remembered.

        Without an answer, fresh or not, do the work under the `reserved` ids, which must be
        idempotent. Raises RequestIdReused when the id came with another body before.
        """
        fresh, *known = await self._pipe.call(
            scripts.RESERVE,
            (keys.request(caller, request_id),),
            (body_hash, json.dumps(dict(reserved)), _KEPT_MS),
        )
        if fresh:
            return Reservation(fresh=True, reserved=dict(reserved), answer=None)
        return _kept(request_id, body_hash, known)

    async def known(self, caller: str, request_id: str, body_hash: str) -> Reservation | None:
        """Return what is remembered of a request, None if it is new; raise RequestIdReused as `reserve`."""
        key = keys.request(caller, request_id)
        known = await self._pipe.command("HMGET", key, "hash", "reserved", "answer")
        return None if known[0] is None else _kept(request_id, body_hash, known)

    async def finish(self, caller: str, request_id: str, answer: bytes) -> None:
        """Keep the answer of a request for as long as it is remembered."""
        await self._pipe.call(
            scripts.AMEND, (keys.request(caller, request_id),), ("answer", answer)
        )


def _kept(request_id: str, body_hash: str, known: Reply) -> Reservation:
    """Return what was kept as hash, ids and answer; raise RequestIdReused if it is of another body."""
    kept_hash, reserved, answer = known
    if kept_hash.decode() != body_hash:
        raise RequestIdReused(request_id)
    return Reservation(fresh=False, reserved=json.loads(reserved), answer=answer)
