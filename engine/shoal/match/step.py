"""One step of a match: `(match, entry) → what happened`. The only place that changes a Match.

Committing a move, following the log of another server and replaying a record are all this function,
so they cannot disagree. It knows no clock: times and hashes are the store's.
"""

import hmac
from collections.abc import Callable, Iterable
from enum import StrEnum, unique
from typing import NamedTuple, TypeAlias, final

from shoal.engine import (
    Ending,
    Event,
    apply,
    leave,
    move_from_code,
    opening_events,
    ruleset,
)
from shoal.engine.chance import Chance, KeyedChance
from shoal.engine.play import new_match_with
from shoal.match.entries import DECIDING, Entry, EntryKind, LoggedEntry
from shoal.match.model import LeaveReason, Match, Phase, Termination, VoidReason
from shoal.match.timing import bank_after


@unique
class Asks(StrEnum):
    """What a step does to the open decision. The values are the commit script's."""

    NEW = "1"
    """A new decision is asked now; its id is made by the store."""

    SAME = "0"
    """The same decision stays open: its start, limit and deadline stay as they are."""

    NONE = "-"
    """No decision is open any more: there is no deadline."""

    LONGER = "+"
    """The same decision stays open, and is given time: it counts as asked later."""


@final
class Step(NamedTuple):
    """What a step did: the events, with their secrets, and what is asked now."""

    events: list[Event]
    asks: Asks


LONGEST_LOG = 5_000
"""A match that has so many log entries is void: seats that never end a round would play for ever (T82).

A match of bots that want to win has about 300. Never changed without a new version of the rulesets: a
record is replayed by it.
"""

MOST_CREDIT_MS = 600_000
"""A match that was credited more is void: who had to wait so often has not had a fair match."""

_TERMINATIONS = {
    Ending.TARGET: Termination.TARGET,
    Ending.MERMAIDS: Termination.MERMAIDS,
    Ending.LAST_SEAT: Termination.LAST_SEAT,
}


ChanceOf: TypeAlias = Callable[[bytes], Chance]
"""What makes the chance of a match from the seed of its deal."""


def step(match: Match, entry: Entry, chance_of: ChanceOf = KeyedChance) -> Step:
    """Change the match as the entry says.

    The entry must be legal here: whoever makes one checks that first, and a logged one was checked.
    Raise the engine's IllegalMove or UnknownMove, having perhaps changed the match, if it is not.
    Whoever wants to see what chance does gives a `chance_of` that tells it.
    """
    done = _carry_out(match, entry, chance_of)
    live = match.game if match.phase is Phase.LIVE else None
    match.asked = None if live is None else live.asked
    return done


def _carry_out(match: Match, entry: Entry, chance_of: ChanceOf) -> Step:
    """Do what the entry says, but for keeping `asked`."""
    match entry.kind:
        case EntryKind.MOVE | EntryKind.DEFAULT | EntryKind.ABANDON:
            return _decide(match, entry)
        case EntryKind.READY:
            return _ready(match, entry, chance_of)
        case EntryKind.ILLEGAL:
            return _illegal(match, entry)
        case EntryKind.CREDIT:
            return _credit(match, int(entry.value))
        case EntryKind.RESIGN:
            return _resign(match, entry.seat)
        case _:
            return _end_by(match, entry)


def _end_by(match: Match, entry: Entry) -> Step:
    """Carry out an entry that ends the match."""
    match entry.kind:
        case EntryKind.NO_SHOW:
            return _no_show(match)
        case EntryKind.VOID:
            return _void(match, VoidReason(entry.value), [])
        case _:
            return _end(match, Termination.ABORTED, [])


def replay(match: Match, entries: Iterable[LoggedEntry]) -> list[tuple[int, list[Event]]]:
    """Take a match through logged entries; return the events of each version."""
    history = []
    for logged in entries:
        done = step(match, logged.entry)
        match.version += 1
        adopt(match, logged, done.asks)
        history.append((match.version, done.events))
    return history


def adopt(match: Match, logged: LoggedEntry, asks: Asks) -> None:
    """Take over what the store assigned to the step just made. Must agree with the commit script."""
    entry, at_ms, think_ms, rev = logged
    control = match.meta.time
    match.rev = rev
    if entry.kind in DECIDING and control.has_banks:
        moved = entry.kind is EntryKind.MOVE
        bank_ms = match.banks[entry.seat]
        match.banks[entry.seat] = bank_after(control, bank_ms, think_ms, moved=moved)
    if asks is Asks.NEW:
        match.decision_id = f"{match.version}.{rev[:12]}"
        match.asked_ms = at_ms
        asked = match.asked
        match.limit_ms = 0 if asked is None else control.move_ms + match.banks[asked.seat]
    elif asks is Asks.LONGER:
        match.asked_ms += int(entry.value)
    elif asks is Asks.NONE:
        match.decision_id = ""


