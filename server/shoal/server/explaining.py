"""Why bots of a tournament are paired as they are, and what they wait for (T81)."""

import asyncio
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import final

from shoal.competition import swiss
from shoal.competition.explain_swiss import explain_round
from shoal.competition.explanation import Explanation
from shoal.competition.plan import Entrant, Planned
from shoal.competition.specification import Swiss
from shoal.server.auth import Caller
from shoal.server.errors import Reason, Refusal, not_found
from shoal.server.explained import Asked, ExplanationPage
from shoal.server.naming import named
from shoal.server.page_tokens import next_token, read_number
from shoal.server.reckoning import Reckoning
from shoal.server.standstill import why_excluded, why_it_stands
from shoal.server.store.bots import BotStore
from shoal.server.store.competition_nouns import Block, Competition, Ended, State
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.presence import PresenceStore
from shoal.server.tournament_words import Seen, what_it_waits_for, why_table


@final
class Explaining:
    """Answers "why" from what is stored."""

    def __init__(
        self,
        competitions: CompetitionStore,
        bots: BotStore,
        presences: PresenceStore,
        reckoning: Reckoning,
    ) -> None:
        """Read from these, and ask what is due."""
        self._competitions = competitions
        self._reckoning = reckoning
        self._bots = bots
        self._presences = presences

    async def explain(
        self, caller: Caller, found: Competition, asked: Asked, page_size: int, token: str
    ) -> ExplanationPage:
        """Return why there is the table of a match; or of one bot, or all, the tables and what they wait for.

        Raise Refusal.
        """
        start = read_number("pairing", token)
        if found.specification.names_hidden and not caller.admin and await self._is_played(found):
            raise Refusal(
                Reason.NOT_ALLOWED, "who plays whom is hidden here until the tournament is over"
            )
        competition_id = found.competition_id
        entrants = await self._competitions.entrants(competition_id)
        ids = [one.bot_id for one in entrants]
        if asked.match_id:
            return await self._of_match(found, asked.match_id, entrants)
        if asked.bot_id and asked.bot_id not in ids:
            raise not_found("entrant", asked.bot_id)
        wanted = [asked.bot_id] if asked.bot_id else ids
        page = wanted[start : start + page_size]
        in_play = await self._competitions.blocks(competition_id)
        due = await self._reckoning.due(competition_id)
        now = None
        if isinstance(found.specification.format, Swiss):
            now = await self._reckoning.current_round(competition_id)
        presences = await self._presences.get_many(ids)
        seen = Seen(
            found=found,
            entrants=entrants,
            there={each.bot_id: each for each in presences if each is not None},
            stands=await why_it_stands(self._competitions, found),
            excluded=why_excluded(caller, found, {one.bot_id: one.owner for one in entrants}),
        )

        def explain() -> list[Explanation]:
            of_bots = _blocks_of_bots(page, due, in_play)
            tables = [
                *_round(now),
                *(why_table(block, found, entrants) for block in in_play.values()),
            ]
            return [
                *(each for each in tables if _is_on_page(each, asked, page)),
                *(what_it_waits_for(bot, of_bots[bot], seen) for bot in page),
            ]

        # Of hundreds of bots it takes seconds, in which the moves of others must not wait.
        told = await self._named(await asyncio.to_thread(explain), ids)
        return ExplanationPage(told, next_token("pairing", start + len(page), len(wanted)))

    async def _of_match(
        self, found: Competition, match_id: str, entrants: Sequence[Entrant]
    ) -> ExplanationPage:
        place = await self._competitions.place_of(found.competition_id, match_id)
        if place is None:
            raise not_found("match of the tournament", match_id)
        block = place.block if isinstance(place, Ended) else place
        ids = [one.bot_id for one in entrants]
        return ExplanationPage(await self._named([why_table(block, found, entrants)], ids), "")

    async def _named(
        self, explanations: Iterable[Explanation], ids: Sequence[str]
    ) -> list[Explanation]:
        bots = await self._bots.get_many(ids)
        names = {bot.bot_id: bot.name for bot in bots if bot is not None}
        return [named(each, names) for each in explanations]

    async def _is_played(self, found: Competition) -> bool:
        """Tell whether a competition is not over, or matches of it are still in play."""
        _, in_play = await self._competitions.count_blocks(found.competition_id)
        return found.state is not State.FINISHED or bool(in_play)


def _blocks_of_bots(
    asked: Collection[str], due: Sequence[Planned], in_play: Mapping[str, Block]
) -> dict[str, list[Block]]:
    """Return what each of these bots plays, and what it could begin."""
    every = {
        str(each.key): Block(str(each.key), each.bots, each.ruleset, each.rated) for each in due
    }
    every.update(in_play)
    blocks: dict[str, list[Block]] = {bot: [] for bot in asked}
    for block in every.values():
        for bot in block.bots:
            if bot in blocks:
                blocks[bot].append(block)
    return blocks


def _round(now: swiss.Round | None) -> Iterator[Explanation]:
    """Yield why the current round of a Swiss tournament is paired as it is."""
    if now is not None and now.pairing is not None:
        yield from explain_round(now.pairing)


def _is_on_page(explanation: Explanation, asked: Asked, page: Collection[str]) -> bool:
    """Tell whether a table belongs to a page: of everybody it is on that of its first bot alone."""
    told = explanation.bots if asked.bot_id else explanation.bots[:1]
    return any(bot in page for bot in told)
