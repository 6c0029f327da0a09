"""What organizers and owners change of a competition: a step each, with its line in the list of actions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from shoal.competition.plan import Entrant
from shoal.competition.rulings import Rulings
from shoal.server.store import competition_texts as texts
from shoal.server.store import keys, scripts
from shoal.server.store.audit import read_lines, write_line
from shoal.server.store.competition_errors import Stale, UnknownCompetition
from shoal.server.store.competition_nouns import Block, Competition, Note, State
from shoal.server.store.pipe import Pipe


@dataclass(frozen=True, slots=True)
class _Change:
    """What is to change, as it is stored; what is empty stays as it is.

    With a bot an empty `entrant` takes it out. `ended` goes with the state.
    """

    state: str = ""
    ended: str = ""
    bot: str = ""
    entrant: str = ""
    rulings: str = ""
    block: Block | None = None


@final
@dataclass(frozen=True, slots=True)
class Meanwhile:
    """Blocks of a tournament may end while something is decided.

    So many were over when the competition was read, or just after; it holds while fewer than `below` are.
    """

    over: int
    below: int


class CompetitionChanges:
    """Changes by others than the director, and the list of all that was done."""

    def __init__(self, pipe: Pipe) -> None:
        """Ask through this pipe."""
        self._pipe = pipe

    async def put_entrant(
        self,
        found: Competition,
        entrant: Entrant,
        note: Note,
        meanwhile: Meanwhile | None = None,
    ) -> None:
        """Write how a bot takes part, and ring the director's bell; again is a success.

        `found` is what the caller has looked at. Raises Stale if that is not so any more. Who enters does so
        in `entries`, where it is counted who may.
        """
        text = await self._entrant_text(found, entrant)
        states = (State.OPEN, State.RUNNING, State.PAUSED, State.DRAINING)
        change = _Change(bot=entrant.bot_id, entrant=text)
        await self._amend(found, states, note, change, meanwhile)

    async def take_out(self, found: Competition, bot_id: str, note: Note) -> None:
        """Forget that a bot has entered, its score stays; again is a success. Raises Stale."""
        await self._amend(found, tuple(State), note, _Change(bot=bot_id))

    async def turn(
        self,
        found: Competition,
        states: Sequence[State],
        state: State,
        note: Note,
        ended: str = "",
    ) -> None:
        """Change the state from one of these; again is a success. Raises Stale.

        A block that was forced and has not begun is taken back, unless it runs then.
        """
        await self._amend(found, states, note, _Change(state=state.value, ended=ended))

    async def rule(
        self,
        found: Competition,
        rulings: Rulings,
        note: Note,
        entrant: Entrant | None = None,
        taken_out: str = "",
        meanwhile: Meanwhile | None = None,
    ) -> None:
        """Decide something, and with it how a bot takes part, or that it does not; again is a success.

        Raises Stale.
        """
        bot, text = taken_out, ""
        if entrant is not None:
            bot, text = entrant.bot_id, await self._entrant_text(found, entrant)
        # First the index, as when it is made: one that is over must be looked at again. And once more after
        # it: a director that had not heard of it may have taken it out in between.
        await self._pipe.command("SADD", keys.ACTIVE, found.competition_id)
        change = _Change(bot=bot, entrant=text, rulings=texts.rulings_json(rulings))
        await self._amend(found, tuple(State), note, change, meanwhile)
        await self._pipe.command("SADD", keys.ACTIVE, found.competition_id)

    async def force(self, found: Competition, block: Block, note: Note) -> None:
        """Let a block begin before all others; again is a success. Raises Stale."""
        await self._amend(found, [State.RUNNING], note, _Change(block=block))

    async def note(self, competition_id: str, note: Note, mark: str) -> None:
        """Write a line of the audit list of what is done elsewhere, once for each mark.

        With an empty `competition_id` it is the list of what belongs to no competition.
        """
        await write_line(self._pipe, competition_id, note, mark)

    async def actions(
        self, competition_id: str, count: int, end: int | None = None
    ) -> tuple[list[Note], int]:
        """Return up to so many lines before the line of this number, the latest first, and what is before.

        None: the latest. Lines are numbered from 0, the first one, and never change.
        """
        return await read_lines(self._pipe, competition_id, count, end)

    async def _entrant_text(self, found: Competition, entrant: Entrant) -> str:
        """Return what is to be stored of an entrant: its number stays."""
        key = keys.competition(found.competition_id, "entrants")
        text = await self._pipe.command("HGET", key, entrant.bot_id)
        known = {} if text is None else texts.entrants_of({entrant.bot_id: text})
        number, _ = known.get(entrant.bot_id, (found.entered, entrant))
        return texts.entrant_json(entrant, number)

    async def _amend(
        self,
        found: Competition,
        states: Sequence[State],
        note: Note,
        change: _Change,
        meanwhile: Meanwhile | None = None,
    ) -> None:
        kinds = ("", "entrants", "audit", "blocks", "finished")
        allowed = f",{','.join(each.value for each in states)},"
        block = change.block
        forced = ("", "") if block is None else (block.key, texts.block_json(block))
        ends = ("", "") if meanwhile is None else (meanwhile.over, meanwhile.below)
        word = await self._pipe.call(
            scripts.COMPETITION_AMEND,
            tuple(keys.competition(found.competition_id, kind) for kind in kinds),
            (
                *(found.rev, allowed, change.state, change.ended, note.at_ms),
                *(change.bot, change.entrant, change.rulings),
                *(*forced, texts.note_json(note), keys.LADDER_BELL),
                *(*ends, found.recounted),
            ),
        )
        if word == b"unknown":
            raise UnknownCompetition(found.competition_id)
        if word == b"stale":
            raise Stale(found.competition_id)
