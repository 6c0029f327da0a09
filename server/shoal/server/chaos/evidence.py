"""What became of every match: as the store has it, and as GetMatchRecord tells it."""

import json
from dataclasses import dataclass, field
from typing import Final, final

from shoal.client import Client, ShoalError, pb
from shoal.match import EntryKind, decode_meta, parse_entry
from shoal.server.store import keys
from shoal.server.store.matches import MatchStore
from shoal.server.store.pipe import Pipe

FINISHED: Final = "finished"


@final
@dataclass(frozen=True, slots=True)
class Line:
    """One entry of a match's log; `seat` is -1 where none is concerned."""

    version: int
    kind: str
    seat: int
    decision_id: str
    option: int
    think_ms: int
    rev: str


@final
@dataclass(slots=True)
class Case:
    """One match. `seats` are bot ids; `record` is None, and `problem` says why, when there is none."""

    match_id: str
    finished: bool
    seats: tuple[str, ...]
    ready_ms: int
    max_strikes: int
    rated: bool
    lines: list[Line]
    record: pb.MatchRecord | None = None
    problem: str = ""
    answered: dict[str, list[Line]] = field(default_factory=dict)
    """The entries that answer a decision, by its id: one, if all is well."""


@final
class Witness:
    """Looks into the store, beside all servers."""

    def __init__(self, pipe: Pipe) -> None:
        """Ask through a pipe of the kit's own."""
        self._pipe = pipe
        self._matches = MatchStore(pipe)
        self._over: set[str] = set()

    async def match_ids(self) -> list[str]:
        """Return the ids of all matches."""
        found = await self._pipe.many(("ZRANGE", key, 0, -1) for key in keys.MATCHES)
        return [id_.decode() for ids in found for id_ in ids]

    async def open_matches(self) -> dict[str, int]:
        """Return the version of every match that is not over."""
        ids = [id_ for id_ in await self.match_ids() if id_ not in self._over]
        found = await self._pipe.many(
            ("HMGET", keys.match(id_), "status", "version") for id_ in ids
        )
        stand = dict(zip(ids, found, strict=True))
        self._over |= {id_ for id_, (status, _) in stand.items() if status == FINISHED.encode()}
        return {id_: int(version) for id_, (_, version) in stand.items() if id_ not in self._over}

    async def lasting_keys(self) -> dict[str, bool]:
        """Return every key, and whether it stays for ever."""
        found = set[str]()
        for master in self._pipe.masters:
            cursor = b"0"
            while True:
                cursor, some = await master.command("SCAN", cursor, "COUNT", 1000)
                found |= {key.decode() for key in some}
                if cursor == b"0":
                    break
        names = sorted(found)
        lives = await self._pipe.many(("PTTL", name) for name in names)
        return {name: life == -1 for name, life in zip(names, lives, strict=True)}

    async def matches_in(self, key: str) -> set[str]:
        """Return the matches that a key with live matches or blocks in play has; none for any other."""
        if ":live:" in key:
            found = await self._pipe.command("SMEMBERS", key)
        elif key.endswith(":blocks"):
            blocks = await self._pipe.command("HVALS", key)
            found = [json.loads(block)["match"].encode() for block in blocks]
        else:
            found = []
        return {each.decode() for each in found}

    async def cases(self, server: str) -> list[Case]:
        """Return what became of every match; a server is asked for the records."""
        async with Client(server) as client:
            return [await self._case(match_id, client) for match_id in await self.match_ids()]

    async def _case(self, match_id: str, client: Client) -> Case:
        """Return what became of a match."""
        stored = await self._matches.load(match_id)
        assert stored is not None
        meta = decode_meta(stored.meta)
        lines = [
            _line(version, text)
            for version, text in enumerate(await self._matches.entries(match_id), start=1)
        ]
        case = Case(
            match_id=match_id,
            finished=stored.status == FINISHED,
            seats=tuple(seat.bot_id for seat in meta.seats),
            ready_ms=meta.time.ready_ms,
            max_strikes=meta.time.max_strikes,
            rated=meta.rated,
            lines=lines,
        )
        for line in lines:
            if line.decision_id:
                case.answered.setdefault(line.decision_id, []).append(line)
        if case.finished:
            try:
                case.record = await client.get_record(match_id)
            except ShoalError as error:
                case.problem = str(error)
        return case


def _line(version: int, text: bytes) -> Line:
    """Return an entry of the log."""
    logged = parse_entry(text)
    entry = logged.entry
    is_option = isinstance(entry.value, int) and entry.kind is not EntryKind.CREDIT
    option = int(entry.value) if is_option else 0
    return Line(
        version, entry.kind, entry.seat, entry.decision_id, option, logged.think_ms, logged.rev
    )


def told(record: pb.MatchRecord) -> list[Line]:
    """Return the entries of a record, as the store would have them."""
    return [
        Line(
            each.version,
            pb.LogEntryKind.Name(each.kind).removeprefix("LOG_ENTRY_KIND_").lower(),
            each.seat if each.HasField("seat") else -1,
            each.decision_id,
            each.option_id,
            each.think_ms,
            each.rev,
        )
        for each in record.entries
    ]
