"""Trials: the casual match that a bot finishes before a ladder pairs it, and after it was paused (T87)."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final, final

import structlog

from shoal.competition.plan import Entrant
from shoal.competition.specification import Ladder
from shoal.match import Phase, decode_match, outbox_payload
from shoal.server.director import health
from shoal.server.director.matches import Matches, Pairing
from shoal.server.director.result import Finished, finished
from shoal.server.director.rooms import Room
from shoal.server.director.settings import Settings
from shoal.server.director.trial_tables import Seating
from shoal.server.director.verdict import Verdict
from shoal.server.guard import one_of_many
from shoal.server.store import keys
from shoal.server.store.competition_errors import Stale
from shoal.server.store.competition_nouns import Competition
from shoal.server.store.direction import Direction
from shoal.server.store.keys import now_ms
from shoal.server.store.matches import MatchStore
from shoal.server.store.memberships import Membership, MembershipStore

_log = structlog.get_logger(__name__)

_UNMADE_MS: Final = 60_000
"""How old the id of a trial must be for its match to be taken for one that the store has lost."""


@final
class Trials:
    """Holds the trials of ladders, and pauses bots, while it holds the lease.

    A trial is reserved in the membership before it is made, as the matches of blocks are in theirs; what
    becomes of it is read from the match itself, so a successor goes on with what is stored.
    """

    def __init__(
        self,
        memberships: MembershipStore,
        stored: MatchStore,
        direction: Direction,
        matches: Matches,
        settings: Settings,
    ) -> None:
        """Read and write here, and create matches by `matches`."""
        self._memberships = memberships
        self._stored = stored
        self._direction = direction
        self._matches = matches
        self._settings = settings

    async def resume(self, found: Competition) -> list[str]:
        """Take note of the trials that were reserved and not made; return their matches, to be created."""
        known = await self._memberships.all(found.competition_id)
        statuses = await self._stored.statuses([each.match_id for each in known.values()])
        return [
            self._expect(found, bot, each)
            for bot, each in known.items()
            if each.match_id and each.match_id not in statuses and not _is_lost(each)
        ]

    def forget(self, found: Competition) -> None:
        """Keep no more of a ladder."""
        self._memberships.forget(found.competition_id)

    async def verdict(self, found: Competition, match: Finished) -> Verdict:
        """Return what a match of a ladder means for the memberships of its bots."""
        known = await self._memberships.of(found.competition_id, match.bots)
        form = found.specification.format
        most = form.faults if isinstance(form, Ladder) else 0
        changed: dict[str, Membership] = {}
        readable = [bot for bot in match.bots if not health.is_unreadable(known.get(bot))]
        for bot in readable if most else ():
            after = health.after_match(
                known.get(bot),
                match,
                bot,
                most_faults=most,
                now_ms=now_ms(),
                settings=self._settings,
            )
            if after is not None:
                changed[bot] = after
        return Verdict(known, changed)

    async def note(self, found: Competition, match: Finished, verdict: Verdict) -> None:
        """Write what a match that was counted has changed.

        Of a director that dies before it the fault is forgotten: nobody counts one twice. Of a bot that left
        and joined meanwhile, or is at a trial, it is not.
        """
        for bot in verdict.changed:
            said = verdict
            with one_of_many("fault_not_noted", bot=bot):
                while bot in said.changed:
                    with suppress(Stale):
                        await self._change(found, bot, said.known.get(bot), said.changed[bot])
                        break
                    said = await self.verdict(found, match)

    async def paused(self, found: Competition, bots: Sequence[str]) -> set[str]:
        """Return those of these bots that a ladder does not pair."""
        known = await self._memberships.of(found.competition_id, bots)
        return {bot for bot, each in known.items() if not health.is_paired(each)}

    async def look(
        self, found: Competition, entrants: Mapping[str, Entrant], room: Room
    ) -> set[str]:
        """Go on with all trials; return the bots that are not paired."""
        known = await self._memberships.all(found.competition_id)
        waiting = {
            bot: each
            for bot, each in known.items()
            if bot in entrants and not health.is_paired(each)
        }
        if not waiting:
            return set()
        await self._follow(found, waiting, room)
        # Who has passed is paired from now on, and is free: without this it would be tried again.
        waiting = {bot: each for bot, each in waiting.items() if not health.is_paired(each)}
        due = [
            bot
            for bot, each in waiting.items()
            if not (each.match_id or health.is_unreadable(each)) and each.due_ms <= now_ms()
        ]
        if due:
            await self._begin(found, due, waiting, entrants, room)
        return set(waiting)

    async def _follow(self, found: Competition, waiting: dict[str, Membership], room: Room) -> None:
        """See what has become of the trials in play."""
        playing = {bot: each for bot, each in waiting.items() if each.match_id}
        statuses = await self._stored.statuses([each.match_id for each in playing.values()])
        for bot, each in playing.items():
            status = statuses.get(each.match_id)
            with one_of_many("trial_stumbled", bot=bot, match=each.match_id):
                if status == Phase.FINISHED:
                    await self._judge(found, waiting, bot)
                elif status is None and not self._matches.is_expected(each.match_id):
                    if _is_lost(each):
                        await self._move(found, waiting, bot, _without_match(each))
                    else:
                        await self._make(found, bot, each, room)

    async def _make(self, found: Competition, bot: str, trial: Membership, room: Room) -> None:
        """Make the match of a trial that is reserved."""
        match_id = self._expect(found, bot, trial)
        room.take(trial.bots)
        await self._matches.create([match_id])

    def _expect(self, found: Competition, bot: str, trial: Membership) -> str:
        """Take note that the match of a trial is to be created, and return its id."""
        take_back = partial(self._take_back, found, bot, trial.match_id)
        return self._matches.expect_pairing(_pairing(found, trial), take_back)

    async def _take_back(self, found: Competition, bot: str, match_id: str) -> bool:
        """Let another trial take the place of one whose match cannot be made."""
        if await self._stored.statuses([match_id]):
            return False
        known = await self._memberships.of(found.competition_id, [bot])
        trial = known.get(bot)
        if trial is not None and trial.match_id == match_id:
            await self._change(found, bot, trial, _without_match(trial))
        return True

    async def _judge(self, found: Competition, waiting: dict[str, Membership], bot: str) -> None:
        """See what a trial that is over says of all who sat there and were to be tried."""
        result = await self._result(waiting[bot].match_id)
        others = [
            each
            for each in waiting[bot].bots
            if each in waiting
            and not waiting[each].match_id
            and not health.is_paired(waiting[each])
        ]
        for each in (*others, bot):  # it last, so that nobody is forgotten if we end in between
            after = health.after_trial(waiting[each], result, each, now_ms(), self._settings)
            await self._move(found, waiting, each, after)

    async def _begin(
        self,
        found: Competition,
        due: Sequence[str],
        waiting: dict[str, Membership],
        entrants: Mapping[str, Entrant],
        room: Room,
    ) -> None:
        """Begin the trials for which there is somebody to play."""
        seating = Seating(found.specification, entrants, waiting, due, room)
        for bot in seating.turns:
            with one_of_many("trial_not_begun", bot=bot):
                table = seating.table(bot)
                if isinstance(table, str):
                    after = health.cannot_play(waiting[bot], table, now_ms(), self._settings)
                    await self._move(found, waiting, bot, after)
                elif table is not None:
                    after = replace(
                        waiting[bot], match_id=keys.new_id(), bots=table.bots, ruleset=table.ruleset
                    )
                    if await self._move(found, waiting, bot, after):
                        seating.seat(table)
                        await self._make(found, bot, after, room)

    async def _move(
        self, found: Competition, waiting: dict[str, Membership], bot: str, after: Membership
    ) -> bool:
        """Write what becomes of a membership that was read; false if it has changed meanwhile."""
        try:
            waiting[bot] = await self._change(found, bot, waiting[bot], after)
        except Stale:
            return False
        return True

    async def _change(
        self, found: Competition, bot: str, before: Membership | None, after: Membership
    ) -> Membership:
        note = health.line_of(bot, before, after, now_ms())
        if note is not None:
            stage = after.stage.value
            _log.info("membership", ladder=found.competition_id, bot=bot, stage=stage)
        return await self._memberships.change(
            found.competition_id, bot, before, after, note, self._direction.token
        )

    async def _result(self, match_id: str) -> Finished:
        stored = await self._stored.load(match_id)
        assert stored is not None
        return finished(outbox_payload(decode_match(stored.meta, stored.secret, stored.state)))


def _is_lost(trial: Membership) -> bool:
    """Tell, of a trial whose match is not there, whether the store has lost it."""
    return now_ms() - keys.time_of(trial.match_id) > _UNMADE_MS


def _without_match(trial: Membership) -> Membership:
    return replace(trial, match_id="", bots=(), ruleset="")


def _pairing(found: Competition, trial: Membership) -> Pairing:
    """Return the match of a trial: of no competition, so that it is counted nowhere."""
    return Pairing(
        match_id=trial.match_id,
        competition_id="",
        ruleset=trial.ruleset,
        bots=trial.bots,
        rated=False,
        time_control=found.specification.time_control,
        names_hidden=found.specification.names_hidden,
    )
