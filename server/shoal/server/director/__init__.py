"""Competitions that run by themselves: who plays whom, what is counted, who is best.

A process runs a `Director`; services read `ladder_standings`.
"""

from shoal.server.director.director import Director, Stores
from shoal.server.director.health import asked_again, is_paired
from shoal.server.director.matches import Create, Pairing
from shoal.server.director.progress import counted_blocks
from shoal.server.director.progress import finished as finished_block
from shoal.server.director.reading import ladder_standings
from shoal.server.director.settings import MAIN, Settings, ladder

__all__ = [
    "MAIN",
    "Create",
    "Director",
    "Pairing",
    "Settings",
    "Stores",
    "asked_again",
    "counted_blocks",
    "finished_block",
    "is_paired",
    "ladder",
    "ladder_standings",
]
