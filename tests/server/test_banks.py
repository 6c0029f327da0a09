"""Banks and increments as a bot meets them: in decisions, receipts and repeated answers."""

import asyncio

import pytest

from shoal.match import EntryKind, parse_entry
from shoal.server.store import Guard, StoredMatch
from shoal.v1 import match_pb2
from tests.server.support import Server

MOVE_MS, BANK_MS, INCREMENT_MS = 100, 60_000, 500


async def test_what_is_thought_beyond_a_move_s_time_comes_out_of_the_bank(server: Server) -> None:
    """Limit, charge and bank of every receipt follow from the one before, to the millisecond (T41)."""
    bots = await server.team(2)
    time = {"move_ms": MOVE_MS, "bank_ms": BANK_MS, "increment_ms": INCREMENT_MS}
    async with server.asking(*bots, **time) as question:
        update = question.update
    seat, bank_ms = update.seat, BANK_MS
    for pause in (0.0, 0.3, 0.0, 0.15):
        assert update.bank_ms[seat] == bank_ms
        assert update.decision.limit_ms == MOVE_MS + bank_ms
        await asyncio.sleep(pause)  # time itself is what is tested
        receipt = await server.play(question.asked, update)
        assert receipt.limit_ms == MOVE_MS + bank_ms
        assert receipt.think_ms >= pause * 1000 - 50
        bank_ms += INCREMENT_MS - max(0, receipt.think_ms - MOVE_MS)
        assert receipt.bank_ms == bank_ms
        assert receipt.leeway_used_ms == 0
        again = await server.play(question.asked, update)
        assert (again.already, again.limit_ms) == (True, receipt.limit_ms)
        assert (again.think_ms, again.version) == (receipt.think_ms, receipt.version)
        update = await server.position(question.asked, question.match_id)
        if not update.HasField("decision"):
            return


async def test_every_server_knows_the_same_banks(server: Server, other: Server) -> None:
    """A server that only read the match, or followed it, has the banks of the one that committed."""
    bots = await server.team(2)
    time = {"move_ms": MOVE_MS, "bank_ms": BANK_MS, "increment_ms": INCREMENT_MS}
    async with server.asking(*bots, **time) as question:
        before = await other.position(question.asked, question.match_id)
        assert before.bank_ms == question.update.bank_ms
    await asyncio.sleep(0.2)  # time itself is what is tested
    receipt = await server.play(question.asked, question.update)
    for each in (server, other):
        seen = await each.position(question.asked, question.match_id)
        assert seen.bank_ms[question.update.seat] == receipt.bank_ms
        assert seen.bank_ms[1 - question.update.seat] == BANK_MS


async def test_a_credit_gives_no_bank(server: Server, other: Server) -> None:
    """What a bot that comes back is given is in the log; asking moves by that, at every server (T6, T36)."""
    bots = await server.team(2)
    time = {"move_ms": MOVE_MS, "bank_ms": BANK_MS, "increment_ms": INCREMENT_MS}
    async with server.asking(*bots, **time) as question:
        match_id = question.match_id
    before = await stored(server, match_id)
    table = await server.app._hub.table(match_id)
    assert table is not None
    for _ in range(2):
        await server.app._sweeper._overdue._credits.give_all(table, table.match, Guard.NONE)
    after = await stored(server, match_id)
    entries = map(parse_entry, await server.stores.matches.entries(match_id, before.version))
    given = [int(each.entry.value) for each in entries if each.entry.kind is EntryKind.CREDIT]
    assert len(given) == 2
    assert after.asked_ms == before.asked_ms + sum(given)
    assert after.limit_ms == before.limit_ms
    for each in (server, other):
        update = await each.position(question.asked, match_id)
        assert update.decision.remaining_ms == update.decision.limit_ms
    mine = server.app._hub.at_hand(match_id)
    theirs = other.app._hub.at_hand(match_id)
    assert mine is not None
    assert theirs is not None
    assert mine.match.asked_ms == theirs.match.asked_ms == after.asked_ms


async def stored(server: Server, match_id: str) -> StoredMatch:
    """Return a match as the store has it."""
    found = await server.stores.matches.load(match_id)
    assert found is not None
    return found


@pytest.mark.parametrize(
    "control",
    [
        match_pb2.TimeControl(move_ms=10_000, max_strikes=3, max_illegal=10, match_ms=14_400_000),
        match_pb2.TimeControl(
            move_ms=500, max_strikes=1, bank_ms=1, increment_ms=2, max_illegal=4, match_ms=60_000
        ),
    ],
)
async def test_a_match_says_its_whole_time_control(
    server: Server, control: match_pb2.TimeControl
) -> None:
    """What was asked for, or the defaults of it, is in the match that everybody may read."""
    asked = {field.name: value for field, value in control.ListFields()}
    if control.move_ms == 10_000:
        asked = {"move_ms": 0}
    match = await server.match(await server.create(*await server.team(2), **asked))
    assert match.time_control == control
