"""How to reach a server: address, TLS and gRPC settings. The only place that opens channels."""

import json
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Self

import grpc

DEFAULT_SERVER = "localhost:7430"
DEFAULT_PORT = 7430

_TLS_SCHEMES = ("https", "grpcs")
_PLAIN_SCHEMES = ("http", "grpc")

_RETRY_UNARY = {
    "methodConfig": [
        {"name": [{"service": f"shoal.v1.{service}"}], "retryPolicy": policy}
        for policy in (
            {
                "maxAttempts": 5,
                "initialBackoff": "0.1s",
                "maxBackoff": "2s",
                "backoffMultiplier": 2,
                "retryableStatusCodes": ["UNAVAILABLE"],
            },
        )
        for service in (
            "BotService",
            "ChallengeService",
            "CompetitionService",
            "ExportService",
            "LadderService",
            "MatchService",
            "TournamentService",
        )
    ]
}
"""Unary calls alone are sent again by gRPC; a stream is resumed by `runner`, which knows how."""

_OPTIONS: tuple[tuple[str, int | str], ...] = (
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    # Probing for bandwidth sends pings of its own, for which a slow server takes us for a flood.
    ("grpc.http2.bdp_probe", 0),
    ("grpc.enable_retries", 1),
    # A new channel is a new connection, so that reconnecting really leaves a dead or draining one.
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.max_receive_message_length", 16 * 1024 * 1024),
    ("grpc.service_config", json.dumps(_RETRY_UNARY)),
)


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server listens, and whether to speak TLS with it."""

    target: str
    tls: bool

    @classmethod
    def parse(cls, server: str, *, tls: bool = False) -> Self:
        """Read `host`, `host:port`, `http://host:port` or `https://host`; raise ValueError.

        Without a port it is 443 for TLS and 7430 otherwise.
        """
        scheme, separator, rest = server.strip().rpartition("://")
        if separator and scheme not in _TLS_SCHEMES + _PLAIN_SCHEMES:
            raise ValueError(
                f"{server!r}: unknown scheme {scheme!r}, use host:port or https://host"
            )
        tls = tls or scheme in _TLS_SCHEMES
        host = rest.rstrip("/")
        if not host or "/" in host or any(map(str.isspace, host)):
            raise ValueError(f"{server!r} is not an address like localhost:7430")
        name, colon, port = host.rpartition(":")
        if not colon or host.endswith("]"):
            return cls(f"{host}:{443 if tls else DEFAULT_PORT}", tls)
        if not name or not port.isdecimal() or not 0 < int(port) < 1 << 16:
            raise ValueError(f"{server!r} is not an address like localhost:7430")
        return cls(host, tls)

    @classmethod
    def parse_all(cls, servers: str, *, tls: bool = False) -> tuple[Self, ...]:
        """Read one address, or several with commas between; raise ValueError that names the bad one."""
        parts = servers.split(",")
        try:
            return tuple(dict.fromkeys(cls.parse(part, tls=tls) for part in parts))
        except ValueError as error:
            if len(parts) == 1:
                raise
            raise ValueError(f"{error}, in {servers!r}") from None


def open_channel(address: Address) -> grpc.aio.Channel:
    """Return a channel with the settings of docs/api.md; entering it closes it at the end."""
    if address.tls:
        credentials = grpc.ssl_channel_credentials()
        return grpc.aio.secure_channel(address.target, credentials, options=_OPTIONS)
    return grpc.aio.insecure_channel(address.target, options=_OPTIONS)


def kit_version() -> str:
    """Return the version of the installed kit."""
    try:
        return version("shoal")
    except PackageNotFoundError:
        return "0"


def metadata(token: str | None) -> tuple[tuple[str, str], ...]:
    """Return what every call says of its sender: the kit, and the token if there is one."""
    kit = ("shoal-client", f"shoal/python/{kit_version()}")
    return (("authorization", f"Bearer {token}"), kit) if token else (kit,)
