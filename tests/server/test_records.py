"""The record of a finished match: it proves the deal, and replays to the result."""

import hashlib
import hmac

import grpc
import pytest

from shoal.engine import apply, leave, move_from_code, new_match, ruleset
from shoal.engine.model import State
from shoal.v1 import match_service_pb2 as pb
from tests.server.rpcs import read_error
from tests.server.streams import at_random
from tests.server.support import Server

NONCES = (b"", b"mine", bytes(range(32)))


async def play_to_the_end(server: Server, *, resign: bool) -> pb.MatchRecord:
    """Play a match of three at random by plain calls, one seat of which may resign; return its record."""
    bots, choose = await server.team(3), at_random(7)
    match_id = await server.create(*bots)
    for bot, nonce in zip(bots, NONCES, strict=True):
        await server.ready(bot, match_id, nonce)
    seen = 0
    for _ in range(60):
        for bot in bots:
            update = await server.position(bot, match_id)
            if update.HasField("decision"):
                await server.play(bot, update, choose(update))
                seen += 1
                break
    if resign:
        await server.resign(bots[2], match_id)
    for bot in bots[:2]:
        await server.resign(bot, match_id)
        if (await server.match(match_id)).HasField("result"):
            break
    return await server.record(match_id)


def replay(record: pb.MatchRecord) -> State:
    """Play the record again with nothing but the engine, and return how it ends."""
    seed_parts = b"".join(bytes([len(nonce)]) + nonce for nonce in record.nonces)
    seed = hmac.digest(record.server_seed, seed_parts, "sha256")
    state = new_match(ruleset(record.match.ruleset), len(record.match.seats), seed)
    for entry in record.entries:
        if entry.kind == pb.LOG_ENTRY_KIND_MOVE:
            assert state.asked is not None
            assert state.asked.seat == entry.seat
            assert entry.decision_id
            apply(state, move_from_code(entry.option_id))
        else:
            assert entry.kind in {pb.LOG_ENTRY_KIND_READY, pb.LOG_ENTRY_KIND_RESIGN}
            assert not entry.decision_id
        if entry.left:
            leave(state, entry.seat)
    return state


@pytest.mark.parametrize("resign", [True, False])
async def test_a_record_replays_to_the_same_result(server: Server, resign: bool) -> None:  # noqa: FBT001
    """Seed, nonces and log are all that it takes to come to the placements and totals again."""
    record = await play_to_the_end(server, resign=resign)
    state = replay(record)
    assert state.result is not None
    assert record.format == 1
    seats = record.match.result.seats
    assert [seat.placement for seat in seats] == list(state.result.ranks)
    assert [seat.total for seat in seats] == list(state.result.totals)
    assert tuple(record.nonces) == NONCES
    assert hashlib.sha256(record.server_seed).digest() == record.match.seed_commitment
    assert [entry.version for entry in record.entries] == list(range(1, record.match.version + 1))
    assert len({entry.rev for entry in record.entries}) == len(record.entries)
    times = [entry.at_ms for entry in record.entries]
    assert times == sorted(times)


async def test_the_commitment_does_not_change(server: Server) -> None:
    """What was published before the deal is what the record keeps."""
    bots = await server.team(2)
    match_id = await server.create(*bots)
    before = (await server.match(match_id)).seed_commitment
    await server.resign(bots[0], match_id)
    record = await server.record(match_id)
    assert record.match.seed_commitment == before == hashlib.sha256(record.server_seed).digest()


async def test_the_seed_is_secret_until_the_end(server: Server) -> None:
    """Before the end there is no record, and nothing that is told holds the seed (T91)."""
    async with server.asking(*await server.team(2)) as question:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await server.record(question.match_id)
        assert read_error(caught.value).reason == "MATCH_NOT_OVER"
        await question.stream.move(question.update)
        told = [each.SerializeToString() for each in question.stream.heard]
        told.append((await server.match(question.match_id)).SerializeToString())
        await server.resign(question.asked, question.match_id)
        seed = (await server.record(question.match_id)).server_seed
        assert len(seed) == 32
        for message in told:
            assert seed not in message
            assert seed.hex().encode() not in message


async def test_a_record_says_by_which_server_and_how_long_seats_could_get_ready(
    server: Server,
) -> None:
    """What the first hash covers is in the record: so anybody can recompute it."""
    bots = await server.team(2)
    match_id = await server.create(*bots)
    await server.resign(bots[0], match_id)
    record = await server.record(match_id)
    table = server.app._hub.at_hand(match_id)
    assert table is not None
    assert record.ready_ms == table.match.meta.time.ready_ms
    assert record.server_version == table.match.meta.server_version != ""
