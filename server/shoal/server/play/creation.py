"""Making a match: checked, reserved under an id, entered in every bot's list, created, and announced.

Every step may be done again under the same id, so whoever crashed in the middle starts over.
"""

import asyncio
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import final

from shoal.engine import RULESETS, UnknownRuleset, ruleset
from shoal.match import Match, MatchMeta, Phase, SeatMeta, TimeControl, encode_meta, encode_state
from shoal.server.errors import LONGEST_ECHO, Reason, Refusal, malformed, not_found
from shoal.server.play.committer import grace_ms
from shoal.server.play.time_controls import UNSET, check_time, with_defaults
from shoal.server.store.bots import BotStore
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.keys import bot_bell
from shoal.server.store.matches import MatchStore, NewMatch

MIN_SEATS, MAX_SEATS = 2, 4
SECRET_BYTES = 32


@final
@dataclass(frozen=True, slots=True)
class MatchSpec:
    """What a match is to be. What is 0 in its time control means the default."""

    seats: tuple[SeatMeta, ...]
    ruleset: str = "base"
    time: TimeControl = UNSET
    ladder: str = ""
    rated: bool = False
    names_hidden: bool = False


def check(spec: MatchSpec) -> None:
    """Raise the Refusal that names the first field with a bad value."""
    bots = [seat.bot_id for seat in spec.seats]
    if not MIN_SEATS <= len(bots) <= MAX_SEATS:
        raise malformed("bot_ids", f"{MIN_SEATS} to {MAX_SEATS} bots, not {len(bots)}")
    if len(set(bots)) != len(bots):
        raise malformed("bot_ids", "no bot may sit there twice")
    check_time(spec.time)
    try:
        ruleset(spec.ruleset)
    except UnknownRuleset as error:
        raise Refusal(
            Reason.UNKNOWN_RULESET,
            f"no ruleset is called {spec.ruleset[:LONGEST_ECHO]!r}",
            field="ruleset",
            known=",".join(RULESETS),
        ) from error


@final
class Creation:
    """Makes matches in the store."""

    def __init__(
        self, matches: MatchStore, bots: BotStore, competitions: CompetitionStore, build: str
    ) -> None:
        """Make matches of `bots` in `matches`; `build` is the version of shoal that does it."""
        self._matches = matches
        self._bots = bots
        self._competitions = competitions
        self._build = build

    async def create(self, match_id: str, spec: MatchSpec) -> None:
        """Make a checked match under a reserved id; does nothing if it is there already."""
        secret = secrets.token_bytes(SECRET_BYTES)
        meta = MatchMeta(
            match_id=match_id,
            ruleset=spec.ruleset,
            ruleset_version=ruleset(spec.ruleset).version,
            seats=spec.seats,
            time=with_defaults(spec.time),
            ladder=spec.ladder,
            rated=spec.rated,
            created_ms=time.time_ns() // 1_000_000,
            commitment=sha256(secret).hexdigest(),
            server_version=self._build,
        )
        bots = [seat.bot_id for seat in spec.seats]
        match = Match(meta, secret)
        # Asked for in one turn, so that they are in one pipeline: a caller that goes away in between
        # leaves no bot with a match that does not exist.
        entered = self._bots.submit_add_match(bots, match_id)
        created = self._matches.submit_create(
            NewMatch(
                match_id=match_id,
                meta=encode_meta(meta).encode(),
                secret=secret,
                state=encode_state(match),
                status=match.phase.value,
                limit_ms=meta.time.ready_ms,
                match_ms=meta.time.match_ms,
                grace_ms=grace_ms(),
                names_hidden=spec.names_hidden,
                bells=tuple(bot_bell(bot_id) for bot_id in bots),
            )
        )
        # Together, so that of several that fail none is left that nobody looks at.
        made = (await asyncio.gather(*entered, created))[-1]
        if not made:
            await self._take_back(bots, match_id, spec.ladder)

    async def create_for_competition(
        self,
        match_id: str,
        bot_ids: Sequence[str],
        *,
        ruleset_name: str,
        competition: str,
        rated: bool,
        time: TimeControl = UNSET,
        names_hidden: bool = False,
    ) -> None:
        """Make a match of a competition under a reserved id; raise Refusal when a bot is not there."""
        bots = await self._bots.get_many(bot_ids)
        seats = []
        for bot_id, bot in zip(bot_ids, bots, strict=True):
            if bot is None:
                raise not_found("bot", bot_id)
            seats.append(SeatMeta(bot_id, bot.name))
        spec = MatchSpec(
            seats=tuple(seats),
            ruleset=ruleset_name,
            time=time,
            ladder=competition,
            rated=rated,
            names_hidden=names_hidden,
        )
        check(spec)
        await self.create(match_id, spec)

    async def is_made(self, match_id: str) -> bool:
        """Tell whether there is a match of this id."""
        return await self._matches.load(match_id) is not None

    async def _take_back(self, bots: list[str], match_id: str, competition: str) -> None:
        """Take a match that was made before, and is over, from its bots' lists again.

        One of a competition keeps its places until it is counted: the one that follows it needs them (T77).
        """
        stored = await self._matches.load(match_id)
        if stored is None or stored.status != Phase.FINISHED:
            return
        if competition:
            counted = await self._competitions.counted(competition, [match_id])
            if counted[match_id] is None:
                return  # who counts it frees them
        await self._bots.end_match(bots, match_id)
