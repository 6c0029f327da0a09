"""From the lines of an export to messages."""

from typing import assert_never

from shoal.competition.rating import Rating as Belief
from shoal.competition.rating import interval, shown
from shoal.server.exporting import End, Head, Line, Pairing, Rating, Result
from shoal.server.services.rating_messages import (
    adjusted_message,
    change_message,
    published_message,
)
from shoal.server.services.told import unrated_reason
from shoal.server.services.tournament_messages import block_message
from shoal.server.store.competition_nouns import Ended
from shoal.server.store.published import Published
from shoal.v1 import export_service_pb2 as pb
from shoal.wire.ladders import ladder_specification_message
from shoal.wire.matches import leave_reason, termination, timestamp, void_reason
from shoal.wire.tournaments import specification_message


def line_message(line: Line) -> pb.ExportLine:
    """Return the message of a line."""
    match line:
        case Head():
            return pb.ExportLine(head=_head(line))
        case Result():
            return pb.ExportLine(result=_result(line))
        case Pairing():
            return pb.ExportLine(pairing=_pairing(line))
        case Rating():
            return pb.ExportLine(rating=_rating(line))
        case End():
            return pb.ExportLine(
                end=pb.ExportEnd(
                    next=line.next,
                    result_count=line.results,
                    pairing_count=line.pairings,
                    rating_count=line.ratings,
                )
            )
        case _:
            assert_never(line)


def _head(line: Head) -> pb.ExportHead:
    found = line.competition
    head = pb.ExportHead(
        competition_id=found.competition_id,
        export_time=timestamp(line.at_ms),
        since=line.since,
        table=None if line.published is None else _table(line.published, current=line.current),
    )
    if found.is_ladder:
        head.ladder.CopyFrom(ladder_specification_message(found.specification))
    else:
        head.tournament.CopyFrom(specification_message(found.specification))
    return head


def _table(published: Published, *, current: bool) -> pb.ExportTable:
    return pb.ExportTable(
        publish_time=timestamp(published.at_ms),
        order=published.basis.place.count,
        current=current,
        block_count=published.table.blocks,
        match_count=published.table.matches,
        dispersion=published.table.dispersion,
    )


def _result(line: Result) -> pb.ExportResult:
    return pb.ExportResult(
        match_id=line.match_id,
        block_key=line.block_key,
        rated=line.rated,
        ruleset=line.ruleset,
        bot_ids=line.bots,
        placements=line.placements,
        totals=line.totals,
        termination=termination(line.termination),
        void_reason=void_reason(line.void),
        left=map(leave_reason, line.left),
        create_time=timestamp(line.created_ms),
        bot_versions=line.versions,
        counted=line.counted,
        end_time=timestamp(line.ended_ms),
        order=line.order,
        unrated_reason=unrated_reason(line.unrated),
        rating_changes=map(change_message, line.changes),
        adjusted=adjusted_message(line.without_luck, line.noted),
    )


def _pairing(line: Pairing) -> pb.ExportPairing:
    block = line.block.block if isinstance(line.block, Ended) else line.block
    return pb.ExportPairing(block=block_message(line.block), reasons=block.why)


def _rating(line: Rating) -> pb.ExportRating:
    score, rated = line.score, line.published
    belief = Belief(score.mu, score.sigma)
    return pb.ExportRating(
        bot_id=line.bot_id,
        bot_name=line.name,
        owner_id=line.owner,
        entered=line.entered,
        rating=round(shown(belief), 1),
        interval=round(interval(belief), 1),
        match_count=score.matches,
        wins=score.wins,
        placement_sum=score.placement_sum,
        block_count=score.blocks,
        bot_version=line.version,
        rank=0 if rated is None else rated.rank,
        # When it was is said once, by the head.
        published=None if rated is None else published_message(rated, None),
    )
