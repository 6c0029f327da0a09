"""What a finished match means for ratings. No input or output."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from shoal.match.model import LeaveReason, Termination
from shoal.match.outcome import RATED
from shoal.server.director.rating import Rating, rate
from shoal.server.store.competition_nouns import Score

NEWCOMER = Score(mu=Rating().mu, sigma=Rating().sigma, matches=0, wins=0, placement_sum=0)
"""The score of a bot before its first rated match."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A match that is over, as its outbox entry tells it; tuples are by seat.

    `competition` is empty outside of any; `placements` mean something in a match that was played.
    """

    match_id: str
    competition: str
    rated: bool
    bots: tuple[str, ...]
    placements: tuple[int, ...]
    termination: Termination
    left: tuple[LeaveReason, ...]
    payload: bytes
    """The entry itself, which the competition keeps."""


def finished(payload: bytes) -> Finished:
    """Read an outbox entry; raises KeyError or ValueError if it is none."""
    fields = json.loads(payload)
    return Finished(
        match_id=fields["match"],
        competition=fields["ladder"],
        rated=fields["rated"],
        bots=tuple(fields["bots"]),
        placements=tuple(fields["placements"]),
        termination=Termination(fields["termination"]),
        left=tuple(map(LeaveReason, fields["left"])),
        payload=payload,
    )


def is_rated(match: Finished) -> bool:
    """Tell whether the match changes ratings: it was meant to, and it was played."""
    return match.rated and match.termination in RATED


def scores_after(match: Finished, before: Sequence[Score | None]) -> dict[str, Score]:
    """Return the scores of the bots after a match, none if it is not rated.

    `before` is by seat, None for a bot without a rated match.
    """
    if not is_rated(match):
        return {}
    known = [score or NEWCOMER for score in before]
    ratings = rate([Rating(score.mu, score.sigma) for score in known], match.placements)
    return {
        bot: Score(
            mu=rating.mu,
            sigma=rating.sigma,
            matches=score.matches + 1,
            wins=score.wins + (place == 1),
            placement_sum=score.placement_sum + place,
            blocks=score.blocks,
        )
        for bot, score, rating, place in zip(
            match.bots, known, ratings, match.placements, strict=True
        )
    }


def absent(match: Finished) -> tuple[str, ...]:
    """Return the bots that did not answer: to pair them at once would only waste another match."""
    silent = {LeaveReason.NO_SHOW, LeaveReason.STRIKES}
    return tuple(bot for bot, left in zip(match.bots, match.left, strict=True) if left in silent)
