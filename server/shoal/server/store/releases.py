"""The releases of bots on a ladder: which version plays since when, and which did before.

The score of the release that plays is kept under the bot's id, those of the others under `retired`.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Final, NamedTuple, final

from shoal.server.store import competition_texts as texts
from shoal.server.store import keys, scripts
from shoal.server.store.competition_errors import Stale
from shoal.server.store.competition_nouns import Note
from shoal.server.store.direction import Direction
from shoal.server.store.errors import Fenced
from shoal.server.store.memberships import Change
from shoal.server.store.pipe import Pipe
from shoal.server.store.replies import pairs
from shoal.server.store.unreadable import Unreadable

_KIND: Final = "releases"
_SIGN: Final = "@"

EARLIER: Final = "(earlier)"
"""The version of all that was played before the periods that are kept."""


class ReleaseName(NamedTuple):
    """What a score is of; the version is empty for the release that plays."""

    bot_id: str
    version: str


def retired(bot_id: str, version: str) -> str:
    """Return under which name the score of a release that does not play is kept."""
    return f"{bot_id}{_SIGN}{version}"


def named(score_name: str) -> ReleaseName:
    """Return what a score of this name is of."""
    bot_id, _, version = score_name.partition(_SIGN)
    return ReleaseName(bot_id, version)


@final
@dataclass(frozen=True, slots=True)
class Period:
    """When a release played, in ms of wall time; the end is that of the next one's beginning."""

    version: str
    since_ms: int
    until_ms: int


@final
@dataclass(frozen=True, slots=True)
class Releases:
    """The release that plays, and the periods before, the oldest first."""

    version: str
    since_ms: int
    past: tuple[Period, ...] = ()


@final
class ReleaseStore:
    """The releases in Redis, each ladder's in its own partition."""

    def __init__(self, pipe: Pipe) -> None:
        """Ask through this pipe."""
        self._pipe = pipe
        self._bad = Unreadable()

    async def of(self, ladder_id: str, bots: Sequence[str]) -> dict[str, Releases]:
        """Return the releases of these bots, as far as there are any that can be read."""
        if not bots:
            return {}
        key = keys.competition(ladder_id, _KIND)
        found = await self._pipe.command("HMGET", key, *bots)
        there = ((bot, text) for bot, text in zip(bots, found, strict=True) if text is not None)
        return self._read(ladder_id, there)

    async def every(self, ladder_id: str) -> dict[str, Releases]:
        """Return the releases of all bots that have any that can be read."""
        found = await self._pipe.command("HGETALL", keys.competition(ladder_id, _KIND))
        return self._read(ladder_id, pairs(found))

    def _read(self, ladder_id: str, found: Iterable[tuple[str, bytes]]) -> dict[str, Releases]:
        read = {
            bot: self._bad.read(
                "releases_unreadable", f"{ladder_id} {bot}", partial(releases_of, text)
            )
            for bot, text in found
        }
        return {bot: releases for bot, releases in read.items() if releases is not None}

    async def switch(
        self,
        direction: Direction,
        ladder_id: str,
        bot_id: str,
        before: Releases | None,
        after: Releases,
        note: Note,
        *,
        trial: Change | None = None,
    ) -> None:
        """Let another release play, and with it change how the bot takes part. Raises Stale, Fenced."""
        kinds = ("", _KIND, "scores", "audit", "memberships")
        word = await self._pipe.call(
            scripts.COMPETITION_RELEASE,
            tuple(keys.competition(ladder_id, kind) for kind in kinds),
            (
                *(
                    direction.token,
                    bot_id,
                    "" if before is None else releases_text(before),
                    releases_text(after),
                ),
                "" if before is None else retired(bot_id, before.version),
                *(retired(bot_id, after.version), texts.note_json(note)),
                *(("", "", "") if trial is None else trial.words),
            ),
        )
        if word == b"fenced":
            raise Fenced(ladder_id)
        if word == b"stale":
            raise Stale(ladder_id)


def releases_text(releases: Releases) -> str:
    """Write the releases of a bot."""
    return texts.to_json(asdict(releases))


def releases_of(text: str | bytes) -> Releases:
    """Read the releases of a bot."""
    fields = json.loads(text)
    past = tuple(Period(**each) for each in fields["past"])
    return Releases(fields["version"], fields["since_ms"], past)
