"""Random matches for laws: every kind of entry, in an order that the server could commit."""

from collections.abc import Iterator
from hashlib import sha1, sha256
from random import Random

from shoal.match import (
    Entry,
    EntryKind,
    LoggedEntry,
    Match,
    MatchMeta,
    Phase,
    SeatMeta,
    TimeControl,
    VoidReason,
    encode_meta,
    step,
)
from shoal.match.step import adopt

FIELDS = (
    *(
        "phase",
        "nonces",
        "strikes",
        "illegal",
        "refused",
        "credited_ms",
        "credit_ms",
        "left",
        "void",
    ),
    *("termination", "version", "rev"),
)
STORED = ("decision_id", "asked_ms", "limit_ms", "banks")


def new_match(seats: int, seed: int, *, max_strikes: int = 2) -> Match:
    """Return a match that waits for its seats; its secret follows from the seed."""
    secret = sha256(seed.to_bytes(16, "big")).digest()
    meta = MatchMeta(
        match_id="00" + "0" * 28,
        ruleset="base",
        ruleset_version=1,
        seats=tuple(SeatMeta(f"bot-{seat}", f"name {seat}") for seat in range(seats)),
        time=TimeControl(1_000, max_strikes, 1_000, bank_ms=9_000, increment_ms=10, max_illegal=3),
        ladder="",
        rated=False,
        created_ms=1,
        commitment=sha256(secret).hexdigest(),
    )
    match = Match(meta, secret)
    match.rev = sha1hex(encode_meta(meta).encode() + match.secret)
    return match


def next_entry(match: Match, dice: Random) -> Entry:
    """Return an entry that is legal now: mostly moves, and silences, resignations and endings between."""
    seats = range(len(match.meta.seats))
    here = [seat for seat in seats if not match.left[seat].value]
    chance = dice.random()
    if chance < 0.005:
        return Entry(EntryKind.VOID, value=VoidReason.FAULT.value)
    if chance > 0.98:
        return Entry(EntryKind.CREDIT, value=dice.randrange(1, 20_000))
    if chance > 0.979:
        return Entry(EntryKind.ABORT)
    if chance < 0.03:
        return Entry(EntryKind.RESIGN, dice.choice(here))
    if match.phase is Phase.WAITING:
        missing = [seat for seat in seats if match.nonces[seat] is None]
        if chance < 0.06:
            return Entry(EntryKind.NO_SHOW)
        nonce = dice.randbytes(dice.choice([0, 1, 32]))
        return Entry(EntryKind.READY, dice.choice(missing), nonce.hex())
    asked = match.asked
    assert asked is not None
    if chance < 0.08:
        return Entry(EntryKind.DEFAULT, asked.seat, asked.default.code, match.decision_id)
    if chance < 0.1:
        return Entry(EntryKind.ABANDON, asked.seat, asked.default.code, match.decision_id)
    wrong = dice.randrange(-9, 0)
    if chance < 0.15 and wrong not in match.refused:
        return Entry(EntryKind.ILLEGAL, asked.seat, wrong)
    option = dice.choice(asked.options)
    return Entry(EntryKind.MOVE, asked.seat, option.code, match.decision_id)


def random_log(match: Match, dice: Random) -> Iterator[LoggedEntry]:
    """Take a match to its end by random entries, logged as the store would log them."""
    at_ms = 0
    while match.phase is not Phase.FINISHED:
        entry = next_entry(match, dice)
        think_ms = dice.randrange(2_000)
        at_ms += think_ms
        yield log_entry(match, entry, at_ms, think_ms)


def log_entry(match: Match, entry: Entry, at_ms: int, think_ms: int) -> LoggedEntry:
    """Make a step, and give the match what the store would assign."""
    done = step(match, entry)
    rev = sha1hex((match.rev + entry.prefix() + f",{at_ms},{think_ms}]").encode())
    match.version += 1
    adopt(match, LoggedEntry(entry, at_ms, think_ms, rev), done.asks)
    return LoggedEntry(entry, at_ms, think_ms, rev)


def sha1hex(data: bytes) -> str:
    """Return the hash of the log as Redis computes it."""
    return sha1(data, usedforsecurity=False).hexdigest()
