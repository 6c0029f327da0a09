"""What `shoal tournament run --server` says when the server refuses it, or does not answer."""

import grpc
import pytest

from shoal.client import ShoalError
from shoal.server.cup.place import Place
from shoal.server.cup.run import said

PLACE = Place("here:7430", "token")


@pytest.mark.parametrize(
    ("code", "reason", "text", "words"),
    [
        (
            grpc.StatusCode.UNAVAILABLE,
            "",
            "Connection refused",
            "no server at here:7430: Connection refused: check --server, or start one with `shoal serve`",
        ),
        (
            grpc.StatusCode.PERMISSION_DENIED,
            "NOT_ALLOWED",
            "only an admin token",
            "only an admin token (NOT_ALLOWED): --token-file names the file with an admin token of here:7430",
        ),
        (
            grpc.StatusCode.UNAVAILABLE,
            "STORE_UNAVAILABLE",
            "the store is away",
            "the store is away (STORE_UNAVAILABLE)",
        ),
    ],
    ids=["nobody", "a bot's token", "no store"],
)
def test_a_refusal_names_the_server_and_what_to_do(
    code: grpc.StatusCode, reason: str, text: str, words: str
) -> None:
    """As all other commands do."""
    assert said(ShoalError(code, reason, {}, text), PLACE) == words
