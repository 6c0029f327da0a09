"""States of other versions of this server: read, or made again from the log (T96)."""

from random import Random

import pytest

from shoal.match import Phase, decode_match, encode_meta, encode_state, replay
from shoal.server.hub.attention import Attention
from shoal.server.hub.condemned import Condemned
from shoal.server.hub.hub import Hub
from shoal.server.store import keys
from tests.server.matches import FIELDS, STORED, new_match, random_log
from tests.server.support import Server


@pytest.mark.parametrize("state", [b'[99,"of the next version"]\n', b"torn", b""])
async def test_a_state_that_is_not_read_is_made_again_from_the_log(
    server: Server, state: bytes
) -> None:
    """Whatever another server has kept, the match is the one that was played."""
    bots = await server.team(2)
    async with server.asking(*bots, bank_ms=5_000) as question:
        await question.stream.move(question.update)
    at_hand = server.app._hub.at_hand(question.match_id)
    assert at_hand is not None
    await server.stores.pipe.command("HSET", keys.match(question.match_id), "state", state)
    table = await Hub(server.stores.matches, Attention(), Condemned()).table(question.match_id)
    assert table is not None
    for name in (*FIELDS, *STORED):
        assert getattr(table.match, name) == getattr(at_hand.match, name), name
    assert encode_state(table.match) == encode_state(at_hand.match)


def test_the_format_before_is_read() -> None:
    """A match that a server of the first format has kept goes on as it is."""
    match = new_match(2, seed=3)
    log = list(random_log(new_match(2, seed=3), Random(3)))
    for count in range(len(log)):
        replay(match, log[count : count + 1])
        if match.phase is Phase.FINISHED:
            break
        header, _, game = encode_state(match).partition(b"\n")
        if b",[],0,0," not in header or b"[0, 0],[],0,0" not in header:
            continue  # the first format could not have kept it
        first = b"[1," + header[3:].partition(b",[0, 0],[],0,0,")[0]
        before = first + b"]\n" + game
        read = decode_match(encode_meta(match.meta).encode(), match.secret, before)
        assert encode_state(read) == encode_state(match)
