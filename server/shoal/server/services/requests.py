"""Requests decoded and checked: from messages to our own values, or the refusal that names the field."""

import hashlib
import re
from collections.abc import Iterable
from uuid import UUID

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message

from shoal.competition.specification import Specification
from shoal.engine import RULESETS
from shoal.match import TimeControl
from shoal.server.errors import LONGEST_ECHO, Reason, Refusal, malformed
from shoal.server.organizing import Time
from shoal.server.streams.offer import Offer
from shoal.v1 import competition_service_pb2, match_pb2, tournament_pb2
from shoal.v1 import play_service_pb2 as pb
from shoal.wire.tournaments import NoFormat
from shoal.wire.tournaments import specification_of as read_specification

DEFAULT_PAGE, MAX_PAGE = 50, 500
MAX_MATCHES = 1000
MAX_BOT_VERSION = 40
MAX_CLIENT = 80
TABLE_SIZES = (2, 3, 4)
MAX_WAIT_SECONDS = 30
MAX_WHY = 200

DEFAULT_RULESET = "base"
MINE = "-"
"""What a bot plays that names no ruleset. No later one: it could not read the options."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")


def page_size_of(page_size: int) -> int:
    """Return how many items a page has: 0 is the default, too many are coerced (AIP-158)."""
    if page_size < 0:
        raise malformed("page_size", f"not negative, {page_size} is")
    return min(page_size or DEFAULT_PAGE, MAX_PAGE)


def version_of(since_version: int) -> int:
    """Return a version that a reader has seen; 0 is none."""
    if since_version < 0:
        raise malformed("since_version", f"not negative, {since_version} is")
    return since_version


def request_id_of(request_id: str) -> str:
    """Return the UUID of a request in its standard form, or "" when it has none."""
    if not request_id:
        return ""
    try:
        return str(UUID(request_id))
    except ValueError:
        raise malformed("request_id", "not a UUID") from None


def time_of(control: match_pb2.TimeControl) -> TimeControl:
    """Return a time control, in which 0 means the default: always for how long seats are waited for."""
    return TimeControl(
        move_ms=control.move_ms,
        max_strikes=control.max_strikes,
        ready_ms=0,
        bank_ms=control.bank_ms,
        increment_ms=control.increment_ms,
        max_illegal=control.max_illegal,
        match_ms=control.match_ms,
    )


def client_of(metadata: Iterable[tuple[str, str | bytes]] | None) -> str:
    """Return what a client says that it is (`shoal-client`), cut to a length that suits a log line."""
    said = (value for key, value in metadata or () if key == "shoal-client")
    return str(next(said, ""))[:MAX_CLIENT]


def body_hash(request: Message) -> str:
    """Return the hash by which a repeated request is told from another one of the same id."""
    body = type(request)()
    body.CopyFrom(request)
    body.ClearField("request_id")
    return hashlib.sha256(body.SerializeToString(deterministic=True)).hexdigest()


def bot_name_of(name: str) -> str:
    """Return a bot's name; raise the refusal of one that may not be."""
    if not _NAME.fullmatch(name):
        raise malformed(
            "name",
            'needs 1 to 40 of letters, digits, "-", "_" and ".", beginning with a letter or digit',
        )
    return name


def specification_of(message: tournament_pb2.TournamentSpecification) -> Specification:
    """Return the specification that a message asks for; raise the refusal of one without a format."""
    try:
        return read_specification(message)
    except NoFormat:
        raise malformed("format", "must be given") from None


def why_of(why: str) -> str:
    """Return a reason for people; raise the refusal of one that is too long."""
    if len(why) > MAX_WHY or not why.isprintable():
        raise malformed("why", f"at most {MAX_WHY} printable characters")
    return why


def times_of(request: competition_service_pb2.ExcludeBotRequest) -> Time | None:
    """Return from when, and until when if that is said, results of a bot do not count; None: all do."""
    if not request.HasField("uncounted_from_ms"):
        if request.HasField("uncounted_until_ms"):
            raise malformed("uncounted_from_ms", "must be given with uncounted_until_ms")
        return None
    if not request.HasField("uncounted_until_ms"):
        return request.uncounted_from_ms, None
    return request.uncounted_from_ms, request.uncounted_until_ms


def bot_of(bot_id: str) -> str:
    """Return which bot is asked of, "" for that of the token: a path, which has no empty part, says `-`."""
    return "" if bot_id == MINE else bot_id


def wait_of(wait: Duration) -> float:
    """Return for how many seconds a poll may wait."""
    seconds = wait.seconds + wait.nanos / 1e9
    if not (0 <= wait.nanos < 10**9 and 0 <= seconds <= MAX_WAIT_SECONDS):
        raise malformed("wait", f"0 to {MAX_WAIT_SECONDS} s, not {seconds:.3f} s")
    return seconds


def poller_of(request: pb.ListDecisionsRequest) -> Offer:
    """Return what a bot says of itself when it polls."""
    said = pb.Hello(
        max_matches=request.max_matches,
        rulesets=request.rulesets,
        table_sizes=request.table_sizes,
    )
    return offer_of(said, "")


def offer_of(hello: pb.Hello, at: str = "hello.") -> Offer:
    """Return what a bot says of itself, with what it left out: the base ruleset, and tables of any size.

    `at` is how the names of the fields begin in the request.
    """
    if not 0 <= hello.max_matches <= MAX_MATCHES:
        raise malformed(f"{at}max_matches", f"1 to {MAX_MATCHES}, not {hello.max_matches}")
    unknown = set(hello.rulesets) - set(RULESETS)
    if unknown:
        raise Refusal(
            Reason.UNKNOWN_RULESET,
            f"no ruleset is called {min(unknown)[:LONGEST_ECHO]!r}",
            field=f"{at}rulesets",
            known=",".join(RULESETS),
        )
    if not set(hello.table_sizes) <= set(TABLE_SIZES):
        raise malformed(f"{at}table_sizes", "table sizes are 2, 3 and 4")
    if len(hello.bot_version) > MAX_BOT_VERSION or not hello.bot_version.isprintable():
        raise malformed(f"{at}bot_version", f"at most {MAX_BOT_VERSION} printable characters")
    if len(hello.since) > MAX_MATCHES or any(version < 0 for version in hello.since.values()):
        raise malformed(f"{at}since", f"at most {MAX_MATCHES} matches, no negative version")
    return Offer(
        max_matches=hello.max_matches or 1,
        rulesets=tuple(sorted(set(hello.rulesets))) or (DEFAULT_RULESET,),
        seats=tuple(sorted(set(hello.table_sizes))) or TABLE_SIZES,
        since=dict(hello.since),
        follow=hello.follow,
        version=hello.bot_version,
    )
