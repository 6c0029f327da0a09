"""What a finished match means for ratings. No input or output."""

import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from shoal.competition.specification import Ladder, Specification
from shoal.match.model import LeaveReason, Termination, VoidReason
from shoal.match.outcome import RATED
from shoal.server.director.rating import Rating, anchored, interval, rate, shown
from shoal.server.store.competition_nouns import Roster, Score
from shoal.server.store.ledger import Change, Changes

NOBODY: Mapping[str, Rating] = {}

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
    void: VoidReason
    payload: bytes
    """The entry itself, which the competition keeps."""

    ended_ms: int = 0
    """When it ended, in ms of wall time; when it was created, where that was not noted yet."""


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
        void=VoidReason(fields.get("void", "")),
        payload=payload,
        ended_ms=fields.get("ended_ms") or fields.get("created_ms", 0),
    )


def stamped(payload: bytes, ended_ms: int) -> bytes:
    """Return an outbox entry that says when the match ended; raises ValueError if it is none."""
    return json.dumps({**json.loads(payload), "ended_ms": ended_ms}).encode()


def is_rated(match: Finished) -> bool:
    """Tell whether the match changes ratings: it was meant to, and it was played."""
    return match.rated and match.termination in RATED


def scores_after(
    match: Finished, before: Sequence[Score | None], fixed: Mapping[str, Rating] = NOBODY
) -> dict[str, Score]:
    """Return the scores of the bots after a match, none if it is not rated.

    `before` is by seat, None for a bot without a rated match. The ratings of some bots are `fixed`.
    """
    if not is_rated(match):
        return {}
    known = [score or NEWCOMER for score in before]
    prior = [
        fixed.get(bot, Rating(score.mu, score.sigma))
        for bot, score in zip(match.bots, known, strict=True)
    ]
    rated = rate(prior, match.placements)
    ratings = [fixed.get(bot, rating) for bot, rating in zip(match.bots, rated, strict=True)]
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


def changes_after(
    match: Finished,
    before: Sequence[Score | None],
    after: Mapping[str, Score],
    fixed: Mapping[str, Rating] = NOBODY,
) -> Changes:
    """Return what a match did to the ratings of its seats, nothing if it is not rated; see `scores_after`."""
    if not after:
        return ()
    known = [score or NEWCOMER for score in before]
    return tuple(
        _change(fixed.get(bot, Rating(was.mu, was.sigma)), Rating(after[bot].mu, after[bot].sigma))
        for bot, was in zip(match.bots, known, strict=True)
    )


def _change(before: Rating, after: Rating) -> Change:
    points = ((round(shown(each), 1), round(interval(each), 1)) for each in (before, after))
    return Change(*itertools.chain.from_iterable(points))


def unplayed(match: Finished) -> Finished:
    """Return a match as it is for its block when its result does not count: as if it were void."""
    if match.termination not in RATED:
        return match
    nobody = (LeaveReason.NONE,) * len(match.left)
    return replace(match, termination=Termination.VOID, left=nobody)


def fixed_of(specification: Specification) -> dict[str, Rating]:
    """Return the ratings that are given, by bot."""
    form = specification.format
    anchors = form.anchors if isinstance(form, Ladder) else ()
    return {anchor.bot_id: anchored(anchor.rating) for anchor in anchors}


def with_anchors(roster: Roster, specification: Specification) -> Roster:
    """Return the scores with the ratings that are given, also of bots that have not played."""
    fixed = fixed_of(specification)
    if not fixed:
        return roster
    scores = dict(roster.scores)
    for bot, rating in fixed.items():
        if bot in roster.entrants or bot in scores:
            known = scores.get(bot, NEWCOMER)
            scores[bot] = replace(known, mu=rating.mu, sigma=rating.sigma)
    return replace(roster, scores=scores)


def is_annulled(match: Finished) -> bool:
    """Tell whether the match is void after all, although its seats may have been told another end."""
    return match.void is VoidReason.LOST_MOVES


def takes_back(match: Finished, counted: Finished) -> bool:
    """Tell whether a match is void after all, whose end was counted and then lost by the store."""
    return is_annulled(match) and not is_annulled(counted)


def scores_without(counted: Finished, now: Sequence[Score | None]) -> dict[str, Score]:
    """Return the scores of the bots as if a match had not been counted, none if it is not rated.

    `now` is by seat. What the match did to the ratings stays in them: each was built on the one before, and
    on this one others were built. It is gone when they are computed again from the results.
    """
    if not is_rated(counted):
        return {}
    return {
        bot: replace(
            score,
            matches=score.matches - 1,
            wins=score.wins - (place == 1),
            placement_sum=score.placement_sum - place,
        )
        for bot, score, place in zip(counted.bots, now, counted.placements, strict=True)
        if score is not None
    }


def absent(match: Finished) -> tuple[str, ...]:
    """Return the bots that did not answer: to pair them at once would only waste another match."""
    silent = {LeaveReason.NO_SHOW, LeaveReason.STRIKES}
    return tuple(bot for bot, left in zip(match.bots, match.left, strict=True) if left in silent)
