"""Which competitions there are, and how far each is: made, found and listed."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from shoal.competition.specification import Specification
from shoal.server.store import competition_texts as texts
from shoal.server.store import keys, scripts
from shoal.server.store.competition_errors import AlreadyThere, UnknownCompetition
from shoal.server.store.competition_nouns import Competition, Note, State
from shoal.server.store.pipe import Pipe
from shoal.server.store.unreadable import Unreadable

_SPECIFICATIONS: Final = 1000
"""How many specifications are kept as they were read."""


class CompetitionHeads:
    """Competitions as such, without what is in them."""

    def __init__(self, pipe: Pipe) -> None:
        """Ask through this pipe."""
        self._pipe = pipe
        self._read: dict[bytes, Specification] = {}
        self._bad_heads = Unreadable()

    async def create(
        self,
        competition_id: str,
        specification: Specification,
        state: State,
        note: Note,
        maker: str = "",
    ) -> Competition:
        """Make a competition, and return it; one that exists stays as it is, and is returned.

        `maker` marks who makes it: then one that somebody else has made raises AlreadyThere.
        """
        # The indexes come first: what is in them and does not exist yet is passed over.
        await self._pipe.command("SADD", keys.COMPETITIONS, competition_id)
        await self._pipe.command("SADD", keys.ACTIVE, competition_id)
        made_by = await self._pipe.call(
            scripts.COMPETITION_CREATE,
            (keys.competition(competition_id), keys.competition(competition_id, "audit")),
            (
                *(texts.specification_json(specification), state.value),
                *(note.at_ms, texts.note_json(note), maker),
            ),
        )
        if maker and made_by.decode() != maker:
            raise AlreadyThere(competition_id)
        return await self.get(competition_id)

    async def get(self, competition_id: str) -> Competition:
        """Return a competition; raise UnknownCompetition, and ValueError of one that cannot be read."""
        (head,) = await self._heads([competition_id])
        found = texts.competition_of(competition_id, head, self._specification)
        if found is None:
            raise UnknownCompetition(competition_id)
        return found

    async def maker(self, competition_id: str) -> str:
        """Return the mark of the one who has made a competition, "" where there is none."""
        mark = await self._pipe.command("HGET", keys.competition(competition_id), "maker")
        return (mark or b"").decode()

    async def ids(self, *, ladders: bool) -> list[str]:
        """Return the ids of all ladders or of all tournaments, sorted: that of a ladder has another form."""
        found = await self._pipe.command("SMEMBERS", keys.COMPETITIONS)
        return sorted(id_ for id_ in map(bytes.decode, found) if keys.is_id(id_) is not ladders)

    async def some(self, ids: Sequence[str]) -> list[Competition]:
        """Return those of these that exist and can be read, in this order."""
        found = [
            self._bad_heads.read(
                "competition_unreadable",
                id_,
                partial(texts.competition_of, id_, values, self._specification),
            )
            for id_, values in zip(ids, await self._heads(ids), strict=True)
        ]
        return [each for each in found if each is not None]

    async def active(self) -> list[Competition]:
        """Return those that are not known to be over and can be read, by id."""
        return await self.some(
            sorted(map(bytes.decode, await self._pipe.command("SMEMBERS", keys.ACTIVE)))
        )

    async def _heads(self, ids: Sequence[str]) -> list[Sequence[bytes | None]]:
        return await self._pipe.many(("HMGET", keys.competition(id_), *texts.HEAD) for id_ in ids)

    def _specification(self, text: bytes) -> Specification:
        """Read a specification, the same text once: the director looks at it all the time."""
        if text not in self._read:
            while len(self._read) >= _SPECIFICATIONS:
                del self._read[next(iter(self._read))]
            self._read[text] = texts.specification_of(text)
        return self._read[text]
