"""The HTTP statuses of refusals: of those with a reason, and of those that only HTTP knows."""

from http import HTTPStatus

import grpc

from shoal.server.errors import Reason
from shoal.server.status import CODES
from shoal.server.transcoding import Binding

_STATUSES = {
    grpc.StatusCode.INVALID_ARGUMENT: HTTPStatus.BAD_REQUEST,
    grpc.StatusCode.FAILED_PRECONDITION: HTTPStatus.BAD_REQUEST,
    grpc.StatusCode.ABORTED: HTTPStatus.CONFLICT,
    grpc.StatusCode.ALREADY_EXISTS: HTTPStatus.CONFLICT,
    grpc.StatusCode.PERMISSION_DENIED: HTTPStatus.FORBIDDEN,
    grpc.StatusCode.UNAUTHENTICATED: HTTPStatus.UNAUTHORIZED,
    grpc.StatusCode.RESOURCE_EXHAUSTED: HTTPStatus.TOO_MANY_REQUESTS,
    grpc.StatusCode.NOT_FOUND: HTTPStatus.NOT_FOUND,
    grpc.StatusCode.UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
    grpc.StatusCode.UNIMPLEMENTED: HTTPStatus.NOT_IMPLEMENTED,
    grpc.StatusCode.INTERNAL: HTTPStatus.INTERNAL_SERVER_ERROR,
}


def status_of(reason: Reason) -> int:
    """Return the HTTP status of a reason."""
    if reason is Reason.MESSAGE_TOO_LARGE:
        return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    return _STATUSES[CODES[reason]]


def http_only(binding: Binding) -> dict[int, str]:
    """Return what an operation may be refused with before it is called, by HTTP status."""
    said: dict[int, str] = {
        HTTPStatus.NOT_ACCEPTABLE: "`Accept` names nothing that this operation answers with.",
    }
    if binding.template.variables:
        said[HTTPStatus.NOT_FOUND] = "There is nothing at such a path."
    if binding.body:
        said[HTTPStatus.UNSUPPORTED_MEDIA_TYPE] = "The body is not `application/json`."
    return said
