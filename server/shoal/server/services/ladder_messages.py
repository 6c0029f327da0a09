"""From ladders as they are to messages."""

from shoal.server.ladders import LadderView, Line
from shoal.server.services.rating_messages import published_message
from shoal.server.store.competition_nouns import Competition, State
from shoal.v1 import ladder_service_pb2 as pb
from shoal.wire.ladders import ladder_specification_message
from shoal.wire.matches import timestamp


def ladder_message(view: LadderView) -> pb.Ladder:
    """Return the message of a ladder."""
    found = view.competition
    specification = found.specification
    return pb.Ladder(
        ladder_id=found.competition_id,
        ruleset=specification.rulesets[0],
        table_sizes=specification.seats,
        rulesets=specification.rulesets,
        specification=ladder_specification_message(specification),
        state=ladder_state(found),
        create_time=timestamp(found.created_ms),
        start_time=None if found.started_ms is None else timestamp(found.started_ms),
        ended=found.ended,
        bot_count=view.bots,
        finished_blocks=view.finished,
        open_blocks=view.in_play,
        match_count=found.rated,
    )


def ladder_state(found: Competition) -> pb.LadderState.ValueType:
    """Return how far a ladder is."""
    if found.state is State.DRAINING and found.is_ending:
        return pb.LADDER_STATE_ENDING
    return pb.LadderState.Value(f"LADDER_STATE_{found.state.name}")


def standing_message(line: Line, published_ms: int | None) -> pb.Standing:
    """Return the message of a line of the standings; `published_ms` is when ratings were published."""
    standing = line.standing
    rated = standing.published
    return pb.Standing(
        rank=standing.rank,
        bot_id=standing.bot_id,
        bot_name=line.bot_name,
        rating=standing.rating,
        interval=standing.interval,
        match_count=standing.matches,
        wins=standing.wins,
        average_placement=standing.average_placement,
        joined=standing.joined,
        excluded=line.excluded is not None,
        excluded_why=line.excluded or "",
        published=None if rated is None else published_message(rated, published_ms),
    )
