"""Refusals of a specification name its fields as the request has them, in the text as in the details."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from shoal.server.errors import Refusal
from shoal.server.specifying import BadSpecification, text_of
from shoal.v1 import tournament_pb2
from shoal.wire.paths import in_ladder_request, in_tournament_request

_OTHERS = {"request_id"}
"""The fields of the request that are none of its specification."""


@contextmanager
def of_ladder() -> Iterator[None]:
    """Let the refusals of a ladder's specification name the fields of the request."""
    with _renamed(in_ladder_request):
        yield


@contextmanager
def of_tournament(message: tournament_pb2.TournamentSpecification) -> Iterator[None]:
    """Let the refusals of a tournament's specification name the fields of the request."""
    kind = message.format.WhichOneof("kind") or ""
    with _renamed(lambda path: in_tournament_request(path, kind)):
        yield


@contextmanager
def _renamed(rename: Callable[[str], str]) -> Iterator[None]:
    try:
        yield
    except Refusal as refusal:
        before = refusal.violations
        paths = [path if path in _OTHERS else rename(path) for path, _ in before]
        refusal.violations = tuple(
            (path, _beginning(problem, old, path))
            for path, (old, problem) in zip(paths, before, strict=True)
        )
        if isinstance(refusal, BadSpecification):
            refusal.message = text_of(refusal.violations, refusal.count)
        elif before:
            refusal.message = _beginning(refusal.message, before[0][0], paths[0])
        raise


def _beginning(text: str, old: str, new: str) -> str:
    """Return a text with the new name of a field, if it begins with the old one."""
    return f"{new}: {text.removeprefix(f'{old}: ')}" if text.startswith(f"{old}: ") else text
