"""The bots of a run: registered, each behind a door of its own, and playing until told to stop."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, final

from shoal.client import Client, Tally, run_bot
from shoal.client.backoff import Backoff
from shoal.server.chaos.journal import Journal
from shoal.server.chaos.kit_bot import KitBot
from shoal.server.chaos.policy import OFTEN, Policy
from shoal.server.chaos.proxy import Door
from shoal.server.chaos.raw_bot import RawBot
from shoal.server.chaos.stack import Stack
from shoal.server.chaos.talk import SILENCE, WayIn

BOTS: Final = 8
"""Every other one plays with the kit; each of the others comes in by another way."""

SEATS: Final = 3
"""How many sit at a table, on average."""

LADDER: Final = "main"

LONGEST_BACKOFF: Final = 1.0
"""Seconds. The kit's own is 4; here hours of faults are pressed into minutes."""


@final
@dataclass(slots=True)
class Member:
    """One bot; `tally` is what the kit counted, for a bot that plays with it, `raw` the bot that does not."""

    name: str
    token: str
    door: Door
    journal: Journal
    raw: RawBot | None = None
    kit: KitBot | None = None
    tally: Tally | None = None

    @property
    def address(self) -> str:
        """Where it finds the servers."""
        return f"127.0.0.1:{self.door.port}"


@final
class Crowd:
    """All bots of a run."""

    def __init__(self, members: list[Member], max_matches: int) -> None:
        """Gather them."""
        self.members = members
        self._max_matches = max_matches
        self._stop = asyncio.Event()

    async def play(self) -> None:
        """Play until `stop`; raise an ExceptionGroup when a bot may not go on."""
        async with asyncio.TaskGroup() as tasks:
            for member in self.members:
                if member.raw is not None:
                    tasks.create_task(member.raw.run(self._max_matches, self._stop))
                elif member.kit is not None and member.tally is not None:
                    tasks.create_task(
                        run_bot(
                            member.kit,
                            member.address,
                            member.token,
                            max_matches=self._max_matches,
                            stop=self._stop,
                            tally=member.tally,
                            silence=SILENCE,
                            backoff=Backoff(most=LONGEST_BACKOFF),
                        )
                    )

    def stop(self) -> None:
        """Let every bot close its stream and end."""
        self._stop.set()

    async def leave(self, server: str) -> None:
        """Take every bot from the ladder: what is being played comes to an end, for some by resigning."""
        for member in self.members:
            for bot in (member.raw, member.kit):
                if bot is not None:
                    bot.policy.leaves_one_of = OFTEN
            async with Client(server, member.token) as client:
                await client.leave_ladder(LADDER)


@asynccontextmanager
async def gathered_crowd(
    stack: Stack, admin_token: str, folder: Path, matches: int, policy: Policy
) -> AsyncIterator[Crowd]:
    """Register bots that can play so many matches at once, and enter them on the ladder.

    Each has the policy with a seed of its own.
    """
    async with AsyncExitStack() as life:
        members = []
        for number in range(BOTS):
            by_kit = number % 2 == 1
            name = f"{'kit' if by_kit else 'raw'}-{number}"
            async with Client(stack.address, admin_token) as admin:
                made = await admin.register_bot(name, baseline=True)
            async with Client(stack.address, made.token) as own:
                await own.join_ladder(LADDER)
            door = await life.enter_async_context(Door(name, stack.connect))
            journal = Journal(name, made.bot.bot_id, folder / f"{name}.journal.jsonl")
            life.callback(journal.close)
            member = Member(name, made.token, door, journal)
            own_policy = replace(policy, seed=policy.seed + number)
            if by_kit:
                member.kit = KitBot(member.address, made.token, journal, own_policy)
                member.tally = Tally()
            else:
                way = [*WayIn][number // 2 % len(WayIn)]
                member.raw = RawBot(member.address, made.token, journal, own_policy, way)
            members.append(member)
        yield Crowd(members, max(1, matches * SEATS // BOTS))
