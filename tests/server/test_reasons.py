"""The reasons of refusals are the same in the server, in the proto and in the documents."""

import re
from pathlib import Path

import grpc
import pytest
from structlog.typing import EventDict

from shoal.server.errors import Reason, Refusal
from shoal.server.status import CODES, status_of
from shoal.server.store.errors import MatchCondemned, StoreUnavailable
from shoal.v1 import errors_pb2
from tests.server import refusals
from tests.server.rpcs import read_status

DOCUMENT = Path(__file__).parents[2] / "docs" / "errors.md"


def test_the_reasons_are_those_of_the_proto() -> None:
    """Every reason of the enum on the wire is one of ours, and the other way round."""
    values = [
        each.name.removeprefix("ERROR_REASON_") for each in errors_pb2.ErrorReason.DESCRIPTOR.values
    ]
    assert [reason.value for reason in Reason] == values[1:]
    assert [reason.name for reason in Reason] == values[1:]


def test_every_reason_has_a_code() -> None:
    """No reason is missing in the table of codes, which agrees with that of these tests."""
    assert set(CODES) == set(Reason)
    assert {name: CODES[Reason(name)] for name in refusals.CODES} == refusals.CODES


def test_the_document_has_the_same_codes() -> None:
    """The table of docs/errors.md says of every reason the code that is sent."""
    rows = re.findall(r"^\| ([A-Z_]+) \| ([A-Z_]+) \|", DOCUMENT.read_text(), re.MULTILINE)
    assert dict(rows) == {reason.value: code.name for reason, code in CODES.items()}


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_becomes_a_status_with_one_error_info(reason: Reason) -> None:
    """Code, reason and metadata arrive as they were raised."""
    refused = read_status(status_of(Refusal(reason, "why", field="here", request="r1", limit=7)))
    assert (refused.code, refused.reason) == (CODES[reason], reason.value)
    assert refused.metadata == {"request": "r1", "limit": "7"}
    assert refused.fields == ("here",)


def test_a_store_that_is_away_says_when_to_come_back() -> None:
    """STORE_UNAVAILABLE carries a RetryInfo (T7)."""
    refused = read_status(status_of(StoreUnavailable("away")))
    assert (refused.reason, refused.code) == ("STORE_UNAVAILABLE", grpc.StatusCode.UNAVAILABLE)
    assert refused.retry_seconds
    assert refused.retry_seconds > 0


def test_a_bug_names_its_log_line_and_hides_the_rest(logs: list[EventDict]) -> None:
    """INTERNAL tells an id that is in the log with the error, and nothing of what went wrong."""
    bug = ZeroDivisionError("secret seed")
    status = status_of(bug)
    refused = read_status(status)
    assert (refused.reason, refused.code) == ("INTERNAL", grpc.StatusCode.INTERNAL)
    assert "secret" not in str(status)
    logged = logs.pop()
    assert logged["exc_info"] is bug
    assert logged["request"] == refused.request_id == refused.metadata["request"]


@pytest.mark.parametrize(
    ("reason", "says"),
    [
        ("lost_moves", "the store has lost moves"),
        ("fault", "an error of ours"),
        ("ceiling", "as long as it may"),
        ("of another version", "cannot be counted"),
    ],
)
def test_a_match_that_is_about_to_be_void_says_why(reason: str, says: str) -> None:
    """Nobody is told that moves were lost where it is something else; to ask again is right in each case."""
    refused = status_of(MatchCondemned(reason))
    assert says in refused.message
    assert read_status(refused).retry_seconds
