"""Matches as bytes for the store: the fixed part once, the changing part with every commit.

The changing part is a header line and then the engine's state. The header is a JSON array that begins
with the format number; this is the first format.
"""

import json

from shoal.engine import EngineError, decode, encode
from shoal.match.model import (
    LeaveReason,
    Match,
    MatchMeta,
    Phase,
    SeatMeta,
    Termination,
)

STATE_FORMAT = 1


class StateFormatError(Exception):
    """A stored match cannot be read by this server: it was written by a newer one, or is broken."""


def encode_meta(meta: MatchMeta) -> str:
    """Return the fixed part of a match as JSON. Its hash is the first `rev` of the log."""
    fields = {
        "match": meta.match_id,
        "ruleset": meta.ruleset,
        "ruleset_version": meta.ruleset_version,
        "seats": [[seat.bot_id, seat.bot_name] for seat in meta.seats],
        "move_ms": meta.move_ms,
        "max_strikes": meta.max_strikes,
        "ready_ms": meta.ready_ms,
        "ladder": meta.ladder,
        "rated": meta.rated,
        "created_ms": meta.created_ms,
        "commitment": meta.commitment,
    }
    if (
        meta.server_version
    ):  # not noted before it was asked for: the hashes of those matches stay as they are
        fields["server_version"] = meta.server_version
    return json.dumps(fields, separators=(",", ":"))


def decode_meta(text: bytes) -> MatchMeta:
    """Return the fixed part of a match."""
    data = json.loads(text)
    return MatchMeta(
        match_id=data["match"],
        ruleset=data["ruleset"],
        ruleset_version=data["ruleset_version"],
        seats=tuple(SeatMeta(bot_id, name) for bot_id, name in data["seats"]),
        move_ms=data["move_ms"],
        max_strikes=data["max_strikes"],
        ready_ms=data["ready_ms"],
        ladder=data["ladder"],
        rated=data["rated"],
        created_ms=data["created_ms"],
        commitment=data["commitment"],
        server_version=data.get("server_version", ""),
    )


def encode_state(match: Match) -> bytes:
    """Return the changing part of a match, its secrets included."""
    nonces = ",".join("null" if nonce is None else f'"{nonce.hex()}"' for nonce in match.nonces)
    left = ",".join(f'"{reason.value}"' for reason in match.left)
    termination = "" if match.termination is None else match.termination.value
    game = b"" if match.game is None else encode(match.game)
    header = f'[{STATE_FORMAT},"{match.phase.value}",[{nonces}],{match.strikes},[{left}],"{termination}"]\n'
    return header.encode() + game


def decode_match(meta: bytes, secret: bytes, state: bytes) -> Match:
    """Return the match of these parts; what the store assigns is still to be filled in.

    Raise StateFormatError when this server cannot read it.
    """
    header, _, game = state.partition(b"\n")
    try:
        fields = json.loads(header)
        if fields[0] != STATE_FORMAT:
            raise StateFormatError(f"state format {fields[0]}, this server reads {STATE_FORMAT}")
        _, phase, nonces, strikes, left, termination = fields
        match = Match(decode_meta(meta), secret)
        match.phase = Phase(phase)
        match.nonces = [None if nonce is None else bytes.fromhex(nonce) for nonce in nonces]
        match.strikes = strikes
        match.left = [LeaveReason(reason) for reason in left]
        match.termination = Termination(termination) if termination else None
        match.game = decode(game) if game else None
        if match.game is not None and match.phase is Phase.LIVE:
            match.asked = match.game.asked
    except (ValueError, KeyError, TypeError, IndexError, EngineError) as error:
        raise StateFormatError(f"unreadable match: {error}") from error
    return match
