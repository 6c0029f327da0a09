"""From competitions as organizers see them to messages."""

from shoal.competition.rulings import Uncounted
from shoal.server.organizing import Overview
from shoal.server.store.competition_nouns import Competition, Note, State
from shoal.v1 import competition_service_pb2 as pb
from shoal.wire.matches import timestamp


def competition_message(overview: Overview) -> pb.Competition:
    """Return the message of a competition."""
    found = overview.competition
    rulings = found.rulings
    return pb.Competition(
        competition_id=found.competition_id,
        state=_state(found),
        ended=found.ended,
        open_blocks=len(overview.open_blocks),
        rated_matches=found.rated,
        excluded_bots=[
            pb.ExcludedBot(bot_id=bot_id, since=timestamp(one.at_ms), why=one.why)
            for bot_id, one in rulings.excluded.items()
        ],
        excluded_periods=map(_period, rulings.uncounted),
        voided_matches=[
            pb.VoidedMatch(match_id=match_id, why=why) for match_id, why in rulings.voided.items()
        ],
        forced_block_key=found.forced,
        recounting=found.is_recounting,
    )


def action_message(note: Note) -> pb.Action:
    """Return the message of a line of the list of actions."""
    return pb.Action(
        time=timestamp(note.at_ms),
        who=note.who,
        action=note.action,
        detail=note.detail,
        why=note.why,
    )


def _period(time: Uncounted) -> pb.ExcludedPeriod:
    return pb.ExcludedPeriod(
        bot_id=time.bot_id, from_ms=time.from_ms, until_ms=time.until_ms, why=time.why
    )


def _state(found: Competition) -> pb.CompetitionState.ValueType:
    if found.state is State.DRAINING and found.is_ending:
        return pb.COMPETITION_STATE_ENDING
    return pb.CompetitionState.Value(f"COMPETITION_STATE_{found.state.name}")
