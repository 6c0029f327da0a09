"""Why bots of a ladder sit together, and why one that is there sits nowhere (T81)."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, assert_never, final

from shoal.competition.explain_ladder import Waiting
from shoal.competition.explanation import Explanation
from shoal.competition.plan import Entrant
from shoal.competition.pool import Candidate, Terms
from shoal.server.auth import Caller
from shoal.server.director import is_paired
from shoal.server.errors import Reason, Refusal, not_found
from shoal.server.explained import Asked, ExplanationPage
from shoal.server.naming import with_names
from shoal.server.page_tokens import next_token, read_number
from shoal.server.standstill import because, state_of, why_excluded, why_it_stands
from shoal.server.store.bots import BotStore
from shoal.server.store.competition_nouns import Block, Competition, Ended, State
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.keys import now_ms
from shoal.server.store.memberships import Membership, MembershipStore, Stage
from shoal.server.store.presence import Presence, PresenceStore
from shoal.server.store.waits import Kept, Wait, Waits, WaitStore

_HIDDEN: Final = (
    "Who plays whom is hidden here until the table is over, and so is what others' bots wait for."
)


@final
class LadderExplaining:
    """Answers "why" from what is stored."""

    def __init__(
        self,
        competitions: CompetitionStore,
        bots: BotStore,
        presences: PresenceStore,
        memberships: MembershipStore,
        waits: WaitStore,
    ) -> None:
        """Read from these."""
        self._competitions = competitions
        self._bots = bots
        self._presences = presences
        self._memberships = memberships
        self._waits = waits

    async def explain(
        self,
        caller: Caller,
        found: Competition,
        asked: Asked,
        page_size: int,
        token: str,
    ) -> ExplanationPage:
        """Return why there is the table of a match; or of one bot, or all, the tables and what they wait for.

        Where names are hidden only organizers are told of tables in play, and of bots that are not their own:
        which of them are busy at the same moments says who plays whom. Raise Refusal.
        """
        start = read_number("why", token)
        hidden = found.specification.names_hidden and not caller.admin
        if asked.match_id:
            why = await self._of_match(found, asked.match_id, hidden=hidden)
            return ExplanationPage([why], "")
        entrants = await self._competitions.entrants(found.competition_id)
        bots = [one.bot_id for one in entrants if asked.bot_id in {"", one.bot_id}]
        if asked.bot_id and not bots:
            raise not_found("entrant", asked.bot_id)
        page = bots[start : start + page_size]
        blocks = {} if hidden else await self._competitions.blocks(found.competition_id)
        pool = await self._pool(found, entrants, caller)

        def explain() -> list[Explanation]:
            here = set(page)
            spec = found.specification
            terms = Terms(spec.rulesets, spec.seats, rated=spec.rated)
            waiting = Waiting(_candidates(pool), terms, ())
            return [
                *(_why_table(block) for block in blocks.values() if here & {*block.bots}),
                *(
                    Explanation((bot,), (_HIDDEN,), {})
                    if hidden and not _is_own(bot, pool, caller)
                    else _why_here(bot, found, pool, waiting)
                    for bot in page
                ),
            ]

        # Of hundreds of bots it takes a while, in which the moves of others must not wait.
        named = await with_names(await asyncio.to_thread(explain), self._bots)
        return ExplanationPage(named, next_token("why", start + len(page), len(bots)))

    async def _of_match(self, found: Competition, match_id: str, *, hidden: bool) -> Explanation:
        place = await self._competitions.place_of(found.competition_id, match_id)
        if place is None:
            raise not_found("match of the ladder", match_id)
        if hidden and isinstance(place, Block):
            raise Refusal(
                Reason.NOT_ALLOWED, "who plays whom is hidden here until the table is over"
            )
        block = place.block if isinstance(place, Ended) else place
        (named,) = await with_names([_why_table(block)], self._bots)
        return named

    async def _pool(
        self, found: Competition, entrants: Sequence[Entrant], caller: Caller
    ) -> "_Pool":
        ids = [one.bot_id for one in entrants]
        presences = await self._presences.get_many(ids)
        known = await self._memberships.of(found.competition_id, ids)
        unpaired = {bot: each for bot, each in known.items() if not is_paired(each)}
        there = {each.bot_id: each for each in presences if each is not None}
        waits = await self._waits.get(found.competition_id)
        owners = _owners(entrants)
        excluded = why_excluded(caller, found, owners)
        stands = await why_it_stands(self._competitions, found)
        return _Pool(there, waits, owners, unpaired, excluded, stands)


@final
class _Pool(NamedTuple):
    """Those who are connected, what the director has said of those who wait, all owners, and who is kept out.

    `unpaired` are those that must finish a trial first; `excluded` says why, where the caller may know it;
    `stands` why the ladder makes no tables.
    """

    there: Mapping[str, Presence]
    waits: Waits | None
    owners: Mapping[str, str]
    unpaired: Mapping[str, Membership]
    excluded: Mapping[str, str]
    stands: str


def _owners(entrants: Iterable[Entrant]) -> dict[str, str]:
    return {one.bot_id: one.owner for one in entrants}


def _is_own(bot: str, pool: _Pool, caller: Caller) -> bool:
    return not caller.anonymous and pool.owners.get(bot) == caller.owner


def _why_table(block: Block) -> Explanation:
    """Return why there is this table, as the director has noted it when it made it."""
    why = block.why or (
        "The table was made by a server of an earlier version, which noted no reason.",
    )
    played = (
        f"Of its {len(block.bots)} matches, rotation {block.rotation} is in play: {block.match_id}."
    )
    sentences = (*why, played) if block.match_id else why
    return Explanation(block.bots, sentences, block.numbers)


def _why_here(bot: str, found: Competition, pool: _Pool, waiting: Waiting) -> Explanation:
    """Return why a bot sits at no further table."""
    presence = pool.there.get(bot)
    numbers = {
        "present": float(presence is not None),
        "live_matches": 0.0 if presence is None else presence.live_count,
        "takes_at_once": 0.0 if presence is None else presence.max_matches,
    }
    if (outside := _outside(bot, found, pool)) is not None:
        return Explanation((bot,), (outside,), numbers)
    inside = waiting.why(bot)
    return replace(inside, numbers={**numbers, **inside.numbers})


def _outside(bot: str, found: Competition, pool: _Pool) -> str | None:
    """Return what keeps a bot from being looked at for a table at all; None if nothing does."""
    waits = pool.waits
    wait = None if waits is None else waits.bots.get(bot)
    presence, unpaired = pool.there.get(bot), pool.unpaired.get(bot)
    causes = (
        (
            found.state is not State.RUNNING,
            f"The ladder is {state_of(found)}: no table is made{because(pool.stands)}.",
        ),
        (
            bot in pool.excluded,
            f"{bot} is excluded by the organizer, and not paired{because(pool.excluded.get(bot, ''))}.",
        ),
        (presence is None, f"{bot} is not connected."),
        (unpaired is not None, _trial(bot, unpaired)),
        (
            waits is None,
            f"{bot} waits for the director, which has not looked at this ladder lately: is one running?",
        ),
        (
            waits is not None and bot in waits.left_alone,
            f"{bot} did not come to its last match in time, and is left alone for some seconds.",
        ),
        (
            wait is not None and wait.kept is not None,
            f"A place of {bot} is {_kept_for(None if wait is None else wait.kept)}.",
        ),
    )
    return next((cause for applies, cause in causes if applies), None)


def _kept_for(kept: Kept | None) -> str:
    """Return what a place is kept for."""
    match kept:
        case None:
            return "kept for nothing"
        case Kept.TOURNAMENT:
            return "kept for a tournament, whose other bots are busy"
        case Kept.FORCED:
            return "kept for a table that the organizer has asked for, whose other bots are busy"
        case _:
            assert_never(kept)


def _trial(bot: str, unpaired: Membership | None) -> str:
    """Return what a bot that is not paired has to finish first."""
    if unpaired is None or unpaired.stage is Stage.TRIAL:
        return f"{bot} is on trial: it is paired when it has finished one casual match."
    if unpaired.stage is Stage.UNREADABLE:
        return f"{bot} is paused: {unpaired.why}."
    return f"{bot} is paused until it has finished a casual match: {unpaired.why}."


def _candidates(pool: _Pool) -> list[Candidate]:
    """Return the pool as the director sees it, as far as that matters to what a bot waits for."""
    waits = pool.waits or Waits({})
    return [
        _candidate(there, waits.bots.get(bot), pool.owners.get(bot, ""))
        for bot, there in pool.there.items()
        if not (bot in waits.left_alone or bot in pool.unpaired or bot in pool.excluded)
    ]


def _candidate(there: Presence, wait: Wait | None, owner: str) -> Candidate:
    candidate = Candidate(
        bot_id=there.bot_id,
        room=there.max_matches - there.live_count,
        rulesets=frozenset(there.rulesets),
        seats=frozenset(there.seats),
        owner=owner,
        at_once=there.max_matches,
        idle=there.live_count == 0,
    )
    if wait is None:
        return candidate
    return replace(
        candidate,
        room=min(candidate.room, wait.room),
        ticks=wait.ticks,
        waited_ms=max(0, now_ms() - wait.since_ms),
        match_ms=wait.match_ms,
    )
