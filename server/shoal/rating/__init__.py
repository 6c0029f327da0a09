"""The published ratings: a fit to all blocks that count, at once. Pure: no store, no clock, no chance.

The same blocks give the same table, in whatever order they come and on any machine. docs/ratings.md says what
the numbers mean, and how they were tested.
"""

from shoal.rating.counting import counting, gathered
from shoal.rating.exported import BadExport, table_of
from shoal.rating.model import BadBlock, Block, Group, Match, Row, Table
from shoal.rating.table import rate

__all__ = [
    "BadBlock",
    "BadExport",
    "Block",
    "Group",
    "Match",
    "Row",
    "Table",
    "counting",
    "gathered",
    "rate",
    "table_of",
]
