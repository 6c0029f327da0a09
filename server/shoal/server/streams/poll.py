"""One poll of a bot: what there is to tell it, and what it was told. It lives for one call alone."""

from collections.abc import Mapping
from typing import final

from shoal.match import Phase, VoidReason
from shoal.server.hub.table import Table
from shoal.server.streams.session import Session

HEARD = 0xFFFF_FFFF
"""Stands for the version of a match whose end the bot was told: more than any has."""

HEARD_VOID = 0xFFFF_FFFE
"""The same, where it was told that the store has lost moves: this end is final, also after another one."""


@final
class Poll:
    """What a bot is asked and which ends it has not heard of, by what it says that it was told (`before`).

    Level-triggered: what is asked comes in every poll until it is answered, and an end until the bot says
    that it was told. Without `before`, for a bot that remembers nothing, it comes as long as the match is
    among the live ones; those that were over when the poll came do not cut its wait short then.
    """

    def __init__(self, session: Session, before: Mapping[str, int] | None) -> None:
        """Look through `session`, which nobody else uses."""
        self.session = session
        self.live: set[str] = set()
        self.lacking: set[str] = set()
        """Matches that could not be looked at, since their part of the store is away."""

        self._before = before
        self._last = before or {}
        self._old: set[str] = set()

    def ring(self) -> None:
        """Note that the store has news of the bot, and wake up."""
        self.session.ring()
        self.session.beat()

    def seated(self) -> None:
        """Note which matches were over when the poll came."""
        if self._before is None:
            self._old = {id_ for id_, table in self.session.tables.items() if table.over}

    @property
    def due(self) -> bool:
        """Whether there is something for which the poll need not wait any longer."""
        tables = self.session.tables
        return any(
            self.tells(table) for match_id, table in tables.items() if match_id not in self._old
        )

    def page(self, size: int, after: str) -> tuple[list[Table], str]:
        """Return the tables to tell of whose ids come after one, and the last id if there are more."""
        tables = self.session.tables
        ids = sorted(id_ for id_, table in tables.items() if id_ > after and self.tells(table))
        return [tables[id_] for id_ in ids[:size]], ids[size - 1] if len(ids) > size else ""

    def tells(self, table: Table) -> bool:
        """Tell whether the bot is asked something there, or has not heard of the end."""
        match = table.match
        seat = table.seat_by_bot[self.session.bot_id]
        match match.phase:
            case Phase.WAITING:
                return match.nonces[seat] is None
            case Phase.LIVE:
                return match.asked is not None and match.asked.seat == seat
            case Phase.FINISHED:
                return self._last.get(match.meta.match_id) != _heard(table)

    def missed_from(self, match_id: str) -> int | None:
        """Return the version after which the bot missed what happened; None: it wants no past."""
        return None if self._before is None else self._last.get(match_id, 0)

    def told(self) -> dict[str, int]:
        """Return the version of each match that the bot was told up to, with what it is told now."""
        session = self.session
        told = {id_: self._last[id_] for id_ in self.lacking if id_ in self._last}
        told |= {table.match.meta.match_id: _heard(table) for table in session.parted}
        for match_id, table in session.tables.items():
            before = self._last.get(match_id, 0)
            if match_id in session.told or (self._before is None and not table.over):
                told[match_id] = session.seen[match_id]
            elif before < HEARD_VOID or match_id in self.live:
                # An end that was heard of and is not in the list: nothing will bring it up again.
                told[match_id] = before
        return told


def _heard(table: Table) -> int:
    """Return what stands for the version of a match of whose end the bot was told."""
    return HEARD_VOID if table.match.void is VoidReason.LOST_MOVES else HEARD
