"""Anyone can check a match with what docs/engine.md says of its seed and of its log, and nothing else."""

import hashlib
import hmac
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from shoal.engine import card_name, new_match, ruleset
from shoal.match import Entry, EntryKind, LoggedEntry, Match, MatchMeta, SeatMeta, TimeControl
from shoal.match.codec import encode_meta
from shoal.match.entries import follows
from shoal.match.step import adopt, deal_seed, step
from shoal.v1 import match_service_pb2 as pb
from shoal.wire.matches import record_message

DOCS = Path(__file__).parents[2] / "docs" / "engine.md"
SERVER_SEED = bytes(range(32))
NONCES = (bytes.fromhex("c0ffee"), b"")
KINDS = {
    pb.LogEntryKind.Value(f"LOG_ENTRY_KIND_{name.upper()}"): name
    for name in ("ready", "move", "default", "resign", "no_show", "void")
}


def documented_seed(server_seed: bytes, nonces: tuple[bytes, ...]) -> bytes:
    """Return the seed of the deal, as docs/engine.md tells."""
    message = b"".join(len(nonce).to_bytes(1, "big") + nonce for nonce in nonces)
    return hmac.new(server_seed, message, hashlib.sha256).digest()


def meta(server_version: str = "1.2.3") -> MatchMeta:
    """What is fixed of the match that is played here."""
    return MatchMeta(
        match_id="0a0199f5c1a2b3" + "0123456789abcdef",
        ruleset="base",
        ruleset_version=1,
        seats=(SeatMeta("b1", "one"), SeatMeta("b2", "two")),
        time=TimeControl(10_000, 3, 12_345),
        ladder="main",
        rated=True,
        created_ms=1_700_000_000_123,
        commitment=hashlib.sha256(SERVER_SEED).hexdigest(),
        server_version=server_version,
    )


def played(chance: Random, server_version: str = "1.2.3") -> tuple[Match, list[LoggedEntry]]:
    """A match to its end, with moves, silences and a resignation, logged as the commit script does."""
    match = Match(meta(server_version), SERVER_SEED)
    match.rev = hashlib.sha1(
        encode_meta(match.meta).encode() + SERVER_SEED, usedforsecurity=False
    ).hexdigest()
    log: list[LoggedEntry] = []
    for at_ms, entry in enumerate(entries(match, chance), start=1_000):
        asks = step(match, entry).asks
        hashed = f"{match.rev}{entry.prefix()},{at_ms},{at_ms % 7}]"
        rev = hashlib.sha1(hashed.encode(), usedforsecurity=False).hexdigest()
        stored = f'{entry.prefix()},{at_ms},{at_ms % 7},"{rev}"]'
        assert follows(match.rev, stored.encode())
        match.version += 1
        log.append(LoggedEntry(entry, at_ms, at_ms % 7, rev))
        adopt(match, log[-1], asks)
    return match, log


def entries(match: Match, chance: Random) -> Iterator[Entry]:
    """Yield what happens next, until somebody resigns."""
    for seat, nonce in enumerate(NONCES):
        yield Entry(EntryKind.READY, seat, nonce.hex())
    for number in range(40):
        asked = match.asked
        assert asked is not None
        silent = number in (7, 20)
        move = asked.default if silent else chance.choice(asked.options)
        kind = EntryKind.DEFAULT if silent else EntryKind.MOVE
        yield Entry(kind, asked.seat, move.code, match.decision_id)
    yield Entry(EntryKind.RESIGN, 1)


def documented_revs(record: pb.MatchRecord) -> Iterator[str]:
    """Yield the rev of each version from 0, from a record alone, as docs/engine.md tells."""
    match = record.match
    created = match.create_time
    fixed = {
        "match": match.match_id,
        "ruleset": match.ruleset,
        "ruleset_version": match.ruleset_version,
        "seats": [[seat.bot_id, seat.bot_name] for seat in match.seats],
        "move_ms": match.time_control.move_ms,
        "max_strikes": match.time_control.max_strikes,
        "ready_ms": record.ready_ms,
        "ladder": match.ladder_id,
        "rated": match.rated,
        "created_ms": created.seconds * 1000 + created.nanos // 1_000_000,
        "commitment": match.seed_commitment.hex(),
    }
    if record.server_version:
        fixed["server_version"] = record.server_version
    text = json.dumps(fixed, separators=(",", ":"))
    rev = hashlib.sha1(text.encode() + record.server_seed, usedforsecurity=False).hexdigest()
    yield rev
    for entry in record.entries:
        seat = entry.seat if entry.HasField("seat") else -1
        value: int | str = ""
        if KINDS[entry.kind] == "ready":
            value = record.nonces[seat].hex()
        elif KINDS[entry.kind] in ("move", "default"):
            value = entry.option_id
        fields = [KINDS[entry.kind], seat, value, entry.decision_id, entry.at_ms, entry.think_ms]
        text = rev + json.dumps(fields, separators=(",", ":"))
        rev = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()
        yield rev


def test_the_seed_of_a_deal_is_the_one_that_the_docs_derive() -> None:
    for nonces in (
        NONCES,
        (b"", b""),
        (bytes(32), b"a", b"bc"),
        (b"a", b"", b"", bytes(range(32))),
    ):
        assert deal_seed(SERVER_SEED, nonces) == documented_seed(SERVER_SEED, nonces)


def test_where_one_nonce_ends_and_the_next_begins_makes_a_difference() -> None:
    assert deal_seed(SERVER_SEED, (b"ab", b"c")) != deal_seed(SERVER_SEED, (b"a", b"bc"))


def test_the_worked_example_of_the_seed_is_true() -> None:
    text = DOCS.read_text()
    seed = documented_seed(SERVER_SEED, NONCES)
    state = new_match(ruleset("base"), 2, seed)
    piles = " and ".join(card_name(pile[-1]) for pile in state.piles)
    assert hashlib.sha256(SERVER_SEED).hexdigest() in text
    assert seed.hex() in text
    assert f"the piles start with {piles}, and seat {state.starter} starts" in text


@pytest.mark.parametrize("server_version", ["0.1.0", ""])
def test_the_revs_of_a_match_follow_from_its_record(server_version: str) -> None:
    match, log = played(Random(5), server_version)
    record = record_message(match, log)
    revs = list(documented_revs(record))
    assert revs[1:] == [entry.rev for entry in record.entries]


def test_a_decision_id_fixes_the_log_up_to_it() -> None:
    """A bot that kept its decision ids can tell whether a record shows the match that it played."""
    match, log = played(Random(6))
    record = record_message(match, log)
    revs = list(documented_revs(record))
    ids = [entry.decision_id for entry in record.entries if entry.decision_id]
    assert len(ids) == 40
    for decision_id in ids:
        version, _, piece = decision_id.partition(".")
        assert revs[int(version)].startswith(piece)
