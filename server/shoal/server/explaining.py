"""Why bots of a tournament are paired as they are, and what they wait for (T81)."""

import asyncio
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import final

from shoal.competition import swiss
from shoal.competition.explain_swiss import explain_round
from shoal.competition.explanation import Explanation, many
from shoal.competition.plan import Planned
from shoal.competition.specification import Swiss
from shoal.server.auth import Caller
from shoal.server.errors import Reason, Refusal, not_found
from shoal.server.naming import named
from shoal.server.reckoning import Reckoning
from shoal.server.store.bots import BotStore
from shoal.server.store.competition_nouns import Block, Competition, State
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.presence import Presence, PresenceStore


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

    async def explain(self, caller: Caller, found: Competition, bot_id: str) -> list[Explanation]:
        """Return why one bot is where it is, or everybody if `bot_id` is empty; raise Refusal."""
        if found.specification.names_hidden and not caller.admin and await self._is_played(found):
            raise Refusal(
                Reason.NOT_ALLOWED, "who plays whom is hidden here until the tournament is over"
            )
        competition_id = found.competition_id
        entrants = await self._competitions.entrants(competition_id)
        ids = [one.bot_id for one in entrants]
        if bot_id and bot_id not in ids:
            raise not_found("entrant", bot_id)
        in_play = await self._competitions.blocks(competition_id)
        due = await self._reckoning.due(competition_id)
        now = None
        if isinstance(found.specification.format, Swiss):
            now = await self._reckoning.current_round(found, entrants)
        presences = await self._presences.get_many(ids)
        there = {each.bot_id: each for each in presences if each is not None}
        asked = [bot_id] if bot_id else ids

        def explain() -> list[Explanation]:
            of_bots = _blocks_of_bots(asked, due, in_play)
            told = (_explain_bot(bot, found, of_bots[bot], there) for bot in asked)
            return [*_round(now, asked), *told]

        # Of hundreds of bots it takes seconds, in which the moves of others must not wait.
        explanations = await asyncio.to_thread(explain)
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


def _round(now: swiss.Round | None, asked: Collection[str]) -> Iterator[Explanation]:
    """Yield why the current round of a Swiss tournament is paired as it is."""
    if now is not None and now.pairing is not None:
        for each in explain_round(now.pairing):
            if any(bot in asked for bot in each.bots):
                yield each


def _explain_bot(
    bot: str, found: Competition, mine: Sequence[Block], there: Mapping[str, Presence]
) -> Explanation:
    """Return what a bot plays now, and what each of its other blocks waits for."""
    playing = [block for block in mine if block.match_id]
    waiting = [block for block in mine if not block.match_id]
    return Explanation(
        bots=(bot,),
        sentences=tuple(_sentences(bot, found, playing, waiting, there)),
        numbers={
            "present": float(bot in there),
            "playing": len(playing),
            "waiting": len(waiting),
            "live_matches": there[bot].live_count if bot in there else 0,
            "takes_at_once": there[bot].max_matches if bot in there else 0,
        },
    )


def _sentences(
    bot: str,
    found: Competition,
    playing: list[Block],
    waiting: list[Block],
    there: Mapping[str, Presence],
) -> Iterator[str]:
    for block in playing:
        yield f"{bot} plays block {block.key} with {_others(block.bots, bot)}, rotation {block.rotation}."
    if bot in found.rulings.excluded:
        yield f"{bot} is excluded by the organizer, and not paired."
    elif found.state is not State.RUNNING:
        yield f"The tournament is {found.state.value}: no block begins."
    elif not waiting:
        yield f"Nothing else of {bot} can begin now: it has played, or its next opponent is not known."
    elif bot not in there:
        yield f"{bot} is not connected. What waits for it: {many(len(waiting), 'block')}."
    else:
        if there[bot].live_count >= there[bot].max_matches:
            yield (
                f"{bot} plays {there[bot].live_count} of the {many(there[bot].max_matches, 'table')} that it "
                "takes at once, over all competitions."
            )
        for block in waiting[:3]:
            yield _why_it_waits(block, bot, there)
        if len(waiting) > 3:
            yield f"So it is with {many(len(waiting) - 3, 'further block')} of it."


def _why_it_waits(block: Block, bot: str, there: Mapping[str, Presence]) -> str:
    others = [other for other in block.bots if other != bot]
    unable = [
        each
        for each in block.bots
        if each in there
        and not (block.ruleset in there[each].rulesets and len(block.bots) in there[each].seats)
    ]
    away = [other for other in others if other not in there]
    busy = [
        other
        for other in others
        if other in there and there[other].live_count >= there[other].max_matches
    ]
    if unable:
        return (
            f"Block {block.key} plays {block.ruleset} with {len(block.bots)} seats, which "
            f"{', '.join(unable)} does not offer to play."
        )
    if away:
        return f"Block {block.key} waits for {', '.join(away)}: not connected."
    if busy:
        return f"Block {block.key} waits for {', '.join(busy)}: busy."
    return f"Block {block.key} with {', '.join(others)} is about to begin."


def _others(bots: tuple[str, ...], bot: str) -> str:
    return ", ".join(other for other in bots if other != bot)
