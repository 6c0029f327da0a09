"""Streams over HTTP: their forms, how they end, and what becomes of readers that are slow or gone."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import httpx
import pytest

from shoal.server.gateway.cursors import CURSORS
from tests.gateway.calling import Http, fields_of, of, reason_of, speaking
from tests.gateway.streams import events, lines
from tests.server.rpcs import METHODS
from tests.server.support import Bot, Server, connected, make_app, until

EVENTS = {"accept": "text/event-stream"}


@asynccontextmanager
async def spectating(http: Http, match_id: str, **headers: str) -> AsyncIterator[httpx.Response]:
    """Follow a match."""
    async with http.stream("GET", f"/v1/matches/{match_id}:spectate", headers=headers) as response:
        yield response


def test_every_stream_says_how_it_is_resumed() -> None:
    streaming = {
        method.full_name
        for method in METHODS.values()
        if method.server_streaming and not method.client_streaming
    }
    assert set(CURSORS) == streaming


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        ("*/*", "application/x-ndjson"),
        ("application/x-ndjson", "application/x-ndjson"),
        ("text/event-stream", "text/event-stream"),
        ("text/event-stream, */*;q=0.5", "text/event-stream"),
        ("application/x-ndjson, text/event-stream;q=0.5", "application/x-ndjson"),
    ],
)
async def test_the_form_is_chosen_by_accept(
    server: Server, http: Http, accept: str, form: str
) -> None:
    bots = await server.team(2)
    match_id = await server.deal(*bots)
    async with spectating(http, match_id, accept=accept) as response:
        assert response.headers["content-type"] == form
        assert response.headers["cache-control"] == "no-store"
    refused = await http.get(f"/v1/matches/{match_id}:spectate", headers={"accept": "text/html"})
    assert (refused.status_code, reason_of(refused)) == (406, "MALFORMED")


async def test_a_stream_that_is_refused_is_a_plain_answer(http: Http) -> None:
    answer = await http.get("/v1/matches/none:spectate", headers=EVENTS)
    assert (answer.status_code, reason_of(answer)) == (404, "NOT_FOUND")
    watching = await http.post("/v1/play:watch", json={})
    assert (watching.status_code, reason_of(watching)) == (401, "TOKEN_INVALID")


async def test_lines_come_as_they_happen_and_end_with_the_match(server: Server, http: Http) -> None:
    bots = await server.team(2)
    match_id = await server.deal(*bots)
    async with spectating(http, match_id) as response:
        told = lines(response)
        first = await anext(told)
        assert first["match"]["matchId"] == match_id
        await server.resign(bots[0], match_id)
        last = [message async for message in told][-1]
        assert last["match"]["status"] == "MATCH_STATUS_FINISHED"


async def test_events_have_ids_by_which_a_browser_goes_on(server: Server, http: Http) -> None:
    """After the id of an event come the events of the match after it; after the end, nothing for ever."""
    bots = await server.team(2)
    match_id = await server.deal(*bots)
    async with spectating(http, match_id, **EVENTS) as response:
        first = await anext(events(response))
    assert first["id"] == first["data"]["version"]
    await server.resign(bots[0], match_id)
    resumed = {**EVENTS, "last-event-id": first["id"]}
    async with spectating(http, match_id, **resumed) as response:
        told = [event async for event in events(response)]
    seen, now = int(first["id"]), int(told[0]["data"]["version"])
    versions = {int(event["version"]) for event in told[0]["data"]["events"]}
    assert versions == set(range(seen + 1, now + 1))
    assert (told[-1]["event"], told[-1]["id"], told[-1]["data"]) == ("end", "end", {})
    ended = await http.get(
        f"/v1/matches/{match_id}:spectate", headers={**EVENTS, "last-event-id": told[-1]["id"]}
    )
    assert (ended.status_code, ended.content) == (204, b"")


async def test_an_id_of_nobody_is_refused(server: Server, http: Http) -> None:
    match_id = await server.deal(*await server.team(2))
    headers = {**EVENTS, "last-event-id": "x"}
    answer = await http.get(f"/v1/matches/{match_id}:spectate", headers=headers)
    assert (answer.status_code, fields_of(answer)) == (400, ["last-event-id"])


async def is_away(server: Server, bot: Bot) -> bool:
    """Return whether no stream of the bot is open."""
    return (await server.stores.presences.get_many([bot.bot_id]))[0] is None


async def test_a_reader_that_is_gone_is_let_go_at_once(server: Server, http: Http) -> None:
    """Its bot is away as soon as the connection is."""
    bot = await server.register()
    async with http.stream("POST", "/v1/play:watch", json={}, headers=of(bot)) as response:
        assert "snapshot" in (await anext(lines(response)))["updates"][0]
        assert not await is_away(server, bot)
    await until(lambda: is_away(server, bot))


async def test_a_poll_that_is_given_up_is_let_go(server: Server, http: Http) -> None:
    """Four polls of a bot may wait, and those that were given up are none of them."""
    bot = await server.register()
    for _ in range(5):
        with pytest.raises(httpx.ReadTimeout):
            await http.get("/v1/decisions?wait=20s", headers=of(bot), timeout=0.2)
    answer = await http.get("/v1/decisions?wait=0s", headers=of(bot))
    assert answer.status_code == 200


@pytest.mark.parametrize("form", ["application/x-ndjson", "text/event-stream"])
async def test_a_server_that_stops_ends_its_streams(other: Server, form: str) -> None:
    """A Watch is told to come again and ends; a spectator is told why by the last thing that comes."""
    leaving = make_app(other.stores)
    async with AsyncExitStack() as stack, asyncio.TaskGroup() as tasks:
        async with leaving.serve() as ports:
            server = await stack.enter_async_context(connected(leaving, other.stores, ports))
            http = await stack.enter_async_context(speaking(server))
            bots = await server.team(2)
            match_id = await server.deal(*bots)

            async def hear(verb: str, path: str, opened: asyncio.Event) -> str:
                headers = {**of(bots[0]), "accept": form, "content-type": "application/json"}
                content = b"{}" if verb == "POST" else None
                async with http.stream(verb, path, headers=headers, content=content) as response:
                    parts = response.aiter_text()
                    told = await anext(parts)
                    opened.set()
                    async for part in parts:
                        told += part
                    return told

            places = (("POST", "/v1/play:watch"), ("GET", f"/v1/matches/{match_id}:spectate"))
            waits = [asyncio.Event() for _ in places]
            hearing = [
                tasks.create_task(hear(*place, opened))
                for place, opened in zip(places, waits, strict=True)
            ]
            for opened in waits:
                await opened.wait()
        watched, spectated = [await each for each in hearing]
        assert "STREAM_END_REASON_DRAINING" in watched
        assert '"reconnectAfter"' in watched
        last = spectated.strip().rpartition("\n")[2].removeprefix("data: ")
        assert json.loads(last)["error"]["status"] == "UNAVAILABLE"
        assert ("event: error" in spectated) is (form == "text/event-stream")
