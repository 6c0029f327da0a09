"""Laws of bots: one name, one id; live matches and history."""

import asyncio

import pytest

from shoal.server.store import BadPageToken, Bot, BotStore, NameTaken, Pipe, keys, new_id, time_of


@pytest.fixture
def bots(pipe: Pipe) -> BotStore:
    """The bots of an empty Redis."""
    return BotStore(pipe)


async def test_a_bot_is_found_as_registered(bots: BotStore) -> None:
    """Every field comes back, by id and by name."""
    bot_id = new_id()
    made = await bots.register(bot_id, "Łosoś 1", "ann", baseline=True)
    assert made == Bot(bot_id, "Łosoś 1", "ann", baseline=True, created_ms=time_of(bot_id))
    assert await bots.get(bot_id) == made
    assert await bots.id_of("Łosoś 1") == bot_id
    assert await bots.id_of("nobody") is None


async def test_registering_again_changes_nothing(bots: BotStore) -> None:
    """The same request under the same reserved id makes one bot (T1)."""
    bot_id = new_id()
    first = await bots.register(bot_id, "cod", "ann")
    assert await bots.register(bot_id, "cod", "ann") == first
    assert (await bots.list_bots(10)).ids == (bot_id,)


async def test_a_name_belongs_to_one_bot(bots: BotStore) -> None:
    """Of twenty bots that want one name at once, one gets it (T9)."""
    ids = [new_id() for _ in range(20)]
    outcomes = await asyncio.gather(
        *(bots.register(bot_id, "cod", "ann") for bot_id in ids), return_exceptions=True
    )
    (winner,) = (outcome for outcome in outcomes if isinstance(outcome, Bot))
    taken = [outcome for outcome in outcomes if isinstance(outcome, NameTaken)]
    assert len(taken) == 19
    assert {error.holder for error in taken} == {winner.bot_id}
    assert (await bots.list_bots(10)).ids == (winner.bot_id,)


async def test_many_bots_are_got_in_order(bots: BotStore) -> None:
    """Unknown ones are None in their place."""
    made = [await bots.register(new_id(), f"bot {n}", "ann") for n in range(3)]
    ids = [made[2].bot_id, new_id(), made[0].bot_id]
    assert await bots.get_many(ids) == [made[2], None, made[0]]


async def test_live_matches_come_and_go(bots: BotStore) -> None:
    """Adding and ending twice is adding and ending once; the history stays (T32)."""
    ann, bob = new_id(), new_id()
    matches = sorted(new_id() for _ in range(3))
    for match_id in (*matches, matches[0]):
        await bots.add_match([ann, bob], match_id)
    assert await bots.live_matches(ann) == await bots.live_matches(bob) == matches
    for _ in range(2):
        await bots.end_match([ann, bob], matches[1])
    assert await bots.live_matches(ann) == [matches[0], matches[2]]
    assert set((await bots.history(ann, 10)).ids) == set(matches)
    await bots.forget_match([ann], matches[0])
    assert matches[0] not in (await bots.history(ann, 10)).ids
    assert await bots.live_matches(ann) == [matches[2]]


async def test_history_is_paged_newest_first(bots: BotStore) -> None:
    """Whatever partitions the matches are in, time orders them, and pages reach the end."""
    bot_id = new_id()
    matches = []
    for _ in range(12):
        matches.append(new_id())
        await bots.add_match([bot_id], matches[-1])
    newest_first = sorted(matches, key=lambda id_: (id_[2:], id_[:2]), reverse=True)
    for page_size in (1, 5, 12, 100):
        seen: list[str] = []
        token = ""
        while True:
            page = await bots.history(bot_id, page_size, token)
            seen += page.ids
            token = page.next_token
            if not token:
                break
        assert seen == newest_first


async def test_a_new_match_does_not_shift_the_pages(bots: BotStore) -> None:
    """What is added while somebody reads is neither doubled nor pushes anything out."""
    bot_id = new_id()
    matches = [new_id(partition) for partition in range(4)]
    for match_id in matches:
        await bots.add_match([bot_id], match_id)
    first = await bots.history(bot_id, 2)
    await bots.add_match([bot_id], new_id())
    second = await bots.history(bot_id, 2, first.next_token)
    assert set(first.ids + second.ids) == set(matches)


async def test_tokens_of_one_list_are_no_tokens_of_another(bots: BotStore) -> None:
    """A page token is good for the list that gave it."""
    for n in range(2):
        await bots.register(new_id(), f"bot {n}", "ann")
    token = (await bots.list_bots(1)).next_token
    assert len((await bots.list_bots(1, token)).ids) == 1
    with pytest.raises(BadPageToken):
        await bots.history(new_id(), 1, token)


async def test_a_name_of_a_registration_that_was_given_up_is_free_again(pipe: Pipe) -> None:
    """An id that holds a name for over a minute and has no bot loses it; a young one keeps it."""
    bots = BotStore(pipe)
    young, late = new_id(), new_id()
    old = f"{late[:2]}{keys.time_of(late) - 120_000:012x}{late[14:]}"
    for name, holder in ((f"y{late}", young), (f"o{late}", old)):
        await pipe.command("SET", keys.bot_name(name), holder)
    with pytest.raises(NameTaken):
        await bots.register(late, f"y{late}", "owner")
    assert (await bots.register(late, f"o{late}", "owner")).bot_id == late
    assert await bots.id_of(f"o{late}") == late
