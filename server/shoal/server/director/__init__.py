"""Ladders that run by themselves: who plays whom, what is counted, who is best.

A process runs a `Director`; services read `ladder_standings`.
"""

from shoal.server.director.director import Director, Stores
from shoal.server.director.reading import ladder_standings
from shoal.server.director.scheduler import Create
from shoal.server.director.settings import MAIN, Settings
from shoal.server.director.standings import Standing

__all__ = ["MAIN", "Create", "Director", "Settings", "Standing", "Stores", "ladder_standings"]
