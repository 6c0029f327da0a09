"""Where a Redis is, as its URL says: `redis://`, `rediss://` (TLS) or `unix://`."""

from dataclasses import dataclass, field, replace
from typing import Self
from urllib.parse import parse_qs, unquote, urlsplit

from shoal.server.store.errors import StoreRefused

_DEFAULT_PORT = 6379


@dataclass(frozen=True, slots=True)
class Address:
    """One Redis: a socket path, or a host and port, and who we are there."""

    path: str | None
    host: str
    port: int
    tls: bool
    database: int
    user: str | None
    password: str | None = field(repr=False)

    @classmethod
    def parse(cls, url: str) -> Self:
        """Read a URL; raise StoreRefused, without repeating a password, when it is none of ours.

        `redis[s]://[[user]:password@]host[:port][/database]` or
        `unix://[[user]:password@]/path/of/socket[?db=database]`.
        """
        try:
            parts = urlsplit(url)
            port = parts.port or _DEFAULT_PORT
            unix = parts.scheme == "unix"
            if parts.scheme not in {"redis", "rediss", "unix"} or (unix and not parts.path):
                raise ValueError
            query = parse_qs(parts.query).get("db", ["0"])[0]
            database = int(query if unix else parts.path.strip("/") or query)
        except ValueError:
            msg = (
                "the Redis URL is not understood; write redis://host:6379/0, "
                "rediss://host:6379/0 or unix:///path/to/redis.sock"
            )
            raise StoreRefused(msg) from None
        return cls(
            path=unquote(parts.path) if unix else None,
            host=parts.hostname or "localhost",
            port=port,
            tls=parts.scheme == "rediss",
            database=database,
            user=unquote(parts.username) if parts.username else None,
            password=unquote(parts.password) if parts.password is not None else None,
        )

    def at(self, host: str, port: int) -> Self:
        """Return another node of the same cluster, where we are the same."""
        return replace(self, path=None, host=host, port=port)

    def __str__(self) -> str:
        """Say where it is without saying the password."""
        return self.path if self.path is not None else f"{self.host}:{self.port}"


def parse_seeds(url: str) -> tuple[Address, ...]:
    """Read a URL with one host, or with several nodes of one cluster: `redis://a:6379,b:6379/`.

    Raise StoreRefused, without repeating a password, when it is none of ours.
    """
    scheme, mark, rest = url.partition("://")
    authority, slash, path = rest.partition("/")
    who, at, hosts = authority.rpartition("@")
    return tuple(
        Address.parse(f"{scheme}{mark}{who}{at}{host}{slash}{path}") for host in hosts.split(",")
    )
