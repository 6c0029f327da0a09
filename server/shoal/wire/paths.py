"""What a field of a specification is called: by its path in a file, and in a request.

In a file the fields of the format are all in one table. In the request of a tournament each format is a
message of its own, and in that of a ladder its fields are beside the others.
"""

from collections.abc import Iterable
from dataclasses import fields
from typing import Final

from shoal.competition.specification import Specification
from shoal.v1 import tournament_pb2 as pb

_REQUEST: Final = "specification."
_FORMAT: Final = "format."

_KINDS: Final = tuple(
    f"{_FORMAT}{each.name}."
    for each in pb.TournamentFormat.DESCRIPTOR.oneofs_by_name["kind"].fields
)
"""How the paths of a format's own fields begin in the request of a tournament."""

_BESIDE: Final = frozenset(each.name for each in fields(Specification))
"""The fields that are the same in both, and `format` itself."""


def in_ladder_request(path: str) -> str:
    """Return the path in the request of a ladder of a field in a file."""
    return _REQUEST + path.removeprefix(_FORMAT)


def in_tournament_request(path: str, kind: str) -> str:
    """Return the path in the request of a tournament of a field in a file; `kind` is its format's name."""
    if path.startswith(_FORMAT):
        return f"{_REQUEST}{_FORMAT}{kind}.{path.removeprefix(_FORMAT)}"
    return _REQUEST + path


def written(violations: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return what is wrong with the fields of a specification alone, each by its path in a file."""
    return [
        (_in_file(path.removeprefix(_REQUEST)), problem.removeprefix(f"{path}: "))
        for path, problem in violations
        if path.startswith(_REQUEST)
    ]


def _in_file(path: str) -> str:
    for kind in _KINDS:
        if path.startswith(kind):
            return _FORMAT + path.removeprefix(kind)
    beside = path.partition(".")[0].partition("[")[0] in _BESIDE
    return path if beside else _FORMAT + path
