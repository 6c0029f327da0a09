"""Laws of tokens: only the whole text opens, and only until it is revoked."""

import asyncio

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shoal.server.store import Pipe, TokenInfo, TokenStore, keys, new_id


@pytest.fixture
def tokens(pipe: Pipe) -> TokenStore:
    """The tokens of an empty Redis."""
    return TokenStore(pipe)


async def test_a_token_says_whose_it_is(tokens: TokenStore) -> None:
    """Owner, bot and rights come back; the bot may be absent."""
    bot_id = new_id()
    for_bot = await tokens.look_up(await tokens.issue("ann", bot_id))
    assert for_bot is not None
    assert for_bot == TokenInfo(for_bot.token_id, "ann", bot_id, admin=False, revoked=False)
    for_owner = await tokens.look_up(await tokens.issue("bob", admin=True))
    assert for_owner is not None
    assert for_owner == TokenInfo(for_owner.token_id, "bob", None, admin=True, revoked=False)


async def test_the_token_of_a_bot_is_where_its_bot_is(tokens: TokenStore) -> None:
    """What else of the store is away does not concern it."""
    for bot_id in (new_id(7), new_id(63)):
        _, token_id, _ = (await tokens.issue("ann", bot_id)).split("_")
        assert keys.partition_of(token_id) == keys.partition_of(bot_id)


async def test_the_secret_is_not_kept(pipe: Pipe, tokens: TokenStore) -> None:
    """Nothing in Redis contains what the caller has to know."""
    text = await tokens.issue("ann")
    _, token_id, secret = text.split("_")
    kept = await pipe.command("HGETALL", keys.token(token_id))
    assert secret.encode() not in b"".join(kept)


async def test_a_wrong_secret_opens_nothing(tokens: TokenStore) -> None:
    """The right id with another secret is no token, before and after it is revoked (T30)."""
    text = await tokens.issue("ann")
    wrong = text[:-1] + ("0" if text[-1] != "0" else "1")
    assert await tokens.look_up(wrong) is None
    await tokens.revoke(text.split("_")[1])
    assert await tokens.look_up(wrong) is None


async def test_a_revoked_token_says_so(tokens: TokenStore) -> None:
    """Its holder learns that it was good once; revoking twice is revoking once."""
    text = await tokens.issue("ann")
    token_id = text.split("_")[1]
    assert await tokens.revoke(token_id)
    assert await tokens.revoke(token_id)
    info = await tokens.look_up(text)
    assert info is not None
    assert info.revoked


async def test_revoking_what_is_not_there_makes_nothing(pipe: Pipe, tokens: TokenStore) -> None:
    """Neither an unknown id nor nonsense leaves a key."""
    assert not await tokens.revoke(new_id())
    assert not await tokens.revoke("nonsense")
    assert await pipe.command("DBSIZE") == 0


@pytest.mark.parametrize(
    "text",
    ["", "shoal", "shoal__", "shoal_x_y", "Bearer x", f"shoal_{'f' * 30}_{'0' * 64}", "shoal_é_é"],
)
async def test_a_malformed_token_is_none(tokens: TokenStore, text: str) -> None:
    """What is no token is nobody's, and no error."""
    assert await tokens.look_up(text) is None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(text=st.text())
async def test_no_text_makes_looking_up_fail(tokens: TokenStore, text: str) -> None:
    """Whatever a caller sends, the answer is nobody."""
    assert await tokens.look_up(text) is None


async def test_the_first_admin_is_made_once(tokens: TokenStore) -> None:
    """Of twenty servers that start together, one shows the token, and it works."""
    texts = await asyncio.gather(*(tokens.first_admin() for _ in range(20)))
    (text,) = filter(None, texts)
    info = await tokens.look_up(text)
    assert info is not None
    assert info.admin
    assert not info.revoked
    assert await tokens.first_admin() is None
