"""Bad calls of LadderService."""

from shoal.v1 import ladder_service_pb2 as pb
from tests.server.refusals.table import Case, bad_pages, fixed, unknown

LADDER = "main"
STANDINGS = "LadderService.ListStandings"

DOORS = {
    "LadderService.JoinLadder": pb.JoinLadderRequest,
    "LadderService.LeaveLadder": pb.LeaveLadderRequest,
}

CASES = [
    *bad_pages("LadderService.ListLadders", pb.ListLaddersRequest),
    *bad_pages(STANDINGS, pb.ListStandingsRequest, ladder_id=LADDER),
    *unknown(STANDINGS, pb.ListStandingsRequest, "ladder_id"),
    *(
        case
        for rpc, request in DOORS.items()
        for case in (
            Case(rpc, "no token", "nobody", "TOKEN_INVALID", fixed(request(ladder_id=LADDER))),
            Case(rpc, "no bot", "admin", "NOT_ALLOWED", fixed(request(ladder_id=LADDER))),
            *unknown(rpc, request, "ladder_id"),
        )
    ),
]
