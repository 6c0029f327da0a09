"""Bad calls of LadderService."""

from shoal.v1 import ladder_service_pb2 as pb
from tests.server.refusals.table import Case, Make, bad_pages, fixed, unknown

LADDER = "main"
STANDINGS = "LadderService.ListStandings"

DOORS = {
    "LadderService.JoinLadder": pb.JoinLadderRequest,
    "LadderService.LeaveLadder": pb.LeaveLadderRequest,
}

CREATE = "LadderService.CreateLadder"
GET = "LadderService.GetLadder"
END = "LadderService.EndLadder"
EXPLAIN = "LadderService.ExplainLadderPairing"


def asked_for(request_id: str = "", **fields: object) -> Make:
    """Return the maker of a request for a ladder."""
    specification = pb.LadderSpecification(**{"name": "weekly", **fields})
    return fixed(pb.CreateLadderRequest(request_id=request_id, specification=specification))


def stopping(**fields: float) -> pb.LadderStopping:
    """Return a stopping rule."""
    return pb.LadderStopping(**fields)


PROBLEMS: list[tuple[str, Make, str]] = [
    ("no name", asked_for(name=""), "specification.name"),
    ("a name for people", asked_for(name="Friday cup"), "specification.name"),
    ("a name like an id", asked_for(name="0a0199f5c1a2b30123456789abcdef"), "specification.name"),
    ("no such ruleset", asked_for(rulesets=["base", "chess"]), "specification.rulesets[1]"),
    ("no such rating", asked_for(official=7), "specification.official"),
    ("no such size", asked_for(seats=[2, 5]), "specification.seats[1]"),
    (
        "too little time",
        asked_for(time_control={"move_ms": 1}),
        "specification.time_control.move_ms",
    ),
    ("nobody to play", asked_for(seats=[4], entry={"entrants": 3}), "specification.entry.entrants"),
    ("an end before the beginning", asked_for(starts_ms=2, ends_ms=1), "specification.ends_ms"),
    ("an end that has passed", asked_for(ends_ms=1), "specification.ends_ms"),
    ("no minutes", asked_for(stopping=stopping(minutes=0)), "specification.stopping.minutes"),
    (
        "more blocks than can be played",
        asked_for(stopping=stopping(minutes=1, blocks_per_bot=10**6)),
        "specification.stopping.blocks_per_bot",
    ),
    (
        "an interval that is never reached",
        asked_for(stopping=stopping(blocks_per_bot=1, interval=5)),
        "specification.stopping.interval",
    ),
    ("no UUID", asked_for(request_id="1"), "request_id"),
]

CASES = [
    *(Case(CREATE, wrong, "admin", "MALFORMED", make, field) for wrong, make, field in PROBLEMS),
    Case(CREATE, "no token", "nobody", "TOKEN_INVALID", asked_for()),
    Case(CREATE, "no organizer", "asked", "NOT_ALLOWED", asked_for()),
    Case(
        CREATE, "a taken name", "admin", "NAME_TAKEN", asked_for(name=LADDER), "specification.name"
    ),
    *unknown(GET, pb.GetLadderRequest, "ladder_id"),
    Case(END, "no token", "nobody", "TOKEN_INVALID", fixed(pb.EndLadderRequest(ladder_id=LADDER))),
    Case(END, "no organizer", "asked", "NOT_ALLOWED", fixed(pb.EndLadderRequest(ladder_id=LADDER))),
    Case(END, "an unknown name", "admin", "NOT_FOUND", fixed(pb.EndLadderRequest(ladder_id="x"))),
    Case(
        *(END, "a long reason", "admin", "MALFORMED"),
        fixed(pb.EndLadderRequest(ladder_id=LADDER, why="x" * 201)),
        "why",
    ),
    *bad_pages(EXPLAIN, pb.ExplainLadderPairingRequest, ladder_id=LADDER),
    *unknown(EXPLAIN, pb.ExplainLadderPairingRequest, "ladder_id"),
    Case(
        *(EXPLAIN, "a bot that has not joined", "nobody", "NOT_FOUND"),
        fixed(pb.ExplainLadderPairingRequest(ladder_id=LADDER, bot_id="x")),
    ),
    Case(
        *(EXPLAIN, "a match of another place", "nobody", "NOT_FOUND"),
        lambda world: pb.ExplainLadderPairingRequest(ladder_id=LADDER, match_id=world.finished),
    ),
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
