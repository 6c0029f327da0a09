"""The least that a Python gRPC server can do for a message: a bare bidirectional echo, and what it costs.

`python -m shoal.server.bench.echo SIZE` serves; a message of any size is answered with one of SIZE bytes.
"""

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, final

import grpc

from shoal.server.app import CHANNEL_OPTIONS
from shoal.server.bench.meter import Meter
from shoal.server.bench.network import CLIENT_OPTIONS, run_loop
from shoal.server.children import Child, ChildFailed, announcement, module_command, running

METHOD = "/shoal.bench.Echo/Play"
STREAMS = 8
WARM_UP = 0.1
"""Seconds before each measuring: caches and clocks are those of something else then."""

Stream: TypeAlias = "grpc.aio.StreamStreamCall[bytes, bytes]"
Handlers: TypeAlias = "dict[str, grpc.RpcMethodHandler[bytes, bytes]]"


@dataclass(frozen=True, slots=True)
class EchoCost:
    """What a bare echo costs: CPU of its server for each pair of messages, and how many in a second."""

    us_per_pair: float
    pairs_per_s: float


@asynccontextmanager
async def echoing(folder: Path, request: bytes, answer_size: int) -> AsyncIterator["Echo"]:
    """Run an echo server as a process of its own, with eight streams to it, until the context ends."""
    command = module_command("shoal.server.bench.echo", str(answer_size))
    async with running("echo", command, folder) as child:
        address = f"127.0.0.1:{(await announcement(child))['port']}"
        echo = Echo(child)
        async with asyncio.TaskGroup() as tasks:
            for _ in range(STREAMS):
                tasks.create_task(echo.ping(address, request))
            yield echo
            echo.stop()


@final
class Echo:
    """Ping-pong on some streams, at rest until it is measured."""

    def __init__(self, child: Child) -> None:
        """Measure this echo server."""
        self.child = child
        self._pairs = 0
        self._playing = asyncio.Event()
        self._stopping = False

    async def measure(self, seconds: float) -> EchoCost:
        """Play for so many seconds, after some for warming up, and come to rest again."""
        self._playing.set()
        await asyncio.sleep(WARM_UP)
        meter, before, started = Meter(self.child.process.pid), self._pairs, time.perf_counter()
        await asyncio.sleep(seconds)
        spent, made, took = meter.spent(), self._pairs - before, time.perf_counter() - started
        self._playing.clear()
        if not made:
            raise ChildFailed("the echo server answered nothing")
        return EchoCost(spent / made * 1e6, made / took)

    def stop(self) -> None:
        """Let every stream end in order."""
        self._stopping = True
        self._playing.set()

    async def ping(self, address: str, request: bytes) -> None:
        """On a stream of its own: send a message, await the answer, count the pair, until it is enough."""
        async with grpc.aio.insecure_channel(address, options=CLIENT_OPTIONS) as channel:
            call: Stream = channel.stream_stream(METHOD)()
            await call.write(request)
            async for _ in call:
                self._pairs += 1
                await self._playing.wait()
                if self._stopping:
                    break
                await call.write(request)
            await call.done_writing()
            await call.code()


async def _serve(size: int) -> None:
    """Serve until the process is killed: there is nothing to lose."""
    answer = bytes(size)

    async def echo(
        requests: AsyncIterator[bytes], context: "grpc.aio.ServicerContext[Any, Any]"
    ) -> None:
        async for _ in requests:
            await context.write(answer)

    server = grpc.aio.server(options=CHANNEL_OPTIONS)
    method = METHOD.rpartition("/")
    handlers: Handlers = {method[2]: grpc.stream_stream_rpc_method_handler(echo)}
    server.add_generic_rpc_handlers(
        [grpc.method_handlers_generic_handler(method[0].strip("/"), handlers)]
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    sys.stdout.write(json.dumps({"port": port}) + "\n")
    sys.stdout.flush()
    await server.wait_for_termination()


if __name__ == "__main__":
    run_loop(_serve(int(sys.argv[1])))
