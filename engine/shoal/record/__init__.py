"""Records: a finished match as a document that proves itself. Pure, as the engine is.

`to_json` and `from_json` are the document, `to_text` and `from_text` the same for people, `verify`
deals and plays it again. docs/records.md explains every field.
"""

from shoal.record.document import LARGEST_FILE, from_json, to_json
from shoal.record.errors import BadRecord
from shoal.record.model import (
    FORMAT,
    Answer,
    Chance,
    LogEntry,
    Outcome,
    Player,
    Record,
    RulesetUsed,
    SeatResult,
    TimeControl,
)
from shoal.record.notation import from_text, to_text
from shoal.record.reading import cut
from shoal.record.retell import Retelling, entry_of, meta_of
from shoal.record.schema import schema
from shoal.record.verify import Finding, verify

__all__ = [
    "FORMAT",
    "LARGEST_FILE",
    "Answer",
    "BadRecord",
    "Chance",
    "Finding",
    "LogEntry",
    "Outcome",
    "Player",
    "Record",
    "Retelling",
    "RulesetUsed",
    "SeatResult",
    "TimeControl",
    "cut",
    "entry_of",
    "from_json",
    "from_text",
    "meta_of",
    "schema",
    "to_json",
    "to_text",
    "verify",
]
