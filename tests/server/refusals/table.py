"""What a row of the table is, what the rows are about, and the codes that they expect."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import grpc
from google.protobuf.message import Message

from shoal.server.store import new_id
from shoal.v1 import play_service_pb2 as plays
from tests.server.support import Bot, Metadata, Server

CODES = {
    "ILLEGAL_OPTION": grpc.StatusCode.INVALID_ARGUMENT,
    "MALFORMED": grpc.StatusCode.INVALID_ARGUMENT,
    "REQUEST_ID_REUSED": grpc.StatusCode.INVALID_ARGUMENT,
    "UNKNOWN_RULESET": grpc.StatusCode.INVALID_ARGUMENT,
    "NO_OPEN_DECISION": grpc.StatusCode.FAILED_PRECONDITION,
    "MATCH_OVER": grpc.StatusCode.FAILED_PRECONDITION,
    "MATCH_NOT_OVER": grpc.StatusCode.FAILED_PRECONDITION,
    "ENTRY_REFUSED": grpc.StatusCode.FAILED_PRECONDITION,
    "WRONG_STATE": grpc.StatusCode.FAILED_PRECONDITION,
    "DECISION_ALREADY_MADE": grpc.StatusCode.ABORTED,
    "STALE_DECISION": grpc.StatusCode.ABORTED,
    "SEAT_NOT_YOURS": grpc.StatusCode.PERMISSION_DENIED,
    "NOT_ALLOWED": grpc.StatusCode.PERMISSION_DENIED,
    "TOKEN_INVALID": grpc.StatusCode.UNAUTHENTICATED,
    "NOT_FOUND": grpc.StatusCode.NOT_FOUND,
    "NAME_TAKEN": grpc.StatusCode.ALREADY_EXISTS,
    "NOT_IMPLEMENTED": grpc.StatusCode.UNIMPLEMENTED,
}
"""The codes as the conventions of the API have them, written down a second time on purpose."""

METADATA = {
    "ILLEGAL_OPTION": {"decision_id", "remaining_ms"},
    "UNKNOWN_RULESET": {"known"},
    "MATCH_OVER": {"termination", "placements"},
    "DECISION_ALREADY_MADE": {"option_id"},
    "STALE_DECISION": {"decision_id"},
    "ENTRY_REFUSED": {"bot_id", "number"},
    "WRONG_STATE": {"state"},
}
"""The metadata that a reason must come with."""


@dataclass(frozen=True)
class World:
    """What the bad calls are about: bots, and matches in every phase.

    `cup` is an open tournament without entrants, for those who are invited, and `over` one that is over.
    `asked` and `waiter` are the seats of the `live` match, `mover` is the one of them who answered its
    `first` decision. `used` is the request_id of a match and of a bot that were created. `pending` is a
    challenge that waits, and `declined` one that does not.
    """

    server: Server
    asked: Bot
    waiter: Bot
    mover: Bot
    stranger: Bot
    live: plays.MatchUpdate
    first: plays.MatchUpdate
    waiting: str
    finished: str
    used: str
    admin: Metadata
    cup: str
    over: str
    pending: str
    declined: str

    def metadata(self, caller: str) -> Metadata:
        """Return what a caller of the table sends along."""
        if caller == "nobody":
            return ()
        return self.admin if caller == "admin" else getattr(self, caller).metadata


Make: TypeAlias = Callable[[World], Message]
Request: TypeAlias = Callable[..., Message]
Fields: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """A row: what is wrong, who calls with what, why it is refused, and for which field."""

    rpc: str
    wrong: str
    caller: str
    reason: str
    make: Make
    field: str = ""

    def __str__(self) -> str:
        return f"{self.rpc}: {self.wrong}"


def fixed(request: Message) -> Make:
    """Return the maker of a request that is the same in every world."""
    return lambda _: request


def bad_pages(rpc: str, request: Request, caller: str = "nobody", **more: object) -> list[Case]:
    """Return what may be wrong with the paging of a list."""
    bad: Iterable[tuple[str, Fields]] = [
        ("a negative page", {"page_size": -1}),
        ("a token of nobody", {"page_token": "!!"}),
        ("a token of another list", {"page_token": "b3RoZXI6eA"}),
        ("a token that is no text", {"page_token": "gICA"}),
        ("an endless token", {"page_token": "MTEx" * 2000}),
    ]
    return [
        Case(rpc, wrong, caller, "MALFORMED", fixed(request(**fields, **more)), next(iter(fields)))
        for wrong, fields in bad
    ]


def unknown(rpc: str, request: Request, name: str) -> list[Case]:
    """Return calls about something that is not there."""
    ids = {"of good form": new_id(), "of bad form": "../../x", "empty": "", "foreign": "ü"}
    return [
        Case(rpc, f"an id {form}", "asked", "NOT_FOUND", fixed(request(**{name: identity})))
        for form, identity in ids.items()
    ]


def without_seat(rpc: str, request: Request) -> list[Case]:
    """Return calls about a match by who has no seat there."""

    def live(world: World) -> Message:
        return request(match_id=world.live.match_id)

    return [
        Case(rpc, "no token", "nobody", "TOKEN_INVALID", live),
        Case(rpc, "a token without a bot", "admin", "NOT_ALLOWED", live),
        Case(rpc, "a match of others", "stranger", "SEAT_NOT_YOURS", live),
        Case(rpc, "a new id", "asked", "SEAT_NOT_YOURS", fixed(request(match_id=new_id()))),
        Case(rpc, "no id", "asked", "SEAT_NOT_YOURS", fixed(request(match_id="../x"))),
    ]
