"""From ladders as they are to messages."""

from shoal.server.director import Standing
from shoal.server.ladders import LadderView
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


def standing_message(line: Standing, name: str, published_ms: int | None) -> pb.Standing:
    """Return the message of a line of the standings, with the bot's name, and when ratings were published."""
    rated = line.published
    return pb.Standing(
        rank=line.rank,
        bot_id=line.bot_id,
        bot_name=name,
        rating=line.rating,
        interval=line.interval,
        match_count=line.matches,
        wins=line.wins,
        average_placement=line.average_placement,
        joined=line.joined,
        published=None if rated is None else published_message(rated, published_ms),
    )
