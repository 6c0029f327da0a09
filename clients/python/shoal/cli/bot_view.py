"""How a bot stands on its ladders, as text."""

from typing import Final

from shoal.client import pb

ADJUSTED: Final = ("adjusted", "±", "without luck")
"""What tables call the columns of `adjusted_of`."""


def standing_of(membership: pb.Membership) -> str:
    """Return how a bot stands on a ladder, in words."""
    said = [_because("excluded by the organizer", membership.excluded_why)] * membership.excluded
    if membership.ladder_state != pb.LADDER_STATE_RUNNING:
        said.append(_because(f"nothing is paired: {_state(membership)}", membership.ladder_why))
    if said:
        return "; ".join(said)
    if membership.stage == pb.MEMBERSHIP_STAGE_ACTIVE:
        if not membership.fault_count:
            return "paired whenever it runs and has room"
        return (
            f"paired, but {membership.fault_count} of its latest matches went wrong by it "
            f"(paused after {membership.most_faults})"
        )
    trial = f"its trial, match {membership.trial_match_id}, is in play"
    if membership.stage == pb.MEMBERSHIP_STAGE_TRIAL:
        waits = "it plays one casual match before it is paired: it must run, and somebody with it"
        return trial if membership.trial_match_id else waits
    if membership.trial_match_id:
        return f"{membership.why}; {trial}"
    again = membership.retry_time.ToDatetime().strftime("%H:%M:%S")
    return f"{membership.why}; a trial follows from {again} UTC, when it runs"


def rating_of(membership: pb.Membership) -> str:
    """Return the published rating of a bot on a ladder, in words."""
    if not membership.HasField("published"):
        return "not rated yet: no match of it is in the published table"
    rated = membership.published
    apart = f" of group {rated.group}" if rated.group > 1 else ""
    return (
        f"rated {points_of(rated)} {interval_of(rated)}, rank {membership.rank}{apart}, "
        f"of {rated.block_count} blocks{_without_luck(rated)}"
    )


def _without_luck(rated: pb.PublishedRating) -> str:
    if not rated.HasField("adjusted_rating"):
        return ""
    adjusted, interval, matches = adjusted_of(rated)
    return f"; {adjusted} {interval} without the luck of {matches} matches"


def points_of(rated: pb.PublishedRating) -> str:
    """Return a rating, with a question mark while it is provisional."""
    return f"{rated.rating}?" if rated.provisional else str(rated.rating)


def interval_of(rated: pb.PublishedRating) -> str:
    """Return how far a rating may be off."""
    return f"±{rated.interval}"


def adjusted_of(rated: pb.PublishedRating | None) -> list[str]:
    """Return the rating without luck, how far it may be off, and of how many matches luck was taken away."""
    if rated is None or not rated.HasField("adjusted_rating"):
        return ["-", "-", "-"]
    return [
        str(rated.adjusted_rating),
        f"±{rated.adjusted_interval}",
        str(rated.adjusted_match_count),
    ]


def _state(membership: pb.Membership) -> str:
    """Return how far the ladder is, in words."""
    match membership.ladder_state:
        case pb.LADDER_STATE_OPEN:
            return "the ladder has not begun"
        case pb.LADDER_STATE_ENDING | pb.LADDER_STATE_FINISHED:
            return "the ladder is over"
        case _:
            return "the ladder is paused"


def _because(what: str, why: str) -> str:
    return f"{what} ({why})" if why else what
