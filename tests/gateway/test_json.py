"""JSON is what protobuf's own code makes of messages, and is read as by that, for every message there is."""

from typing import Any

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from shoal.server.errors import Refusal
from shoal.server.transcoding.json_reading import JsonReader, parse_json
from shoal.server.transcoding.json_writing import JsonWriter
from shoal.v1 import competition_service_pb2, export_service_pb2, play_service_pb2
from tests.server.rpcs import METHODS

REQUESTS = {each.input_type.full_name: each.input_type for each in METHODS.values()}
RESPONSES = {each.output_type.full_name: each.output_type for each in METHODS.values()}
ALL = {**REQUESTS, **RESPONSES}

SAMPLES: dict[int, Any] = {
    FieldDescriptor.TYPE_BOOL: True,
    FieldDescriptor.TYPE_STRING: 'ü "x"\n',
    FieldDescriptor.TYPE_BYTES: b"\xff\x00~",
    FieldDescriptor.TYPE_DOUBLE: 0.1,
    FieldDescriptor.TYPE_INT64: 2**60 + 1,
    FieldDescriptor.TYPE_INT32: -7,
    FieldDescriptor.TYPE_ENUM: 1,
}


def filled(descriptor: Descriptor, choice: int = 0) -> Any:
    """Return a message in which every field has a value; of a oneof the one of this number, or the first."""
    message = GetMessageClass(descriptor)()
    for field in descriptor.fields:
        group = field.containing_oneof
        if group is not None and field is not group.fields[choice % len(group.fields)]:
            continue
        fill(message, field, choice)
    return message


def fill(message: Any, field: FieldDescriptor, choice: int) -> None:
    """Set a field."""
    inner = field.message_type
    if inner is not None and inner.GetOptions().map_entry:
        value = inner.fields_by_name["value"]
        getattr(message, field.name)["k"] = SAMPLES[value.type]
    elif inner is not None and inner.full_name.startswith("google."):
        target = getattr(message, field.name)
        if inner.name in {"Duration", "Timestamp"}:
            target.FromJsonString("1.5s" if inner.name == "Duration" else "2026-03-01T12:00:00Z")
        else:
            target.code = 3
    elif inner is not None:
        made = filled(inner, choice)
        target = getattr(message, field.name)
        (target.add() if field.is_repeated else target).CopyFrom(made)
    elif field.is_repeated:
        getattr(message, field.name).extend([SAMPLES[field.type]] * 2)
    else:
        setattr(message, field.name, SAMPLES[field.type])


@pytest.mark.parametrize("choice", range(4))
@pytest.mark.parametrize("name", ALL)
def test_a_message_is_written_as_protobuf_writes_it(name: str, choice: int) -> None:
    for message in (filled(ALL[name], choice), GetMessageClass(ALL[name])()):
        written = MessageToDict(message, always_print_fields_with_no_presence=True)
        assert JsonWriter().write(message) == written


@pytest.mark.parametrize("names", ["as in the protos", "as in JSON"])
@pytest.mark.parametrize("choice", range(4))
@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_is_read_as_it_was_written(name: str, choice: int, names: str) -> None:
    message = filled(REQUESTS[name], choice)
    said = MessageToDict(message, preserving_proto_field_name=names == "as in the protos")
    assert read(said, type(message)) == message


def read(said: dict[str, Any], kind: type[Message]) -> Message:
    message = kind()
    JsonReader().read(said, message)
    return message


@pytest.mark.parametrize(
    ("value", "number"),
    [(5, 5), (5.0, 5), ("5", 5), (5e3, 5000), ("5e3", 5000), ("-1", -1), (2**63 - 1, 2**63 - 1)],
)
def test_whole_numbers_have_many_forms(value: object, number: int) -> None:
    made = read({"fromMs": value}, competition_service_pb2.ExcludePeriodRequest)
    assert made == competition_service_pb2.ExcludePeriodRequest(from_ms=number)


@pytest.mark.parametrize(
    "value", [True, 1.5, "", "1.5", "x", 2**63, "9" * 5000, [], {}, "0x1", " 1"]
)
def test_what_is_no_whole_number_is_refused(value: object) -> None:
    with pytest.raises(Refusal) as refused:
        read({"fromMs": value}, competition_service_pb2.ExcludePeriodRequest)
    assert [field for field, _ in refused.value.violations] == ["from_ms"]


@pytest.mark.parametrize("text", ["/wA=", "/wA", "_wA"])
def test_bytes_are_base64_of_either_alphabet(text: str) -> None:
    made = read({"nonce": text}, play_service_pb2.ReadyRequest)
    assert made == play_service_pb2.ReadyRequest(nonce=b"\xff\x00")


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"hello": {"since": {"m": "x"}}}, "hello.since[m]"),
        ({"hello": {"tableSizes": [2, "x"]}}, "hello.table_sizes[1]"),
        ({"hello": {"tableSizes": [None]}}, "hello.table_sizes[0]"),
        ({"hello": {"tableSizes": 2}}, "hello.table_sizes"),
        ({"hello": {"no": 2}}, "hello.no"),
        ({"hello": 2}, "hello"),
    ],
)
def test_an_error_names_the_field_inside(said: dict[str, Any], field: str) -> None:
    with pytest.raises(Refusal) as refused:
        read(said, play_service_pb2.WatchRequest)
    assert [name for name, _ in refused.value.violations] == [field]


def test_null_is_nothing() -> None:
    assert read({"since": None}, export_service_pb2.ExportCompetitionRequest).ByteSize() == 0


def test_an_empty_body_is_an_empty_object() -> None:
    assert parse_json(b"") == parse_json(b" {} ") == {}
