"""A reader of the outboxes without a director behind it: bots are free again, and nothing is counted."""

from shoal.server.director.losses import Losses
from shoal.server.director.result import Finished
from shoal.server.director.results import ResultsReader
from shoal.server.store.competitions import CompetitionStore
from shoal.server.stores import Stores


class _NoCompetitions:
    async def count(self, match: Finished) -> str:
        assert not match.competition
        return ""

    async def create(self, match_ids: list[str]) -> None:
        assert not match_ids

    def doubt(self) -> None:
        pass

    def finished(self, match: Finished) -> None:
        pass


def reader_of(stores: Stores) -> ResultsReader:
    """Return a reader for matches that are of no competition."""
    losses = Losses(CompetitionStore(stores.pipe))
    return ResultsReader(stores.outbox, stores.bots, losses, _NoCompetitions())
