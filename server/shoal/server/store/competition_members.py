"""Who takes part in competitions, and what each has reached."""

from collections.abc import Iterable, Sequence
from functools import partial

from shoal.competition.plan import Entrant
from shoal.server.store import competition_texts as texts
from shoal.server.store import keys
from shoal.server.store.competition_nouns import Roster, Score
from shoal.server.store.pipe import Pipe
from shoal.server.store.replies import pairs
from shoal.server.store.unreadable import Unreadable


class CompetitionMembers:
    """Those who have entered, and the scores of all who ever played."""

    def __init__(self, pipe: Pipe) -> None:
        """Ask through this pipe."""
        self._pipe = pipe
        self._bad_entrants = Unreadable()
        self._bad_scores = Unreadable()

    async def entered(self, bot_id: str, ids: Sequence[str]) -> list[str]:
        """Return those of these competitions that a bot has entered."""
        found = await self._pipe.many(
            ("HEXISTS", keys.competition(each, "entrants"), bot_id) for each in ids
        )
        return [each for each, is_in in zip(ids, found, strict=True) if is_in]

    async def roster(self, competition_id: str) -> Roster:
        """Return who takes part and what everybody who ever played has reached.

        Of whom something cannot be read takes no part: with another score it would be rated anew.
        """
        found, known = await self._pipe.many(
            ("HGETALL", keys.competition(competition_id, kind)) for kind in ("entrants", "scores")
        )
        entered = (
            self._bad_entrants.read(
                "entrant_unreadable",
                f"{competition_id} {bot}",
                partial(texts.entrant_of, bot, text),
            )
            for bot, text in pairs(found)
        )
        scores, others = self._scores(competition_id, pairs(known))
        numbered = texts.in_order(each for each in entered if each is not None)
        here = {bot: entrant for bot, (_, entrant) in numbered.items() if bot not in others}
        return Roster(here, scores)

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
        """Return the scores of these bots, None for one without a rated match.

        Raises ValueError, TypeError or KeyError if one cannot be read.
        """
        if not bots:
            return []  # what Redis refuses to read
        key = keys.competition(competition_id, "scores")
        found = await self._pipe.command("HMGET", key, *bots)
        return [None if text is None else texts.score_of(text) for text in found]

    async def scores_and_others(
        self, competition_id: str, bots: Sequence[str]
    ) -> tuple[dict[str, Score], frozenset[str]]:
        """Return the scores of those of these bots that have one, and whose cannot be read."""
        if not bots:
            return {}, frozenset()
        found = await self._pipe.command("HMGET", keys.competition(competition_id, "scores"), *bots)
        there = ((bot, text) for bot, text in zip(bots, found, strict=True) if text is not None)
        return self._scores(competition_id, there)

    def _scores(
        self, competition_id: str, found: Iterable[tuple[str, bytes]]
    ) -> tuple[dict[str, Score], frozenset[str]]:
        read = {
            bot: self._bad_scores.read(
                "score_unreadable", f"{competition_id} {bot}", partial(texts.score_of, text)
            )
            for bot, text in found
        }
        scores = {bot: score for bot, score in read.items() if score is not None}
        return scores, frozenset(read.keys() - scores.keys())

    async def _entrants(self, competition_id: str) -> dict[str, tuple[int, Entrant]]:
        found = await self._pipe.command("HGETALL", keys.competition(competition_id, "entrants"))
        return texts.entrants_of(dict(pairs(found)))
