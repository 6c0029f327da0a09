"""Bad calls of TournamentService."""

from shoal.server.store import new_id
from shoal.v1 import tournament_pb2
from shoal.v1 import tournament_service_pb2 as pb
from tests.server.refusals.table import Case, Make, Request, bad_pages, fixed, unknown

SERVICE = "TournamentService"
CREATE = f"{SERVICE}.CreateTournament"
ENTER = f"{SERVICE}.EnterTournament"
WITHDRAW = f"{SERVICE}.WithdrawFromTournament"
START = f"{SERVICE}.StartTournament"
CANCEL = f"{SERVICE}.CancelTournament"
EXPLAIN = f"{SERVICE}.ExplainPairing"

LISTS: dict[str, Request] = {
    f"{SERVICE}.ListTournamentStandings": pb.ListTournamentStandingsRequest,
    f"{SERVICE}.ListBlocks": pb.ListBlocksRequest,
}

READS: dict[str, Request] = {
    **LISTS,
    f"{SERVICE}.GetTournament": pb.GetTournamentRequest,
    EXPLAIN: pb.ExplainPairingRequest,
}

ORGANIZED: dict[str, Request] = {
    START: pb.StartTournamentRequest,
    CANCEL: pb.CancelTournamentRequest,
}

DOORS: dict[str, Request] = {
    ENTER: pb.EnterTournamentRequest,
    WITHDRAW: pb.WithdrawFromTournamentRequest,
}

ROBIN = tournament_pb2.TournamentFormat(round_robin=tournament_pb2.RoundRobinFormat())
SWISS = tournament_pb2.TournamentFormat(swiss=tournament_pb2.SwissFormat())


def asked_for(request_id: str = "", **fields: object) -> Make:
    """Return the maker of a request for a tournament."""
    specification = tournament_pb2.TournamentSpecification(
        **{"name": "cup", "format": ROBIN, **fields}
    )
    return fixed(pb.CreateTournamentRequest(request_id=request_id, specification=specification))


def in_cup(request: Request, **fields: object) -> Make:
    """Return the maker of a request about the open tournament."""
    return lambda world: request(tournament_id=world.cup, **fields)


def in_over(request: Request, **fields: object) -> Make:
    """Return the maker of a request about the tournament that is over."""
    return lambda world: request(tournament_id=world.over, **fields)


PROBLEMS: list[tuple[str, Make, str]] = [
    ("no name", asked_for(name=" "), "specification.name"),
    ("no format", asked_for(format=None), "specification.format"),
    ("no such ruleset", asked_for(rulesets=["base", "chess"]), "specification.rulesets[1]"),
    ("no such size", asked_for(seats=[5]), "specification.seats[0]"),
    ("a Swiss tournament of four", asked_for(format=SWISS, seats=[4]), "specification.seats"),
    (
        "too many cycles",
        asked_for(
            format=tournament_pb2.TournamentFormat(
                round_robin=tournament_pb2.RoundRobinFormat(cycles=101)
            )
        ),
        "specification.format.round_robin.cycles",
    ),
    ("an end before the beginning", asked_for(starts_ms=2, ends_ms=1), "specification.ends_ms"),
    ("no UUID", asked_for(request_id="1"), "request_id"),
]

CASES = [
    *(Case(CREATE, wrong, "admin", "MALFORMED", make, field) for wrong, make, field in PROBLEMS),
    Case(CREATE, "no token", "nobody", "TOKEN_INVALID", asked_for()),
    Case(CREATE, "no organizer", "asked", "NOT_ALLOWED", asked_for()),
    *bad_pages(f"{SERVICE}.ListTournaments", pb.ListTournamentsRequest),
    *(case for rpc, request in LISTS.items() for case in bad_pages(rpc, request)),
    *(case for rpc, request in READS.items() for case in unknown(rpc, request, "tournament_id")),
    *(case for rpc, request in DOORS.items() for case in unknown(rpc, request, "tournament_id")),
    *(
        case
        for rpc, request in ORGANIZED.items()
        for case in (
            Case(rpc, "no token", "nobody", "TOKEN_INVALID", in_cup(request)),
            Case(rpc, "no organizer", "asked", "NOT_ALLOWED", in_cup(request)),
            Case(rpc, "an unknown id", "admin", "NOT_FOUND", fixed(request(tournament_id="x"))),
        )
    ),
    *(
        case
        for rpc, request in DOORS.items()
        for case in (
            Case(rpc, "no token", "nobody", "TOKEN_INVALID", in_cup(request)),
            Case(rpc, "no bot", "admin", "NOT_ALLOWED", in_cup(request)),
            Case(rpc, "an unknown bot", "admin", "NOT_FOUND", in_cup(request, bot_id=new_id())),
            Case(
                rpc,
                "a bot of another owner",
                "stranger",
                "NOT_ALLOWED",
                lambda world, request=request: request(
                    tournament_id=world.cup, bot_id=world.asked.bot_id
                ),
            ),
        )
    ),
    Case(ENTER, "no invitation", "asked", "ENTRY_REFUSED", in_cup(pb.EnterTournamentRequest)),
    Case(ENTER, "too late", "asked", "ENTRY_REFUSED", in_over(pb.EnterTournamentRequest)),
    Case(WITHDRAW, "too late", "asked", "WRONG_STATE", in_over(pb.WithdrawFromTournamentRequest)),
    Case(START, "nobody there", "admin", "WRONG_STATE", in_cup(pb.StartTournamentRequest)),
    Case(START, "it is over", "admin", "WRONG_STATE", in_over(pb.StartTournamentRequest)),
    Case(CANCEL, "it is over", "admin", "WRONG_STATE", in_over(pb.CancelTournamentRequest)),
    Case(
        CANCEL,
        "too long a reason",
        "admin",
        "MALFORMED",
        in_cup(pb.CancelTournamentRequest, why="x" * 201),
        "why",
    ),
    Case(
        EXPLAIN,
        "a bot that has not entered",
        "asked",
        "NOT_FOUND",
        in_cup(pb.ExplainPairingRequest, bot_id="x"),
    ),
]
