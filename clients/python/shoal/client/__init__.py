"""The kit for bot authors: write a `Bot`, and `run_bot` plays it on a server."""

from shoal.client import pb
from shoal.client.api import Client
from shoal.client.bot import Bot, MatchEnd, Resign
from shoal.client.errors import ShoalError, StreamRefused, Superseded, TokenRefused, Unreachable
from shoal.client.runner import run_bot
from shoal.client.tally import Tally

__all__ = [
    "Bot",
    "Client",
    "MatchEnd",
    "Resign",
    "ShoalError",
    "StreamRefused",
    "Superseded",
    "Tally",
    "TokenRefused",
    "Unreachable",
    "pb",
    "run_bot",
]
