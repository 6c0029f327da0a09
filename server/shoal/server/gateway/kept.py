"""What a client may keep: the answers that never change, or hardly ever, and what tells one from another."""

import hashlib
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, TypeAlias

from shoal.server.gateway.answers import Answer
from shoal.server.gateway.negotiation import Headers
from shoal.v1 import match_pb2

# The answer is a message of the method, which is data.
Final: TypeAlias = Callable[[Any], bool]

FINAL: Mapping[str, Final] = {
    "shoal.v1.MatchService.GetMatch": lambda response: (
        response.match.status == match_pb2.MATCH_STATUS_FINISHED
    ),
    "shoal.v1.MatchService.GetMatchRecord": lambda response: True,  # noqa: ARG005 - there is but one kind
}
"""Which answers of which methods are about what is over. Even these may change: an end that the store lost is
told anew, and so is a name that was hidden. So they may be kept, and asked about each time."""

ASK_EACH_TIME = (b"cache-control", b"private, no-cache")
NEVER = (b"cache-control", b"no-store")


def kept(answer: Answer, headers: Headers) -> Answer:
    """Return an answer with its tag, or that the client has it already."""
    tag = b'W/"%s"' % hashlib.sha256(answer.body).hexdigest()[:32].encode()
    more = ((b"etag", tag), ASK_EACH_TIME)
    if has_tag(headers, tag):
        return Answer(HTTPStatus.NOT_MODIFIED).with_headers(*more)
    return answer.with_headers(*more)


def has_tag(headers: Headers, tag: bytes) -> bool:
    """Return whether a client says that it has the answer with this tag."""
    said = headers.get(b"if-none-match", b"")
    return tag in (each.strip() for each in said.split(b",")) or said.strip() == b"*"
