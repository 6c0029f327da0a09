"""What a look of a director at a ladder costs: nobody has room, and some have come free.

    python loadtest/look_cost.py --bots 500 --away 1000

Starts a Redis of its own, and prints a line of JSON, in milliseconds of CPU of this process: `idle_ms` for a
look while all bots play, `tick_ms` the same at a tick, and `match_ms` for each match started, when `--free`
bots come free before each look. All that a look reads and writes is in it; making the matches is not. Besides
`--bots`, that are there, `--away` members have never come. `deaf_ms` is `idle_ms` of a director that does not
hear who comes, and so asks for all of them.
"""

import argparse
import asyncio
import json
import logging
import tempfile
import time
from pathlib import Path
from random import Random

import structlog

from shoal.competition.plan import Entrant
from shoal.server.director.losses import Losses
from shoal.server.director.matches import Pairing
from shoal.server.director.scheduler import Scheduler
from shoal.server.director.settings import MAIN, Settings
from shoal.server.store import competition_texts as texts
from shoal.server.store import keys
from shoal.server.store.bots import BotStore
from shoal.server.store.challenges import ChallengeStore
from shoal.server.store.competition_data import CompetitionData
from shoal.server.store.competition_nouns import Note, Score, State
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.direction import Direction
from shoal.server.store.launcher import launch_redis
from shoal.server.store.matches import MatchStore
from shoal.server.store.memberships import Membership, MembershipStore, Stage
from shoal.server.store.pipe import Pipe
from shoal.server.store.presence import Claim, PresenceStore
from shoal.server.store.published import PublishedStore
from shoal.server.store.releases import ReleaseStore


async def fill(pipe: Pipe, bots: list[str], away: list[str]) -> None:
    """Let bots take part in the main ladder; all but those who have never come are there, and play."""
    await CompetitionStore(pipe).create("main", MAIN, State.RUNNING, Note(0, "bench", "create"))
    entrants, scores = (keys.competition("main", kind) for kind in ("entrants", "scores"))
    for number, bot in enumerate(bots):
        score = Score(25.0 + number % 10, 3.0, 100, 50, 150, 50)
        await pipe.command("HSET", entrants, bot, texts.entrant_json(Entrant(bot, bot), number))
        await pipe.command("HSET", scores, bot, texts.score_json(score))
        await MembershipStore(pipe).change("main", bot, None, Membership(Stage.ACTIVE, 1))
        claim = Claim(bot, "bench", 1, MAIN.rulesets, tuple(MAIN.seats), "v1")
        await PresenceStore(pipe).claim(claim, 3_600_000)
        await pipe.command("SADD", keys.live(bot), keys.new_id())
    for number, bot in enumerate(away, len(bots)):
        await pipe.command("HSET", entrants, bot, texts.entrant_json(Entrant(bot, bot), number))


async def measure(pipe: Pipe, count: int, absent: int, free: int, looks: int) -> dict[str, object]:
    """Look so often at so many bots, of which so many come free before each look; others are away."""
    bots = [keys.new_id() for _ in range(count)]
    await fill(pipe, bots, [keys.new_id() for _ in range(absent)])
    started: list[Pairing] = []

    async def create(pairing: Pairing) -> None:
        started.append(pairing)
        await asyncio.sleep(0)

    competitions = CompetitionStore(pipe)
    scheduler = Scheduler(
        competitions=competitions,
        data=CompetitionData(pipe),
        bots=BotStore(pipe),
        stored=MatchStore(pipe),
        presences=PresenceStore(pipe),
        memberships=MembershipStore(pipe),
        releases=ReleaseStore(pipe),
        challenges=ChallengeStore(pipe),
        published=PublishedStore(pipe),
        direction=Direction(pipe, 1),
        losses=Losses(competitions),
        caught_up=lambda: float("-inf"),
        create=create,
        settings=Settings(),
    )

    async def look(*, is_tick: bool) -> float:
        began = time.process_time()
        await scheduler._look(is_tick=is_tick)  # noqa: SLF001 - the thing that is measured
        return (time.process_time() - began) * 1000

    await look(is_tick=True)
    deaf_ms = sum([await look(is_tick=False) for _ in range(looks)])
    scheduler.hear(None)
    await look(is_tick=True)
    idle_ms = sum([await look(is_tick=False) for _ in range(looks)])
    tick_ms = sum([await look(is_tick=True) for _ in range(looks)])
    chance, match_ms = Random(1), 0.0  # noqa: S311 - no secret
    for number in range(looks):
        for bot in chance.sample(bots, free):
            await pipe.command("DEL", keys.live(bot))
        before = len(started)
        match_ms += await look(is_tick=number % 5 == 0)
        for pairing in started[before:]:
            for bot in pairing.bots:
                await pipe.command("SADD", keys.live(bot), pairing.match_id)
    return {
        "bots": count,
        "away": absent,
        "free": free,
        "deaf_ms": round(deaf_ms / looks, 2),
        "idle_ms": round(idle_ms / looks, 2),
        "tick_ms": round(tick_ms / looks, 2),
        "matches": len(started),
        "match_ms": round(match_ms / max(1, len(started)), 2),
    }


async def run(asked: argparse.Namespace) -> None:
    """Measure, and say it."""
    with tempfile.TemporaryDirectory() as folder, launch_redis(Path(folder)) as redis:
        async with Pipe(redis.url) as pipe:
            found = await measure(pipe, asked.bots, asked.away, asked.free, asked.looks)
            print(json.dumps(found))  # noqa: T201


def main() -> None:
    """Read the options, and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bots", type=int, default=500)
    parser.add_argument("--away", type=int, default=0)
    parser.add_argument("--free", type=int, default=10)
    parser.add_argument("--looks", type=int, default=20)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
