"""Records of random matches, made without a server: a fake clock, and dice for the seats."""

from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import NamedTuple

from shoal.engine import ruleset
from shoal.match import (
    Entry,
    EntryKind,
    LeaveReason,
    Match,
    MatchMeta,
    Phase,
    SeatMeta,
    TimeControl,
    VoidReason,
)
from shoal.record import LogEntry, Record, Retelling

NAMES = ("anemone", "barnacle 2", "cuttle|fish", 'dörte "d"')


class Temper(NamedTuple):
    """How often, at each entry, seats are silent or resign, or the match is void or nobody shows up."""

    silent: float = 0.03
    resign: float = 0.003
    void: float = 0.0
    no_show: float = 0.0
    odd: float = 0.0
    """How often an entry is one of the rarest: an illegal answer, a credit, an abandonment, an abortion."""


CALM = Temper()
WILD = Temper(silent=0.08, resign=0.02, void=0.005, no_show=0.03, odd=0.05)


PLAIN = TimeControl(10_000, 2, 10_000)
BANKED = TimeControl(
    10_000, 2, 10_000, bank_ms=60_000, increment_ms=1_000, max_illegal=3, match_ms=3_600_000
)


def meta_of_random(
    rules: str, seats: int, seed: int, time: TimeControl = PLAIN
) -> tuple[MatchMeta, bytes]:
    """Return what is fixed of a match, and its secret."""
    secret = sha256(f"{rules} {seats} {seed}".encode()).digest()
    meta = MatchMeta(
        match_id=f"00{secret.hex()[:28]}",
        ruleset=rules,
        ruleset_version=ruleset(rules).version,
        seats=tuple(SeatMeta(f"b{seat}", NAMES[seat]) for seat in range(seats)),
        time=time,
        ladder="main" if seed % 2 else "",
        rated=bool(seed % 2),
        created_ms=1_800_000_000_000 + seed % 1_000_000,
        commitment=sha256(secret).hexdigest(),
        server_version="0.1.0",
    )
    return meta, secret


def random_record(rules: str, seats: int, seed: int, temper: Temper = CALM) -> Record:
    """Return the record of a match that was played at random; equal arguments give equal records."""
    time = BANKED if temper.odd else PLAIN
    retelling = Retelling(*meta_of_random(rules, seats, seed, time))
    return retelling.record(list(random_entries(retelling, Random(seed), temper)))


def random_entries(retelling: Retelling, dice: Random, temper: Temper) -> Iterator[LogEntry]:
    """Take a match to its end, and yield its entries."""
    at_ms = 1_000
    while retelling.match.phase is not Phase.FINISHED:
        entry = next_entry(retelling.match, dice, temper)
        silent = entry.kind is EntryKind.DEFAULT
        think_ms = 11_000 if silent else dice.randrange(1, 400)
        at_ms += think_ms + dice.randrange(3)
        yield retelling.tell(entry, at_ms, think_ms)


def next_entry(match: Match, dice: Random, temper: Temper) -> Entry:
    """Return an entry that is legal now."""
    here = [seat for seat, left in enumerate(match.left) if left is LeaveReason.NONE]
    if temper.odd and dice.random() < temper.odd:
        return odd_entry(match, dice)
    if dice.random() < temper.void:
        return Entry(EntryKind.VOID, value=dice.choice(list(VoidReason)).value)
    if dice.random() < temper.resign:
        return Entry(EntryKind.RESIGN, dice.choice(here))
    if match.phase is Phase.WAITING:
        if dice.random() < temper.no_show:
            return Entry(EntryKind.NO_SHOW)
        missing = [seat for seat in here if match.nonces[seat] is None]
        nonce = dice.randbytes(dice.choice([0, 1, 32]))
        return Entry(EntryKind.READY, dice.choice(missing), nonce.hex())
    asked = match.asked
    assert asked is not None
    if dice.random() < temper.silent:
        return Entry(EntryKind.DEFAULT, asked.seat, asked.default.code)
    return Entry(EntryKind.MOVE, asked.seat, dice.choice(asked.options).code)


def odd_entry(match: Match, dice: Random) -> Entry:
    """Return one of the rarest entries, legal now."""
    asked = match.asked
    kind = dice.choice([EntryKind.ILLEGAL, EntryKind.CREDIT, EntryKind.ABANDON, EntryKind.CREDIT])
    if asked is None or kind is EntryKind.CREDIT:
        return Entry(EntryKind.CREDIT, value=dice.randrange(1, 20_000))
    if kind is EntryKind.ABANDON:
        return Entry(kind, asked.seat, asked.default.code)
    code = dice.randrange(-(1 << 31), 0)
    if code in match.refused:
        return Entry(EntryKind.ABORT)
    return Entry(kind, asked.seat, code)
