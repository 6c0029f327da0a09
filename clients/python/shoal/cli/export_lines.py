"""The lines of an export as JSON objects, and their JSON Schema: one page says how both look.

Every line has a `type` and a `version`, which becomes another number whenever a field changes its meaning.
"""

from typing import Final

from google.protobuf.json_format import MessageToDict

from shoal.cli.output import Json
from shoal.client import pb

VERSION: Final = 1
"""The version of the lines that are made here."""


def line_of(line: pb.ExportLine, competition: str) -> dict[str, Json]:
    """Return a line as an object; every field of its type is there."""
    kind = line.WhichOneof("kind") or "unknown"
    head: dict[str, Json] = {"type": kind, "version": VERSION, "competition": competition}
    match kind:
        case "head":
            return head | _head(line.head)
        case "result":
            return head | _result(line.result)
        case "pairing":
            return head | _pairing(line.pairing)
        case "rating":
            return head | _rating(line.rating)
        case "end":
            return head | _end(line.end)
        case _:  # of a later server
            return head


def _head(head: pb.ExportHead) -> dict[str, Json]:
    is_ladder = head.WhichOneof("specification") == "ladder"
    return {
        "ladder": is_ladder,
        "specification": MessageToDict(
            head.ladder if is_ladder else head.tournament,
            preserving_proto_field_name=True,
            always_print_fields_with_no_presence=True,
        ),
        "exported_ms": head.export_time.ToMilliseconds(),
        "since": head.since or None,
        "table": _table(head.table) if head.HasField("table") else None,
    }


def _table(table: pb.ExportTable) -> dict[str, Json]:
    return {
        "published_ms": table.publish_time.ToMilliseconds(),
        "order": table.order,
        "current": table.current,
        "blocks": table.block_count,
        "matches": table.match_count,
        "dispersion": table.dispersion,
    }


def _result(result: pb.ExportResult) -> dict[str, Json]:
    return {
        "match_id": result.match_id,
        "block": result.block_key or None,
        "rated": result.rated,
        "counted": result.counted,
        "unrated": _word(pb.UnratedReason.Name(result.unrated_reason), "UNRATED_REASON_"),
        "ruleset": result.ruleset,
        "bots": [*result.bot_ids],
        "bot_versions": [each or None for each in result.bot_versions],
        "placements": [*result.placements],
        "totals": [*result.totals],
        "termination": _word(pb.Termination.Name(result.termination), "TERMINATION_"),
        "void": _word(pb.VoidReason.Name(result.void_reason), "VOID_REASON_"),
        "left": [_word(pb.LeaveReason.Name(each), "LEAVE_REASON_") for each in result.left],
        "created_ms": result.create_time.ToMilliseconds(),
        "ended_ms": result.end_time.ToMilliseconds(),
        "order": result.order or None,
        "changes": [
            {
                "before": each.before,
                "interval_before": each.interval_before,
                "after": each.after,
                "interval_after": each.interval_after,
            }
            for each in result.rating_changes
        ],
        "adjusted": _adjusted(result.adjusted) if result.HasField("adjusted") else None,
    }


def _adjusted(adjusted: pb.AdjustedResult) -> dict[str, Json]:
    return {"model": adjusted.model, "shares": [*adjusted.shares], "order": adjusted.order}


def _pairing(pairing: pb.ExportPairing) -> dict[str, Json]:
    block = pairing.block
    return {
        "block": block.block_key,
        "bots": [*block.bot_ids],
        "ruleset": block.ruleset,
        "rated": block.rated,
        "state": _word(pb.BlockState.Name(block.state), "BLOCK_STATE_"),
        "matches": [
            {
                "match_id": each.match_id,
                "rotation": each.rotation,
                "ending": _word(pb.BlockMatchEnding.Name(each.ending), "BLOCK_MATCH_ENDING_"),
                "placements": [*each.placements],
            }
            for each in block.matches
        ],
        "reasons": [*pairing.reasons],
    }


def _rating(rating: pb.ExportRating) -> dict[str, Json]:
    return {
        "bot_id": rating.bot_id,
        "bot_version": rating.bot_version or None,
        "bot_name": rating.bot_name,
        "owner_id": rating.owner_id or None,
        "entered": rating.entered,
        "rating": rating.rating,
        "interval": rating.interval,
        "matches": rating.match_count,
        "wins": rating.wins,
        "placement_sum": rating.placement_sum,
        "blocks": rating.block_count,
        "published": _published(rating) if rating.HasField("published") else None,
    }


def _published(rating: pb.ExportRating) -> dict[str, Json]:
    published = rating.published
    adjusted = published.HasField("adjusted_rating")
    return {
        "rank": rating.rank,
        "rating": published.rating,
        "interval": published.interval,
        "provisional": published.provisional,
        "group": published.group,
        "blocks": published.block_count,
        "anchored": published.anchored,
        "adjusted_rating": published.adjusted_rating if adjusted else None,
        "adjusted_interval": published.adjusted_interval if adjusted else None,
        "adjusted_matches": published.adjusted_match_count,
    }


def _end(end: pb.ExportEnd) -> dict[str, Json]:
    return {
        "next": end.next,
        "results": end.result_count,
        "pairings": end.pairing_count,
        "ratings": end.rating_count,
    }


def _word(name: str, prefix: str) -> str | None:
    """Return the name of an enum's value as a word, None for one that is not specified."""
    word = name.removeprefix(prefix).lower()
    return None if word == "unspecified" else word
