"""Messages with anything in them, made from their descriptors."""

from random import Random
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RequestInfo, RetryInfo
from google.rpc.status_pb2 import Status

DEEPEST = 6
_WHOLE = {
    FieldDescriptor.TYPE_INT32: 31,
    FieldDescriptor.TYPE_INT64: 63,
}
_TEXTS = ("", "x", "Ünï\n\u2028", "0" * 50)
_NUMBERS = (0.0, -0.0, 1.5, 1e300, float("inf"), float("-inf"), float("nan"))


def fill(message: Message, dice: Random, depth: int = 0) -> None:
    """Put something into each field of a message, or leave it out."""
    full_name = message.DESCRIPTOR.full_name
    if full_name == "google.protobuf.Duration":
        message.FromMilliseconds(dice.randrange(-(10**9), 10**9))
        return
    if full_name == "google.protobuf.Timestamp":
        message.FromMilliseconds(dice.randrange(4 * 10**12))
        return
    if isinstance(message, Status):
        message.code = dice.randrange(1, 17)
        message.details.add().Pack(_detail(dice))
        return
    for field in message.DESCRIPTOR.fields:
        if depth < DEEPEST and dice.random() < 0.7:
            _set(message, field, dice, depth)


def _set(message: Message, field: FieldDescriptor, dice: Random, depth: int) -> None:
    """Put something into one field."""
    inner = field.message_type
    value = getattr(message, field.name)
    if inner is not None and inner.GetOptions().map_entry:
        for key in ("a", "b c"):
            value[key] = _scalar(inner.fields_by_name["value"], dice)
    elif field.is_repeated:
        for _ in range(dice.randrange(3)):
            if inner is None:
                value.append(_scalar(field, dice))
            else:
                fill(value.add(), dice, depth + 1)
    elif inner is None:
        setattr(message, field.name, _scalar(field, dice))
    else:
        value.SetInParent()
        fill(value, dice, depth + 1)


def _scalar(field: FieldDescriptor, dice: Random) -> Any:
    """Return a value of a field that is no message."""
    if field.enum_type is not None:
        return dice.choice(field.enum_type.values).number
    bits = _WHOLE.get(field.type)
    if bits is not None:
        return dice.choice((0, 1, -1, 2**bits - 1, -(2**bits), dice.getrandbits(bits)))
    match field.type:
        case FieldDescriptor.TYPE_BOOL:
            return dice.random() < 0.5
        case FieldDescriptor.TYPE_STRING:
            return dice.choice(_TEXTS)
        case FieldDescriptor.TYPE_BYTES:
            return dice.randbytes(dice.randrange(40))
        case FieldDescriptor.TYPE_DOUBLE:
            return dice.choice(_NUMBERS)
        case _:
            raise AssertionError(f"{field.full_name} has a type that no field had before")


def _detail(dice: Random) -> Message:
    """Return one of the details that errors have."""
    retry = RetryInfo()
    retry.retry_delay.FromMilliseconds(1500)
    return dice.choice(
        (
            ErrorInfo(reason="MALFORMED", domain="shoal", metadata={"a": "b"}),
            BadRequest(
                field_violations=[BadRequest.FieldViolation(field="name", description="taken")]
            ),
            RequestInfo(request_id="abc"),
            retry,
        )
    )
