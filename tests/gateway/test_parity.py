"""Every annotated rpc does over HTTP what it does over gRPC: the same answer, the same effect.

Each is called twice, for things of its own: what tells them apart is masked, and the rest must be equal.
"""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Iterable
from functools import partial

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from tests.gateway.calling import Http, Json
from tests.gateway.cases import CASES
from tests.gateway.streams import lines
from tests.gateway.transcribing import build
from tests.server.dump import dump
from tests.server.rpcs import METHODS
from tests.server.support import Metadata, Server

ANNOTATED = {name: method for name, method in METHODS.items() if not method.client_streaming}

CLOCKS = re.compile(r"(Ms|Us|Time|rev|serverSeed|seedCommitment|hash)$", re.IGNORECASE)
"""Fields that are about the moment, or about chance."""

NAMES = [
    (re.compile(r"shoal_[0-9a-f]+_[0-9a-f]+"), "token"),
    (re.compile(r"bot-[0-9a-f]{20}"), "name"),
    (re.compile(r"[0-9a-f]{12,}"), "id"),
    (re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z"), "time"),
]
"""What a thing is called."""

OF_A_THING = re.compile(r"[0-9a-f]{12,}")
"""What a key of the store has in its name that is about one thing, and not shared by all of a partition."""

BY_CHANCE = {
    "observation",
    "decision",
    "events",
    "options",
    "resumeToken",
    "nextPageToken",
    "entries",
}
"""Fields that follow from the deal, and tokens made of ids: that they are there is what is compared."""


def test_every_annotated_rpc_has_a_case() -> None:
    """An rpc that nobody has called over HTTP fails here."""
    assert CASES.keys() == ANNOTATED.keys()


@pytest.mark.parametrize("rpc", CASES)
async def test_an_rpc_is_the_same_over_http(server: Server, http: Http, rpc: str) -> None:
    method, prepare = ANNOTATED[rpc], CASES[rpc]
    pipe = server.stores.pipe
    answers, effects = [], []
    for call in (partial(over_grpc, server), partial(over_http, http)):
        older = (await dump(pipe)).keys()
        # What a list begins with is chance: both ways list the same.
        if not answers or not method.name.startswith("List"):
            request, metadata = await prepare(server)
        before = await dump(pipe)
        answers.append(masked(await call(method, request, metadata)))
        effects.append(changed(older, before, await dump(pipe)))
    assert answers[1] == answers[0]
    assert effects[1] == effects[0] or method.name.startswith("List")


def changed(
    older: Iterable[str], before: dict[str, object], after: dict[str, object]
) -> Counter[str]:
    """Return which kinds of keys of the store a call has changed, and how many of each.

    Not of what is `older`, where matches of other tests go on, nor of what is shared with these.
    """
    names = {
        name
        for name in (before.keys() | after.keys()).difference(older)
        if before.get(name) != after.get(name) and OF_A_THING.search(name)
    }
    return Counter(
        re.sub(r"bot-[0-9a-f]{20}|[0-9a-f]{12,}|\{p[0-9a-f]+\}", "#", name) for name in names
    )


async def over_grpc(
    server: Server, method: MethodDescriptor, request: Message, metadata: Metadata
) -> list[Json]:
    """Return the answer, or the first message of a stream, as JSON."""
    path = f"/{method.containing_service.full_name}/{method.name}"
    answer = GetMessageClass(method.output_type)
    data = request.SerializeToString()
    if not method.server_streaming:
        got = await server.channel.unary_unary(path)(data, metadata=metadata)
        return [as_json(answer.FromString(got))]
    call = server.channel.unary_stream(path)(data, metadata=metadata)
    first = await call.read()
    assert first is not grpc.aio.EOF
    call.cancel()
    return [as_json(answer.FromString(first))]


async def over_http(
    http: Http, method: MethodDescriptor, request: Message, metadata: Metadata
) -> list[Json]:
    """Return the same over HTTP."""
    async with asyncio.timeout(60):
        sent = build(http, method, request, metadata)
        answer = await http.send(sent, stream=True)
        try:
            assert answer.status_code == 200, await answer.aread()
            if method.server_streaming:
                return [await anext(lines(answer))]
            return [json.loads(await answer.aread())]
        finally:
            await answer.aclose()


def as_json(message: Message) -> Json:
    """Return a message as protobuf's own printer writes it."""
    return MessageToDict(message, always_print_fields_with_no_presence=True)


def masked(value: Json, key: str = "") -> Json:
    """Return what does not tell one thing from another of its kind."""
    if key in BY_CHANCE:
        return bool(value)
    if isinstance(value, dict):
        return {masked(name): masked(inner, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [masked(inner, key) for inner in value]
    if CLOCKS.search(key):
        return type(value).__name__
    if isinstance(value, str):
        for pattern, name in NAMES:
            value = pattern.sub(name, value)
    return value
