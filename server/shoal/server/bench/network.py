"""The channel options of the measurements, and the event loop: the one that the server has."""

from collections.abc import Coroutine
from typing import Any, TypeVar

import uvloop

from shoal.server.children import run_to_the_end

Result = TypeVar("Result")

# Every stream has a connection of its own, as the bots of different owners have.
CLIENT_OPTIONS: tuple[tuple[str, int], ...] = (
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.max_receive_message_length", 16 * 1024 * 1024),
)


def run_loop(main: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine in the kind of event loop that the server runs in."""
    return run_to_the_end(main, uvloop.new_event_loop)
