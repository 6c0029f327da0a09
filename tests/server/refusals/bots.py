"""Bad calls of BotService."""

import uuid

from shoal.v1 import bot_service_pb2 as pb
from tests.server.refusals.table import Case, bad_pages, fixed, unknown

REGISTER = "BotService.RegisterBot"

BAD_NAMES = ("", "x" * 41, "-x", "a b", "a\n", "ö", "a/b", "a:b")

BASELINE = fixed(pb.RegisterBotRequest(name="x", baseline=True))


def named(name: str, request_id: str = "") -> pb.RegisterBotRequest:
    """Return the request for a bot of this name."""
    return pb.RegisterBotRequest(name=name, request_id=request_id)


def unknown_status() -> list[Case]:
    """Return calls about a bot that is not there, or by nobody."""
    rpc, request = "BotService.GetBotStatus", pb.GetBotStatusRequest
    ids = [case for case in unknown(rpc, request, "bot_id") if "empty" not in case.wrong]
    return [
        *ids,
        Case(rpc, "no token", "nobody", "TOKEN_INVALID", fixed(request())),
        Case(rpc, "a token without a bot", "admin", "NOT_ALLOWED", fixed(request())),
    ]


CASES = [
    *(
        Case(REGISTER, f"the name {name!r:.8}", "nobody", "MALFORMED", fixed(named(name)), "name")
        for name in BAD_NAMES
    ),
    Case(REGISTER, "no UUID", "nobody", "MALFORMED", fixed(named("x", "0")), "request_id"),
    Case(REGISTER, "a taken name", "stranger", "NAME_TAKEN", lambda w: named(w.asked.name), "name"),
    Case(REGISTER, "a baseline of anybody", "nobody", "NOT_ALLOWED", BASELINE),
    Case(REGISTER, "a baseline of an owner", "asked", "NOT_ALLOWED", BASELINE),
    Case(
        REGISTER,
        "a request_id that was used",
        "asked",
        "REQUEST_ID_REUSED",
        lambda w: named(f"n{uuid.uuid4().hex}", w.used),
        "request_id",
    ),
    *unknown("BotService.GetBot", pb.GetBotRequest, "bot_id"),
    *unknown_status(),
    *bad_pages("BotService.ListBots", pb.ListBotsRequest),
]
