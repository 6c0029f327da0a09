"""Records the examples of the document anew: run it when an operation was added, or says more than before.

    .venv/bin/python -m tests.openapi.record_examples

On a server of its own it does over HTTP what people do: bots are registered, play on a ladder and in a
tournament, by polls, and organizers have their say. What each operation was asked and answered goes into
examples.json, with the first few of each list, and no token.
"""

import asyncio
import json
import tempfile
import uuid
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import httpx

from shoal.server import openapi
from shoal.server.store.launcher import launch_redis
from tests.openapi.calls import OPERATIONS, Calls, trimmed, trimmed_lines
from tests.server.directing import directing
from tests.server.support import Server, serving

FILE = Path(openapi.__file__).with_name("examples.json")
NO_TOKEN = "(a token, shown this once)"
QUICK = {"moveMs": 10_000}


class Bot:
    """A bot that polls: its id, and its calls."""

    def __init__(self, bot_id: str, call: Calls) -> None:
        self.bot_id = bot_id
        self.call = call
        self.resigns = False
        self._dice = Random(7)
        self._resume_token = ""

    async def poll(self, wait: str = "2s") -> list[str]:
        """Do all that is asked, and return which matches are over."""
        query = {"wait": wait, "maxMatches": 1, "resumeToken": self._resume_token}
        told = await self.call("ListDecisions", query=query)
        for update in told["matches"]:
            await self.answer(update)
        self._resume_token = told["resumeToken"]
        return [each["matchId"] for each in told["finished"]]

    async def answer(self, update: dict[str, Any]) -> None:
        """Say ready, or answer the decision."""
        if update["status"] == "MATCH_STATUS_WAITING":
            nonce = {"nonce": "c2FsdCBhbmQgcGFwZXI="}
            await self.call("Ready", update["matchId"], body=nonce)
        elif self.resigns:
            await self.call("Resign", update["matchId"], body={})
        elif "decision" in update:
            decision = update["decision"]
            ends = [option for option in decision["options"] if "stop" in option]
            option = self._dice.choice(ends or decision["options"])
            move = {"decisionId": decision["decisionId"], "optionId": option["optionId"]}
            await self.call("PlayMove", update["matchId"], body=move)


async def play(bots: Sequence[Bot], matches: int) -> list[str]:
    """Let bots play until each was told of so many ends; return the matches that the first was told of.

    The first match that a bot plays it plays to the end. One is enough, so from others it resigns.
    """

    async def one(bot: Bot) -> list[str]:
        over: list[str] = []
        while len(over) < matches:
            over += await bot.poll()
            bot.resigns = bool(over)
        return over

    return (await asyncio.gather(*map(one, bots)))[0]


async def register(call: Calls, name: str) -> Bot:
    """Register a bot of a new owner."""
    body = {"name": name, "requestId": str(uuid.uuid4())}
    made = await call("RegisterBot", body=body)
    return Bot(made["bot"]["botId"], call.by(made["token"]))


async def on_a_ladder(call: Calls, admin: Calls, bots: Sequence[Bot]) -> None:
    """A ladder from its beginning to its end, with all that is to be seen of it and its matches."""
    first, second = bots
    specification = {"name": "evening", "rulesets": ["base"], "seats": [2], "trial": False}
    body = {"specification": specification, "requestId": str(uuid.uuid4())}
    await admin("CreateLadder", body=body)
    for bot in bots:
        await bot.call("JoinLadder", "evening", body={"botId": bot.bot_id})
    over = await play(bots, 2)
    await call("GetLadder", "evening")
    await call("ListLadders")
    await call("ListStandings", "evening")
    await first.call("GetBotStatus", first.bot_id)
    await call("ExplainLadderPairing", "evening", query={"matchId": over[0]})
    await call("GetMatch", over[0])
    await call("ListMatches", query={"botId": first.bot_id, "pageSize": 2})
    await call("GetMatchRecord", over[0])
    await call("ListCrosstable", "evening")
    versus = {"botId": first.bot_id, "otherId": second.bot_id}
    await call("GetHeadToHead", "evening", query=versus)
    await call.stream("ExportCompetition", "evening", messages=3)
    await admin("GetCompetition", "evening")
    await admin("VoidMatch", over[0], body={"why": "the host was down"})
    await admin("PauseCompetition", "evening", body={"why": "maintenance"})
    await admin("ResumeCompetition", "evening", body={"why": "it is done"})
    await admin("DrainCompetition", "evening", body={"why": "the evening is over"})
    await admin("ResumeCompetition", "evening", body={"why": "one more table"})
    await second.poll("0s")
    await first.poll("0s")
    await admin("ExcludeBot", "evening", body={"botId": first.bot_id, "why": "it hangs"})
    await admin("ReadmitBot", "evening", body={"botId": first.bot_id, "why": "it was put right"})
    period = {"fromMs": "1760000000000", "untilMs": "1760000600000", "why": "the network"}
    await admin("ExcludePeriod", "evening", body=period)
    await admin("ListActions", "evening")
    await first.call("LeaveLadder", "evening", body={"botId": first.bot_id})
    await admin("EndLadder", "evening", body={"why": "winter"})


