"""Bad calls of CompetitionService."""

from shoal.server.store import new_id
from shoal.v1 import competition_service_pb2 as pb
from tests.server.refusals.table import Case, Fields, Make, Request, bad_pages, fixed

SERVICE = "CompetitionService"
EXCLUDE = f"{SERVICE}.ExcludeBot"
READMIT = f"{SERVICE}.ReadmitBot"
PERIOD = f"{SERVICE}.ExcludePeriod"
FORCE = f"{SERVICE}.ForcePairing"
ACTIONS = f"{SERVICE}.ListActions"

FAR = 1 << 50

PERIOD_OF_TIME: Fields = {"from_ms": 1, "until_ms": 2}

TURNS: dict[str, Request] = {
    f"{SERVICE}.PauseCompetition": pb.PauseCompetitionRequest,
    f"{SERVICE}.ResumeCompetition": pb.ResumeCompetitionRequest,
    f"{SERVICE}.DrainCompetition": pb.DrainCompetitionRequest,
}

ALL: dict[str, tuple[Request, Fields]] = {
    **{rpc: (request, {}) for rpc, request in TURNS.items()},
    f"{SERVICE}.GetCompetition": (pb.GetCompetitionRequest, {}),
    ACTIONS: (pb.ListActionsRequest, {}),
    PERIOD: (pb.ExcludePeriodRequest, PERIOD_OF_TIME),
    FORCE: (pb.ForcePairingRequest, {"bot_ids": ["x", "y"]}),
}

OF_BOTS: dict[str, Request] = {EXCLUDE: pb.ExcludeBotRequest, READMIT: pb.ReadmitBotRequest}

REASONED: dict[str, tuple[Request, Fields]] = {
    **{rpc: all_of_it for rpc, all_of_it in ALL.items() if rpc in {*TURNS, PERIOD, FORCE}},
    **{rpc: (request, {}) for rpc, request in OF_BOTS.items()},
}


def in_cup(request: Request, **fields: object) -> Make:
    """Return the maker of a request about the open tournament."""
    return lambda world: request(competition_id=world.cup, **fields)


def in_over(request: Request, **fields: object) -> Make:
    """Return the maker of a request about the tournament that is over."""
    return lambda world: request(competition_id=world.over, **fields)


def excluding(**times: int) -> Make:
    """Return the maker of a request to exclude a bot, and its results of a time."""
    return lambda world: pb.ExcludeBotRequest(
        competition_id=world.cup, bot_id=world.asked.bot_id, **times
    )


TIMES: list[tuple[str, dict[str, int], str]] = [
    ("a time to come", {"uncounted_from_ms": FAR}, "uncounted_from_ms"),
    ("a time before 1970", {"uncounted_from_ms": -1}, "uncounted_from_ms"),
    ("no beginning", {"uncounted_until_ms": 1}, "uncounted_from_ms"),
    (
        "an end before the beginning",
        {"uncounted_from_ms": 2, "uncounted_until_ms": 1},
        "uncounted_until_ms",
    ),
]

CASES = [
    *(
        case
        for rpc, (request, fields) in ALL.items()
        for case in (
            Case(rpc, "no token", "nobody", "TOKEN_INVALID", in_cup(request, **fields)),
            Case(rpc, "no organizer", "asked", "NOT_ALLOWED", in_cup(request, **fields)),
            *(
                Case(rpc, wrong, "admin", "NOT_FOUND", fixed(request(competition_id=id_, **fields)))
                for wrong, id_ in {
                    "an id of good form": new_id(),
                    "an id of bad form": "../../x",
                    "no id": "",
                    "a foreign id": "ü",
                }.items()
            ),
        )
    ),
    *(
        case
        for rpc, request in OF_BOTS.items()
        for case in (
            Case(rpc, "no token", "nobody", "TOKEN_INVALID", in_cup(request)),
            Case(rpc, "no organizer", "asked", "NOT_ALLOWED", in_cup(request)),
            Case(rpc, "an unknown bot", "admin", "NOT_FOUND", in_cup(request, bot_id=new_id())),
            Case(rpc, "no bot", "admin", "NOT_FOUND", in_cup(request)),
            Case(
                rpc,
                "an unknown id",
                "admin",
                "NOT_FOUND",
                lambda world, request=request: request(
                    competition_id="x", bot_id=world.asked.bot_id
                ),
            ),
        )
    ),
    *(
        Case(
            rpc,
            "too long a reason",
            "admin",
            "MALFORMED",
            in_cup(request, **{**fields, "why": "x" * 201}),
            "why",
        )
        for rpc, (request, fields) in REASONED.items()
    ),
    *(
        case
        for rpc, request in TURNS.items()
        for case in (
            Case(rpc, "it has not begun", "admin", "WRONG_STATE", in_cup(request)),
            Case(rpc, "it is over", "admin", "WRONG_STATE", in_over(request)),
        )
    ),
    *(
        Case(EXCLUDE, wrong, "admin", "MALFORMED", excluding(**times), field)
        for wrong, times, field in TIMES
    ),
    Case(
        PERIOD,
        "a time to come",
        "admin",
        "MALFORMED",
        in_cup(pb.ExcludePeriodRequest, from_ms=1, until_ms=FAR),
        "until_ms",
    ),
    Case(
        PERIOD,
        "no beginning",
        "admin",
        "MALFORMED",
        in_cup(pb.ExcludePeriodRequest, from_ms=-1, until_ms=1),
        "from_ms",
    ),
    Case(
        FORCE,
        "it does not run",
        "admin",
        "WRONG_STATE",
        in_cup(pb.ForcePairingRequest, bot_ids=["x", "y"]),
    ),
    Case(
        FORCE,
        "no UUID",
        "admin",
        "MALFORMED",
        in_cup(pb.ForcePairingRequest, request_id="1"),
        "request_id",
    ),
    *bad_pages(ACTIONS, pb.ListActionsRequest, "admin"),
]
