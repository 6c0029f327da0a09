"""Who takes part in competitions, and what each has reached."""

from collections.abc import Sequence

from shoal.competition.plan import Entrant
from shoal.server.store import competition_texts as texts
from shoal.server.store import keys
from shoal.server.store.competition_nouns import Roster, Score
from shoal.server.store.pipe import Pipe
from shoal.server.store.replies import pairs


class CompetitionMembers:
    """Those who have entered, and the scores of all who ever played."""

    def __init__(self, pipe: Pipe) -> None:
        """Ask through this pipe."""
        self._pipe = pipe

    async def entered(self, bot_id: str, ids: Sequence[str]) -> list[str]:
        """Return those of these competitions that a bot has entered."""
        found = await self._pipe.many(
            ("HEXISTS", keys.competition(each, "entrants"), bot_id) for each in ids
        )
        return [each for each, is_in in zip(ids, found, strict=True) if is_in]

    async def roster(self, competition_id: str) -> Roster:
        """Return who takes part and what everybody who ever played has reached."""
        entrants, scores = await self._pipe.many(
            ("HGETALL", keys.competition(competition_id, kind)) for kind in ("entrants", "scores")
        )
        numbered = texts.entrants_of(dict(pairs(entrants)))
        return Roster(
            {bot: entrant for bot, (_, entrant) in numbered.items()},
            {bot: texts.score_of(text) for bot, text in pairs(scores)},
        )

    async def entrants(self, competition_id: str) -> tuple[Entrant, ...]:
        """Return who takes part, in seeded order."""
        return tuple(entrant for _, entrant in (await self._entrants(competition_id)).values())

    async def take_part(self, competition_id: str, bots: Sequence[str]) -> set[str]:
        """Return those of these bots that have entered."""
        key = keys.competition(competition_id, "entrants")
        found = await self._pipe.command("HMGET", key, *bots)
        return {bot for bot, text in zip(bots, found, strict=True) if text is not None}

    async def count_entrants(self, competition_id: str) -> int:
        """Return how many take part."""
        number: int = await self._pipe.command("HLEN", keys.competition(competition_id, "entrants"))
        return number

    async def scores(self, competition_id: str, bots: Sequence[str]) -> list[Score | None]:
        """Return the scores of these bots, None for one without a rated match."""
        if not bots:
            return []  # what Redis refuses to read
        key = keys.competition(competition_id, "scores")
        found = await self._pipe.command("HMGET", key, *bots)
        return [None if text is None else texts.score_of(text) for text in found]

    async def _entrants(self, competition_id: str) -> dict[str, tuple[int, Entrant]]:
        found = await self._pipe.command("HGETALL", keys.competition(competition_id, "entrants"))
        return texts.entrants_of(dict(pairs(found)))
