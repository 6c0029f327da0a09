"""Matches: what they are, how one step changes them, how they are stored as bytes. Pure."""

from shoal.match.codec import (
    StateFormatError,
    decode_match,
    decode_meta,
    encode_meta,
    encode_state,
)
from shoal.match.entries import (
    DECIDING,
    Entry,
    EntryKind,
    LoggedEntry,
    first_rev,
    follows,
    parse_entry,
    rev_after,
    rev_of,
)
from shoal.match.model import (
    LeaveReason,
    Match,
    MatchMeta,
    Phase,
    SeatMeta,
    Termination,
    VoidReason,
)
from shoal.match.outcome import SeatOutcome, outbox_payload, outcomes
from shoal.match.step import Asks, Step, adopt, deal_seed, replay, step
from shoal.match.timing import TimeControl, bank_after

__all__ = [
    "DECIDING",
    "Asks",
    "Entry",
    "EntryKind",
    "LeaveReason",
    "LoggedEntry",
    "Match",
    "MatchMeta",
    "Phase",
    "SeatMeta",
    "SeatOutcome",
    "StateFormatError",
    "Step",
    "Termination",
    "TimeControl",
    "VoidReason",
    "adopt",
    "bank_after",
    "deal_seed",
    "decode_match",
    "decode_meta",
    "encode_meta",
    "encode_state",
    "first_rev",
    "follows",
    "outbox_payload",
    "outcomes",
    "parse_entry",
    "replay",
    "rev_after",
    "rev_of",
    "step",
]
