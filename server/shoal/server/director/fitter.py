"""The process that makes tables, as the one who directs sees it: handed results, and asked for tables."""

from collections.abc import Mapping, Sequence
from typing import final

from shoal.competition.rulings import Rulings
from shoal.rating import Table
from shoal.server.director.helper import PATIENCE, Helper
from shoal.server.store import competition_texts as texts
from shoal.server.store.competition_data import Result
from shoal.server.store.published import table_of
from shoal.server.store.releases import Releases, releases_text


@final
class Fitter:
    """A helper that keeps results. Every method raises HelperGone and NotDone."""

    def __init__(self, patience: float = PATIENCE) -> None:
        """Start nothing yet; wait for an answer for so many seconds at most."""
        self._helper = Helper("shoal.server.director.fitting", patience)

    @property
    def pid(self) -> int | None:
        """The process, None while there is none."""
        return self._helper.pid

    async def add(self, competition_id: str, results: Sequence[Result]) -> int:
        """Hand results over, and return how many of this competition it has then; again is harmless."""
        lines = [
            [each.match_id, each.block_key, each.payload.decode(), each.luck.decode()]
            for each in results
        ]
        size = await self._helper.ask("add", competition_id, lines)
        assert isinstance(size, int)
        return size

    async def table(
        self,
        competition_id: str,
        rulings: Rulings,
        known: Mapping[str, Releases],
        anchors: Mapping[str, float],
        *,
        by_adjusted: bool = False,
    ) -> Table:
        """Return the table of all that was handed over; see `fitting.table`."""
        releases = {bot: releases_text(each) for bot, each in known.items()}
        said = await self._helper.ask(
            *("table", competition_id, texts.rulings_json(rulings), releases, dict(anchors)),
            by_adjusted,
        )
        assert isinstance(said, dict)
        return table_of(said)

    async def forget(self, competition_id: str) -> None:
        """Let it keep nothing more of a competition."""
        if self._helper.pid is not None:
            await self._helper.ask("forget", competition_id)

    def close(self) -> None:
        """End the process, whatever it does."""
        self._helper.close()
