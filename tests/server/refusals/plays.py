"""Bad calls of PlayService."""

from google.protobuf.duration_pb2 import Duration

from shoal.v1 import play_service_pb2 as pb
from tests.server.refusals.table import Case, Fields, Make, bad_pages, fixed, without_seat

PLAY = "PlayService.Play"
MOVE = "PlayService.PlayMove"
READY = "PlayService.Ready"
RESIGN = "PlayService.Resign"
WATCH = "PlayService.Watch"
LIST = "PlayService.ListDecisions"


def hello(**fields: object) -> Make:
    """Return the maker of a first message with this hello."""
    return fixed(pb.PlayRequest(hello=pb.Hello(**fields)))


def watching(make: Make) -> Make:
    """Return the maker of the same hello for a Watch."""
    return lambda world: pb.WatchRequest(hello=make(world).hello)


def move(option_id: int, **more: str) -> Make:
    """Return the maker of an answer to the open decision, but for what is given."""
    return lambda world: pb.PlayMoveRequest(
        **{
            "match_id": world.live.match_id,
            "decision_id": world.live.decision.decision_id,
            "option_id": option_id,
            **more,
        }
    )


def default(world: object) -> pb.PlayMoveRequest:
    """Return the default answer to the open decision."""
    return move(world.live.decision.default_option_id)(world)


def another(world: object) -> pb.PlayMoveRequest:
    """Return another answer to the first decision than was given."""
    first = world.first
    return pb.PlayMoveRequest(
        match_id=first.match_id,
        decision_id=first.decision.decision_id,
        option_id=first.decision.default_option_id + 1,
    )


BAD_HELLOS: list[tuple[str, Make, str]] = [
    (
        "no hello",
        lambda w: pb.PlayRequest(resignations=[pb.ResignSignal(match_id=w.waiting)]),
        "hello",
    ),
    ("too many matches", hello(max_matches=1001), "hello.max_matches"),
    ("negative matches", hello(max_matches=-1), "hello.max_matches"),
    ("a table of five", hello(table_sizes=[2, 5]), "hello.table_sizes"),
    ("a long version", hello(bot_version="v" * 41), "hello.bot_version"),
    ("a negative version", hello(since={"x": -1}), "hello.since"),
    ("too many versions", hello(since={str(n): 1 for n in range(1001)}), "hello.since"),
]

BAD_MOVES: list[tuple[str, str, str, Make, str]] = [
    ("an illegal option", "asked", "ILLEGAL_OPTION", move(999_999), "option_id"),
    ("a negative option", "asked", "ILLEGAL_OPTION", move(-1), "option_id"),
    ("the decision of another seat", "waiter", "NO_OPEN_DECISION", default, ""),
    ("another option than before", "mover", "DECISION_ALREADY_MADE", another, ""),
    (
        "a decision that never was",
        "asked",
        "STALE_DECISION",
        move(0, decision_id="2." + "0" * 12),
        "",
    ),
    ("a decision to come", "asked", "STALE_DECISION", move(0, decision_id="9999." + "0" * 12), ""),
    ("no decision", "asked", "MALFORMED", move(0, decision_id=""), "decision_id"),
    ("no id of a decision", "asked", "MALFORMED", move(0, decision_id="2.zz"), "decision_id"),
]


def in_match(name: str) -> Make:
    """Return the maker of a move in another match of the world."""
    return lambda world: move(0, match_id=getattr(world, name))(world)


BAD_POLLS: list[tuple[str, str, Fields]] = [
    ("a negative wait", "wait", {"wait": Duration(seconds=-1)}),
    ("a hardly negative wait", "wait", {"wait": Duration(nanos=-1)}),
    ("a long wait", "wait", {"wait": Duration(seconds=30, nanos=1)}),
    ("an endless wait", "wait", {"wait": Duration(seconds=2**62)}),
    ("a wait of two signs", "wait", {"wait": Duration(seconds=1, nanos=-1)}),
    ("a wait of many nanoseconds", "wait", {"wait": Duration(nanos=2 * 10**9)}),
    ("too many matches", "max_matches", {"max_matches": 1001}),
    ("a table of five", "table_sizes", {"table_sizes": [5]}),
    ("a foreign resume token", "resume_token", {"resume_token": "b3RoZXI6eA"}),
    ("a resume token that is no text", "resume_token", {"resume_token": "!!"}),
    ("a resume token of half a match", "resume_token", {"resume_token": "AQAA"}),
    ("a resume token of no match", "resume_token", {"resume_token": "Af" + "_" * 24}),
]


CASES = [
    Case(PLAY, "no token", "nobody", "TOKEN_INVALID", hello()),
    Case(PLAY, "a token without a bot", "admin", "NOT_ALLOWED", hello()),
    Case(
        PLAY,
        "an unknown ruleset",
        "asked",
        "UNKNOWN_RULESET",
        hello(rulesets=["base", "go"]),
        "hello.rulesets",
    ),
    *(Case(PLAY, wrong, "asked", "MALFORMED", make, field) for wrong, make, field in BAD_HELLOS),
    *without_seat(MOVE, pb.PlayMoveRequest),
    *(Case(MOVE, *row) for row in BAD_MOVES),
    Case(MOVE, "a match that waits", "asked", "NO_OPEN_DECISION", in_match("waiting")),
    Case(MOVE, "a match that is over", "asked", "MATCH_OVER", in_match("finished")),
    *without_seat(READY, pb.ReadyRequest),
    Case(
        READY,
        "a long nonce",
        "asked",
        "MALFORMED",
        lambda w: pb.ReadyRequest(match_id=w.waiting, nonce=bytes(33)),
        "nonce",
    ),
    *without_seat(RESIGN, pb.ResignRequest),
    Case(
        RESIGN,
        "a match that is over",
        "waiter",
        "MATCH_OVER",
        lambda w: pb.ResignRequest(match_id=w.finished),
    ),
    Case(WATCH, "no token", "nobody", "TOKEN_INVALID", fixed(pb.WatchRequest())),
    Case(WATCH, "a token without a bot", "admin", "NOT_ALLOWED", fixed(pb.WatchRequest())),
    Case(
        WATCH,
        "an unknown ruleset",
        "asked",
        "UNKNOWN_RULESET",
        watching(hello(rulesets=["base", "go"])),
        "hello.rulesets",
    ),
    *(
        Case(WATCH, wrong, "asked", "MALFORMED", watching(make), field)
        for wrong, make, field in BAD_HELLOS[1:]
    ),
    Case(LIST, "no token", "nobody", "TOKEN_INVALID", fixed(pb.ListDecisionsRequest())),
    Case(LIST, "a token without a bot", "admin", "NOT_ALLOWED", fixed(pb.ListDecisionsRequest())),
    Case(
        LIST,
        "an unknown ruleset",
        "asked",
        "UNKNOWN_RULESET",
        fixed(pb.ListDecisionsRequest(rulesets=["go"])),
        "rulesets",
    ),
    *bad_pages(LIST, pb.ListDecisionsRequest, "asked"),
    *(
        Case(LIST, wrong, "asked", "MALFORMED", fixed(pb.ListDecisionsRequest(**fields)), field)
        for wrong, field, fields in BAD_POLLS
    ),
]
