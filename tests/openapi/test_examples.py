"""Every operation has an example of what was really said, and it is still what its schemas say."""

import json
from typing import Any

import pytest
from google.protobuf.json_format import ParseDict
from google.protobuf.message_factory import GetMessageClass

from shoal.server.openapi.examples import read_examples
from tests.openapi.documents import operations, validator
from tests.openapi.record_examples import NO_TOKEN, trimmed
from tests.server.rpcs import METHODS

EXAMPLES = read_examples()
OPERATIONS = pytest.mark.parametrize(
    "operation", [each for *_, each in operations()], ids=lambda each: each["operationId"]
)


@OPERATIONS
def test_what_is_asked_is_what_the_schemas_say(operation: dict[str, Any]) -> None:
    """And what the message of the request can read."""
    example = EXAMPLES[operation["operationId"]]
    parameters = {
        (each["in"], each["name"]): each for each in operation["parameters"] if "name" in each
    }
    for place, given in (("path", example.path), ("query", example.query)):
        for name, value in given.items():
            validator(parameters[place, name]["schema"]).validate(value)
            assert parameters[place, name]["example"] == value
    assert {name for place, name in parameters if place == "path"} == set(example.path)
    if "requestBody" in operation:
        content = operation["requestBody"]["content"]["application/json"]
        validator(content["schema"]).validate(content["example"])
        (method,) = (each for each in METHODS.values() if each.name == operation["operationId"])
        ParseDict(content["example"], GetMessageClass(method.input_type)())


@OPERATIONS
def test_what_is_answered_is_what_the_schemas_say(operation: dict[str, Any]) -> None:
    for form, content in operation["responses"]["200"]["content"].items():
        if form == "application/json":
            validator(content["schema"]).validate(content["example"])
            continue
        before = "data: " if form == "text/event-stream" else ""
        lines = [
            line.removeprefix(before)
            for line in content["example"].splitlines()
            if line.startswith(before + "{")
        ]
        assert lines
        for line in lines:
            validator(content["schema"]["contentSchema"]).validate(json.loads(line))


def test_they_are_short_enough_to_read() -> None:
    for name, example in EXAMPLES.items():
        assert example.answer == trimmed(example.answer), name
        assert len(json.dumps(example.answer)) < 8000, name


def test_they_have_nobody_s_token() -> None:
    (answer,) = (each.answer for name, each in EXAMPLES.items() if name == "RegisterBot")
    assert answer is not None
    assert answer["token"] == NO_TOKEN


def test_there_is_none_of_an_operation_that_is_no_more() -> None:
    assert EXAMPLES.keys() == {each["operationId"] for *_, each in operations()}
