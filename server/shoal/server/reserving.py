"""Requests that make something once, however often they are sent."""

from collections.abc import Mapping

from shoal.server.errors import Reason, Refusal
from shoal.server.store.errors import RequestIdReused
from shoal.server.store.requests import RequestStore, Reservation


async def reserve(
    requests: RequestStore, caller: str, request_id: str, body: str, ids: Mapping[str, str]
) -> Reservation:
    """Return the ids that a request makes something under: these, or those of its first time.

    `body` is the hash of the request. One without an id is always new. Raises Refusal when the id came with
    another body before.
    """
    if not request_id:
        return Reservation(fresh=True, reserved=dict(ids), answer=None)
    try:
        return await requests.reserve(caller, request_id, body, ids)
    except RequestIdReused:
        raise _reused() from None


async def known(
    requests: RequestStore, caller: str, request_id: str, body: str
) -> Reservation | None:
    """Return what is reserved for a request that came before, None for a new one; raise Refusal as `reserve`.

    For what would be refused now, though it was in order then: a moment that was still to come.
    """
    if not request_id:
        return None
    try:
        return await requests.known(caller, request_id, body)
    except RequestIdReused:
        raise _reused() from None


def _reused() -> Refusal:
    return Refusal(
        Reason.REQUEST_ID_REUSED,
        "this request_id was used for another request",
        field="request_id",
    )
