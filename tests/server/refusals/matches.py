"""Bad calls of MatchService."""

from shoal.server.store import new_id
from shoal.v1 import match_pb2
from shoal.v1 import match_service_pb2 as pb
from tests.server.refusals.table import Case, Make, bad_pages, fixed, unknown

CREATE = "MatchService.CreateMatch"
ABORT = "MatchService.AbortMatch"
VOID = "MatchService.VoidMatch"
RECORD = "MatchService.GetMatchRecord"


def seated(*names: str, **fields: object) -> Make:
    """Return the maker of a request for a match; a name is one of the world's bots, or an id."""
    return lambda world: pb.CreateMatchRequest(
        bot_ids=[bot.bot_id if (bot := getattr(world, each, None)) else each for each in names],
        **fields,
    )


def timed(**fields: int) -> Make:
    """Return the maker of a request with this time control."""
    return seated("asked", "waiter", time_control=match_pb2.TimeControl(**fields))


def of_used(*names: str) -> Make:
    """Return the maker of a request whose request_id was used for another one."""
    return lambda world: seated(*names, request_id=world.used)(world)


MALFORMED: list[tuple[str, Make, str]] = [
    ("no bots", seated(), "bot_ids"),
    ("one bot", seated("asked"), "bot_ids"),
    ("five bots", seated(*"abcde"), "bot_ids"),
    ("a bot twice", seated("asked", "asked"), "bot_ids"),
    ("too little time", timed(move_ms=99), "time_control.move_ms"),
    ("too much time", timed(move_ms=600_001), "time_control.move_ms"),
    ("negative time", timed(move_ms=-1), "time_control.move_ms"),
    ("too many strikes", timed(max_strikes=101), "time_control.max_strikes"),
    ("negative strikes", timed(max_strikes=-1), "time_control.max_strikes"),
    ("too large a bank", timed(bank_ms=3_600_001), "time_control.bank_ms"),
    ("a negative bank", timed(bank_ms=-1), "time_control.bank_ms"),
    ("too large an increment", timed(increment_ms=60_001), "time_control.increment_ms"),
    ("a negative increment", timed(increment_ms=-1), "time_control.increment_ms"),
    ("too much that is illegal", timed(max_illegal=101), "time_control.max_illegal"),
    ("a match too short", timed(match_ms=59_999), "time_control.match_ms"),
    ("a match too long", timed(match_ms=604_800_001), "time_control.match_ms"),
    ("no UUID", seated("asked", "waiter", request_id="1"), "request_id"),
]

CHESS = seated("asked", "waiter", ruleset="chess")

CASES = [
    *(Case(CREATE, wrong, "asked", "MALFORMED", make, field) for wrong, make, field in MALFORMED),
    Case(CREATE, "no token", "nobody", "TOKEN_INVALID", seated("asked", "waiter")),
    Case(CREATE, "a bot of another owner", "asked", "NOT_ALLOWED", seated("asked", "stranger")),
    Case(CREATE, "an unknown bot", "asked", "NOT_FOUND", seated("asked", new_id())),
    Case(CREATE, "no id of a bot", "asked", "NOT_FOUND", seated("asked", "x")),
    Case(CREATE, "an unknown ruleset", "asked", "UNKNOWN_RULESET", CHESS, "ruleset"),
    Case(
        CREATE,
        "a request_id that was used",
        "asked",
        "REQUEST_ID_REUSED",
        of_used("asked", "waiter"),
        "request_id",
    ),
    Case(
        ABORT,
        "no token",
        "nobody",
        "TOKEN_INVALID",
        lambda w: pb.AbortMatchRequest(match_id=w.live.match_id),
    ),
    Case(
        ABORT,
        "no organizer",
        "asked",
        "NOT_ALLOWED",
        lambda w: pb.AbortMatchRequest(match_id=w.live.match_id),
    ),
    Case(
        ABORT,
        "a match that is over",
        "admin",
        "MATCH_OVER",
        lambda w: pb.AbortMatchRequest(match_id=w.finished),
    ),
    Case(
        ABORT, "an unknown match", "admin", "NOT_FOUND", fixed(pb.AbortMatchRequest(match_id="x"))
    ),
    *(
        case
        for rpc, request in {ABORT: pb.AbortMatchRequest, VOID: pb.VoidMatchRequest}.items()
        for case in (
            Case(
                rpc,
                "too long a reason",
                "admin",
                "MALFORMED",
                lambda w, request=request: request(match_id=w.live.match_id, why="x" * 201),
                "why",
            ),
        )
    ),
    Case(
        VOID,
        "no token",
        "nobody",
        "TOKEN_INVALID",
        lambda w: pb.VoidMatchRequest(match_id=w.live.match_id),
    ),
    Case(
        VOID,
        "no organizer",
        "asked",
        "NOT_ALLOWED",
        lambda w: pb.VoidMatchRequest(match_id=w.live.match_id),
    ),
    Case(
        VOID,
        "a casual match that is over",
        "admin",
        "WRONG_STATE",
        lambda w: pb.VoidMatchRequest(match_id=w.finished),
    ),
    Case(VOID, "an unknown match", "admin", "NOT_FOUND", fixed(pb.VoidMatchRequest(match_id="x"))),
    *unknown("MatchService.GetMatch", pb.GetMatchRequest, "match_id"),
    *bad_pages("MatchService.ListMatches", pb.ListMatchesRequest),
    Case(
        "MatchService.ListMatches",
        "no id of a bot",
        "nobody",
        "NOT_FOUND",
        fixed(pb.ListMatchesRequest(bot_id="x")),
    ),
    Case(
        "MatchService.SpectateMatch",
        "a negative version",
        "nobody",
        "MALFORMED",
        lambda w: pb.SpectateMatchRequest(match_id=w.live.match_id, since_version=-1),
        "since_version",
    ),
    *unknown(RECORD, pb.GetMatchRecordRequest, "match_id"),
    Case(
        RECORD,
        "a match that waits",
        "admin",
        "MATCH_NOT_OVER",
        lambda w: pb.GetMatchRecordRequest(match_id=w.waiting),
    ),
    Case(
        RECORD,
        "a live match",
        "asked",
        "MATCH_NOT_OVER",
        lambda w: pb.GetMatchRecordRequest(match_id=w.live.match_id),
    ),
    *unknown("MatchService.SpectateMatch", pb.SpectateMatchRequest, "match_id"),
]
