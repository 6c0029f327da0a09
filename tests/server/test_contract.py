"""What holds of every call of the contract, read from the descriptors."""

import pytest
from google.api import annotations_pb2
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor

from tests.server.rpcs import METHODS as ALL

METHODS = pytest.mark.parametrize("method", ALL.values(), ids=ALL.keys())


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
    """Each call has a path, and a body exactly when it changes something; a stream of requests has none."""
    rule = method.GetOptions().Extensions[annotations_pb2.http]
    paths = [path for path in (rule.get, rule.post, rule.put) if path]
    if method.client_streaming:
        assert not paths
    else:
        assert len(paths) == 1
        assert rule.body == ("" if rule.get else "*")


@METHODS
def test_no_call_stops_a_clock(method: MethodDescriptor) -> None:
    """A bot cannot pause a match, and nobody else either: what can be paused is a competition (T52).

    Its matches in play go on, and it knows of none: such a call names no match.
    """
    name = method.name.lower()
    if any(word in name for word in ("pause", "hold", "suspend", "adjourn")):
        assert method.containing_service.name == "CompetitionService"
        assert "match_id" not in method.input_type.fields_by_name
