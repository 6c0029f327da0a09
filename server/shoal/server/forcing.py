"""A block that an organizer wants next: whether it can be, and keeping it for the director, as one."""

from contextlib import suppress
from dataclasses import dataclass
from typing import final

from shoal.competition import plan
from shoal.server.auth import Caller
from shoal.server.director import is_paired
from shoal.server.errors import LONGEST_ECHO, malformed, not_found
from shoal.server.finding import find
from shoal.server.organizing import note_of, wrong_state
from shoal.server.reckoning import Reckoning
from shoal.server.reserving import reserve
from shoal.server.store.bots import BotStore
from shoal.server.store.competition_errors import Stale
from shoal.server.store.competition_nouns import Block, Competition, State
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.keys import new_id
from shoal.server.store.memberships import MembershipStore
from shoal.server.store.presence import PresenceStore
from shoal.server.store.requests import RequestStore


@final
@dataclass(frozen=True, slots=True)
class Wish:
    """What block is wanted; an empty ruleset is the first of the competition."""

    competition_id: str
    bots: tuple[str, ...]
    ruleset: str
    why: str


@final
class Forcing:
    """Forces pairings for organizers."""

    def __init__(
        self,
        competitions: CompetitionStore,
        bots: BotStore,
        presences: PresenceStore,
        memberships: MembershipStore,
        requests: RequestStore,
        reckoning: Reckoning,
    ) -> None:
        """Read and write in these, and ask what is due."""
        self._reckoning = reckoning
        self._competitions = competitions
        self._bots = bots
        self._presences = presences
        self._memberships = memberships
        self._requests = requests

    async def force(self, caller: Caller, wish: Wish, request_id: str, body: str) -> Block:
        """Let a block of these bots begin before all others, and return it; raise Refusal.

        Bots that play as much as they take are waited for: on a ladder that runs they nearly always do.
        `body` is the hash of the request.
        """
        caller.organizing()
        kept = await reserve(self._requests, caller.owner, request_id, body, {"block": new_id()})
        key = kept.reserved["block"] if kept.answer is None else kept.answer.decode()
        while True:  # what was looked at may have changed
            with suppress(Stale):
                block = await self._force(caller, wish, key)
                if request_id:
                    # A block of a plan has a key of its own.
                    await self._requests.finish(caller.owner, request_id, block.key.encode())
                return block

    async def _force(self, caller: Caller, wish: Wish, key: str) -> Block:
        found = await find(self._competitions, wish.competition_id)
        known = await self._competitions.block(found.competition_id, key)
        if known is not None:
            return known
        _check(found, wish)
        if found.forced:
            waiting = await self._competitions.block(found.competition_id, found.forced)
            if waiting is not None and _is_it(waiting, found, wish):
                return waiting
            raise wrong_state(
                found, f"block {found.forced} is to begin next already; a pause takes it back"
            )
        may_be_rated = await self._check_bots(found, wish)
        if found.is_ladder:
            rated = found.specification.rated and may_be_rated
            block = Block(key, wish.bots, _ruleset(found, wish), rated, why=_why(wish))
        else:
            block = await self._due(found, wish)
        line = f"{block.key}: {' '.join(block.bots)}"
        await self._competitions.force(
            found, block, note_of(caller, "force pairing", line, wish.why)
        )
        return block

    async def _check_bots(self, found: Competition, wish: Wish) -> bool:
        """Raise the Refusal of a bot that cannot sit there, by its name; return whether it may be rated."""
        entrants = {
            one.bot_id: one for one in await self._competitions.entrants(found.competition_id)
        }
        bots = await self._bots.get_many(wish.bots)
        for bot_id, bot in zip(wish.bots, bots, strict=True):
            if bot is None or bot_id not in entrants:
                name = bot_id if bot is None else bot.name
                raise not_found(f"member of {found.competition_id}", name)
        presences = await self._presences.get_many(wish.bots)
        known = await self._memberships.of(found.competition_id, wish.bots)
        ruleset, size = _ruleset(found, wish), len(wish.bots)
        for bot_id, bot, there in zip(wish.bots, bots, presences, strict=True):
            assert bot is not None
            if bot_id in found.rulings.excluded:
                raise wrong_state(found, f"bot {bot.name!r} is excluded")
            if not is_paired(known.get(bot_id)):
                raise wrong_state(
                    found, f"bot {bot.name!r} is not paired before it has finished a trial"
                )
            if there is None:
                raise wrong_state(found, f"bot {bot.name!r} is not connected")
            if ruleset not in there.rulesets or size not in there.seats:
                raise wrong_state(
                    found, f"bot {bot.name!r} does not offer {ruleset} with {size} seats"
                )
        return plan.may_be_rated([entrants[bot_id] for bot_id in wish.bots])

    async def _due(self, found: Competition, wish: Wish) -> Block:
        """Return the first block of a plan that is due between these bots, and has not begun."""
        in_play = await self._competitions.blocks(found.competition_id)
        for each in await self._reckoning.due(found.competition_id):
            if str(each.key) in in_play or set(each.bots) != set(wish.bots):
                continue
            if wish.ruleset in {"", each.ruleset}:
                key = str(each.key)
                return Block(key, each.bots, each.ruleset, each.rated, why=_why(wish))
        raise wrong_state(found, "no block of these bots is due that has not begun")


def _check(found: Competition, wish: Wish) -> None:
    """Raise the Refusal of a block that this competition cannot have now, whoever the bots are."""
    if found.state is not State.RUNNING:
        raise wrong_state(found, f"it is {found.state.value}: no block begins")
    specification = found.specification
    if len(wish.bots) not in specification.seats:
        sizes = ", ".join(map(str, specification.seats))
        raise malformed("bot_ids", f"{len(wish.bots)} bots: its tables have {sizes}")
    if len(set(wish.bots)) != len(wish.bots):
        raise malformed("bot_ids", "no bot may sit there twice")
    if wish.ruleset and wish.ruleset not in specification.rulesets:
        raise malformed("ruleset", f"it does not play {wish.ruleset[:LONGEST_ECHO]!r}")


def _is_it(block: Block, found: Competition, wish: Wish) -> bool:
    """Tell whether a block is what is wanted: in a tournament any of these bots, if no ruleset is named."""
    ruleset = _ruleset(found, wish) if found.is_ladder else wish.ruleset
    return set(block.bots) == set(wish.bots) and ruleset in {"", block.ruleset}


def _ruleset(found: Competition, wish: Wish) -> str:
    return wish.ruleset or found.specification.rulesets[0]


def _why(wish: Wish) -> tuple[str, ...]:
    return ("An organizer has asked for this table.", *((wish.why,) if wish.why else ()))
