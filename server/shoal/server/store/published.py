"""The published tables of competitions: each is kept until the next one takes its place.

It says what it is of, so whoever looks can tell whether it is still that of all that has been counted.
Ratings without luck are stored beside it, so that servers of the version before, which know none, read it.
"""

import json
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, final

from shoal.rating import Group, Row, Table
from shoal.server.store import competition_texts as texts
from shoal.server.store import keys, scripts
from shoal.server.store.competition_data import Place
from shoal.server.store.direction import Direction
from shoal.server.store.errors import Fenced
from shoal.server.store.pipe import Pipe

_KIND: Final = "published"

_ADJUSTED: Final = ("adjusted_rating", "adjusted_interval", "adjusted_matches")
"""The fields of a row that are stored beside the table."""

_MOST_KEPT: Final = 100
"""Of how many competitions the table is kept: that of 500 bots is 100 KB, and takes milliseconds to read."""


@final
@dataclass(frozen=True, slots=True)
class Basis:
    """What a table follows from: two of the same basis are the same.

    All results up to a place in the order, the number of the rulings that were heeded, and a hash of
    whatever else there is: releases, anchors, and how it is worked out.
    """

    place: Place
    rulings: int
    other: str


@final
@dataclass(frozen=True, slots=True)
class Published:
    """A table, what it is of, and when it was worked out, in ms of wall time.

    Its bots are releases: they are called as their scores are. `rows` are those of its table, by bot.
    """

    table: Table
    basis: Basis
    at_ms: int
    rows: Mapping[str, Row] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Make the rows."""
        object.__setattr__(self, "rows", {row.bot_id: row for row in self.table.rows})


@final
@dataclass(frozen=True, slots=True)
class Rated:
    """A row of a published table, and when that was worked out, in ms of wall time."""

    row: Row
    at_ms: int


@final
class PublishedStore:
    """The published tables in Redis, each in the partition of its competition."""

    def __init__(self, pipe: Pipe) -> None:
        """Ask through this pipe."""
        self._pipe = pipe
        self._kept = OrderedDict[str, tuple[tuple[bytes, bytes], Published]]()

    async def get(self, competition_id: str) -> Published | None:
        """Return the table that is published, None where there is none yet; it is read once."""
        key = _key(competition_id)
        seen = tuple(await self._pipe.command("HMGET", key, "basis", "at"))
        kept = self._kept.get(competition_id)
        if kept is not None and kept[0] == seen:
            self._kept.move_to_end(competition_id)
            return kept[1]
        basis, table, at_ms, adjusted = await self._pipe.command(
            "HMGET", key, "basis", "table", "at", "adjusted"
        )
        if basis is None or table is None:
            return None
        published = Published(_read(table, int(at_ms), adjusted), _basis_of(basis), int(at_ms))
        self._kept[competition_id] = (basis, at_ms), published
        self._kept.move_to_end(competition_id)
        while len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        return published

    async def rated(self, competition_id: str, bot_id: str) -> Rated | None:
        """Return the row of a bot, of its release that plays; None where it is in no table."""
        found = await self.get(competition_id)
        row = None if found is None else found.rows.get(bot_id)
        return None if found is None or row is None else Rated(row, found.at_ms)

    async def basis(self, competition_id: str) -> Basis | None:
        """Return what the published table is of, None where there is none yet."""
        found = await self._pipe.command("HGET", _key(competition_id), "basis")
        return None if found is None else _basis_of(found)

    async def at_ms(self, competition_id: str) -> int:
        """Return when the published table was worked out, 0 where there is none yet."""
        return int(await self._pipe.command("HGET", _key(competition_id), "at") or 0)

    async def publish(
        self, direction: Direction, competition_id: str, published: Published
    ) -> None:
        """Put a table in the place of the one before. Raises Fenced."""
        word = await self._pipe.call(
            scripts.COMPETITION_PUBLISH,
            (keys.competition(competition_id), _key(competition_id)),
            (
                *(direction.token, texts.to_json(asdict(published.basis))),
                *_written(published),
            ),
        )
        if word == b"fenced":
            raise Fenced(competition_id)


def _key(competition_id: str) -> str:
    return keys.competition(competition_id, _KIND)


def _basis_of(text: bytes) -> Basis:
    fields = json.loads(text)
    return Basis(Place(**fields["place"]), fields["rulings"], fields["other"])


def _written(published: Published) -> tuple[str, int, str]:
    """Return a table as it is stored, when it was worked out, and what is stored beside it."""
    fields = asdict(published.table)
    adjusted = {row["bot_id"]: [row.pop(name) for name in _ADJUSTED] for row in fields["rows"]}
    beside = {"at": published.at_ms, "rows": adjusted}
    return texts.to_json(fields), published.at_ms, texts.to_json(beside)


def _read(table: bytes, at_ms: int, adjusted: bytes | None) -> Table:
    """Read a table, and what is stored beside it, if that is of the same one."""
    fields = json.loads(table)
    beside = {} if adjusted is None else json.loads(adjusted)
    if beside.get("at") == at_ms:
        for row in fields["rows"]:
            row.update(zip(_ADJUSTED, beside["rows"][row["bot_id"]], strict=True))
    return table_of(fields)


def table_of(fields: Mapping[str, Any]) -> Table:
    """Read a table of its fields, as `asdict` makes them."""
    return Table(
        rows=tuple(Row(**row) for row in fields["rows"]),
        groups=tuple(Group(**group) for group in fields["groups"]),
        blocks=fields["blocks"],
        matches=fields["matches"],
        dispersion=fields["dispersion"],
    )
