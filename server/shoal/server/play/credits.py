"""Time for a seat whose bot was cut off by our side: a server that died, stood still or drained (T6, T21).

A bot is cut off while the process that hosts its stream gives no sign of life, and after that until it
has a stream again. A bot that closes its stream itself is not. One that polls is cut off while a poll of it
waits at such a process.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import assert_never, final

from shoal.match import Entry, EntryKind, Match, Phase, parse_entry
from shoal.match.step import MOST_CREDIT_MS
from shoal.server.hub.age import credits_in
from shoal.server.hub.hub import Hub
from shoal.server.hub.table import Table
from shoal.server.play.committer import Committer
from shoal.server.play.receipts import asked_at_version
from shoal.server.store.commits import Already, Committed, Early, Guard
from shoal.server.store.errors import MatchCondemned
from shoal.server.store.liveness import CUT_OFF_MS, LONG_MS, Silences
from shoal.server.store.matches import MatchStore
from shoal.server.store.whereabouts import (
    Dropped,
    Left,
    Place,
    Polling,
    SentAway,
    Streaming,
)
from shoal.server.together import for_each

CREDIT_STEP_MS = 3_000
"""How much a decision is given at a time while its bot is cut off."""

MOST_FOR_A_CUT_MS = 20_000
"""Who was cut off and has not come back by then had long enough to find another server."""

ATTEMPTS = 8

GIVEN_AT_ONCE = 32
"""To how many matches of one bot time is given at a time."""


def away_ms(place: Place, silences: Silences) -> int:
    """Return for how long our side has kept a bot from answering, in milliseconds; 0 when it has not.

    A bot without a stream is kept away for as long as it takes to find another server, and not for ever.
    """
    match place:
        case Streaming(process) | Polling(str(process)):
            return silences.get(process, LONG_MS)
        case Polling() | Left():
            return 0  # a poll that was answered: it is the bot's turn to ask again
        case SentAway(ago_ms):
            return ago_ms if ago_ms <= MOST_FOR_A_CUT_MS else 0
        case Dropped(process):
            silent_ms = silences.get(process, LONG_MS)
            return silent_ms if silent_ms <= MOST_FOR_A_CUT_MS else 0
        case _:
            assert_never(place)


def is_unsure(place: Place, silences: Silences) -> bool:
    """Tell whether the next sign of life of the process that a bot is at may still come."""
    match place:
        case Streaming(process) | Polling(str(process)) | Dropped(process):
            return silences.get(process, LONG_MS) <= CUT_OFF_MS
        case _:
            return False


def missing_bots(match: Match) -> list[str]:
    """Return the bots that a match waits for."""
    seats = match.meta.seats
    if match.phase is Phase.WAITING:
        return [seats[seat].bot_id for seat, nonce in enumerate(match.nonces) if nonce is None]
    return [] if match.asked is None else [seats[match.asked.seat].bot_id]


@final
class Credits:
    """Gives time to open decisions."""

    def __init__(self, hub: Hub, committer: Committer, matches: MatchStore) -> None:
        """Give it on the tables of `hub`, whose logs are in `matches`."""
        self._hub = hub
        self._committer = committer
        self._matches = matches

    async def give(self, table: Table, judged: Match, away_ms: int, guard: Guard) -> bool:
        """Give a step to what was open in the match as it was judged: a decision, or the wait for seats.

        Its bot is cut off since `away_ms` ago. False when it has had enough for that. True, too, when the
        match went on meanwhile: then there is nothing to give it for, and what is asked now was not judged.
        """

        async def wanted(match: Match) -> int:
            given_ms = await self._given_ms(match, table.now_ms() - away_ms)
            return min(CREDIT_STEP_MS, MOST_FOR_A_CUT_MS - given_ms)

        return await self._give(table, judged, wanted, guard)

    async def give_all(
        self, table: Table, judged: Match, guard: Guard, shortest_ms: int = 0
    ) -> bool:
        """Do as `give` does, with all the time for which the match has waited, and a step at least.

        It is for who may not have known of it, which lasts until it is found out; it ends no match that has
        not had its ten minutes of credit before. False when it has waited for less than `shortest_ms`.
        """

        async def wanted(match: Match) -> int:
            age_ms = table.age_ms()
            if age_ms < shortest_ms:
                return 0
            return max(CREDIT_STEP_MS, min(age_ms, MOST_CREDIT_MS - match.credit_ms))

        return await self._give(table, judged, wanted, guard)

    async def make_good(self, tables: Iterable[Table], bot_id: str, away_ms: int) -> None:
        """Give a bot that comes back the time that it was cut off for, wherever it is waited for.

        What it was given meanwhile is part of that, by the sweeper or because it comes back in several
        ways at once; what an earlier cut brought is not.
        """

        async def give(table: Table) -> None:
            since_ms = table.now_ms() - away_ms
            if bot_id in missing_bots(table.match):
                await self._make_good(table, away_ms, since_ms, lambda _: MOST_FOR_A_CUT_MS)

        await for_each(tables, give, GIVEN_AT_ONCE)

    async def make_good_cut(self, table: Table, lost_ms: int, since_ms: int) -> None:
        """Give what is open `lost_ms`, for a cut that began at `since_ms` of its partition.

        It ends no match that has not had its ten minutes of credit before: nobody needs to have been away.
        """
        await self._make_good(
            table, lost_ms, since_ms, lambda match: MOST_CREDIT_MS - match.credit_ms
        )

    async def _make_good(
        self, table: Table, lost_ms: int, since_ms: int, most_ms: Callable[[Match], int]
    ) -> None:
        """Give what was lost since a time, but for what was given since then."""

        async def wanted(match: Match) -> int:
            given_ms = await self._given_ms(match, since_ms)
            least_ms = min(lost_ms, MOST_FOR_A_CUT_MS) - given_ms
            return min(least_ms, table.age_ms(), most_ms(match))

        await self._give(table, table.match, wanted, Guard.NONE)

    async def _give(
        self,
        table: Table,
        judged: Match,
        wanted: Callable[[Match], Awaitable[int]],
        guard: Guard,
    ) -> bool:
        """Give what is `wanted`, which is worked out anew whenever the match has changed meanwhile."""
        for _ in range(ATTEMPTS):
            while table.committing is not None:
                await asyncio.wait([table.committing])
            match = table.match
            if match.phase is Phase.FINISHED or match.decision_id != judged.decision_id:
                return True
            given_ms = await wanted(match)
            if given_ms <= 0:
                return False
            if table.match is not match or table.committing is not None:
                continue
            entry = Entry(EntryKind.CREDIT, value=given_ms)
            try:
                outcome = await asyncio.shield(self._committer.submit(table, entry, guard))
            except MatchCondemned:
                return True  # it is about to end, for everybody
            if isinstance(outcome, Committed | Already | Early):
                return True
            await self._hub.refresh(table)
        return True

    async def _given_ms(self, match: Match, since_ms: int) -> int:
        """Return what the open decision was given for what was since a time of its partition.

        What was given for something before that, though it was noted after it, is not counted.
        """
        if not match.credited_ms:
            return 0
        asked_at = asked_at_version(match.decision_id)[0] if match.decision_id else 0
        texts = await self._matches.entries(match.meta.match_id, asked_at, match.version)
        given = [
            (credit.ms, credit.at_ms - since_ms)
            for credit in credits_in(map(parse_entry, texts))
            if credit.at_ms > since_ms
        ]
        # Only a step is given ahead of what it is for.
        return sum(ms if ms == CREDIT_STEP_MS else min(ms, passed) for ms, passed in given)
