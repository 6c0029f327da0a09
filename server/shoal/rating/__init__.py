"""The published ratings: a fit to all blocks that count, at once. Pure: no store, no clock, no chance.

The same blocks give the same table, in whatever order they come and on any machine. docs/ratings.md says what
the numbers mean, and how they were tested.

Here are the nouns, and what of blocks counts. Arrays are imported by whoever makes tables of them: `rate` of
`shoal.rating.table`, and what an export comes to of `shoal.rating.recomputed`.
"""

from shoal.rating.counting import counting, gathered
from shoal.rating.exported import BadExport, Export
from shoal.rating.model import BadBlock, Block, Group, Match, Row, Table

__all__ = [
    "BadBlock",
    "BadExport",
    "Block",
    "Export",
    "Group",
    "Match",
    "Row",
    "Table",
    "counting",
    "gathered",
]