def deal_seed(secret: bytes, nonces: Iterable[bytes]) -> bytes:
    """Return the seed of the deal: HMAC-SHA256 of the server's seed over every seat's nonce.

    Each nonce is preceded by its length in one byte, in the order of seats (docs/engine.md).
    """
    message = b"".join(bytes([len(nonce)]) + nonce for nonce in nonces)
    return hmac.digest(secret, message, "sha256")


def _decide(match: Match, entry: Entry) -> Step:
    """Answer the open decision, for the seat or in its place."""
    game = match.game
    assert game is not None
    seat = entry.seat
    events = apply(game, move_from_code(int(entry.value)))
    if entry.kind is not EntryKind.MOVE:
        match.strikes[seat] += 1
        if match.strikes[seat] >= match.meta.time.max_strikes and game.result is None:
            gone = entry.kind is EntryKind.ABANDON
            match.left[seat] = LeaveReason.ABANDONED if gone else LeaveReason.STRIKES
            events += leave(game, seat)
    return _played(match, events, Asks.NEW)


def _illegal(match: Match, entry: Entry) -> Step:
    """Count an answer that is no option; the seat leaves with the last that is borne."""
    seat = entry.seat
    match.illegal[seat] += 1
    if match.illegal[seat] < match.meta.time.max_illegal:
        match.refused += (int(entry.value),)
        return Step([], Asks.SAME)
    game = match.game
    assert game is not None
    match.left[seat] = LeaveReason.ILLEGAL
    return _played(match, leave(game, seat), Asks.NEW)


def _credit(match: Match, credit_ms: int) -> Step:
    """Give the open decision time, unless the match has had too much of it to be fair."""
    match.credited_ms += credit_ms
    match.credit_ms += credit_ms
    if match.credit_ms > MOST_CREDIT_MS:
        return _void(match, VoidReason.OUTAGES, [])
    return Step([], Asks.LONGER)


def _ready(match: Match, entry: Entry, chance_of: ChanceOf) -> Step:
    """Note that a seat is ready; deal when it was the last one."""
    match.nonces[entry.seat] = bytes.fromhex(str(entry.value))
    nonces = [nonce for nonce in match.nonces if nonce is not None]
    if len(nonces) < len(match.nonces):
        return Step([], Asks.SAME)
    seed = deal_seed(match.secret, nonces)
    game = new_match_with(ruleset(match.meta.ruleset), len(match.meta.seats), chance_of(seed))
    match.game = game
    match.phase = Phase.LIVE
    match.credited_ms = 0
    return Step(opening_events(game), Asks.NEW)


def _resign(match: Match, seat: int) -> Step:
    """Let a seat leave. Before the deal that is a no-show: nothing was played."""
    match.left[seat] = LeaveReason.RESIGNED
    if match.game is None:
        return _end(match, Termination.NO_SHOW, [])
    asked = match.asked
    was_asked = asked is not None and asked.seat == seat
    events = leave(match.game, seat)
    return _played(match, events, Asks.NEW if was_asked else Asks.SAME)


def _no_show(match: Match) -> Step:
    """End a match whose seats were not all ready in time."""
    for seat, nonce in enumerate(match.nonces):
        if nonce is None:
            match.left[seat] = LeaveReason.NO_SHOW
    return _end(match, Termination.NO_SHOW, [])


def _played(match: Match, events: list[Event], asks: Asks) -> Step:
    """Return the step, after ending the match if the engine did."""
    result = match.game.result if match.game is not None else None
    if result is not None:
        return _end(match, _TERMINATIONS[result.ending], events)
    if match.version + 1 >= LONGEST_LOG:
        return _void(match, VoidReason.ENDLESS, events)
    if asks is Asks.NEW:
        match.refused = ()
        match.credited_ms = 0
    return Step(events, asks)


def _void(match: Match, reason: VoidReason, events: list[Event]) -> Step:
    """End a match that does not count."""
    match.void = reason
    return _end(match, Termination.VOID, events)


def _end(match: Match, termination: Termination, events: list[Event]) -> Step:
    """End the match."""
    match.phase = Phase.FINISHED
    match.termination = termination
    return Step(events, Asks.NONE)
