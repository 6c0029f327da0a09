"""Decoding refusals."""

import grpc
import pytest
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from shoal.client import ShoalError, pb

KEY = "grpc-status-details-bin"


def refusal() -> Status:
    """Return a status with everything that the server may put into one."""
    status = Status(code=grpc.StatusCode.RESOURCE_EXHAUSTED.value[0], message="too\nmany")
    bad = BadRequest.FieldViolation(field="name", description="too\nlong")
    status.details.add().Pack(BadRequest(field_violations=[bad]))
    info = ErrorInfo(reason="RATE_LIMITED", domain="shoal", metadata={"limit": "5"})
    status.details.add().Pack(info)
    retry = RetryInfo()
    retry.retry_delay.FromMilliseconds(1500)
    status.details.add().Pack(retry)
    return status


def rpc_error(details: bytes) -> grpc.aio.AioRpcError:
    """Return the error that a call with this status raises."""
    return grpc.aio.AioRpcError(
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        grpc.aio.Metadata(),
        grpc.aio.Metadata((KEY, details)),
        details="too\nmany",
    )


@pytest.mark.parametrize(
    "error",
    [
        ShoalError.from_status(refusal()),
        ShoalError.from_rpc(rpc_error(refusal().SerializeToString())),
    ],
    ids=["in a stream", "of a call"],
)
def test_a_refusal_is_decoded_whole(error: ShoalError) -> None:
    """Code, reason, metadata, fields and the time to wait come over, wherever the status was (T2, T7)."""
    assert error.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert error.reason == "RATE_LIMITED"
    assert error.metadata == {"limit": "5"}
    assert error.violations == (("name", "too long"),)
    assert error.retry_after == 1.5
    assert error.transient
    assert str(error) == "RATE_LIMITED: too many"


@pytest.mark.parametrize("details", [b"", b"\xff\xff nonsense"])
def test_an_error_without_readable_details_is_an_error_still(details: bytes) -> None:
    """What a proxy says keeps its code; there is just no reason."""
    error = ShoalError.from_rpc(rpc_error(details))
    assert (error.code, error.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "")


def test_reasons_of_others_are_not_ours() -> None:
    """An ErrorInfo of another domain gives no reason to branch on."""
    status = Status(code=5)
    status.details.add().Pack(ErrorInfo(reason="NOT_FOUND", domain="googleapis.com"))
    assert ShoalError.from_status(status).reason == ""


def test_every_code_of_grpc_is_known() -> None:
    """The number in a status becomes the code that a call would have raised."""
    for code in grpc.StatusCode:
        assert ShoalError.from_status(Status(code=code.value[0])).code is code


def test_reasons_are_the_names_of_the_enum() -> None:
    """A reason can be compared with the enum of the protocol."""
    assert "ERROR_REASON_RATE_LIMITED" in pb.ErrorReason.keys()  # noqa: SIM118
