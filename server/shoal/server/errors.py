"""Why something is refused, in our own words. `status.py` turns these into what the wire says.

Everything that a caller may cause is a Refusal with a Reason; anything else that escapes is a bug.
"""

from collections.abc import Sequence
from enum import Enum, unique


@unique
class Reason(Enum):
    """The reasons of `shoal.v1.ErrorReason`, by the same names (docs/errors.md)."""

    ILLEGAL_OPTION = "ILLEGAL_OPTION"
    MALFORMED = "MALFORMED"
    REQUEST_ID_REUSED = "REQUEST_ID_REUSED"
    UNKNOWN_RULESET = "UNKNOWN_RULESET"
    NO_OPEN_DECISION = "NO_OPEN_DECISION"
    TIME_EXPIRED = "TIME_EXPIRED"
    MATCH_OVER = "MATCH_OVER"
    MATCH_NOT_OVER = "MATCH_NOT_OVER"
    SEAT_LEFT = "SEAT_LEFT"
    DECISION_ALREADY_MADE = "DECISION_ALREADY_MADE"
    STALE_DECISION = "STALE_DECISION"
    SEAT_NOT_YOURS = "SEAT_NOT_YOURS"
    NOT_ALLOWED = "NOT_ALLOWED"
    TOKEN_INVALID = "TOKEN_INVALID"  # noqa: S105 - the name of a reason
    TOKEN_REVOKED = "TOKEN_REVOKED"  # noqa: S105 - the name of a reason
    RATE_LIMITED = "RATE_LIMITED"
    CONCURRENCY_LIMIT = "CONCURRENCY_LIMIT"
    MESSAGE_TOO_LARGE = "MESSAGE_TOO_LARGE"
    NOT_FOUND = "NOT_FOUND"
    NAME_TAKEN = "NAME_TAKEN"
    DRAINING = "DRAINING"
    STORE_UNAVAILABLE = "STORE_UNAVAILABLE"
    NOT_IMPLEMENTED = "NOT_IMPLEMENTED"
    INTERNAL = "INTERNAL"
    ENTRY_REFUSED = "ENTRY_REFUSED"
    WRONG_STATE = "WRONG_STATE"
    MATCH_ARCHIVED = "MATCH_ARCHIVED"


class Refusal(Exception):
    """What was asked is refused, and nothing was changed.

    `message` is for people, `metadata` for programs, `field` names the offending field of a
    malformed request, `violations` several of them, each with what is wrong; `retry_after` is in
    seconds where coming back later makes sense.
    """

    def __init__(
        self,
        reason: Reason,
        message: str,
        *,
        field: str = "",
        violations: Sequence[tuple[str, str]] = (),
        retry_after: float | None = None,
        **metadata: object,
    ) -> None:
        """Remember everything that the answer will say."""
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.violations = tuple(violations) or (((field, message),) if field else ())
        self.retry_after = retry_after
        self.metadata = {key: str(value) for key, value in metadata.items()}


LONGEST_ECHO = 80
"""How much of what a caller sent is repeated to it: errors travel in headers, which are small."""


def malformed(field: str, problem: str) -> Refusal:
    """Return the refusal of a request whose `field` has a bad value."""
    return Refusal(Reason.MALFORMED, f"{field}: {problem}", field=field)


def not_found(what: str, identity: str) -> Refusal:
    """Return the refusal of a request for something that is not there."""
    return Refusal(Reason.NOT_FOUND, f"there is no {what} {identity[:LONGEST_ECHO]!r}")
