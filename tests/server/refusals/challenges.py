"""Bad calls of ChallengeService."""

from shoal.server.store import new_id
from shoal.v1 import challenge_service_pb2 as pb
from shoal.v1 import match_pb2
from tests.server.refusals.table import Case, Make, Request, bad_pages, fixed, unknown

SERVICE = "ChallengeService"
CREATE = f"{SERVICE}.CreateChallenge"
GET = f"{SERVICE}.GetChallenge"
LIST = f"{SERVICE}.ListChallenges"
CANCEL = f"{SERVICE}.CancelChallenge"
SET = f"{SERVICE}.SetAcceptance"

OF_BOTS: dict[str, Request] = {
    LIST: pb.ListChallengesRequest,
    SET: pb.SetAcceptanceRequest,
    f"{SERVICE}.GetAcceptance": pb.GetAcceptanceRequest,
}


def to(*names: str, **fields: object) -> Make:
    """Return the maker of a challenge; a name is one of the world's bots, or an id."""
    return lambda world: pb.CreateChallengeRequest(
        bot_ids=[bot.bot_id if (bot := getattr(world, each, None)) else each for each in names],
        **fields,
    )


def of_used(*names: str) -> Make:
    """Return the maker of a request whose request_id was used for another one."""
    return lambda world: to(*names, request_id=world.used)(world)


def accepting(**fields: object) -> Make:
    """Return the maker of a request that sets what the caller's bot accepts."""
    return fixed(pb.SetAcceptanceRequest(acceptance=pb.Acceptance(**fields)))


BAD_CHALLENGES: list[tuple[str, Make, str]] = [
    ("no bots", to(), "bot_ids"),
    ("one bot", to("asked"), "bot_ids"),
    ("a bot twice", to("asked", "asked"), "bot_ids"),
    ("no UUID", to("asked", "waiter", request_id="1"), "request_id"),
    ("too long a wait", to("asked", "waiter", wait_s=86_401), "wait_s"),
    ("a negative wait", to("asked", "waiter", wait_s=-1), "wait_s"),
    (
        "too little time",
        to("asked", "waiter", time_control=match_pb2.TimeControl(move_ms=99)),
        "time_control.move_ms",
    ),
]

BAD_ACCEPTANCES: list[tuple[str, Make, str]] = [
    ("nobody of that number", accepting(accept_from=9), "acceptance.accept_from"),
    ("an empty owner", accepting(owner_ids=[""]), "acceptance.owner_ids"),
    ("too many owners", accepting(owner_ids=["o"] * 101), "acceptance.owner_ids"),
    ("a table of five", accepting(table_sizes=[5]), "acceptance.table_sizes"),
    ("negative time", accepting(most_move_ms=-1), "acceptance.most_move_ms"),
    (
        "no time that it would accept",
        accepting(least_move_ms=2000, most_move_ms=1000),
        "acceptance.most_move_ms",
    ),
    ("too many at once", accepting(at_once=1001), "acceptance.at_once"),
]

CASES = [
    *(
        Case(CREATE, wrong, "asked", "MALFORMED", make, field)
        for wrong, make, field in BAD_CHALLENGES
    ),
    Case(CREATE, "no token", "nobody", "TOKEN_INVALID", to("asked", "waiter")),
    Case(CREATE, "none of one's own", "stranger", "NOT_ALLOWED", to("asked", "waiter")),
    Case(CREATE, "an unknown bot", "asked", "NOT_FOUND", to("asked", new_id())),
    Case(
        CREATE,
        "an unknown ruleset",
        "asked",
        "UNKNOWN_RULESET",
        to("asked", "waiter", ruleset="chess"),
        "ruleset",
    ),
    Case(
        CREATE,
        "a request_id that was used",
        "asked",
        "REQUEST_ID_REUSED",
        of_used("asked", "waiter"),
        "request_id",
    ),
    *unknown(GET, pb.GetChallengeRequest, "challenge_id"),
    *unknown(CANCEL, pb.CancelChallengeRequest, "challenge_id"),
    Case(
        CANCEL,
        "no token",
        "nobody",
        "TOKEN_INVALID",
        lambda world: pb.CancelChallengeRequest(challenge_id=world.pending),
    ),
    Case(
        CANCEL,
        "a challenge of others",
        "stranger",
        "NOT_ALLOWED",
        lambda world: pb.CancelChallengeRequest(challenge_id=world.pending),
    ),
    Case(
        CANCEL,
        "one that was declined",
        "asked",
        "WRONG_STATE",
        lambda world: pb.CancelChallengeRequest(challenge_id=world.declined),
    ),
    *bad_pages(LIST, pb.ListChallengesRequest, "asked"),
    *(
        case
        for rpc, request in OF_BOTS.items()
        for case in (
            Case(rpc, "no token", "nobody", "TOKEN_INVALID", fixed(request())),
            Case(rpc, "a token without a bot", "admin", "NOT_ALLOWED", fixed(request())),
            Case(rpc, "an unknown bot", "asked", "NOT_FOUND", fixed(request(bot_id=new_id()))),
            Case(rpc, "no id of a bot", "asked", "NOT_FOUND", fixed(request(bot_id="x"))),
        )
    ),
    *(
        Case(SET, wrong, "asked", "MALFORMED", make, field)
        for wrong, make, field in BAD_ACCEPTANCES
    ),
    Case(
        SET,
        "an unknown ruleset",
        "asked",
        "UNKNOWN_RULESET",
        accepting(rulesets=["chess"]),
        "acceptance.rulesets",
    ),
    Case(
        SET,
        "a bot of another owner",
        "stranger",
        "NOT_ALLOWED",
        lambda world: pb.SetAcceptanceRequest(bot_id=world.asked.bot_id),
    ),
]
