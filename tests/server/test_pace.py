"""What the log says of the moves of a minute (T46, T47, T49)."""

import asyncio
import random
import time

import pytest
from structlog.typing import EventDict

from shoal.server import auth
from shoal.server.play import committer, pace
from shoal.server.play.pace import Spread
from shoal.server.store.tokens import TokenInfo, TokenStore
from shoal.v1 import match_pb2
from tests.server.streams import play_some
from tests.server.support import Server, until
from tests.server.test_free_time import asked_now
from tests.server.test_time import thought

MOVES = 12


@pytest.mark.parametrize("share", [0.0, 0.5, 0.99, 1.0])
def test_a_spread_tells_what_a_share_of_the_values_does_not_exceed(share: float) -> None:
    """To a sixteenth, however many they are."""
    dice = random.Random(5)
    values = sorted(dice.lognormvariate(6, 2) for _ in range(10_000))
    spread = Spread()
    for value in values:
        spread.add(value)
    exact = values[max(0, int(share * len(values)) - 1)]
    assert exact <= spread.at(share) <= (exact + 1) * 1.0625
    assert Spread().at(share) == 0


async def test_the_moves_of_a_minute_are_a_line_of_the_log(
    server: Server, monkeypatch: pytest.MonkeyPatch, logs: list[EventDict]
) -> None:
    """How many, what the server needed for them, and how many matches it has (T47)."""
    bots = await server.team(2)
    server.app._pace.take()
    await server.create(*bots)
    async with server.stream(bots[0]) as one, server.stream(bots[1]) as two:
        await play_some([one, two], MOVES)
        receipts = [each.receipt for s in (one, two) for each in s.heard_of("move_result")]
        monkeypatch.setattr(pace, "EVERY_SECONDS", 0)
        telling = asyncio.create_task(server.app._pace.tell())

        async def told() -> bool:
            return any(line["event"] == "pace" for line in logs)

        await until(told)
        telling.cancel()
    line = next(line for line in logs if line["event"] == "pace")
    assert line["moves"] >= len(receipts) >= MOVES
    # A receipt is written after the move was counted.
    slowest = max(receipt.overhead_us for receipt in receipts) / 1000
    assert 0 < line["overhead_p50_ms"] <= line["overhead_p99_ms"]
    if line["moves"] == len(receipts):
        assert line["overhead_p99_ms"] <= (slowest + 0.001) * 1.0625 + 0.01
    assert line["leeway_p99_ms"] == 0
    assert line["live"] >= 1
    assert line["host_load"] >= 0


async def test_matches_that_nobody_has_open_here_are_not_counted_as_live(
    server: Server, other: Server
) -> None:
    """Whoever looks a match up leaves it at hand, and how it ends elsewhere is not followed."""
    bots = await server.team(2)
    match_id = await server.deal(*bots)
    async with other.stream(bots[0]) as stream:
        assert other.app._pace.take()["live"] == 1
        assert server.app._pace.take()["live"] == 0
        await server.resign(bots[1], match_id)
        await stream.hear("match_finished", match_id)
        assert other.app._pace.take()["live"] == 0
    lately = await server.deal(*bots)
    assert (await other.match(lately)).status == match_pb2.MATCH_STATUS_LIVE
    await server.resign(bots[1], lately)
    assert other.app._pace.take()["live"] == 0


async def test_what_moves_took_of_the_leeway_is_told(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the one that was later than its limit, what its receipt says; it is counted once (T46)."""
    monkeypatch.setattr(committer, "LEEWAY_MS", 60_000)
    server.app._pace.take()
    async with server.asking(*await server.team(2), move_ms=100) as question:
        await thought(server, question.match_id, 0.15)
        receipt = (await question.stream.move(question.update)).receipt
        assert (await server.play(question.asked, question.update)).already
    said = server.app._pace.take()
    beyond_ms = receipt.think_ms - receipt.limit_ms
    assert said["moves"] == 1
    assert beyond_ms <= said["leeway_p99_ms"] <= (beyond_ms + 1) * 1.0625 + 1


async def test_to_look_its_token_up_is_the_servers_time(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a plain call waits for before it is handled is taken off too (T47)."""
    monkeypatch.setattr(auth, "CACHE_SECONDS", 0)
    monkeypatch.setattr(auth, "SOON_SECONDS", 60)
    bots = await server.team(2)
    match_id = await server.deal(*bots)
    bot, update = await asked_now(server, bots, match_id)
    look_up = TokenStore.look_up

    async def late(tokens: TokenStore, text: str) -> TokenInfo | None:
        await asyncio.sleep(0.5)  # time itself is what is tested
        return await look_up(tokens, text)

    monkeypatch.setattr(TokenStore, "look_up", late)
    sent = time.monotonic()
    receipt = await server.play(bot, update)
    in_all_ms = (time.monotonic() - sent) * 1000
    assert receipt.overhead_us > 450_000
    assert receipt.overhead_us / 1000 < in_all_ms
    await server.resign(bot, match_id)
