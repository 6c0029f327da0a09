"""From ratings to messages."""

from shoal.rating import Row
from shoal.rating.model import WIN
from shoal.server.store.ledger import Change
from shoal.server.store.luck import WithoutLuck
from shoal.v1 import rating_pb2 as pb
from shoal.wire.matches import timestamp


def published_message(rated: Row, published_ms: int | None) -> pb.PublishedRating:
    """Return the message of a row of the published table, and when that was worked out, in ms."""
    return pb.PublishedRating(
        rating=rated.rating,
        interval=rated.interval,
        provisional=rated.provisional,
        group=rated.group,
        block_count=rated.blocks,
        anchored=rated.anchored,
        publish_time=None if published_ms is None else timestamp(published_ms),
        adjusted_rating=rated.adjusted_rating,
        adjusted_interval=rated.adjusted_interval,
        adjusted_match_count=rated.adjusted_matches,
    )


def adjusted_message(without: WithoutLuck | None, order: int = 0) -> pb.AdjustedResult | None:
    """Return the message of a result without luck; exports say the `order` in which it was noted."""
    if without is None:
        return None
    shares = [part / WIN for part in without.parts]
    return pb.AdjustedResult(model=without.model, shares=shares, order=order)


def change_message(change: Change) -> pb.RatingChange:
    """Return the message of what a match did to the rating of a seat."""
    return pb.RatingChange(
        before=change.before,
        interval_before=change.interval_before,
        after=change.after,
        interval_after=change.interval_after,
    )
