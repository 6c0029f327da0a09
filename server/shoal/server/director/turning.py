"""How far a competition is: begun, ended and paused as its time asks, and as nothing is in play any more."""

from collections.abc import Callable
from typing import Final, final

import structlog

from shoal.competition.stopping import Stop
from shoal.server.store.competition_nouns import Competition, Note, State
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.direction import Direction
from shoal.server.store.keys import now_ms

_WHO: Final = "director"

_log = structlog.get_logger(__name__)


@final
class Turning:
    """Turns competitions from one state to the next. All of it raises Stale if one is not as it was read."""

    def __init__(
        self, competitions: CompetitionStore, direction: Direction, ring: Callable[[], None]
    ) -> None:
        """Read and write here, and ring when there is something to be looked at again."""
        self._competitions = competitions
        self._direction = direction
        self._ring = ring

    async def by_time(self, found: Competition) -> bool:
        """Begin or end a competition whose time has come; true if there is nothing else to do for it now."""
        match found.state:
            case State.OPEN if _is_late(found):
                await self._turn(found, State.FINISHED, Stop.TIME.value)
            case State.OPEN if _has_come(found.specification.starts_ms):
                await self._turn(found, State.RUNNING, "its time has come")
            case State.RUNNING | State.PAUSED if _is_late(found):
                # Also one that is paused: what it holds up is played, since nobody else would end it.
                await self.drain(found, Stop.TIME)
            case State.OPEN:
                pass
            case State.RUNNING | State.PAUSED | State.DRAINING | State.FINISHED:
                return False
        return True

    async def drain(self, found: Competition, stop: Stop) -> None:
        """Let nothing begin any more in a competition that is over, and what has begun be played."""
        await self._turn(found, State.DRAINING, stop.value)

    async def end(self, found: Competition) -> bool:
        """Finish a competition that has nothing in play, or pause it; true if it is done with for good."""
        match found.state:
            case State.RUNNING:
                await self._turn(found, State.FINISHED, await self._why_nothing_is_due(found))
            case State.DRAINING if found.is_ending:
                await self._turn(found, State.FINISHED, found.ended)
            case State.DRAINING if _is_late(found):
                await self._turn(found, State.FINISHED, Stop.TIME.value)
            case State.DRAINING:
                await self._turn(found, State.PAUSED, "drained: what had begun is played")
            case State.FINISHED if not found.is_recounting:
                await self._direction.retire(found.competition_id)
                return True
            case State.OPEN | State.PAUSED | State.FINISHED:
                pass
        return False

    async def _why_nothing_is_due(self, found: Competition) -> str:
        over, _ = await self._competitions.count_blocks(found.competition_id)
        if over:
            return "all has been played"
        entered = await self._competitions.count_entrants(found.competition_id)
        return f"nobody has anybody to play: {entered} have entered"

    async def _turn(self, found: Competition, state: State, why: str) -> None:
        note = Note(now_ms(), _WHO, state.value, why=why)
        ended = why if state in {State.DRAINING, State.FINISHED} else ""
        await self._direction.turn(found, state, note, ended)
        _log.info("competition_turned", id=found.competition_id, state=state.value, why=why)
        self._ring()


def _is_late(found: Competition) -> bool:
    return _has_come(found.specification.ends_ms)


def _has_come(time_ms: int | None) -> bool:
    return time_ms is not None and now_ms() >= time_ms
