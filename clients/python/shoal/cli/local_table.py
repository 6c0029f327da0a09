"""What a bot is told at a table without a server, as a server would tell it."""

from typing import Final

from shoal.client import MatchEnd, pb
from shoal.engine import Result

LIMIT_MS: Final = 10_000
"""What a bot is told of its time, in milliseconds, as a server does; nobody here looks at the clock."""


def match_end(match: pb.Match, seat: int, result: Result, faults: int) -> MatchEnd:
    """Return what a seat is told of the end, with how often its bot failed; note the end in the match."""
    seats = [
        pb.SeatResult(seat=number, placement=rank, total=result.totals[number])
        for number, rank in enumerate(result.ranks)
    ]
    termination = pb.Termination.Value(f"TERMINATION_{result.ending.name}")
    outcome = pb.MatchResult(termination=termination, seats=seats)
    match.status = pb.MATCH_STATUS_FINISHED
    match.result.CopyFrom(outcome)
    return MatchEnd(match, seat, outcome, faults)
