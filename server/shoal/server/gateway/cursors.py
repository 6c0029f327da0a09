"""How a reader of events that was cut off goes on: by `Last-Event-ID`, which browsers send by themselves."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, final

from shoal.server.errors import malformed

# Messages of any method pass through here.
AnyMessage: TypeAlias = Any


@final
@dataclass(frozen=True, slots=True)
class Cursor:
    """What a message of a stream is called, and how a request asks for what came after that."""

    name_of: Callable[[AnyMessage], str]
    field: str


CURSORS: Mapping[str, Cursor | None] = {
    "shoal.v1.MatchService.SpectateMatch": Cursor(
        lambda response: str(response.version), "since_version"
    ),
    # Its request says in the body what the bot has seen of each match: a browser cannot repeat that for it.
    "shoal.v1.PlayService.Watch": None,
    # It is read to its end or not at all: without the last line it is not complete.
    "shoal.v1.ExportService.ExportCompetition": None,
}
"""For every method that streams; a test sees to it that none is missing."""

_VERSION = re.compile(r"[0-9]{1,18}")


def go_on_after(cursor: Cursor, last_id: str, request: AnyMessage) -> None:
    """Let a request ask for what came after an id that a stream gave out; raise Refusal for another one."""
    if not _VERSION.fullmatch(last_id):
        raise malformed("last-event-id", "not one that this stream gave out")
    setattr(request, cursor.field, int(last_id))
