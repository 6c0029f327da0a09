"""Matches in Redis: made once, changed by compare-and-set only, and timed by one clock."""

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from shoal.server.store import keys, scripts
from shoal.server.store.archive import Archive, ArchiveBroken, ArchivedMatch
from shoal.server.store.commits import Commit, Outcome, arguments, outcome_of
from shoal.server.store.errors import MatchArchived
from shoal.server.store.link import Reply
from shoal.server.store.liveness import Silences, silences_of
from shoal.server.store.paging import Page, newest_of_all
from shoal.server.store.partition_clock import PartitionClock
from shoal.server.store.pipe import Pipe

Entry = TypeVar("Entry")

_FIELDS: Final = (
    *("meta", "secret", "state", "status", "rev"),
    *("version", "asked_ms", "limit_ms", "decision_id", "state_version"),
    *("banks", "names_hidden"),
)


FINISHED: Final = "finished"
"""The status of a match that is over, as the scripts have it too."""


@dataclass(frozen=True, slots=True)
class NewMatch:
    """What a match begins with."""

    match_id: str
    meta: bytes
    """What never changes and everybody may know."""

    secret: bytes
    """What never changes and nobody may know before the end."""

    state: bytes
    status: str
    limit_ms: int
    """What is allowed for saying ready."""

    match_ms: int = 0
    """How long the match may last; 0 for ever."""

    grace_ms: int = 0
    """From the end of that limit to the deadline, when the sweeper acts."""

    names_hidden: bool = False
    """Whether nobody is told before the end who sits there."""

    bells: tuple[str, ...] = ()
    """Channels to ring when it is made."""


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match as it is now."""

    match_id: str
    meta: bytes
    secret: bytes
    state: bytes
    state_version: int
    """Of which version `state` is; the log leads from there to `version`."""

    status: str
    rev: str
    version: int
    asked_ms: int
    """When the open decision was asked, in partition time."""

    limit_ms: int
    decision_id: str
    """Empty when no decision is open, and at version 0."""

    banks: tuple[int, ...] | None
    """Milliseconds, by seat; None as long as no step has changed any."""

    names_hidden: bool = False


@dataclass(frozen=True, slots=True)
class Tick:
    """The clock of a partition and what it has struck."""

    partition: int
    now_ms: int
    due: tuple[str, ...]
    """Ids of matches whose deadline has come, the longest overdue first."""

    silences: Silences = field(default_factory=dict)
    """Who had been silent for how long before this tick; nobody where nothing is due."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a match must come to, whatever its seats do."""

    ends_ms: int | None
    """When it is to end at the latest, in partition time; None when it may last for ever."""

    condemned: str | None
    """Why it cannot be counted and takes nothing but its void; None when it can."""

    until_ms: int = 0
    """When the time for what is asked now runs out, in partition time; 0 where there is no match."""


_READ_LATELY: Final = 64
"""How many matches of the archive are kept at hand: whoever reads one asks several times for it."""


