"""The bots that play with the Python kit, as any author's do: through its hooks, with a journal."""

import asyncio
from collections.abc import Sequence
from typing import final

from shoal.client import Bot, MatchEnd, pb
from shoal.server.chaos.journal import Journal
from shoal.server.chaos.policy import Policy
from shoal.server.chaos.resigning import resign


@final
class KitBot(Bot):
    """Makes a player for each match."""

    def __init__(self, address: str, token: str, journal: Journal, policy: Policy) -> None:
        """Write into this journal; the kit has no resigning, so that goes to `address` beside it."""
        self.journal = journal
        self.policy = policy
        self._address = address
        self._token = token

    async def leave(self, match_id: str) -> None:
        """Resign."""
        await resign(self._address, self._token, self.journal, match_id)

    def for_match(self, match: pb.Match) -> Bot:
        """Return the player of one match."""
        return _Seat(self, match.match_id)


@final
class _Seat(Bot):
    """Plays one match."""

    def __init__(self, bot: KitBot, match_id: str) -> None:
        self._bot = bot
        self._journal = bot.journal
        self._match_id = match_id

    async def choose(self, _observation: pb.Observation, decision: pb.Decision) -> pb.Option:
        """Answer as the policy says, or leave the match first: then the answer comes too late."""
        policy = self._bot.policy
        answer = self._journal.sees(self._match_id, decision)
        if policy.resigns(decision):
            await self._bot.leave(self._match_id)
        await asyncio.sleep(policy.thought(decision))
        option_id = policy.choice(decision)
        self._journal.says(answer, option_id)
        return next(each for each in decision.options if each.option_id == option_id)

    async def on_match_start(self, match: pb.Match) -> None:
        """Note it."""
        self._journal.begins(match.match_id)

    async def on_events(self, _match_id: str, _events: Sequence[pb.Event]) -> None:
        """Hear them, so that the kit has to tell them."""

    async def on_match_end(self, end: MatchEnd) -> None:
        """Note it."""
        self._journal.ends_with(end.match.match_id, end.result)
