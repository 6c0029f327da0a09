"""The log in the store: `follows` accepts exactly what the commit script wrote."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.match import Match, decode_match, encode_state, follows, parse_entry, replay
from shoal.server.hub.attention import Attention
from shoal.server.hub.condemned import Condemned
from shoal.server.hub.hub import Hub
from shoal.v1 import match_pb2
from tests.server.matches import FIELDS, STORED
from tests.server.streams import at_random
from tests.server.support import Bot, Server


async def logged_match(server: Server, bots: list[Bot]) -> tuple[str, str, list[bytes]]:
    """Play a few moves and a resignation; return the match, its first rev and its log."""
    match_id = await server.create(*bots)
    stored = await server.stores.matches.load(match_id)
    assert stored is not None
    for number, bot in enumerate(bots):
        await server.ready(bot, match_id, b'"]\x00,'[:number])
    choose = at_random(3)
    for _ in range(12):
        for bot in bots:
            update = await server.position(bot, match_id)
            if update.HasField("decision"):
                await server.play(bot, update, choose(update))
                break
    await server.resign(bots[0], match_id)
    assert (await server.match(match_id)).status == match_pb2.MATCH_STATUS_FINISHED
    return match_id, stored.rev, await server.stores.matches.entries(match_id)


async def test_the_log_of_the_store_is_followed_and_nothing_else(server: Server) -> None:
    """Every entry continues the log; with any byte changed, left out or put in, none does (T96)."""
    match_id, rev, texts = await logged_match(server, await server.team(2))
    dice = Random(1)
    for text in texts:
        assert follows(rev, text)
        assert not follows("0" * 40, text)
        for at in range(len(text)):
            changed = (text[at] + dice.randrange(1, 256)) % 256
            assert not follows(rev, text[:at] + bytes([changed]) + text[at + 1 :]), (text, at)
            assert not follows(rev, text[:at] + text[at + 1 :]), (text, at)
        rev = parse_entry(text).rev
    stored = await server.stores.matches.load(match_id)
    assert stored is not None
    assert (stored.rev, stored.version) == (rev, len(texts))


async def test_the_log_of_the_store_replays_to_the_stored_state(server: Server) -> None:
    """Following the log from the beginning leads to the very bytes that the last commit stored."""
    match_id, _, texts = await logged_match(server, await server.team(2))
    stored = await server.stores.matches.load(match_id)
    assert stored is not None
    final = decode_match(stored.meta, stored.secret, stored.state)
    match = Match(final.meta, stored.secret)
    replay(match, map(parse_entry, texts))
    assert encode_state(match) == stored.state
    assert (match.rev, match.version, match.decision_id) == (stored.rev, stored.version, "")


async def test_a_match_is_loaded_as_it_was_played(server: Server) -> None:
    """At every version another server reads the very match that this one has at hand (T84)."""
    bots, choose = await server.team(2), at_random(5)
    match_id = await server.create(*bots)
    await server.ready(bots[0], match_id)
    await server.ready(bots[1], match_id)
    for _ in range(40):
        table = await Hub(server.stores.matches, Attention(), Condemned()).table(match_id)
        at_hand = server.app._hub.at_hand(match_id)
        assert table is not None
        assert at_hand is not None
        for name in (*FIELDS, *STORED):
            assert getattr(table.match, name) == getattr(at_hand.match, name), name
        assert encode_state(table.match) == encode_state(at_hand.match)
        asked = table.match.asked
        assert asked is not None
        update = await server.position(bots[asked.seat], match_id)
        await server.play(bots[asked.seat], update, choose(update))


@settings(max_examples=100)
@given(text=st.binary(max_size=120), rev=st.text("0123456789abcdef", min_size=40, max_size=40))
def test_bytes_that_are_no_entry_are_not_followed(text: bytes, rev: str) -> None:
    """Whatever stands in the list, the question is answered and never fails."""
    assert not follows(rev, text)
