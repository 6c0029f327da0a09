"""What holds of every call of the contract, read from the descriptors."""

from collections.abc import Iterator

import pytest
from google.api import annotations_pb2
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor

from shoal.v1 import (
    bot_service_pb2,
    export_service_pb2,
    ladder_service_pb2,
    match_service_pb2,
    play_service_pb2,
    tournament_service_pb2,
)

MODULES = (
    bot_service_pb2,
    export_service_pb2,
    ladder_service_pb2,
    match_service_pb2,
    play_service_pb2,
    tournament_service_pb2,
)


def methods() -> Iterator[MethodDescriptor]:
    """Yield every method of every service."""
    for module in MODULES:
        for service in module.DESCRIPTOR.services_by_name.values():
            yield from service.methods


METHODS = pytest.mark.parametrize("method", list(methods()), ids=lambda each: each.full_name)


@METHODS
def test_what_is_got_fits_into_a_query(method: MethodDescriptor) -> None:
    """A GET has its request in the URL, which holds neither a map nor a list of messages."""
    rule = method.GetOptions().Extensions[annotations_pb2.http]
    if not rule.get:
        return
    messages, seen = [method.input_type], set()
    while messages:
        message = messages.pop()
        seen.add(message.full_name)
        for field in message.fields:
            if field.type != FieldDescriptor.TYPE_MESSAGE:
                continue
            assert not field.is_repeated, field.full_name
            if field.message_type.full_name not in seen:
                messages.append(field.message_type)


@METHODS
def test_every_call_has_plain_http_but_those_that_stream_both_ways(
    method: MethodDescriptor,
) -> None:
    """Each call has a path, and a body exactly when it is a POST; a stream of requests has none."""
    rule = method.GetOptions().Extensions[annotations_pb2.http]
    if method.client_streaming:
        assert not rule.get
        assert not rule.post
    else:
        assert bool(rule.get) != bool(rule.post)
        assert rule.body == ("*" if rule.post else "")


@METHODS
def test_no_call_stops_a_clock(method: MethodDescriptor) -> None:
    """A bot cannot pause a match, and nobody else either: there is no such call (T52)."""
    name = method.name.lower()
    assert not [word for word in ("pause", "hold", "suspend", "adjourn") if word in name]
