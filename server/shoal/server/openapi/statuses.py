"""The HTTP statuses of an operation: of refusals with a reason, and of those that HTTP itself has."""

from http import HTTPStatus

from shoal.server.errors import Reason
from shoal.server.gateway.answers import CODES as HTTP_CODES
from shoal.server.gateway.answers import OF_REASONS
from shoal.server.gateway.cursors import CURSORS
from shoal.server.gateway.kept import FINAL
from shoal.server.status import CODES
from shoal.server.transcoding import Binding


def status_of(reason: Reason) -> int:
    """Return the HTTP status of a reason."""
    code: int = CODES[reason].value[0]
    return OF_REASONS.get(reason.value, HTTP_CODES[code])


def may_be_kept(binding: Binding) -> bool:
    """Whether a client may keep an answer, and ask whether it still holds."""
    return binding.rpc in FINAL


def may_go_on(binding: Binding) -> bool:
    """Whether a reader of events may go on where it was cut off."""
    return CURSORS.get(binding.rpc) is not None


def without_content(binding: Binding) -> dict[int, str]:
    """Return what an operation may answer with nothing, by HTTP status."""
    if binding.streams:
        return {
            HTTPStatus.NO_CONTENT: "The events have ended: `Last-Event-ID` is that of the last one."
        }
    if may_be_kept(binding):
        return {HTTPStatus.NOT_MODIFIED: "It is as it was: `If-None-Match` has its tag."}
    return {}


def before_the_call(binding: Binding) -> dict[int, str]:
    """Return what an operation may be refused with before it is called, by HTTP status."""
    said: dict[int, str] = {
        HTTPStatus.NOT_FOUND: "There is nothing at such a path.",
        HTTPStatus.NOT_ACCEPTABLE: "`Accept` names nothing that this operation answers with.",
        HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: "The head of the request is too large.",
    }
    if not binding.template.variables:
        del said[HTTPStatus.NOT_FOUND]
    if binding.body:
        said[HTTPStatus.REQUEST_TIMEOUT] = "The body did not come in time."
        said[HTTPStatus.UNSUPPORTED_MEDIA_TYPE] = "The body is not `application/json` in UTF-8."
    return said
