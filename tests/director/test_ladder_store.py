"""What a real Redis keeps of ladders, and what it refuses."""

import pytest

from shoal.server.store import keys
from shoal.server.store.errors import Fenced
from shoal.server.store.ladders import (
    Before,
    Counted,
    Ladder,
    LadderStore,
    Member,
    Pairing,
    Score,
    UnknownLadder,
)
from shoal.server.store.pipe import Pipe

MAIN = Ladder("main", "base", (2, 3, 4))
ANN = Member("a", "ann", baseline=False)
PAIRING = Pairing("m1", "main", "base", ("a", "b"), rated=True)
SCORES = {"a": Score(26, 8, 1, 1, 1), "b": Score(24, 8, 1, 0, 2)}


@pytest.fixture(autouse=True)
async def main(ladders: LadderStore) -> Ladder:
    await ladders.create(MAIN)
    return MAIN


async def test_a_ladder_that_exists_is_not_made_again(ladders: LadderStore) -> None:
    """If a ladder of the name exists, creating it changes nothing."""
    await ladders.create(Ladder("main", "other", (2,)))
    assert await ladders.ladders() == (MAIN,)
    assert await ladders.get("main") == MAIN


async def test_an_unknown_ladder_is_refused(ladders: LadderStore) -> None:
    """If there is no such ladder, asking, joining and leaving raise."""
    for call in (ladders.get("x"), ladders.join("x", ANN), ladders.leave("x", "a")):
        with pytest.raises(UnknownLadder):
            await call


async def test_joining_and_leaving_may_be_repeated(ladders: LadderStore) -> None:
    """If a bot joins or leaves twice, the second time changes nothing."""
    await ladders.join("main", ANN)
    await ladders.join("main", ANN)
    assert (await ladders.roster("main")).members == {"a": ANN}
    await ladders.leave("main", "a")
    await ladders.leave("main", "a")
    assert (await ladders.roster("main")).members == {}


async def test_a_score_outlives_the_membership(ladders: LadderStore) -> None:
    """If a bot leaves, what it has reached stays."""
    await ladders.join("main", ANN)
    await ladders.count(1, "main", "m1", b"{}", SCORES)
    await ladders.leave("main", "a")
    assert (await ladders.roster("main")).scores == SCORES


async def test_of_two_holders_one_has_the_lease(ladders: LadderStore) -> None:
    """If a lease is held, another asks in vain and learns how long."""
    first = await ladders.acquire("one", 60_000)
    second = await ladders.acquire("two", 60_000)
    assert first.token > 0
    assert second.token == 0
    assert 0 < second.wait_ms <= 60_000


async def test_tokens_only_grow(ladders: LadderStore) -> None:
    """If a lease is taken again, by anybody, its token is a higher one."""
    first = await ladders.acquire("one", 60_000)
    again = await ladders.acquire("one", 0)
    other = await ladders.acquire("two", 60_000)
    assert first.token < again.token < other.token


async def test_only_the_holder_keeps_the_lease(ladders: LadderStore) -> None:
    """If another took the lease, it cannot be renewed; if nobody did, it can, even late."""
    old = await ladders.acquire("one", 0)
    assert await ladders.renew("one", 0, old.token)
    new = await ladders.acquire("two", 60_000)
    assert not await ladders.renew("one", 60_000, old.token)
    assert await ladders.renew("two", 60_000, new.token)


async def test_a_lease_that_is_given_up_is_free(ladders: LadderStore) -> None:
    """If the holder renews for no time, another gets the lease at once."""
    lease = await ladders.acquire("one", 60_000)
    await ladders.renew("one", 0, lease.token)
    assert (await ladders.acquire("two", 60_000)).token > lease.token


async def test_an_old_token_writes_nothing(ladders: LadderStore) -> None:
    """If a newer director has written, every write with an older token is refused (T76)."""
    await ladders.commit(2, "main", [PAIRING])
    for write in (
        ladders.commit(1, "main", [Pairing("m2", "main", "base", ("a", "b"), rated=True)]),
        ladders.drop(1, "main", "m1"),
        ladders.count(1, "main", "m1", b"{}", SCORES),
    ):
        with pytest.raises(Fenced):
            await write
    assert await ladders.pairings("main") == (PAIRING,)
    assert (await ladders.roster("main")).scores == {}
    assert await ladders.results("main") == {}


async def test_an_empty_commit_shuts_out_older_tokens(ladders: LadderStore) -> None:
    """If a director only announces itself, the one before it can write no more."""
    await ladders.commit(2, "main", [])
    with pytest.raises(Fenced):
        await ladders.commit(1, "main", [PAIRING])


async def test_pairings_are_kept_until_their_results(ladders: LadderStore) -> None:
    """If a result is counted, its pairing is gone and the others stay."""
    other = Pairing("m2", "main", "base", ("c", "d", "e"), rated=False)
    await ladders.commit(1, "main", [PAIRING, other])
    await ladders.commit(1, "main", [PAIRING])
    assert await ladders.pairings("main") == (PAIRING, other)
    await ladders.count(1, "main", "m1", b"{}", SCORES)
    assert await ladders.pairings("main") == (other,)
    await ladders.drop(1, "main", "m2")
    assert await ladders.pairings("main") == ()


async def test_a_result_is_counted_once(ladders: LadderStore) -> None:
    """If a result is counted twice, the second time says so and changes nothing (T76)."""
    assert await ladders.count(1, "main", "m1", b"first", SCORES) == Counted(now=True, results=1)
    assert await ladders.before("main", "m1", ["a"]) == Before(b"first", [SCORES["a"]])
    again = await ladders.count(1, "main", "m1", b"second", {"a": Score(0, 1, 9, 9, 9)})
    assert again == Counted(now=False, results=1)
    assert await ladders.results("main") == {"m1": b"first"}
    assert (await ladders.roster("main")).scores == SCORES
    assert await ladders.rated_matches("main") == 1


async def test_a_pairing_never_comes_back(ladders: LadderStore) -> None:
    """If a commit runs again after the result, there is no pairing without a match to come."""
    await ladders.count(1, "main", "m1", b"{}", SCORES)
    await ladders.commit(1, "main", [PAIRING])
    assert await ladders.pairings("main") == ()


async def test_an_unrated_result_is_kept_and_not_counted_as_rated(ladders: LadderStore) -> None:
    """If a match is not rated, its result is kept and the number of rated matches stays."""
    assert (await ladders.count(1, "main", "m1", b"{}", {})).now
    assert set(await ladders.results("main")) == {"m1"}
    assert await ladders.rated_matches("main") == 0
    assert await ladders.before("main", "m2", ["a", "b"]) == Before(None, [None, None])


async def test_all_of_a_ladder_is_in_one_slot(ladders: LadderStore, pipe: Pipe) -> None:
    """Every key of a ladder has the hash tag of its name's partition."""
    await ladders.join("main", ANN)
    await ladders.commit(1, "main", [PAIRING])
    await ladders.count(1, "main", "m2", b"{}", SCORES)
    found = {key.decode() for key in await pipe.command("KEYS", "*:ladder:*")}
    tag = keys.CLOCK[keys.partition_of_name("main")].removesuffix("clock")
    assert len(found) == 5
    assert all(key.startswith(tag) for key in found)
    assert keys.DIRECTOR.startswith(keys.NAMESPACE)
