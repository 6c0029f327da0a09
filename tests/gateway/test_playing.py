"""Whole matches by bots that have nothing but HTTP."""

import asyncio
from random import Random

import pytest

from tests.gateway.calling import Http, Json, of, speaking
from tests.gateway.streams import events
from tests.server.support import Bot, Server

pytestmark = pytest.mark.timeout(400)


async def by_polls(http: Http, bot: Bot, match_id: str) -> list[int]:
    """Play a match by GET and POST; return the options chosen."""
    said, dice = dict[str, str](), Random(1)
    chosen = []
    while True:
        answer = await http.get("/v1/decisions", params={"wait": "20s", **said}, headers=of(bot))
        assert answer.status_code == 200
        told = answer.json()
        said["resumeToken"] = told["resumeToken"]
        for update in told["matches"]:
            chosen += await act(http, bot, update, dice)
        if any(each["matchId"] == match_id for each in told["finished"]):
            return chosen


async def act(http: Http, bot: Bot, update: Json, dice: Random) -> list[int]:
    """Do what an update asks for, ending rounds early; return the option chosen, if there was one."""
    place = f"/v1/matches/{update['matchId']}"
    if update["status"] == "MATCH_STATUS_WAITING":
        ready = await http.post(f"{place}:ready", headers=of(bot))
        assert ready.status_code == 200
        return []
    if "decision" not in update:
        return []
    decision = update["decision"]
    stops = [option for option in decision["options"] if "stop" in option]
    option = (stops or [dice.choice(decision["options"])])[0]["optionId"]
    move = {"decisionId": decision["decisionId"], "optionId": option}
    moved = await http.post(f"{place}:play", json=move, headers=of(bot))
    assert moved.status_code == 200, moved.text
    receipt = moved.json()["receipt"]
    assert receipt["optionId"] == option
    assert not receipt["already"]
    return [option]


async def by_events(http: Http, bot: Bot, match_id: str) -> None:
    """Play a match by events and POST."""
    headers, dice = {**of(bot), "accept": "text/event-stream"}, Random(2)
    async with http.stream("POST", "/v1/play:watch", json={}, headers=headers) as watching:
        assert watching.status_code == 200
        assert watching.headers["content-type"] == "text/event-stream"
        async for event in events(watching):
            for update in event["data"]["updates"]:
                if "snapshot" in update:
                    for match in update["snapshot"]["matches"]:
                        await act(http, bot, match, dice)
                if "matchUpdate" in update:
                    await act(http, bot, update["matchUpdate"], dice)
                if update.get("matchFinished", {}).get("matchId") == match_id:
                    return


async def test_a_match_by_get_and_post_alone(server: Server, http: Http) -> None:
    """Bots that know nothing but two verbs play a match to its end."""
    bots = await server.team(2)
    made = await http.post(
        "/v1/matches", json={"botIds": [bot.bot_id for bot in bots]}, headers=of(bots[0])
    )
    match_id = made.json()["match"]["matchId"]
    chosen = await asyncio.gather(*(by_polls(http, bot, match_id) for bot in bots))
    assert all(chosen)
    shown = (await http.get(f"/v1/matches/{match_id}")).json()["match"]
    assert shown["status"] == "MATCH_STATUS_FINISHED"
    assert shown["result"]["termination"] in {"TERMINATION_TARGET", "TERMINATION_MERMAIDS"}


async def test_a_match_by_events_against_one_by_polls(server: Server, other: Server) -> None:
    """On two servers, one bot hears events, the other asks."""
    bots = await server.team(2)
    match_id = await server.create(*bots)
    async with speaking(server) as here, speaking(other) as there:
        await asyncio.gather(by_events(here, bots[0], match_id), by_polls(there, bots[1], match_id))
    assert (await server.match(match_id)).result.seats
