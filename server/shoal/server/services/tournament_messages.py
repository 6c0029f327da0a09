"""From tournaments as they are to messages."""

from shoal.competition.block import Ending
from shoal.competition.score import Score
from shoal.server.director.rating import Rating, interval, shown
from shoal.server.director.result import NEWCOMER
from shoal.server.services.rating_messages import published_message
from shoal.server.store.competition_nouns import Block, Competition, Ended, State
from shoal.server.tournaments import Line, View
from shoal.v1 import tournament_pb2 as pb
from shoal.wire.matches import timestamp
from shoal.wire.tournaments import specification_message

_BLOCK_STATES = {
    "complete": pb.BLOCK_STATE_COMPLETE,
    "forfeit": pb.BLOCK_STATE_FORFEIT,
    "void": pb.BLOCK_STATE_VOID,
}

_ENDINGS = {
    Ending.PLAYED: pb.BLOCK_MATCH_ENDING_PLAYED,
    Ending.VOID: pb.BLOCK_MATCH_ENDING_VOID,
    Ending.NO_SHOW: pb.BLOCK_MATCH_ENDING_NO_SHOW,
}


def tournament_message(view: View) -> pb.Tournament:
    """Return the message of a tournament."""
    found = view.competition
    return pb.Tournament(
        tournament_id=found.competition_id,
        specification=specification_message(found.specification),
        state=_state(found),
        create_time=timestamp(found.created_ms),
        start_time=None if found.started_ms is None else timestamp(found.started_ms),
        ended=found.ended,
        entrant_count=view.entrants,
        finished_blocks=view.finished,
        open_blocks=view.in_play,
        planned_blocks=view.planned,
    )


def _state(found: Competition) -> pb.TournamentState.ValueType:
    if found.state is State.DRAINING and found.is_ending:
        return pb.TOURNAMENT_STATE_ENDING
    return pb.TournamentState.Value(f"TOURNAMENT_STATE_{found.state.name}")


def standing_message(line: Line) -> pb.TournamentStanding:
    """Return the message of a line of the standings."""
    standing, score, rated = line.standing, line.score or NEWCOMER, line.published
    rating = Rating(score.mu, score.sigma)
    return pb.TournamentStanding(
        rank=standing.rank,
        bot_id=standing.bot_id,
        bot_name=line.bot_name,
        points=standing.score.points,
        possible_points=standing.score.possible,
        tiebreaks=standing.tiebreaks,
        withdrawn=line.withdrawn,
        match_count=score.matches,
        rating=round(shown(rating), 1),
        interval=round(interval(rating), 1),
        published=None if rated is None else published_message(rated.row, rated.at_ms),
    )


def block_message(found: Block | Ended) -> pb.TournamentBlock:
    """Return the message of a block, with its match in play."""
    block = found.block if isinstance(found, Ended) else found
    message = pb.TournamentBlock(
        block_key=block.key,
        bot_ids=block.bots,
        ruleset=block.ruleset,
        rated=block.rated,
        state=_BLOCK_STATES[found.state] if isinstance(found, Ended) else pb.BLOCK_STATE_OPEN,
        matches=[
            pb.BlockMatch(
                match_id=each.match_id,
                rotation=each.attempt.rotation,
                ending=_ENDINGS[each.attempt.ending],
                placements=each.attempt.placements,
            )
            for each in block.tries
        ],
    )
    if block.match_id:
        message.matches.add(match_id=block.match_id, rotation=block.rotation)
    return message


def cell_message(score: Score | None) -> pb.CrosstableCell:
    """Return the message of a cell of a crosstable."""
    if score is None:
        return pb.CrosstableCell()
    return pb.CrosstableCell(points=score.points, possible_points=score.possible)
