"""Streams are what the document says: each message, how they end, and how they are refused."""

import asyncio
import json
from collections.abc import AsyncIterator
from random import Random
from typing import Any

import httpx
import pytest
from google.protobuf.json_format import MessageToDict

from shoal.v1.play_service_pb2 import WatchRequest
from tests.openapi.calls import OPERATIONS
from tests.openapi.documents import operations, validator
from tests.openapi.filling import fill
from tests.server.support import Bot, Server

EVENTS, LINES = "text/event-stream", "application/x-ndjson"
FORMS = pytest.mark.parametrize("form", [EVENTS, LINES])
STREAMS = sorted(
    operation["operationId"]
    for *_, operation in operations()
    if EVENTS in operation["responses"]["200"]["content"]
)
PATIENCE = 10.0


def operation_of(name: str) -> dict[str, Any]:
    (found,) = (each for *_, each in operations() if each["operationId"] == name)
    return found


@pytest.fixture
async def http(server: Server) -> AsyncIterator[httpx.AsyncClient]:
    """A client that gives up where a test would wait for ever."""
    async with httpx.AsyncClient(base_url=server.http, timeout=PATIENCE) as client:
        yield client


async def read(
    http: httpx.AsyncClient, name: str, path: str, form: str, count: int, **more: Any
) -> list[dict[str, Any]]:
    """Return the first messages of a stream, or all there are, each of which is what the document says."""
    verb, _ = OPERATIONS[name]
    content = operation_of(name)["responses"]["200"]["content"][form]
    validate = validator(content["schema"]["contentSchema"]).validate
    before = "data: " if form == EVENTS else ""
    said: list[dict[str, Any]] = []
    async with http.stream(verb.upper(), path, headers={"accept": form}, **more) as response:
        assert response.status_code == 200, await response.aread()
        assert response.headers["content-type"] == form
        async for line in response.aiter_lines():
            if line == "event: end":
                break
            if line.startswith(before + "{"):
                said.append(json.loads(line.removeprefix(before)))
                validate(said[-1])
            if len(said) == count:
                break
    return said


def assert_documented(name: str, response: httpx.Response) -> None:
    """An answer has a status, and a body, that the document has."""
    documented = operation_of(name)["responses"]
    assert str(response.status_code) in documented, response.text
    content = documented[str(response.status_code)]["content"]["application/json"]
    assert response.headers["content-type"] == "application/json"
    validator(content["schema"]).validate(response.json())


def test_these_are_all_streams() -> None:
    """So each has tests here."""
    assert STREAMS == ["ExportCompetition", "SpectateMatch", "Watch"]


@FORMS
async def test_an_export(server: Server, http: httpx.AsyncClient, form: str) -> None:
    await server.make_ladder(f"of-{form[-6:]}")
    path = f"/v1/competitions/of-{form[-6:]}/export"
    messages = await read(http, "ExportCompetition", path, form, 100)
    lines = [line for message in messages for line in message["lines"]]
    assert "head" in lines[0]
    assert "end" in lines[-1]


@FORMS
async def test_what_a_spectator_sees(server: Server, http: httpx.AsyncClient, form: str) -> None:
    match_id = await server.deal(*await server.team(2))
    (first,) = await read(http, "SpectateMatch", f"/v1/matches/{match_id}:spectate", form, 1)
    assert first["observation"]["seats"]


@FORMS
async def test_what_a_bot_is_told(server: Server, http: httpx.AsyncClient, form: str) -> None:
    bots = await server.team(2)
    match_id = await server.deal(*bots)
    (first,) = await read(
        http,
        "Watch",
        "/v1/play:watch",
        form,
        1,
        json={"hello": {"maxMatches": 1}},
        **by(bots[0]),
    )
    assert [each["matchId"] for each in first["updates"][0]["snapshot"]["matches"]] == [match_id]


@pytest.mark.parametrize("name", STREAMS)
async def test_how_it_is_refused(http: httpx.AsyncClient, name: str) -> None:
    """Of nothing, without a token, for who takes something else, and with what no message has."""
    verb, template = OPERATIONS[name]
    path = template.replace("{competition_id}", "none").replace("{match_id}", "none")
    for more in (
        {},
        {"headers": {"accept": "image/png"}},
        {"headers": {"authorization": "Bearer shoal_none_none"}},
        {"params": {"noSuchField": "1"}},
        {"headers": {"authorization": "Basic eDp5"}},
    ):
        response = await http.request(verb.upper(), path, **more)
        assert response.status_code >= 400
        assert_documented(name, response)


async def test_whatever_a_bot_says_of_itself(server: Server, http: httpx.AsyncClient) -> None:
    """It hears a snapshot, or what is wrong with it."""
    bot = await server.register()
    for seed in range(30):
        request = WatchRequest()
        fill(request, Random(seed))
        body = MessageToDict(request)
        async with (
            asyncio.timeout(PATIENCE),
            http.stream("POST", "/v1/play:watch", json=body, **by(bot)) as response,
        ):
            if response.status_code == 200:
                first = json.loads(await anext(response.aiter_lines()))
                assert "snapshot" in first["updates"][0]
            else:
                await response.aread()
                assert_documented("Watch", response)


def by(bot: Bot) -> dict[str, Any]:
    """What a bot adds to its requests; it says what it takes in `accept`."""
    return {"auth": _Token(bot.token)}


class _Token(httpx.Auth):
    """Adds a token to a request, beside its headers."""

    def __init__(self, token: str) -> None:
        self._token = token

    def auth_flow(self, request: httpx.Request) -> Any:
        request.headers["authorization"] = f"Bearer {self._token}"
        yield request
