"""Laws of a match: replaying is playing, bytes say all, and a copy shares nothing that changes."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.match import (
    DECIDING,
    Entry,
    EntryKind,
    LeaveReason,
    Match,
    Phase,
    Termination,
    VoidReason,
    decode_match,
    encode_meta,
    encode_state,
    outbox_payload,
    outcomes,
    replay,
    step,
)
from tests.server.matches import FIELDS, STORED, log_entry, new_match, next_entry, random_log

matches = given(seats=st.integers(2, 4), seed=st.integers(0, 2**32))
some = settings(max_examples=20, deadline=None)


def facts(match: Match) -> dict[str, object]:
    """Return everything that a match says of itself."""
    told = {name: getattr(match, name) for name in (*FIELDS, *STORED)}
    return {**told, "state": encode_state(match)}


@some
@matches
def test_replaying_the_log_is_playing_the_match(seats: int, seed: int) -> None:
    """A match taken through its logged entries is equal to the one that was played."""
    played = new_match(seats, seed)
    log = list(random_log(played, Random(seed)))
    again = new_match(seats, seed)
    history = replay(again, log)
    assert facts(again) == facts(played)
    assert [version for version, _ in history] == list(range(1, len(log) + 1))


@some
@matches
def test_bytes_say_all_of_a_match(seats: int, seed: int) -> None:
    """At every step a match that was stored and read again is equal, and goes on the same way."""
    match = new_match(seats, seed)
    dice = Random(seed)
    for logged in random_log(match, dice):
        read = decode_match(encode_meta(match.meta).encode(), match.secret, encode_state(match))
        assert (read.meta, read.secret) == (match.meta, match.secret)
        for name in (*FIELDS[:-2], "asked"):
            assert getattr(read, name) == getattr(match, name), (name, logged)
        assert encode_state(read) == encode_state(match)


@some
@matches
def test_a_step_on_a_copy_never_shows_in_the_original(seats: int, seed: int) -> None:
    """Copy and original share nothing that changes, in either direction."""
    match = new_match(seats, seed)
    dice = Random(seed)
    while match.phase is not Phase.FINISHED:
        before = facts(match)
        entry = next_entry(match, dice)
        copy = match.copy()
        assert facts(copy) == before
        events = step(copy, entry)
        assert facts(match) == before
        after = facts(copy)
        assert step(match, entry) == events
        assert facts(copy) == after
        assert encode_state(match) == encode_state(copy)
        match.version += 1
        match.decision_id = f"{match.version}.0"


@some
@matches
def test_a_finished_match_has_an_outcome_for_every_seat(seats: int, seed: int) -> None:
    """Placements are competition ranks where something was played, and all 0 where nothing counts (T14)."""
    match = new_match(seats, seed)
    last = list(random_log(match, Random(seed)))[-1]
    placements = [each.placement for each in outcomes(match)]
    assert [each.seat for each in outcomes(match)] == list(range(seats))
    assert match.meta.match_id.encode() in outbox_payload(match)
    if match.game is None or match.game.result is None:
        assert set(placements) == {0}
        assert match.termination in {Termination.VOID, Termination.NO_SHOW, Termination.ABORTED}
        assert last.entry.kind not in DECIDING
    else:
        assert placements == [1 + sum(each < own for each in placements) for own in placements]


@some
@given(seats=st.integers(2, 4), seed=st.integers(0, 2**32), strikes=st.integers(1, 4))
def test_a_silent_seat_leaves_after_its_last_strike(seats: int, seed: int, strikes: int) -> None:
    """A seat that left for strikes has as many defaults as are allowed, and no seat has more (T48)."""
    match = new_match(seats, seed, max_strikes=strikes)
    log = list(random_log(match, Random(seed)))
    for seat in range(seats):
        silent = DECIDING - {EntryKind.MOVE}
        silences = [e for e in log if e.entry.kind in silent and e.entry.seat == seat]
        assert match.strikes[seat] == len(silences)
        if match.left[seat] in {LeaveReason.STRIKES, LeaveReason.ABANDONED}:
            assert len(silences) == strikes
        assert len(silences) <= strikes


def test_a_match_that_was_credited_too_much_is_void() -> None:
    """Up to ten minutes of credit are made good; after that nobody has had a fair match (T6, T44)."""
    match = new_match(2, seed=1)
    for seat in range(2):
        log_entry(match, Entry(EntryKind.READY, seat, ""), 1, 0)
    for count in range(1, 32):
        assert match.phase is Phase.LIVE, count
        log_entry(match, Entry(EntryKind.CREDIT, value=20_000), 1, 0)
        assert match.credit_ms == 20_000 * count
    assert (match.phase, match.termination) == (Phase.FINISHED, Termination.VOID)
    assert match.void is VoidReason.OUTAGES
