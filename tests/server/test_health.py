"""What a server says of itself: health, reflection, and whether it takes newcomers."""

import asyncio
import os
import signal
from contextlib import AsyncExitStack
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from shoal.server.app import PortTaken
from shoal.server.servicers import SERVICES
from shoal.server.store.launcher import PrivateRedis, launch_redis
from shoal.v1 import bot_service_pb2 as bots_pb
from tests.server.rpcs import METHODS, answered, read_error
from tests.server.streams import PATIENCE
from tests.server.support import Server, connected, make_app, new_name, serving, serving_on

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


async def until_health(server: Server, wanted: int, service: str = "") -> None:
    """Follow the health of a service until it is what is wanted."""
    stub = health_pb2_grpc.HealthStub(server.channel)
    call = stub.Watch(health_pb2.HealthCheckRequest(service=service))
    async with asyncio.timeout(PATIENCE):
        async for answer in call:
            if answer.status == wanted:
                break
    call.cancel()


@pytest.mark.parametrize("service", ["", *SERVICES])
async def test_a_server_is_healthy(server: Server, service: str) -> None:
    """The process and each of its services say SERVING, without a token."""
    await until_health(server, SERVING, service)


def test_every_service_has_a_health() -> None:
    """The services whose health is told are those that have rpcs."""
    assert {method.containing_service.full_name for method in METHODS.values()} == set(SERVICES)


async def test_without_redis_a_server_does_not_serve(tmp_path: Path) -> None:
    """NOT_SERVING soon after Redis is gone, and SERVING again after it came back (T99)."""
    async with AsyncExitStack() as opened:
        with launch_redis(tmp_path) as first:
            server = await opened.enter_async_context(serving(first.url))
            await until_health(server, SERVING)
            os.kill(first.pid, signal.SIGKILL)
            for service in ("", *SERVICES):
                await until_health(server, NOT_SERVING, service)
        with launch_redis(tmp_path):
            await until_health(server, SERVING)
            await opened.aclose()


async def test_a_server_that_stops_does_not_serve(server: Server) -> None:
    """While draining the health is NOT_SERVING, so that nobody new is sent there."""
    app = make_app(server.stores)
    async with AsyncExitStack() as opened:
        async with app.serve() as ports:
            leaving = await opened.enter_async_context(connected(app, server.stores, ports))
            await until_health(leaving, SERVING)
            watching = asyncio.create_task(until_health(leaving, NOT_SERVING))
            bot = await leaving.register()
            await opened.enter_async_context(leaving.stream(bot))
        await watching


async def services_of(server: Server) -> set[str]:
    """Ask a server by reflection for its services."""
    stub = reflection_pb2_grpc.ServerReflectionStub(server.channel)
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    call = stub.ServerReflectionInfo(iter([request]))
    answer = await call.read()
    call.cancel()
    return {service.name for service in answer.list_services_response.service}


async def test_reflection_names_all_services(server: Server) -> None:
    """A tool that knows nothing of us can ask for everything that we serve."""
    assert set(SERVICES) | {"grpc.health.v1.Health"} <= await services_of(server)


async def test_reflection_can_be_switched_off(server: Server) -> None:
    """With the setting off the service is not there, and the others are."""
    async with serving_on(server.stores, reflection=False) as closed:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await answered(lambda: services_of(closed))
        assert caught.value.code() == grpc.StatusCode.UNIMPLEMENTED
        await closed.register()


async def test_a_port_that_is_taken_is_refused(server: Server) -> None:
    """Two servers never share a port silently."""
    with pytest.raises(PortTaken, match="another server"):
        async with serving_on(server.stores, port=server.port):
            pass


async def test_closed_registration_lets_in_who_has_a_token(
    redis: PrivateRedis, server: Server
) -> None:
    """Where registration is closed a stranger is NOT_ALLOWED, and an owner registers another bot."""
    owner = await server.register()
    async with serving(redis.url, registration="closed") as closed:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await closed.bots.RegisterBot(bots_pb.RegisterBotRequest(name=new_name()))
        refused = read_error(caught.value)
        assert (refused.reason, refused.code) == (
            "NOT_ALLOWED",
            grpc.StatusCode.PERMISSION_DENIED,
        )
        bot = await closed.register(metadata=owner.metadata)
        assert bot.owner == owner.owner