class MatchStore:
    """The matches of one Redis, and of the archive into which they were taken from it."""

    def __init__(self, pipe: Pipe, archive: Archive | None = None) -> None:
        """Ask through this pipe, and read what is not in Redis any more from the archive, if we can."""
        self._pipe = pipe
        self._archive = archive
        self._lately: OrderedDict[str, ArchivedMatch] = OrderedDict()
        self._clocks = tuple(PartitionClock() for _ in range(keys.PARTITIONS))

    def take_cuts(self) -> dict[int, float]:
        """Return the partitions of which nothing had been heard for long, and are again, with since when.

        None is returned twice for one cut.
        """
        cuts = {number: clock.take_cut() for number, clock in enumerate(self._clocks)}
        return {number: begin for number, begin in cuts.items() if begin is not None}

    def clock_of(self, match_id: str) -> PartitionClock:
        """Return where the time of a match's partition is on our clock: every tick tells it."""
        return self._clocks[keys.partition_of(match_id)]

    async def create(self, new: NewMatch) -> bool:
        """Make a match; return False, and change nothing, when its id exists already."""
        return await self.submit_create(new)

    def submit_create(self, new: NewMatch) -> asyncio.Future[bool]:
        """Ask for the same; no cancellation of who waits takes it back."""
        partition = keys.partition_of(new.match_id)
        return self._pipe.submit_script(
            scripts.CREATE,
            (
                keys.match(new.match_id),
                keys.MATCHES[partition],
                keys.DEADLINES[partition],
                keys.CLOCK[partition],
                keys.ARCHIVE[partition],
            ),
            (
                *(new.match_id, new.meta, new.secret, new.state, new.status, new.limit_ms),
                *(new.grace_ms, new.match_ms, int(new.names_hidden)),
                *new.bells,
            ),
            decode=bool,
        )

    def submit_commit(self, commit: Commit) -> asyncio.Future[Outcome]:
        """Ask for one step of a match; no cancellation of who waits takes it back.

        The future fails with StoreUnavailable when it is not known whether the step was made;
        the same commit again is then answered by Already or makes it. It fails with MatchCondemned when the
        match takes nothing but its void.
        """
        match_id = commit.match_id
        partition = int(match_id[:2], 16)
        return self._pipe.submit_script(
            scripts.COMMIT,
            (
                keys.match(match_id),
                keys.log(match_id),
                keys.DEADLINES[partition],
                keys.OUTBOX[partition],
                keys.CLOCK[partition],
            ),
            arguments(commit, keys.OUTBOX_BELL),
            since=time.monotonic() if commit.received is None else commit.received,
            decode=outcome_of,
        )

    async def condemn(self, match_id: str, reason: str) -> bool:
        """Let a match take nothing but its void, and be due at once; the first reason counts.

        Return False, and change nothing, when it is over or not there.
        """
        deadlines = keys.DEADLINES[keys.partition_of(match_id)]
        names = (keys.match(match_id), deadlines)
        return bool(await self._pipe.call(scripts.CONDEMN, names, (match_id, reason)))

    async def load(self, match_id: str) -> StoredMatch | None:
        """Return a match, or None when there is none with this id, or it is no id at all.

        Raises MatchArchived when it may be in an archive that we cannot read.
        """
        if not keys.is_id(match_id):
            return None
        values = await self._pipe.command("HMGET", keys.match(match_id), *_FIELDS)
        if values[0] is None:
            archived = await self._archived(match_id)
            if archived is None:
                return None
            values = [archived.fields.get(name) for name in _FIELDS]
        return _stored(match_id, values)

    async def entries(self, match_id: str, start: int = 0, stop: int | None = None) -> list[bytes]:
        """Return the entries `start` to `stop` (excluded; None: all) of a match's log, as JSON.

        The entry at index n made version n + 1. A match that is not there has none. Raises MatchArchived.
        """
        if not keys.is_id(match_id) or (stop is not None and stop <= start):
            return []
        last = -1 if stop is None else stop - 1
        # In this order: one that is taken out in between is in the archive, with the same log.
        commands = (("LRANGE", keys.log(match_id), start, last), ("EXISTS", keys.match(match_id)))
        replies, is_there = await self._pipe.many(commands)
        if is_there or replies:
            return list(replies)
        archived = await self._archived(match_id)
        return [] if archived is None else list(archived.entries[start:stop])

    def submit_log(
        self, match_id: str, stop: int, *, read: Callable[[bytes], Entry]
    ) -> "asyncio.Future[list[Entry]]":
        """Ask for the entries before `stop` (1 or more) of a match's log, as `read` reads each of them.

        No cancellation of who waits takes it back.
        """

        def log_of(reply: Reply) -> list[Entry]:
            return [read(text) for text in reply]

        return self._pipe.submit("LRANGE", keys.log(match_id), 0, stop - 1, decode=log_of)

    async def revs(self, match_ids: Sequence[str]) -> list[str | None]:
        """Return the rev of each match, None where there is no match that we can read."""
        replies = await self._pipe.many(("HGET", keys.match(id_), "rev") for id_ in match_ids)
        return [
            reply.decode() if reply is not None else await self._archived_rev(match_id)
            for match_id, reply in zip(match_ids, replies, strict=True)
        ]

    async def statuses(self, match_ids: Sequence[str]) -> dict[str, str]:
        """Return the status of those of these matches that are there; what is no id is none of them."""
        asked = [match_id for match_id in match_ids if keys.is_id(match_id)]
        replies = await self._pipe.many(("HGET", keys.match(id_), "status") for id_ in asked)
        found = {
            match_id: reply.decode()
            for match_id, reply in zip(asked, replies, strict=True)
            if reply is not None
        }
        return found | dict.fromkeys(await self.archived(set(match_ids) - found.keys()), FINISHED)

    async def archived(self, match_ids: Iterable[str]) -> set[str]:
        """Return those of these matches that are in an archive that we can read."""
        asked = [match_id for match_id in match_ids if keys.is_id(match_id)]
        if self._archive is None or not asked:
            return set()
        return await asyncio.to_thread(self._archive.has, asked)

    def submit_rev(self, match_id: str) -> "asyncio.Future[str | None]":
        """Ask for the rev of a match, None where there is no match."""

        def rev_of(reply: Reply) -> str | None:
            return None if reply is None else str(reply.decode())

        return self._pipe.submit("HGET", keys.match(match_id), "rev", decode=rev_of)

    async def bounds(self, match_id: str) -> Bounds:
        """Return what a match must come to, whatever its seats do."""
        names = ("ends_ms", "condemned", "asked_ms", "limit_ms")
        found = await self._pipe.command("HMGET", keys.match(match_id), *names)
        ends_ms, condemned, asked_ms, limit_ms = found
        return Bounds(
            None if ends_ms is None else int(ends_ms),
            condemned and str(condemned.decode()),
            int(asked_ms or 0) + int(limit_ms or 0),
        )

    def submit_tick(
        self, partition: int, limit: int = 100, *, process: str = ""
    ) -> asyncio.Future[Tick]:
        """Ask to advance the clock of a partition and for at most `limit` due matches.

        That is the sign of life of a `process` there.
        """
        asked = time.monotonic()

        def tick_of(reply: Reply) -> Tick:
            now_ms, due, silent = reply
            self._clocks[partition].saw(now_ms, asked, time.monotonic())
            found = tuple(id_.decode() for id_ in due)
            return Tick(partition, now_ms, found, silences_of(silent))

        return self._pipe.submit_script(
            scripts.TICK,
            (keys.DEADLINES[partition], keys.CLOCK[partition], keys.PROCESSES[partition]),
            (limit, process),
            decode=tick_of,
        )

    async def list_matches(self, page_size: int, token: str = "") -> Page:
        """Return a page of the ids of all matches, the newest first; raise BadPageToken."""
        return await newest_of_all(self._pipe, "match", keys.MATCHES, page_size, token)

    async def _archived_rev(self, match_id: str) -> str | None:
        try:
            archived = await self._archived(match_id)
        except MatchArchived:
            return None
        return None if archived is None else archived.fields["rev"].decode()

    async def _archived(self, match_id: str) -> ArchivedMatch | None:
        """Return a match that is not in Redis from the archive, None if it never was; raise MatchArchived."""
        if match_id in self._lately:
            self._lately.move_to_end(match_id)
            return self._lately[match_id]
        archived, trouble = None, ""
        if self._archive is not None:
            try:
                archived = await asyncio.to_thread(self._archive.read, match_id)
            except (OSError, ArchiveBroken) as error:
                trouble = f"{self._archive.place}: {error}"
        if archived is None:
            key = keys.ARCHIVE[keys.partition_of(match_id)]
            place, until = await self._pipe.command("HMGET", key, "place", "until")
            if trouble or (until is not None and match_id[2:14] <= until.decode()):
                ours = self._archive is not None and self._archive.place == (place or b"").decode()
                if trouble or not ours:
                    raise MatchArchived(match_id, trouble or place.decode())
            return None
        self._lately[match_id] = archived
        if len(self._lately) > _READ_LATELY:
            self._lately.popitem(last=False)
        return archived


def _stored(match_id: str, values: Reply) -> StoredMatch:
    """Read the fields of a match in the order of `_FIELDS`."""
    meta, secret, state, status, rev, version, asked_ms, limit_ms, decision_id, of, *later = values
    banks, names_hidden = later
    return StoredMatch(
        match_id=match_id,
        meta=meta,
        secret=secret,
        state=state,
        state_version=int(of),
        status=status.decode(),
        rev=rev.decode(),
        version=int(version),
        asked_ms=int(asked_ms),
        limit_ms=int(limit_ms),
        decision_id=decision_id.decode(),
        banks=None if banks is None else tuple(json.loads(banks)),
        names_hidden=names_hidden is not None,
    )
