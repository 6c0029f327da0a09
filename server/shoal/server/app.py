"""A server process, put together: what is made, in which order, and how it ends."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from socket import socket
from typing import NamedTuple, final

import grpc
import structlog
from grpc.aio import Server
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import aio as health
from grpc_reflection.v1alpha import reflection

from shoal.match import Match
from shoal.server.auth import Authenticator
from shoal.server.gateway.listening import listen
from shoal.server.gateway.pages import Page, Readiness, pages_of
from shoal.server.gateway.server import Gateway, application_of, calls_of
from shoal.server.hub.attention import Attention
from shoal.server.hub.condemned import Condemned
from shoal.server.hub.hub import Hub
from shoal.server.openapi import fixed_pages
from shoal.server.play.committer import Committer
from shoal.server.play.credits import Credits
from shoal.server.play.cuts import Cuts
from shoal.server.play.lost_places import LostPlaces
from shoal.server.play.overdue import Overdue
from shoal.server.play.pace import Pace
from shoal.server.play.playing import Playing
from shoal.server.play.sweeper import Sweeper
from shoal.server.play.ticks import Ticks
from shoal.server.servicers import DESCRIPTORS, SERVICES, Live, methods_of
from shoal.server.services.interceptor import MAX_MESSAGE_BYTES, Boundary
from shoal.server.services.methods import Methods
from shoal.server.settings import Settings
from shoal.server.stores import Stores
from shoal.server.streams.claims import Claims
from shoal.server.streams.comebacks import Comebacks
from shoal.server.streams.polls import Polls
from shoal.server.streams.seats import Seats
from shoal.server.streams.sessions import Sessions
from shoal.server.streams.spectators import Spectators
from shoal.server.transcoding import bindings_of

MAX_CONNECTION_AGE_MS = 30 * 60 * 1000
"""After which new calls of a client find another server behind a balancer. Streams go on for as long as they
last: there is no period of grace after which they would be cut (T20)."""

PING_STRIKES = 100
"""How many pings in a row, each less than 10 s after the one before, are borne while we send nothing."""

CHANNEL_OPTIONS: tuple[tuple[str, int], ...] = (
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    # The default of 300 s throws out clients that keep their connections alive (T100).
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 10_000),
    # Clients in other languages probe for bandwidth beside that, by pings that may come in a row while we
    # have nothing to say: the default of 2 such throws them out. Whatever we send begins the count anew.
    ("grpc.http2.max_ping_strikes", PING_STRIKES),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.max_connection_age_ms", MAX_CONNECTION_AGE_MS),
    # The interceptor refuses what is too large, with a reason; this is for what is not even read.
    ("grpc.max_receive_message_length", 16 * MAX_MESSAGE_BYTES),
    # Probing for bandwidth sends pings beside the data, for transfers that fill a window: ours never do.
    ("grpc.http2.bdp_probe", 0),
)

HEALTH_NAME = health_pb2.DESCRIPTOR.services_by_name["Health"].full_name

log = structlog.get_logger()


class PortTaken(Exception):
    """The address cannot be listened on."""


class Ports(NamedTuple):
    """Where a server listens, for gRPC and for HTTP; 0 where it does not."""

    grpc: int
    http: int


@final
class App:
    """One server process on an open store."""

    def __init__(self, settings: Settings, stores: Stores, *, shared_port: bool = False) -> None:
        """Put the parts together; nothing runs yet.

        With `shared_port` others of our processes listen on the same port.
        """
        process = f"{secrets.token_hex(8)}"
        self._settings = settings
        self._shared_port = shared_port
        self._stores = stores
        self._clock = Attention()
        self._condemned = Condemned()
        self._hub = Hub(stores.matches, self._clock, self._condemned)
        seats = Seats(self._hub, stores.bots)
        committer = Committer(stores.matches, self._elsewhere, self._condemned)
        credit = Credits(self._hub, committer, stores.matches)
        cuts = Cuts(process, self._hub, stores.presences, credit)
        comebacks = Comebacks(process, stores.presences, stores.liveness, credit)
        self._sessions = Sessions(
            Claims(process, stores.presences),
            self._hub,
            seats,
            stores.tokens,
            stores.bells,
            comebacks=comebacks,
        )
        self._polls = Polls(
            process,
            self._hub,
            seats,
            stores.presences,
            stores.tokens,
            stores.bells,
            comebacks=comebacks,
            cuts=cuts,
        )
        self._spectators = Spectators(self._hub, stores.bells)
        self._pace = Pace(self._hub)
        self._playing = Playing(self._hub, committer, stores.matches, self._pace)
        self._lost_places = LostPlaces(self._hub, credit, stores.bots)
        self._sweeper = Sweeper(
            Ticks(process, stores.matches),
            self._condemned,
            Overdue(
                self._hub,
                committer,
                self._condemned,
                credit,
                stores.matches,
                stores.presences,
                lost_places=self._lost_places,
            ),
            cuts,
            self._clock,
        )
        self._health = health.HealthServicer()
        self._readiness = Readiness(lambda: stores.pipe.available)

    def _elsewhere(self, match: Match) -> list[str]:
        """Return the bells of those bots of a match that this process does not host."""
        return self._sessions.elsewhere(match)

    @asynccontextmanager
    async def serve(self) -> AsyncIterator[Ports]:
        """Serve until the context ends, then drain; the value says where.

        Raise PortTaken.
        """
        live = Live(self._hub, self._playing, self._sessions, self._polls, self._spectators)
        methods = methods_of(self._stores, live, is_open=self._settings.registration == "open")
        boundary = Boundary(Authenticator(self._stores.tokens))
        server = self._server(methods, boundary)
        address = f"{self._settings.host}:{self._settings.port}"
        try:
            port = server.add_insecure_port(address)
        except RuntimeError as error:
            raise PortTaken(f"cannot listen on {address}: is another server there?") from error
        place = self._place_for_http()
        # One round before the first call: whatever time passed without us, nobody is charged for it.
        await self._sweeper.start()
        await server.start()
        gateway = None if place is None else await self._gateway(place, methods, boundary)
        async with asyncio.TaskGroup() as tasks:
            running = [
                tasks.create_task(self._clock.keep(), name="attention"),
                tasks.create_task(self._sweeper.keep_alive(), name="alive"),
                tasks.create_task(self._sweeper.run(), name="sweeper"),
                tasks.create_task(self._lost_places.keep(), name="lost places"),
                tasks.create_task(self._hub.reconcile(), name="reconcile"),
                tasks.create_task(self._watch_health(), name="health"),
                tasks.create_task(self._pace.tell(), name="pace"),
            ]
            try:
                yield Ports(port, 0 if place is None else int(place.getsockname()[1]))
            finally:
                await self._drain(server, gateway)
                for task in running:
                    task.cancel()

    def _server(self, methods: Methods, boundary: Boundary) -> Server:
        """Return the gRPC server with all services."""
        # The default of 1 lets two unrelated servers share a port silently.
        reuse = ("grpc.so_reuseport", int(self._shared_port))
        server = grpc.aio.server(interceptors=[boundary], options=(*CHANNEL_OPTIONS, reuse))
        methods.add_to(server)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        if self._settings.reflection:
            names = (*SERVICES, HEALTH_NAME, reflection.SERVICE_NAME)
            reflection.enable_server_reflection(names, server)
        return server

    def _place_for_http(self) -> socket | None:
        """Return the socket that listens for HTTP, None where it is not served; raise PortTaken."""
        if not self._settings.http:
            return None
        host, port = self._settings.host, self._settings.port_for_http
        try:
            return listen(host, port, shared=self._shared_port)
        except OSError as error:
            raise PortTaken(
                f"cannot listen on {host}:{port} for HTTP: give another --http-port, or --no-http"
            ) from error

    async def _gateway(self, place: socket, methods: Methods, boundary: Boundary) -> Gateway:
        """Serve the same methods over HTTP, on this socket."""
        calls = await calls_of(bindings_of(DESCRIPTORS), methods, boundary)
        pages: dict[str, Page] = {
            **pages_of(self._readiness),
            **fixed_pages(DESCRIPTORS, version("shoal")),
        }
        application = application_of(calls, pages, self._settings.cors_origins)
        gateway = Gateway(application, self._settings.grace_seconds)
        await gateway.start(place)
        return gateway

    async def _watch_health(self) -> None:
        """For ever: say SERVING while the store answers, and NOT_SERVING while it does not."""
        said: bool | None = None
        while True:
            available = self._stores.pipe.available
            if available is not said:
                said = available
                await self._say_health(serving=available)
            await asyncio.sleep(0.2)

    async def _say_health(self, *, serving: bool) -> None:
        """Set the health of the process and of every service."""
        status = (
            health_pb2.HealthCheckResponse.SERVING
            if serving
            else health_pb2.HealthCheckResponse.NOT_SERVING
        )
        for service in ("", *SERVICES):
            await self._health.set(service, status)

    async def _drain(self, server: Server, gateway: Gateway | None) -> None:
        """Tell everybody, let open calls end, and stop."""
        log.info("draining")
        self._readiness.draining = True
        await self._health.enter_graceful_shutdown()
        self._sessions.drain()
        self._polls.drain()
        self._spectators.drain()
        async with asyncio.TaskGroup() as ends:
            ends.create_task(server.stop(self._settings.grace_seconds))
            if gateway is not None:
                ends.create_task(gateway.stop())
