"""Takes luck out of results in a process of its own: `python -m shoal.server.director.without_luck`.

It is asked `["adjust", [[meta, secret, [entry, …]], …]]`, matches as the store has them with the secret in
hexadecimal, and answers with the model and by match with the parts of the win, null of one that it cannot.
"""

import json
import os
from collections.abc import Sequence
from typing import Final

from shoal.engine import UnknownRuleset, ruleset
from shoal.luck import NEWEST, adjusted
from shoal.match import Match, decode_meta, outcomes, parse_entry, replay
from shoal.match.outcome import RATED
from shoal.rating.luck import in_parts
from shoal.server.director.helper import answer

_NICER: Final = 10
"""By how much others go first: games and tables do not wait for it."""


def answered(line: bytes) -> object:
    """Do what a line asks for, and return the answer."""
    asked, matches = json.loads(line)
    if asked != "adjust":
        raise LookupError(asked)
    return [NEWEST, [_tried(*each) for each in matches]]


def _tried(meta: str, secret: str, entries: Sequence[str]) -> tuple[int, ...] | None:
    """Do as `without_luck`; None, too, of a match that cannot be read or replayed: others wait behind it."""
    try:
        return without_luck(meta, secret, entries)
    except Exception:  # noqa: BLE001 - whatever a step raises
        return None


def without_luck(meta: str, secret: str, entries: Sequence[str]) -> tuple[int, ...] | None:
    """Return the parts of the win of a match without luck, None of one that has none."""
    match = Match(decode_meta(meta.encode()), bytes.fromhex(secret))
    history = replay(match, (parse_entry(entry.encode()) for entry in entries))
    if match.termination not in RATED:
        return None
    events = (event for _, some in history for event in some)
    try:
        rules = ruleset(match.meta.ruleset)
    except UnknownRuleset:
        return None
    ranks = [seat.placement for seat in outcomes(match)]
    return in_parts(adjusted(rules, ranks, events).adjusted)


def main() -> None:
    """Answer until the input ends."""
    os.nice(_NICER)
    answer(answered)


if __name__ == "__main__":
    main()
