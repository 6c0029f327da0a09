"""Makes the golden records that are missing: run it when a ruleset was added.

    .venv/bin/python -m tests.records.make_golden

For every ruleset and number of seats it plays matches from fixed seeds without a server, and keeps a
short one in which much of what is rare happens. Those of two seats come to their end by points or
mermaids. A file that exists is left as it is, whatever the rules have become: what these files hold is
what later versions must be able to replay. `--all` makes them anew.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random

from shoal.engine import (
    RULESETS,
    CardDrawn,
    DuoStolen,
    KeepEventCard,
    LastChance,
    Move,
    NoSwap,
    PlayDuo,
    PlayTrio,
    RoundEnded,
    RoundEnding,
    Shield,
    Stop,
    TakeEqualTop,
    move_from_code,
    ruleset,
)
from shoal.engine.chance import Purpose
from shoal.match import Entry, EntryKind, LeaveReason, Match, Phase, Termination
from shoal.record import LogEntry, Record, Retelling, from_json, to_json, verify
from tests.records.playing import CALM, meta_of_random, next_entry

FOLDER = Path(__file__).with_name("golden")
SEEDS = range(100)

SILENT_AT = {2: (5,), 3: (6,), 4: ()}
"""By the number of seats: before which entries the seat that is asked is silent."""

RESIGNS_AT = {3: 25}
"""By the number of seats: at which entry seat 1 resigns."""

STRUCK_FROM = {4: 20}
"""By the number of seats: from which entry on seat 2 is silent, until it is out."""

LONG_ENOUGH = {2: 600, 3: 150, 4: 150}
"""By the number of seats: at which entry they begin to resign, one after another, to keep it short."""

QUIET_UNTIL = {("base", 2): 150}
"""By ruleset and number of seats: before which entry nobody calls, so that the deck runs out."""

SELDOM: frozenset[object] = frozenset({DuoStolen, RoundEnding.EMPTY_DECK})
"""What few matches have."""

LEFT = {2: None, 3: LeaveReason.RESIGNED, 4: LeaveReason.STRIKES}
"""By the number of seats: why a seat is to have left before."""


def golden_files() -> dict[Path, tuple[str, int]]:
    """Return every file that there has to be, with its ruleset and number of seats."""
    return {
        FOLDER / f"{name}-{seats}.json": (name, seats)
        for name in RULESETS
        for seats in ruleset(name).targets
    }


def make(rules: str, seats: int) -> Record:
    """Return the record that is wanted: one in which much of what is rare happens, and soon."""
    played = (play(rules, seats, seed) for seed in SEEDS)
    return max(filter(is_wanted, played), key=worth)


def is_wanted(record: Record) -> bool:
    """Tell whether rounds were scored, a seat was silent and left, and the end came as is planned."""
    scored = [entry for entry in record.entries if entry.totals and any(entry.totals)]
    left = {seat.left for seat in record.result.seats}
    silences = any(entry.kind is EntryKind.DEFAULT for entry in record.entries)
    ended = len(record.seats) > 2 or record.result.termination is not Termination.LAST_SEAT
    return len(scored) >= 2 and silences and ended and LEFT[len(record.seats)] in left


def worth(record: Record) -> float:
    """Return how much of different things happens in a record, less what its length costs."""
    found = met([record])
    return len(found) + 10 * len(found & SELDOM) - len(record.entries) / 25


def met(records: Iterable[Record]) -> set[object]:
    """Return the classes of events and moves, and the purposes of chance, that are met in records."""
    entries = [entry for record in records for entry in record.entries]
    return {
        *(type(event) for entry in entries for event in entry.events),
        *(type(move_from_code(entry.answer.code)) for entry in entries if entry.answer),
        *(Purpose(use.purpose) for entry in entries for use in entry.chance),
        *(
            event.cause
            for entry in entries
            for event in entry.events
            if isinstance(event, CardDrawn)
        ),
        *(
            event.ending
            for entry in entries
            for event in entry.events
            if isinstance(event, RoundEnded)
        ),
    }


def play(rules: str, seats: int, seed: int) -> Record:
    """Return the record of a match between seats that do what is rare, and else throw dice."""
    retelling = Retelling(*meta_of_random(rules, seats, seed))
    return retelling.record(list(entries(retelling, Random(seed))))


def entries(retelling: Retelling, dice: Random) -> Iterator[LogEntry]:
    """Take a match to its end by the plan for its number of seats."""
    match, at_ms = retelling.match, 1_000
    while match.phase is not Phase.FINISHED:
        entry = next_by_plan(match, dice)
        think_ms = 11_000 if entry.kind is EntryKind.DEFAULT else dice.randrange(1, 400)
        at_ms += think_ms
        yield retelling.tell(entry, at_ms, think_ms)


def next_by_plan(match: Match, dice: Random) -> Entry:
    """Return the next entry."""
    seats, asked = len(match.meta.seats), match.asked
    if asked is None:
        return next_entry(match, dice, CALM._replace(resign=0.0))
    if RESIGNS_AT.get(seats) == match.version:
        return Entry(EntryKind.RESIGN, 1)
    if match.version >= LONG_ENOUGH[seats]:
        return Entry(EntryKind.RESIGN, match.left.index(LeaveReason.NONE))
    is_struck = asked.seat == 2 and match.version >= STRUCK_FROM.get(seats, sys.maxsize)
    if is_struck or match.version in SILENT_AT[seats]:
        return Entry(EntryKind.DEFAULT, asked.seat, asked.default.code)
    quiet = match.version < QUIET_UNTIL.get((match.meta.ruleset, seats), 0)
    options = [move for move in asked.options if not (quiet and isinstance(move, CALLS))]
    return Entry(EntryKind.MOVE, asked.seat, choose(options, dice).code)


CALLS = (Stop, LastChance)


RARE = (KeepEventCard, NoSwap, TakeEqualTop, Shield, PlayTrio)
"""What is chosen when it can be, mostly."""


def choose(options: Sequence[Move], dice: Random) -> Move:
    """Return a move: a rare one, a duo or a call where there is one, but not always."""
    roll = dice.random()
    for classes, often in ((RARE, 0.6), ((PlayDuo,), 0.7), (CALLS, 0.6)):
        wanted = [move for move in options if isinstance(move, classes)]
        if wanted and roll < often:
            return dice.choice(wanted)
    return dice.choice(options)


def main() -> None:
    """Write the files that are missing, or all."""
    for path, (rules, seats) in golden_files().items():
        if path.exists() and "--all" not in sys.argv[1:]:
            continue
        text = to_json(make(rules, seats))
        assert not verify(from_json(text))
        path.write_text(text, encoding="utf-8", newline="\n")
        sys.stdout.write(f"{path.name}: {len(text)} bytes\n")


if __name__ == "__main__":
    main()
