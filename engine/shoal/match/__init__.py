"""Matches: what they are, how one step changes them, how they are stored as bytes. Pure."""

from shoal.match.codec import (
    StateFormatError,
    decode_match,
    encode_meta,
    encode_state,
)
from shoal.match.entries import (
    Entry,
    EntryKind,
    LoggedEntry,
    first_rev,
    follows,
    parse_entry,
    rev_after,
)
from shoal.match.model import (
    LeaveReason,
    Match,
    MatchMeta,
    Phase,
    SeatMeta,
    Termination,
)
from shoal.match.outcome import SeatOutcome, outbox_payload, outcomes
from shoal.match.step import Asks, Step, adopt, deal_seed, replay, step

__all__ = [
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
    "adopt",
    "deal_seed",
    "decode_match",
    "encode_meta",
    "encode_state",
    "first_rev",
    "follows",
    "outbox_payload",
    "outcomes",
    "parse_entry",
    "replay",
    "rev_after",
    "step",
]
