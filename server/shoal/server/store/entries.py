"""Entering competitions in Redis, in one step: whoever enters at the same time takes no place twice."""

import json
from typing import Final, final

from shoal.competition.plan import Entrant
from shoal.server.store import competition_texts as texts
from shoal.server.store import keys, scripts
from shoal.server.store.competition_errors import Stale, UnknownCompetition
from shoal.server.store.competition_nouns import Competition, Note, State
from shoal.server.store.errors import StoreError
from shoal.server.store.pipe import Pipe

_TOURNAMENT: Final = (State.OPEN,)
_LADDER: Final = (State.OPEN, State.RUNNING, State.PAUSED, State.DRAINING)


class Full(StoreError):
    """As many have entered as may; `of_owner` when it is one owner who has no further place."""

    def __init__(self, most: int, *, of_owner: bool) -> None:
        """Remember how many may."""
        super().__init__(most)
        self.most = most
        self.of_owner = of_owner


@final
class EntryStore:
    """Who has entered, bot by bot."""

    def __init__(self, pipe: Pipe) -> None:
        """Ask through this pipe."""
        self._pipe = pipe

    async def get(self, competition_id: str, bot_id: str) -> Entrant | None:
        """Return a bot as it has entered, None if it has not."""
        key = keys.competition(competition_id, "entrants")
        text = await self._pipe.command("HGET", key, bot_id)
        if text is None:
            return None
        fields = json.loads(text)
        return Entrant(bot_id, fields["owner"], fields.get("gone_from"))

    async def enter(self, found: Competition, entrant: Entrant, note: Note) -> None:
        """Enter a bot, and ring the director's bell; again is a success.

        Raises Stale when a bot may not be entered there any more, or this one not, and Full.
        """
        entry = found.specification.entry
        states = _LADDER if found.is_ladder else _TOURNAMENT
        kinds = ("", "entrants", "audit")
        word = await self._pipe.call(
            scripts.COMPETITION_ENTER,
            tuple(keys.competition(found.competition_id, kind) for kind in kinds),
            (
                f",{','.join(each.value for each in states)},",
                *(entrant.bot_id, entrant.owner, texts.to_json(entrant.owner)),
                *(entry.entrants, entry.bots_per_owner),
                *(texts.note_json(note), keys.LADDER_BELL),
            ),
        )
        match word:
            case b"unknown":
                raise UnknownCompetition(found.competition_id)
            case b"stale":
                raise Stale(found.competition_id)
            case b"full":
                raise Full(entry.entrants, of_owner=False)
            case b"owner full":
                raise Full(entry.bots_per_owner, of_owner=True)
            case _:
                return
