"""A bot over plain HTTP, in Python's standard library alone: it joins a ladder and plays.

    python3 clients/http/bot.py --name my-bot --server http://127.0.0.1:8430 --ladder main

Its token is kept in my-bot.token. Whatever breaks on the way, the same request is sent again: a move counts
once, however often it is sent. With several servers, separated by commas, the next one is asked where one is
away.
"""

import argparse
import http.client
import itertools
import json
import random
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

POLL_SECONDS = 20
TIMEOUT_SECONDS = POLL_SECONDS + 10
LONGEST_PAUSE = 10.0
TRY_AGAIN = {429, 502, 503, 504}


class Refused(Exception):
    """The server has answered no, and the same request would be refused again."""

    def __init__(self, status: int, answer: Any) -> None:
        """Take what the answer says: branch on `reason`, and never on the text."""
        error = answer.get("error", {})
        super().__init__(f"{status}: {error.get('message', answer)}")
        reasons = [each["reason"] for each in error.get("details", ()) if "reason" in each]
        self.reason = reasons[0] if reasons else ""


class Arena:
    """Calls the server until it has answered."""

    def __init__(self, servers: str) -> None:
        """Take the addresses of servers, with commas between."""
        self.token = ""
        self._addresses = itertools.cycle(urlsplit(each).netloc for each in servers.split(","))
        self._connection = self._connect()

    def get(self, path: str, **query: object) -> Any:
        """Return what a GET is answered with; raise Refused."""
        return self._call("GET", f"{path}?{urlencode(query)}" if query else path, None)

    def post(self, path: str, **body: object) -> Any:
        """Return what a POST is answered with; raise Refused."""
        return self._call("POST", path, json.dumps(body))

    def _call(self, verb: str, path: str, body: str | None) -> Any:
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        for pause in pauses():
            try:
                self._connection.request(verb, path, body, headers)
                response = self._connection.getresponse()
                text = response.read()
            except (OSError, http.client.HTTPException) as error:
                log(f"{verb} {path}: {error!r}; trying again")
                self._connection = self._connect()
                time.sleep(pause)
                continue
            if response.status in TRY_AGAIN:
                self._connection = self._connect()
                time.sleep(max(pause, float(response.headers.get("Retry-After", 0))))
                continue
            answer = json.loads(text)
            if response.status != http.client.OK:
                raise Refused(response.status, answer)
            return answer
        raise AssertionError("there is always another pause")

    def _connect(self) -> http.client.HTTPConnection:
        """Return a connection to the next server; it is opened when it is first used."""
        return http.client.HTTPConnection(next(self._addresses), timeout=TIMEOUT_SECONDS)


def pauses() -> Iterator[float]:
    """Yield for how many seconds to wait, for ever: longer each time, and never for all bots the same."""
    for attempt in itertools.count():
        yield random.uniform(0.5, 1) * min(LONGEST_PAUSE, 0.2 * 2 ** min(attempt, 10))


def log(text: str) -> None:
    """Tell whoever looks."""
    print(text, file=sys.stderr, flush=True)


def token_of(arena: Arena, name: str) -> str:
    """Return the token of the bot, from its file, or by registering it."""
    file = Path(f"{name}.token")
    if not file.exists():
        token = arena.post("/v1/bots", name=name, requestId=str(uuid.uuid4())).get("token")
        if not token:
            raise SystemExit(
                f"{name} is registered, but its token was lost on the way: take another name"
            )
        file.touch(mode=0o600)
        file.write_text(token)
    return file.read_text().strip()


def choose(observation: dict[str, Any], decision: dict[str, Any]) -> int:
    """Return the option to answer with: this is where a bot is better than another."""

    def value(option: dict[str, Any]) -> float:
        if "stop" in option:
            return 3
        if "playDuo" in option:
            return 2
        if "takePile" in option or "keep" in option:
            return random.random()
        # Never call the last chance; end a turn when nothing else is left.
        return -1 if "lastChance" in option else 0.5

    assert observation["seat"] == decision.get("seat", 0)
    return max(decision["options"], key=value).get("optionId", 0)


def answer(arena: Arena, update: dict[str, Any]) -> None:
    """Do what one match asks for."""
    match_id = update["matchId"]
    try:
        if update.get("status") == "MATCH_STATUS_WAITING":
            arena.post(f"/v1/matches/{match_id}:ready")
        elif decision := update.get("decision"):
            option = choose(update["observation"], decision)
            move = {"decisionId": decision["decisionId"], "optionId": option}
            arena.post(f"/v1/matches/{match_id}:play", **move)
    except Refused as refusal:
        # Too late, or over meanwhile: the next poll says where things stand.
        log(f"{match_id}: {refusal.reason}")


def play(arena: Arena, matches: int) -> None:
    """Answer whatever is asked, until so many matches are over; 0 is for ever."""
    resume_token, over = "", 0
    while not matches or over < matches:
        told = arena.get(
            "/v1/decisions",
            wait=f"{POLL_SECONDS}s",
            maxMatches=1,
            rulesets="base",
            resumeToken=resume_token,
        )
        for update in told.get("matches", ()):
            answer(arena, update)
        for end in told.get("finished", ()):
            over += 1
            places = end["result"].get("placements", [])
            print(f"{end['matchId']}: {end['result']['termination']} {places}", flush=True)
        resume_token = told["resumeToken"]


def main() -> None:
    """Register, join, play."""
    parser = argparse.ArgumentParser(description="A bot over plain HTTP.")
    parser.add_argument("--name", required=True)
    parser.add_argument("--server", default="http://127.0.0.1:8430")
    parser.add_argument("--ladder", default="main")
    parser.add_argument("--matches", type=int, default=0, help="how many; 0: for ever")
    said = parser.parse_args()
    arena = Arena(said.server)
    try:
        arena.token = token_of(arena, said.name)
        arena.post(f"/v1/ladders/{said.ladder}:join")
        play(arena, said.matches)
    except Refused as refusal:
        raise SystemExit(str(refusal)) from None


if __name__ == "__main__":
    main()
