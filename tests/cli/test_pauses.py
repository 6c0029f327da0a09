"""That a ladder has paused a bot is told to whoever runs it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import grpc
import pytest

from shoal.cli.pauses import tell_pauses
from shoal.client import Tally, pb
from shoal.v1 import bot_service_pb2_grpc

PACE: Final = 0.01


class Bots(bot_service_pb2_grpc.BotServiceServicer):
    """Says of a bot that one ladder pauses it and another does not, and later that none does."""

    def __init__(self) -> None:
        """Nobody has asked yet."""
        self.asked = 0

    async def GetBotStatus(  # noqa: N802
        self, _: pb.GetBotStatusRequest, __: Any
    ) -> pb.GetBotStatusResponse:
        """Tell how it stands."""
        self.asked += 1
        stage = pb.MEMBERSHIP_STAGE_PAUSED if self.asked < 3 else pb.MEMBERSHIP_STAGE_ACTIVE
        running = pb.LADDER_STATE_RUNNING
        return pb.GetBotStatusResponse(
            memberships=[
                pb.Membership(
                    ladder_id="main", stage=stage, ladder_state=running, why="it was silent"
                ),
                pb.Membership(
                    ladder_id="weekly", stage=pb.MEMBERSHIP_STAGE_ACTIVE, ladder_state=running
                ),
            ]
        )


@asynccontextmanager
async def serving(bots: Bots) -> AsyncIterator[str]:
    """Run a server that knows this alone."""
    server = grpc.aio.server()
    bot_service_pb2_grpc.add_BotServiceServicer_to_server(bots, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop(None)


async def test_a_pause_is_told_once_and_its_end_too(capsys: pytest.CaptureFixture[str]) -> None:
    """Asked when the bot waits, and again later; what has not changed is not said again."""
    bots, tally = Bots(), Tally(bot_name="anna", connected=True)
    async with serving(bots) as address:
        told = asyncio.create_task(tell_pauses(address, "secret", tally, tls=False, pace=PACE))
        async with asyncio.timeout(60):
            while bots.asked < 4:  # noqa: ASYNC110 - there is no event for it
                await asyncio.sleep(PACE)
        told.cancel()
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("anna is paused on main: it was silent; a trial follows from ")
    assert lines[1:] == ["anna is paused on main no more"]


async def test_a_server_that_does_not_answer_is_not_told_of(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The bot itself says that it is away."""
    tally = Tally(bot_name="anna", connected=True)
    told = asyncio.create_task(tell_pauses("127.0.0.1:1", "secret", tally, tls=False, pace=PACE))
    done, _ = await asyncio.wait([told], timeout=100 * PACE)
    assert not done
    told.cancel()
    assert capsys.readouterr().err == ""
