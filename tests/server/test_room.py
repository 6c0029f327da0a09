"""Matches by request leave the baselines room for the ladders."""

import uuid

import grpc
import pytest

from shoal.server.seating import BASELINE_LIMITS, BASELINE_MATCHES
from tests.server.rpcs import read_error
from tests.server.support import Server


async def test_a_baseline_has_only_so_many_matches_by_request(server: Server) -> None:
    """One more is refused; asking again for one that was made is a success all the same."""
    baseline = await server.register(metadata=await server.admin(), baseline=True)
    bot = await server.register()
    made = {}
    for _ in range(BASELINE_MATCHES):
        request_id = str(uuid.uuid4())
        made[request_id] = await server.create(
            bot, baseline, move_ms=BASELINE_LIMITS["move_ms"], request_id=request_id
        )
    refused_id = str(uuid.uuid4())
    for _ in range(2):
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await server.create(
                bot, baseline, move_ms=BASELINE_LIMITS["move_ms"], request_id=refused_id
            )
        assert read_error(refused.value).reason == "CONCURRENCY_LIMIT"
        assert "shoal bot run greedy" in (refused.value.details() or "")
    for request_id, match_id in made.items():
        again = await server.create(
            bot, baseline, move_ms=BASELINE_LIMITS["move_ms"], request_id=request_id
        )
        assert again == match_id


async def test_a_baseline_is_not_kept_waiting_for_long(server: Server) -> None:
    """Whoever wants a baseline at the table cannot give itself ten minutes a move."""
    baseline = await server.register(metadata=await server.admin(), baseline=True)
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await server.create(
            await server.register(), baseline, move_ms=BASELINE_LIMITS["move_ms"] + 1
        )
    answer = read_error(refused.value)
    assert (answer.reason, answer.fields) == ("MALFORMED", ("time_control.move_ms",))


async def test_who_asks_for_a_bot_of_somebody_else_is_told_which_ones_may_be_had(
    server: Server,
) -> None:
    """Bots of one's owner and baselines: the refusal names both."""
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await server.create(await server.register(), await server.register())
    assert read_error(refused.value).reason == "NOT_ALLOWED"
    assert "the bots of your owner and the baselines" in (refused.value.details() or "")
