"""One question to a private Redis over its socket, without an event loop."""

import socket
from pathlib import Path
from typing import Final

import hiredis

from shoal.server.store.link import Part, Reply, pack

_LIMIT: Final = 2.0


def ask(path: Path, *command: Part) -> Reply:
    """Return the reply, which may be a hiredis.ReplyError; raise OSError when none comes."""
    reader = hiredis.Reader()
    with socket.socket(socket.AF_UNIX) as channel:
        channel.settimeout(_LIMIT)
        channel.connect(str(path))
        channel.sendall(pack(command))
        while (reply := reader.gets()) is False:
            data = channel.recv(65536)
            if not data:
                raise ConnectionResetError
            reader.feed(data)
    return reply
