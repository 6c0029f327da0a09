"""Tournaments between messages and our own values."""

from shoal.competition.block import Ending
from shoal.competition.explanation import Explanation
from shoal.competition.problems import Problem
from shoal.competition.score import Score
from shoal.competition.specification import (
    Entry,
    Format,
    Gauntlet,
    Knockout,
    RoundRobin,
    Specification,
    Swiss,
    TimeControl,
)
from shoal.server.director.rating import Rating, interval, shown
from shoal.server.director.result import NEWCOMER
from shoal.server.store.competition_nouns import Block, Ended
from shoal.server.tournaments import Line, View, bad_specification
from shoal.v1 import match_pb2
from shoal.v1 import tournament_pb2 as pb
from shoal.wire.matches import timestamp

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


def specification_of(message: pb.TournamentSpecification) -> Specification:
    """Return the specification that a message asks for; raise Refusal if it names no format."""
    entry, control = message.entry, message.time_control
    return Specification(
        name=message.name,
        format=_format_of(message.format),
        rulesets=tuple(message.rulesets) or ("base",),
        seats=tuple(message.seats) or (2,),
        time_control=TimeControl(
            move_ms=control.move_ms,
            bank_ms=control.bank_ms,
            increment_ms=control.increment_ms,
            max_strikes=control.max_strikes,
            max_illegal=control.max_illegal,
            match_ms=control.match_ms,
        ),
        entry=Entry(
            invited=tuple(entry.invited),
            bots_per_owner=entry.bots_per_owner,
            entrants=entry.entrants,
            opens_ms=entry.opens_ms if entry.HasField("opens_ms") else None,
            closes_ms=entry.closes_ms if entry.HasField("closes_ms") else None,
        ),
        starts_ms=message.starts_ms if message.HasField("starts_ms") else None,
        ends_ms=message.ends_ms if message.HasField("ends_ms") else None,
        rated=message.rated if message.HasField("rated") else True,
    )


def _format_of(message: pb.TournamentFormat) -> Format:
    match message.WhichOneof("kind"):
        case "round_robin":
            robin = message.round_robin
            return RoundRobin(robin.cycles or 1, robin.blocks_per_pairing or 1)
        case "gauntlet":
            gauntlet = message.gauntlet
            return Gauntlet(tuple(gauntlet.challengers), gauntlet.blocks_per_pairing or 1)
        case "swiss":
            return Swiss(message.swiss.rounds, message.swiss.blocks_per_pairing or 1)
        case "knockout":
            knockout = message.knockout
            cap = knockout.tie_cap if knockout.HasField("tie_cap") else Knockout().tie_cap
            return Knockout(knockout.best_of or 1, cap)
        case _:
            raise bad_specification([Problem("format", "must be given")])


def specification_message(specification: Specification) -> pb.TournamentSpecification:
    """Return the message of a specification, with what was left out filled in."""
    entry, control = specification.entry, specification.time_control
    return pb.TournamentSpecification(
        name=specification.name,
        format=_format_message(specification.format),
        rulesets=specification.rulesets,
        seats=specification.seats,
        time_control=match_pb2.TimeControl(
            move_ms=control.move_ms,
            bank_ms=control.bank_ms,
            increment_ms=control.increment_ms,
            max_strikes=control.max_strikes,
            max_illegal=control.max_illegal,
            match_ms=control.match_ms,
        ),
        entry=pb.TournamentEntry(
            invited=entry.invited,
            bots_per_owner=entry.bots_per_owner,
            entrants=entry.entrants,
            opens_ms=entry.opens_ms,
            closes_ms=entry.closes_ms,
        ),
        starts_ms=specification.starts_ms,
        ends_ms=specification.ends_ms,
        rated=specification.rated,
    )


def _format_message(form: Format) -> pb.TournamentFormat:
    match form:
        case RoundRobin(cycles, blocks):
            return pb.TournamentFormat(
                round_robin=pb.RoundRobinFormat(cycles=cycles, blocks_per_pairing=blocks)
            )
        case Gauntlet(challengers, blocks):
            return pb.TournamentFormat(
                gauntlet=pb.GauntletFormat(challengers=challengers, blocks_per_pairing=blocks)
            )
        case Swiss(rounds, blocks):
            return pb.TournamentFormat(
                swiss=pb.SwissFormat(rounds=rounds, blocks_per_pairing=blocks)
            )
        case Knockout(best_of, tie_cap):
            return pb.TournamentFormat(knockout=pb.KnockoutFormat(best_of=best_of, tie_cap=tie_cap))
        case _:
            raise AssertionError("a ladder is no tournament")


def tournament_message(view: View) -> pb.Tournament:
    """Return the message of a tournament."""
    found = view.competition
    return pb.Tournament(
        tournament_id=found.competition_id,
        specification=specification_message(found.specification),
        state=pb.TournamentState.Value(f"TOURNAMENT_STATE_{found.state.name}"),
        create_time=timestamp(found.created_ms),
        start_time=None if found.started_ms is None else timestamp(found.started_ms),
        ended=found.ended,
        entrant_count=view.entrants,
        finished_blocks=view.finished,
        open_blocks=view.in_play,
        planned_blocks=view.planned,
    )


def standing_message(line: Line) -> pb.TournamentStanding:
    """Return the message of a line of the standings."""
    standing, score = line.standing, line.score or NEWCOMER
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


def explanation_message(explanation: Explanation) -> pb.Explanation:
    """Return the message of an explanation."""
    return pb.Explanation(
        bot_ids=explanation.bots,
        sentences=explanation.sentences,
        numbers=explanation.numbers,
    )
