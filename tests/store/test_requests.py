"""Laws of request ids: one body, one set of reserved ids, one answer."""

import asyncio

import pytest

from shoal.server.store import Pipe, RequestIdReused, RequestStore, Reservation, keys

REQUEST_ID = "0b5cfd0e-6b0e-4d0e-8f7a-1f1f2b1d9a11"


@pytest.fixture
def requests(pipe: Pipe) -> RequestStore:
    """The requests of an empty Redis."""
    return RequestStore(pipe)


async def test_a_repeated_request_finds_the_first(requests: RequestStore) -> None:
    """The ids of the first time are kept, then its answer too (T1)."""
    first = await requests.reserve("ann", REQUEST_ID, "hash", {"match": "a"})
    assert first == Reservation(fresh=True, reserved={"match": "a"}, answer=None)
    second = await requests.reserve("ann", REQUEST_ID, "hash", {"match": "b"})
    assert second == Reservation(fresh=False, reserved={"match": "a"}, answer=None)
    await requests.finish("ann", REQUEST_ID, b"\x00answer")
    third = await requests.reserve("ann", REQUEST_ID, "hash", {"match": "c"})
    assert third == Reservation(fresh=False, reserved={"match": "a"}, answer=b"\x00answer")


async def test_of_many_simultaneous_requests_one_is_fresh(requests: RequestStore) -> None:
    """All of them work with the same reserved id (T9)."""
    found = await asyncio.gather(
        *(requests.reserve("ann", REQUEST_ID, "hash", {"match": str(n)}) for n in range(20))
    )
    assert [reservation.fresh for reservation in found].count(True) == 1
    assert len({reservation.reserved["match"] for reservation in found}) == 1


async def test_another_body_under_the_same_id_is_refused(requests: RequestStore) -> None:
    """A request id stands for one body, finished or not."""
    await requests.reserve("ann", REQUEST_ID, "hash", {})
    with pytest.raises(RequestIdReused):
        await requests.reserve("ann", REQUEST_ID, "other", {})
    await requests.finish("ann", REQUEST_ID, b"")
    with pytest.raises(RequestIdReused):
        await requests.reserve("ann", REQUEST_ID, "other", {})
    assert (await requests.reserve("ann", REQUEST_ID, "hash", {})).answer == b""


async def test_what_is_known_of_a_request_can_be_asked(requests: RequestStore) -> None:
    """Nothing is remembered by that."""
    assert await requests.known("ann", REQUEST_ID, "hash") is None
    await requests.reserve("ann", REQUEST_ID, "hash", {"match": "a"})
    first = Reservation(fresh=False, reserved={"match": "a"}, answer=None)
    assert await requests.known("ann", REQUEST_ID, "hash") == first
    with pytest.raises(RequestIdReused):
        await requests.known("ann", REQUEST_ID, "other")


async def test_callers_do_not_meet(requests: RequestStore) -> None:
    """The same id from another caller is another request."""
    await requests.reserve("ann", REQUEST_ID, "hash", {})
    assert (await requests.reserve("bob", REQUEST_ID, "other", {})).fresh


async def test_requests_are_kept_for_a_day(pipe: Pipe, requests: RequestStore) -> None:
    """They expire after 24 hours, answered or not (T32)."""
    await requests.reserve("ann", REQUEST_ID, "hash", {})
    await requests.finish("ann", REQUEST_ID, b"answer")
    left = await pipe.command("PTTL", keys.request("ann", REQUEST_ID))
    assert 86_390_000 < left <= 86_400_000


async def test_finishing_what_has_expired_leaves_nothing(
    pipe: Pipe, requests: RequestStore
) -> None:
    """An answer that comes after a day makes no key that would never expire (T32)."""
    await requests.finish("ann", REQUEST_ID, b"answer")
    assert await pipe.command("DBSIZE") == 0
