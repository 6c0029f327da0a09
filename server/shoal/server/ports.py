"""A port that several processes of ours listen on, and nobody else."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from shoal.server.app import PortTaken


@contextmanager
def reserve_port(host: str, port: int) -> Iterator[int]:
    """Hold a port, a free one for 0, that our processes may listen on with SO_REUSEPORT; give its number.

    Raise PortTaken when anybody has it, also one who would share it: it is bound alone, and shared
    from then on. It stays ours while our processes come and go.
    """
    address = f"{host}:{port}"
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except socket.gaierror as error:
        raise PortTaken(f"cannot listen on {address}: {error.strerror}") from error
    with socket.socket(family, kind, protocol) as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # connections that linger
        try:
            holder.bind(place)
        except OSError as error:
            raise PortTaken(f"cannot listen on {address}: is another server there?") from error
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        yield int(holder.getsockname()[1])
