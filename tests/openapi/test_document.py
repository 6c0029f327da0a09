"""The document is a good one, it is whole, and it says what the services do."""

import json
import re
import subprocess
import sys
from typing import Any

import pytest
from google.api import annotations_pb2
from openapi_spec_validator import OpenAPIV31SpecValidator

from shoal.server.errors import Reason
from shoal.server.openapi import document_bytes
from shoal.server.openapi.comments import Comments, NotCommented, read_comments
from shoal.server.openapi.document import document_of
from shoal.server.openapi.refusals import reasons_of
from shoal.server.openapi.statuses import status_of
from tests.openapi.documents import SERVICES, document, operations, walk
from tests.server.rpcs import METHODS

OPERATIONS = pytest.mark.parametrize(
    ("path", "verb", "operation"),
    operations(),
    ids=[operation["operationId"] for *_, operation in operations()],
)


def test_it_is_what_openapi_asks_for() -> None:
    OpenAPIV31SpecValidator(document()).validate()


def test_it_lists_every_annotated_rpc_and_nothing_else() -> None:
    annotated = {}
    for method in METHODS.values():
        options = method.GetOptions()
        if options.HasExtension(annotations_pb2.http):
            rule = options.Extensions[annotations_pb2.http]
            verb = rule.WhichOneof("pattern")
            annotated[getattr(rule, verb), verb] = method.name
    listed = {(path, verb): each["operationId"] for path, verb, each in operations()}
    assert listed == annotated


def test_every_reference_leads_somewhere() -> None:
    references = [each["$ref"] for _, each in walk(document()) if "$ref" in each]
    assert references
    for reference in set(references):
        found: Any = document()
        for part in reference.removeprefix("#/").split("/"):
            found = found[part]
        assert found["description"], reference


def test_every_component_is_referred_to() -> None:
    referred = {each["$ref"] for _, each in walk(document()) if "$ref" in each}
    components = {
        f"#/components/{kind}/{name}"
        for kind, named in document()["components"].items()
        for name in named
        if kind != "securitySchemes"
    }
    assert components == referred


def test_no_description_is_empty() -> None:
    said = [(at, each["description"]) for at, each in walk(document()) if _is_said(each)]
    assert len(said) > 1000
    assert [at for at, text in said if not text.strip()] == []


@OPERATIONS
def test_everything_of_an_operation_is_explained(
    path: str, verb: str, operation: dict[str, Any]
) -> None:
    """Itself, each of its parameters, its body and each of its answers; none repeats its errors."""
    assert operation["summary"], (path, verb)
    assert "Errors:" not in operation["description"]
    parameters = [each for each in operation["parameters"] if "$ref" not in each]
    parts = [operation, *parameters, *operation["responses"].values()]
    if "requestBody" in operation:
        parts.append(operation["requestBody"])
    assert all(part["description"].strip() for part in parts)


def test_every_field_is_explained() -> None:
    schemas = document()["components"]["schemas"]
    ours = {name: each for name, each in schemas.items() if each.get("properties")}
    for name, schema in ours.items():
        if name in {"BadRequest", "ErrorInfo", "Error", "RequestInfo", "RetryInfo"}:
            continue
        for field, said in schema["properties"].items():
            assert said.get("description") or field == "@type", f"{name}.{field}"


@OPERATIONS
def test_every_error_that_the_protos_name_is_there(
    path: str, verb: str, operation: dict[str, Any]
) -> None:
    """With the status that it is sent with; and so are those that any call may meet."""
    name = operation["operationId"]
    (method,) = (each for each in METHODS.values() if each.name == name)
    named = reasons_of(read_comments().errors(method))
    always = {Reason.MALFORMED, Reason.TOKEN_INVALID, Reason.STORE_UNAVAILABLE, Reason.INTERNAL}
    for reason in {*named, *always}:
        response = operation["responses"][str(int(status_of(reason)))]
        assert f"`{reason.value}`" in response["description"], (path, verb, reason)


def test_the_protos_name_no_error_that_is_none() -> None:
    """Each word in capitals after `Errors:` is a reason, or UNAVAILABLE, which stands for two of them."""
    known = {each.value for each in Reason} | {"UNAVAILABLE"}
    for method in METHODS.values():
        said = re.sub(r"\([^)]*\)", "", read_comments().errors(method))
        assert set(re.findall(r"\b[A-Z]{3,}(?:_[A-Z]+)*\b", said)) <= known, method.full_name


def test_it_is_the_same_on_every_machine() -> None:
    """In whatever order another Python has what has none: this one has its own."""
    code = (
        "import sys; from tests.openapi.documents import document;"
        "from shoal.server.openapi import document_bytes;"
        "sys.stdout.buffer.write(document_bytes(document()))"
    )
    made = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONHASHSEED": "1", "PATH": ""},
        capture_output=True,
        check=True,
    ).stdout
    assert made == document_bytes(document())
    assert json.loads(made) == document()


def test_what_has_no_comment_is_an_error() -> None:
    """So that a proto is never ahead of the table of its comments without anybody noticing."""
    with pytest.raises(NotCommented, match=r"shoal\.v1\."):
        document_of(SERVICES, Comments({}), {}, "1.2.3")


def _is_said(part: dict[str, Any]) -> bool:
    """Whether an object has a description: one that has a schema there has a field of that name."""
    return isinstance(part.get("description"), str)
