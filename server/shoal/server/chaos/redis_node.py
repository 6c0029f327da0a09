"""One process of a private Redis Cluster: started, killed, made to stand still, and asked."""

import random
import signal
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Final, final

import hiredis

from shoal.server.store.binary import find_binary
from shoal.server.store.link import Reply, pack

BUS: Final = 10_000
"""How far above its port a node of Redis 6 has that for the other nodes."""

START_SECONDS: Final = 30.0
ATTEMPTS: Final = 20
POLL: Final = 0.02
REPLY_SECONDS: Final = 5.0


class NodeFailed(Exception):
    """No node could be started."""


@final
class ClusterNode:
    """A node that listens on `port` of loopback, and whom others look for on `known_as`.

    These two are one, unless there is a door between. `ask` uses a connection of its own each time.
    """

    def __init__(self, folder: Path, port: int, timeout_ms: int, known_as: int = 0) -> None:
        """Start it on its folder; after `timeout_ms` without an answer the others take it for dead."""
        self.port = port
        self.known_as = known_as or port
        self._folder = folder
        self._timeout_ms = timeout_ms
        self._child: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start it, or start it again where it was."""
        words = {
            "port": self.port,
            "bind": "127.0.0.1",
            "dir": self._folder,
            "cluster-enabled": "yes",
            "cluster-node-timeout": self._timeout_ms,
            "cluster-announce-port": self.known_as,
            "cluster-announce-bus-port": self.port + BUS,
            "repl-diskless-sync-delay": 0,
            "save": "",
        }
        command = [word for name, value in words.items() for word in (f"--{name}", str(value))]
        self._child = subprocess.Popen(
            [find_binary(), *command], stdout=subprocess.DEVNULL, start_new_session=True
        )

    @property
    def pid(self) -> int:
        """The process that it is now."""
        assert self._child is not None
        return self._child.pid

    @property
    def running(self) -> bool:
        """Whether it is there."""
        return self._child is not None and self._child.poll() is None

    def kill(self) -> None:
        """End it as `kill -9` does."""
        if self._child is not None:
            self._child.kill()
            self._child.wait()

    def pause(self) -> None:
        """Let it stand still."""
        if self._child is not None:
            self._child.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        if self._child is not None:
            self._child.send_signal(signal.SIGCONT)

    def ask(self, *commands: tuple[str | int, ...]) -> list[Reply]:
        """Return the replies to commands on one connection; raise hiredis.ReplyError or OSError."""
        reader = hiredis.Reader(encoding="utf-8")
        where = ("127.0.0.1", self.port)
        with socket.create_connection(where, timeout=REPLY_SECONDS) as channel:
            channel.sendall(b"".join(pack(command) for command in commands))
            replies: list[Reply] = []
            while len(replies) < len(commands):
                while (reply := reader.gets()) is False:
                    data = channel.recv(65536)
                    if not data:
                        raise ConnectionResetError
                    reader.feed(data)
                if isinstance(reply, hiredis.ReplyError):
                    raise reply
                replies.append(reply)
        return replies

    def one(self, *command: str | int) -> Reply:
        """Return the reply to one command."""
        return self.ask(command)[0]

    def info(self, *command: str) -> dict[str, str]:
        """Return the fields of an answer such as that of CLUSTER INFO."""
        lines = self.one(*command).splitlines()
        return dict(line.split(":", 1) for line in lines if ":" in line)


def launch_node(home: Path, timeout_ms: int, known_as: int = 0) -> ClusterNode:
    """Start a node on ports that are free; somebody may be faster, so try again; raise NodeFailed."""
    for _ in range(ATTEMPTS):
        node = ClusterNode(home, free_port(), timeout_ms, known_as)
        give_up = time.monotonic() + START_SECONDS
        while node.running and time.monotonic() < give_up:
            with suppress(OSError, hiredis.ReplyError):
                if node.info("INFO", "server")["process_id"] == str(node.pid):
                    return node
            time.sleep(POLL)
        node.kill()
    raise NodeFailed(f"no node of a cluster could be started in {home}")


def free_port() -> int:
    """Return a port that is free, as is that of its bus; both are below those that the system gives out."""
    while True:
        port = random.randrange(11_000, 21_000)
        with suppress(OSError), socket.socket() as one, socket.socket() as bus:
            one.bind(("127.0.0.1", port))
            bus.bind(("127.0.0.1", port + BUS))
            return port
