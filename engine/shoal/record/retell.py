"""A match told again from its log: what each entry did, with everything that a record says of it.

The one place where what is derived in a record is derived: making, reading and verifying records
are this, so they cannot disagree.
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import final

from shoal.engine import (
    RoundEnded,
    format_move,
    move_from_code,
)
from shoal.engine.chance import KeyedChance, Use
from shoal.match import (
    DECIDING,
    Entry,
    EntryKind,
    LeaveReason,
    LoggedEntry,
    Match,
    MatchMeta,
    SeatMeta,
    VoidReason,
    adopt,
    encode_meta,
    first_rev,
    outcomes,
    rev_after,
    step,
)
from shoal.match import TimeControl as Timing
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
from shoal.record.objections import check_entry, check_game


@final
class Retelling:
    """Takes a match through its log, from the beginning. `match` is how it stands."""

    def __init__(self, meta: MatchMeta, secret: bytes) -> None:
        """Begin with a match that waits for its seats; raise BadRecord where there is no such game."""
        check_game(meta)
        self.match = Match(meta, secret)
        self.match.rev = self.start = start_of(meta, secret)
        self._uses: list[Chance] = []

    def tell(self, entry: Entry, at_ms: int, think_ms: int, rev: str | None = None) -> LogEntry:
        """Take the next entry, and return it with all that followed from it.

        Its decision id need not be known: it follows. So does its `rev`, where none is given. Raise
        BadRecord, whose path is the field that is at fault, when the entry is not legal here.
        """
        match = self.match
        decides = entry.kind in DECIDING
        entry = entry._replace(decision_id=match.decision_id if decides else "")
        check_entry(match, entry)
        if rev is None:
            rev = rev_after(match.rev, entry, at_ms, think_ms)
        answer = self._answer(entry)
        done = step(match, entry, self._watched)
        match.version += 1
        adopt(match, LoggedEntry(entry, at_ms, think_ms, rev), done.asks)
        chance = tuple(self._uses)
        self._uses.clear()
        ended = [event for event in done.events if isinstance(event, RoundEnded)]
        return LogEntry(
            version=match.version,
            kind=entry.kind,
            seat=None if entry.seat < 0 else entry.seat,
            answer=answer,
            at_ms=at_ms,
            think_ms=think_ms,
            left=entry.seat >= 0 and match.left[entry.seat] is not LeaveReason.NONE,
            chance=chance,
            events=tuple(done.events),
            totals=ended[-1].totals if ended else None,
            rev=rev,
            refused=int(entry.value) if entry.kind is EntryKind.ILLEGAL else None,
            credit_ms=int(entry.value) if entry.kind is EntryKind.CREDIT else 0,
        )

    def record(self, entries: Sequence[LogEntry]) -> Record:
        """Return the record of the match, which must be over, and of these entries."""
        match, meta = self.match, self.match.meta
        assert match.termination is not None
        return Record(
            format=FORMAT,
            match_id=meta.match_id,
            server_version=meta.server_version,
            created_ms=meta.created_ms,
            ruleset=RulesetUsed(meta.ruleset, meta.ruleset_version),
            ladder=meta.ladder,
            rated=meta.rated,
            time_control=TimeControl(**asdict(meta.time)),
            seats=tuple(Player(seat.bot_id, seat.bot_name) for seat in meta.seats),
            commitment=meta.commitment,
            server_seed=match.secret.hex(),
            nonces=tuple(None if nonce is None else nonce.hex() for nonce in match.nonces),
            rev=self.start,
            entries=tuple(entries),
            result=Outcome(
                match.termination,
                tuple(
                    SeatResult(each.placement, each.total, reason_of(each.left))
                    for each in outcomes(match)
                ),
                None if match.void is VoidReason.NONE else match.void,
            ),
        )

    def _answer(self, entry: Entry) -> Answer | None:
        """Return what is asked now and answered by this entry, if anything is."""
        asked = self.match.asked
        if entry.kind not in DECIDING or asked is None:
            return None
        code = int(entry.value)
        text = format_move(move_from_code(code))
        return Answer(entry.decision_id, asked.kind, len(asked.options), code, text)

    def _watched(self, seed: bytes) -> "WatchedChance":
        """Return the chance of the match, whose uses are told."""
        return WatchedChance(seed, self._uses)


@final
class WatchedChance:
    """Chance that follows from a seed, every use of which is noted."""

    def __init__(self, seed: bytes, uses: list[Chance]) -> None:
        """Note the uses in a list."""
        self.seed = seed
        self._keyed = KeyedChance(seed)
        self._uses = uses

    def pick(self, use: Use, count: int) -> int:
        """Return a number from 0 to count - 1."""
        came = self._keyed.pick(use, count)
        self._uses.append(Chance(use.purpose.value, use.round, use.counter, count, came))
        return came

    def shuffle(self, use: Use, cards: list[int]) -> None:
        """Put the cards in an order."""
        self._keyed.shuffle(use, cards)
        self._uses.append(
            Chance(use.purpose.value, use.round, use.counter, len(cards), tuple(cards))
        )


def start_of(meta: MatchMeta, secret: bytes) -> str:
    """Return the hash with which the log of a match begins, also of one that cannot be played here."""
    return first_rev(encode_meta(meta), secret)


def meta_of(record: Record) -> MatchMeta:
    """Return what was fixed when the match was made."""
    return MatchMeta(
        match_id=record.match_id,
        ruleset=record.ruleset.name,
        ruleset_version=record.ruleset.version,
        seats=tuple(SeatMeta(seat.bot_id, seat.name) for seat in record.seats),
        time=Timing(**asdict(record.time_control)),
        ladder=record.ladder,
        rated=record.rated,
        created_ms=record.created_ms,
        commitment=record.commitment,
        server_version=record.server_version,
    )


def entry_of(record: Record, said: LogEntry) -> Entry:
    """Return an entry as the server logged it."""
    seat = -1 if said.seat is None else said.seat
    if said.kind in DECIDING and said.answer is not None:
        return Entry(said.kind, seat, said.answer.code, said.answer.decision_id)
    match said.kind:
        case EntryKind.READY if 0 <= seat < len(record.nonces):
            return Entry(said.kind, seat, record.nonces[seat] or "")
        case EntryKind.ILLEGAL if said.refused is not None:
            return Entry(said.kind, seat, said.refused)
        case EntryKind.CREDIT:
            return Entry(said.kind, seat, said.credit_ms)
        case EntryKind.VOID if record.result.void is not None:
            return Entry(said.kind, seat, record.result.void.value)
        case _:
            return Entry(said.kind, seat)


def reason_of(left: LeaveReason) -> LeaveReason | None:
    """Return why a seat left; None when it did not."""
    return None if left is LeaveReason.NONE else left
