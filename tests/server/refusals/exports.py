"""Bad calls of ExportService."""

from shoal.server.store import new_id
from shoal.v1 import export_service_pb2 as pb
from tests.server.refusals.ladders import LADDER
from tests.server.refusals.table import Case, Make, bad_pages, fixed, unknown

SERVICE = "ExportService"
EXPORT = f"{SERVICE}.ExportCompetition"
CROSSTABLE = f"{SERVICE}.ListCrosstable"
HEAD_TO_HEAD = f"{SERVICE}.GetHeadToHead"

TOKENS = {
    "of nobody": "!!",
    "of another list": "b3RoZXI6eA",
    "of a place that is no number": "ZXhwb3J0OngxOg==",  # export:x1:
    "of a place that never was": "ZXhwb3J0Ojk6MDpteA==",  # export:9:0:mx
}


def meeting(bot: str, other: str) -> Make:
    """Return the maker of a request about two bots of the world, by what it calls them, or by their ids."""
    return lambda world: pb.GetHeadToHeadRequest(
        competition_id=LADDER,
        bot_id=world.asked.bot_id if bot == "asked" else bot,
        other_id=world.asked.bot_id if other == "asked" else other,
    )


CASES = [
    *unknown(EXPORT, pb.ExportCompetitionRequest, "competition_id"),
    *(
        Case(
            EXPORT,
            f"a token {what}",
            "nobody",
            "MALFORMED",
            fixed(pb.ExportCompetitionRequest(competition_id=LADDER, since=token)),
            "since",
        )
        for what, token in TOKENS.items()
    ),
    *unknown(CROSSTABLE, pb.ListCrosstableRequest, "competition_id"),
    *bad_pages(CROSSTABLE, pb.ListCrosstableRequest),
    *unknown(HEAD_TO_HEAD, pb.GetHeadToHeadRequest, "competition_id"),
    Case(HEAD_TO_HEAD, "one bot", "nobody", "MALFORMED", meeting("asked", "asked"), "other_id"),
    Case(HEAD_TO_HEAD, "an unknown bot", "nobody", "NOT_FOUND", meeting(new_id(), "asked")),
    Case(HEAD_TO_HEAD, "another unknown bot", "nobody", "NOT_FOUND", meeting("asked", "../../x")),
]
