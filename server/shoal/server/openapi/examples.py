"""What was really asked and answered: an example for each operation, recorded from real matches."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, final

from shoal.server.openapi.scalars import Schema


@final
@dataclass(frozen=True, slots=True)
class Streamed:
    """The beginning of a stream as both forms write it."""

    events: str
    lines: str


@final
@dataclass(frozen=True, slots=True)
class Example:
    """One call: what the path, the query and the body gave, and what came back."""

    path: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Schema | None = None
    answer: Schema | None = None
    streamed: Streamed | None = None


def read_examples() -> dict[str, Example]:
    """Return the examples that the package holds, by the names of the operations."""
    text = files(__package__).joinpath("examples.json").read_text(encoding="utf-8")
    return {name: _example(**each) for name, each in json.loads(text).items()}


def _example(streamed: Mapping[str, str] | None = None, **said: Any) -> Example:  # noqa: ANN401 - JSON
    """Return an example as the file writes it."""
    return Example(**said, streamed=None if streamed is None else Streamed(**streamed))
