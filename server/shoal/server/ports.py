"""The address that a server listens on: whether it can, and a port that several processes of ours share."""

import errno
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TypeAlias

from shoal.server.app import PortTaken

_Place: TypeAlias = "tuple[str | int | bytes, ...]"

_WHY = {
    errno.EADDRINUSE: "another program listens there: stop it, or give another {option}",
    errno.EADDRNOTAVAIL: "--host is no address of this machine: 127.0.0.1 serves it alone, 0.0.0.0 all",
    errno.EACCES: "this user may not listen there: give a {option} of 1024 or more",
}


def check_address(host: str, port: int, option: str = "--port") -> None:
    """Raise PortTaken where nobody could listen there now, so that nothing is started in vain.

    A name may mean several addresses, of which one is enough. Somebody may still be faster than we are.
    """
    refused: OSError | None = None
    for family, place in _places(host, port):
        with closing(socket.socket(family, socket.SOCK_STREAM)) as trial:
            try:
                _bind(trial, place)
            except OSError as error:
                refused = refused or error
            else:
                return
    assert refused is not None
    raise _taken(host, port, option, refused) from refused


@contextmanager
def reserve_port(host: str, port: int, option: str = "--port") -> Iterator[int]:
    """Hold a port, a free one for 0, that our processes may listen on with SO_REUSEPORT; give its number.

    Raise PortTaken when anybody has it, also one who would share it: it is bound alone, and shared
    from then on. It stays ours while our processes come and go.
    """
    family, place = _places(host, port)[0]
    with closing(socket.socket(family, socket.SOCK_STREAM)) as holder:
        try:
            _bind(holder, place)
        except OSError as error:
            raise _taken(host, port, option, error) from error
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        yield int(holder.getsockname()[1])


def _places(host: str, port: int) -> list[tuple[int, _Place]]:
    """Return the addresses that a host means; raise PortTaken where there is none."""
    try:
        found = socket.getaddrinfo(
            host.strip("[]") or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except (socket.gaierror, UnicodeError):
        raise PortTaken(
            f"cannot listen on {host}:{port}: --host is no name or address that is known here: "
            "127.0.0.1 serves this machine alone, 0.0.0.0 all"
        ) from None
    return [(family, place) for family, _, _, _, place in found]


def _bind(holder: socket.socket, place: _Place) -> None:
    """Bind to a place, although connections of a server before us may linger there."""
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(place)


def _taken(host: str, port: int, option: str, error: OSError) -> PortTaken:
    """Return the error that says why, and what to do; `option` gives the port."""
    why = _WHY.get(error.errno or 0, error.strerror or "").format(option=option)
    return PortTaken(f"cannot listen on {host}:{port}: {why}")
