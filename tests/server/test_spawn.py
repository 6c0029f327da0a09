"""Programs that are started beside gRPC begin, every one of them."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from typing import Any

import grpc
import uvloop

from shoal.server.spawn import Program

TIMES = 60


async def _echo(
    requests: AsyncIterator[bytes], context: "grpc.aio.ServicerContext[Any, Any]"
) -> None:
    async for request in requests:
        await context.write(request)


async def _spawn_beside_streams() -> list[int]:
    """Start programs one after another while eight streams are busy; return how they ended."""
    server = grpc.aio.server()
    handlers = {"Play": grpc.stream_stream_rpc_method_handler(_echo)}
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler("t.Echo", handlers)])
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    enough = asyncio.Event()

    async def ping() -> None:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            call = channel.stream_stream("/t.Echo/Play")()
            await call.write(b"x")
            async for _ in call:
                if enough.is_set():
                    return
                await call.write(b"x")

    async with asyncio.TaskGroup() as tasks:
        for _ in range(8):
            tasks.create_task(ping())
        codes = [await Program([sys.executable, "-c", ""]).wait() for _ in range(TIMES)]
        enough.set()
    await server.stop(None)
    return codes


def test_no_program_crashes_before_it_begins() -> None:
    """With uvloop's own way to start programs one in seven did."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        assert runner.run(_spawn_beside_streams()) == [0] * TIMES


async def test_a_program_has_a_session_of_its_own() -> None:
    """An interrupt from the keyboard reaches the server alone."""
    program = Program([sys.executable, "-c", "import time; time.sleep(30)"])
    try:
        assert os.getsid(program.pid) == program.pid
    finally:
        program.kill()
        assert await program.wait() == -9
