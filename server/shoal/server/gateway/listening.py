"""The socket that the gateway listens on."""

import socket


def listen(host: str, port: int, *, shared: bool) -> socket.socket:
    """Return a socket bound to the first address that a host means; 0 takes a free port.

    `shared`: other processes of ours listen there too. Raise OSError where nobody can listen.
    """
    found = socket.getaddrinfo(
        host.strip("[]") or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    family, kind, protocol, _, place = found[0]
    # With its protocol: from a socket that does not say it, asyncio would send small packets late.
    bound = socket.socket(family, kind, protocol)
    try:
        # Connections of a server before us may linger there.
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        bound.bind(place)
        # Peers that vanish without a word are found out, as gRPC's own pings do.
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    except BaseException:
        bound.close()
        raise
    return bound
