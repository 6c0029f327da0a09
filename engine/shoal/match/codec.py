"""Matches as bytes for the store: the fixed part once, the changing part with every commit.

The changing part is a header line and then the engine's state. The header is a JSON array that begins
with the format number. The format before is read too: what it lacks was not there to be counted.
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
    VoidReason,
)
from shoal.match.timing import TimeControl

STATE_FORMAT = 2
FORMAT_BEFORE = 1

_LATER = ("bank_ms", "increment_ms", "max_illegal", "match_ms")
"""Fields of the time control that are noted where they are not 0: the hashes of matches that were made
before there were these stay as they are. So is `server_version`."""


class StateFormatError(Exception):
    """A stored match cannot be read by this server: it was written by a newer one, or is broken."""


def encode_meta(meta: MatchMeta) -> str:
    """Return the fixed part of a match as JSON. Its hash is the first `rev` of the log."""
    time = meta.time
    fields = {
        "match": meta.match_id,
        "ruleset": meta.ruleset,
        "ruleset_version": meta.ruleset_version,
        "seats": [[seat.bot_id, seat.bot_name] for seat in meta.seats],
        "move_ms": time.move_ms,
        "max_strikes": time.max_strikes,
        "ready_ms": time.ready_ms,
        "ladder": meta.ladder,
        "rated": meta.rated,
        "created_ms": meta.created_ms,
        "commitment": meta.commitment,
    }
    if meta.server_version:
        fields["server_version"] = meta.server_version
    fields.update({name: getattr(time, name) for name in _LATER if getattr(time, name)})
    return json.dumps(fields, separators=(",", ":"))


def decode_meta(text: bytes) -> MatchMeta:
    """Return the fixed part of a match."""
    data = json.loads(text)
    return MatchMeta(
        match_id=data["match"],
        ruleset=data["ruleset"],
        ruleset_version=data["ruleset_version"],
        seats=tuple(SeatMeta(bot_id, name) for bot_id, name in data["seats"]),
        time=TimeControl(
            move_ms=data["move_ms"],
            max_strikes=data["max_strikes"],
            ready_ms=data["ready_ms"],
            **{name: data[name] for name in _LATER if name in data},
        ),
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
    counts = f"{match.illegal},{list(match.refused)},{match.credited_ms},{match.credit_ms}"
    header = (
        f'[{STATE_FORMAT},"{match.phase.value}",[{nonces}],{match.strikes},[{left}],"{termination}",'
        f'{counts},"{match.void.value}"]\n'
    )
    return header.encode() + game


def decode_match(meta: bytes, secret: bytes, state: bytes) -> Match:
    """Return the match of these parts; what the store assigns is still to be filled in.

    Raise StateFormatError when this server cannot read it.
    """
    header, _, game = state.partition(b"\n")
    try:
        fields = json.loads(header)
        if fields[0] not in {STATE_FORMAT, FORMAT_BEFORE}:
            known = f"{FORMAT_BEFORE} and {STATE_FORMAT}"
            raise StateFormatError(f"state format {fields[0]}, this server reads {known}")
        _, phase, nonces, strikes, left, termination, *later = fields
        match = Match(decode_meta(meta), secret)
        match.phase = Phase(phase)
        match.nonces = [None if nonce is None else bytes.fromhex(nonce) for nonce in nonces]
        match.strikes = strikes
        match.left = [LeaveReason(reason) for reason in left]
        match.termination = Termination(termination) if termination else None
        if later:
            match.illegal, refused, match.credited_ms, match.credit_ms, void = later
            match.refused = tuple(refused)
            match.void = VoidReason(void)
        match.game = decode(game) if game else None
        if match.game is not None and match.phase is Phase.LIVE:
            match.asked = match.game.asked
    except (ValueError, KeyError, TypeError, IndexError, EngineError) as error:
        raise StateFormatError(f"unreadable match: {error}") from error
    return match
