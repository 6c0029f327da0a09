"""Ending single matches for organizers, and taking back their results; each with its line in the list."""

from typing import final

from shoal.match import Termination
from shoal.server.auth import Caller
from shoal.server.catalog import Catalog
from shoal.server.errors import Reason, Refusal
from shoal.server.hub.table import Table
from shoal.server.organizing import Organizing
from shoal.server.play.playing import Playing
from shoal.server.play.receipts import over


@final
class Voiding:
    """Aborts and voids matches. Every method raises Refusal."""

    def __init__(self, catalog: Catalog, playing: Playing, organizing: Organizing) -> None:
        """Look, play and note here."""
        self._catalog = catalog
        self._playing = playing
        self._organizing = organizing

    async def abort(self, caller: Caller, match_id: str, why: str) -> Table:
        """End a match; again is a success, and after another end it is refused."""
        caller.organizing()
        table = await self._catalog.table(match_id)
        if table.over:
            if table.match.termination is not Termination.ABORTED:
                raise over(table.match)
            return table
        await self._end(caller, table, "abort", why)
        return table

    async def void(self, caller: Caller, match_id: str, why: str) -> Table:
        """Let a match of a competition not count, whether it is over or not; again is a success."""
        caller.organizing()
        table = await self._catalog.table(match_id)
        competition_id = table.match.meta.ladder
        if not table.over:
            try:
                await self._end(caller, table, "void", why)
            except Refusal as refusal:
                if refusal.reason is not Reason.MATCH_OVER:
                    raise
        if table.match.termination is Termination.ABORTED:
            return table
        if competition_id:
            await self._organizing.void(caller, competition_id, match_id, why)
        else:
            raise Refusal(
                Reason.WRONG_STATE,
                "the match is over, and belongs to no competition: it never counted",
                state=table.match.phase.value,
            )
        return table

    async def _end(self, caller: Caller, table: Table, action: str, why: str) -> None:
        """Write the line, then end the match; asked for again, it is the same line."""
        meta = table.match.meta
        await self._organizing.note_match(caller, meta.ladder, action, meta.match_id, why)
        await self._playing.abort(table)