async def in_a_tournament(call: Calls, admin: Calls, bots: Sequence[Bot]) -> None:
    """A tournament that is played to its end, and one that is called off."""
    swiss = {"name": "cup", "format": {"roundRobin": {"cycles": 1}}, "seats": [2]}
    body = {"specification": swiss, "requestId": str(uuid.uuid4())}
    other = (await admin("CreateTournament", body=body))["tournament"]["tournamentId"]
    await bots[0].call("EnterTournament", other, body={"botId": bots[0].bot_id})
    await bots[0].call("WithdrawFromTournament", other, body={"botId": bots[0].bot_id})
    await admin("CancelTournament", other, body={"why": "too few"})
    body = {"specification": swiss, "requestId": str(uuid.uuid4())}
    cup = (await admin("CreateTournament", body=body))["tournament"]["tournamentId"]
    for bot in bots:
        await bot.call("EnterTournament", cup, body={"botId": bot.bot_id})
    await admin("StartTournament", cup, body={})
    for bot in bots:
        bot.resigns = True
    over = await play(bots, 2)
    await call("ExplainPairing", cup, query={"matchId": over[0]})
    await call("GetTournament", cup)
    await call("ListTournaments")
    await call("ListTournamentStandings", cup)
    await call("ListBlocks", cup)


async def by_request(call: Calls, admin: Calls, bots: Sequence[Bot]) -> None:
    """Matches by request, challenges, and those who only look."""
    first, second = bots
    ids = [bot.bot_id for bot in bots]
    await second.call("SetAcceptance", second.bot_id, body={"acceptance": _ANYBODY})
    await call("GetAcceptance", second.bot_id)
    body = {"botIds": ids, "requestId": str(uuid.uuid4()), "timeControl": QUICK}
    challenge = (await first.call("CreateChallenge", body=body))["challenge"]["challengeId"]
    await call("GetChallenge", challenge)
    await call("ListChallenges", query={"botId": first.bot_id})
    await first.call("CancelChallenge", challenge, body={})
    body = {"botIds": ids, "timeControl": QUICK, "requestId": str(uuid.uuid4())}
    match_id = (await admin("CreateMatch", body=body))["match"]["matchId"]
    for bot in bots:
        await bot.call("Ready", match_id, body={"nonce": "c2FsdCBhbmQgcGFwZXI="})
    await call.stream("SpectateMatch", match_id, messages=1)
    hello = {"hello": {"maxMatches": 1, "rulesets": ["base"], "botVersion": "1.0"}}
    await first.call.stream("Watch", messages=1, body=hello)
    await first.call("Resign", match_id, body={})
    body = {"botIds": ids, "timeControl": QUICK, "requestId": str(uuid.uuid4())}
    match_id = (await admin("CreateMatch", body=body))["match"]["matchId"]
    await admin("AbortMatch", match_id, body={"why": "made by mistake"})
    await call("GetBot", first.bot_id)
    await call("ListBots", query={"pageSize": 2})


async def forced(admin: Calls, bots: Sequence[Bot]) -> None:
    """A table that an organizer wants, of bots that are there."""
    specification = {"name": "morning", "seats": [2], "trial": False, "rated": False}
    await admin("CreateLadder", body={"specification": specification})
    for bot in bots:
        await bot.call("JoinLadder", "morning", body={"botId": bot.bot_id})
        await bot.poll("0s")
    body = {
        "botIds": [bot.bot_id for bot in bots],
        "why": "for the stream",
        "requestId": str(uuid.uuid4()),
    }
    await admin("ForcePairing", "morning", body=body)


_ANYBODY = {"acceptFrom": "ACCEPT_FROM_ANYONE", "atOnce": 1, "rulesets": ["base"]}


async def record(server: Server) -> dict[str, dict[str, Any]]:
    """Return what each operation was asked and answered."""
    heard: dict[str, dict[str, Any]] = {}
    async with httpx.AsyncClient(base_url=server.http, timeout=60) as http:
        call = Calls(http, heard)
        admin = call.by(await server.stores.tokens.issue("operator", admin=True))
        first = [await register(call, name) for name in ("coral", "anemone")]
        bots = [await register(call, name) for name in ("urchin", "limpet")]
        async with directing(server.stores):
            # A ladder goes on for as long as its bots come, so others are in the tournament.
            await on_a_ladder(call, admin, first)
            await in_a_tournament(call, admin, bots)
        await by_request(call, admin, bots)
        # Without a director it stays forced, and nobody is paired meanwhile.
        await forced(admin, bots)
    missing = OPERATIONS.keys() - heard.keys()
    assert not missing, missing
    heard["RegisterBot"]["answer"]["token"] = NO_TOKEN
    return dict(sorted(heard.items()))


def readable(example: dict[str, Any]) -> dict[str, Any]:
    """Return an example with the first few of each list, and without what it does not have."""
    left_out = {"path": {}, "query": {}, "body": None}
    made = {
        key: trimmed(value)
        for key, value in example.items()
        if key not in left_out or value != left_out[key]
    }
    if "streamed" in made:
        events, lines = made["streamed"]["events"], made["streamed"]["lines"]
        made["streamed"] = {
            "events": trimmed_lines(events, "data: "),
            "lines": trimmed_lines(lines, ""),
        }
    return made


async def main() -> None:
    """Record, and write."""
    with tempfile.TemporaryDirectory() as folder, launch_redis(Path(folder)) as redis:
        async with serving(redis.url) as server:
            heard = await record(server)
    written = {name: readable(example) for name, example in heard.items()}
    FILE.write_text(json.dumps(written, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
