"""The schemas say what proto3 JSON is: of any message, as it is written and as it may be read."""

from random import Random
from typing import Any

import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from tests.openapi.documents import operations, validator
from tests.openapi.filling import fill
from tests.server.rpcs import METHODS

SEEDS = range(5)
BY_NAME: dict[str, MethodDescriptor] = {each.name: each for each in METHODS.values()}
OPERATIONS = pytest.mark.parametrize(
    "operation", [each for *_, each in operations()], ids=lambda each: each["operationId"]
)
WITH_BODY = pytest.mark.parametrize(
    "operation",
    [each for *_, each in operations() if "requestBody" in each],
    ids=lambda each: each["operationId"],
)


def some(message: type[Message], seed: int) -> Message:
    """Return a message with anything in it."""
    made = message()
    fill(made, Random(seed))
    return made


def answer_schema(operation: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of one message of an answer."""
    content = operation["responses"]["200"]["content"]
    schemas = [each["schema"] for each in content.values()]
    found = [each.get("contentSchema", each) for each in schemas]
    assert all(each == found[0] for each in found)
    # Of a stream it is one of a message, or of the error that ends it.
    message: dict[str, Any] = found[0].get("anyOf", found)[0]
    return message


@OPERATIONS
def test_any_answer_is_what_its_schema_says(operation: dict[str, Any]) -> None:
    message = GetMessageClass(BY_NAME[operation["operationId"]].output_type)
    validate = validator(answer_schema(operation)).validate
    for seed in SEEDS:
        made = some(message, seed)
        validate(MessageToDict(made, always_print_fields_with_no_presence=True))


@WITH_BODY
@pytest.mark.parametrize("numbers", [False, True], ids=["enums by name", "enums by number"])
def test_any_request_is_what_its_schema_says(operation: dict[str, Any], *, numbers: bool) -> None:
    message = GetMessageClass(BY_NAME[operation["operationId"]].input_type)
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    validate = validator(schema).validate
    by_path = {each["name"] for each in operation["parameters"] if each.get("in") == "path"}
    for seed in SEEDS:
        made = some(message, seed)
        for name in by_path:
            made.ClearField(name)
        written = MessageToDict(made, use_integers_for_enums=numbers)
        validate(written)
        ParseDict(written, message())


@OPERATIONS
def test_a_field_that_is_not_there_is_none_of_the_schema(operation: dict[str, Any]) -> None:
    assert not validator(answer_schema(operation)).is_valid({"noSuchField": 1})


def test_of_a_choice_at_most_one_is_there() -> None:
    """An update is one thing."""
    (watch,) = (each for *_, each in operations() if each["operationId"] == "Watch")
    check = validator(answer_schema(watch))
    assert check.is_valid({"updates": [{"heartbeat": {}}]})
    assert not check.is_valid({"updates": [{"heartbeat": {}, "draining": {}}]})


def test_an_answer_has_every_field_that_says_nothing_by_being_there() -> None:
    """So a reader of an answer need not know defaults."""
    (bots,) = (each for *_, each in operations() if each["operationId"] == "ListBots")
    check = validator(answer_schema(bots))
    assert check.is_valid({"bots": [], "nextPageToken": ""})
    assert not check.is_valid({"bots": []})
