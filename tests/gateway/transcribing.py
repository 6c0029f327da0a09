"""Requests as HTTP has them, made from the annotations a second time on purpose: with nothing of ours."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx
from google.api import annotations_pb2
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from tests.gateway.calling import Http
from tests.server.support import Metadata


def build(
    http: Http,
    method: MethodDescriptor,
    request: Message,
    metadata: Metadata,
    nothing: str = "-",
) -> httpx.Request:
    """Return the request that calls a method over HTTP.

    `nothing` is what the path has for an empty field: no part of it is empty where something is to be found.
    """
    rule = method.GetOptions().Extensions[annotations_pb2.http]
    verb = rule.WhichOneof("pattern")
    fields: dict[str, Any] = MessageToDict(request, preserving_proto_field_name=True)

    def value(found: re.Match[str]) -> str:
        return quote(fields.pop(found[1], nothing), safe="")

    path = re.sub(r"\{(\w+)\}", value, getattr(rule, verb))
    headers = dict(metadata)
    if rule.body:
        return http.build_request(verb.upper(), path, json=fields, headers=headers)
    return http.build_request(verb.upper(), path, params=list(_flat("", fields)), headers=headers)


def _flat(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the parameters that give a value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(f"{name}.{key}" if name else key, inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _flat(name, inner)
    else:
        yield name, value
