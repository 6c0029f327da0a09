"""What a poll is answered with, page by page."""

from collections.abc import Sequence

from shoal.server.errors import malformed
from shoal.server.hub.table import Table
from shoal.server.services.updates import finished_bytes, match_bytes
from shoal.server.store import paging
from shoal.server.store.errors import BadPageToken
from shoal.server.streams.poll import Poll
from shoal.server.streams.resume import make_token
from shoal.v1 import play_service_pb2 as pb
from shoal.wire.parts import nested

LIST = "decisions"
"""What page tokens of this list begin with."""

_MATCH = nested(pb.ListDecisionsResponse, "matches")
_FINISHED = nested(pb.ListDecisionsResponse, "finished")


def after_of(page_token: str) -> str:
    """Return the id behind which a page begins, "" for the first."""
    try:
        return paging.read_token(LIST, page_token)
    except BadPageToken:
        raise malformed("page_token", "not one that this list gave out") from None


def decisions_response(poll: Poll, tables: Sequence[Table], last_id: str) -> bytes:
    """Return the ListDecisionsResponse with these tables, up to `last_id` when there are more.

    One that no longer has anything to say is left out.
    """
    session = poll.session
    parts = []
    for table in tables:
        if table.over:
            parts.append(_FINISHED(finished_bytes(session, table)))
        elif poll.tells(table):
            parts.append(_MATCH(match_bytes(session, table)))
    rest = pb.ListDecisionsResponse(
        next_page_token=paging.make_token(LIST, last_id) if last_id else "",
        resume_token=make_token(poll.told()),
    )
    return b"".join(parts) + rest.SerializeToString()
