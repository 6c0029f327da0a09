"""The fields of a specification as a request has them, in which a ladder has no format of its own."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from shoal.server.errors import Refusal
from shoal.v1 import tournament_pb2

_OTHERS = {"request_id"}
"""The fields of the request that are none of its specification."""


@contextmanager
def of_ladder() -> Iterator[None]:
    """Let the refusals of a ladder's specification name the fields of the request."""
    with _renamed(lambda path: path.removeprefix("format.")):
        yield


@contextmanager
def of_tournament(message: tournament_pb2.TournamentSpecification) -> Iterator[None]:
    """Let the refusals of a tournament's specification name the fields of the request."""
    kind = message.format.WhichOneof("kind")

    def rename(path: str) -> str:
        head, dot, rest = path.partition(".")
        return f"format.{kind}.{rest}" if (head, dot) == ("format", ".") else path

    with _renamed(rename):
        yield


@contextmanager
def _renamed(rename: Callable[[str], str]) -> Iterator[None]:
    try:
        yield
    except Refusal as refusal:
        refusal.violations = tuple(
            (path if path in _OTHERS else f"specification.{rename(path)}", problem)
            for path, problem in refusal.violations
        )
        raise
