"""A competition comes to its end when its time is over, whatever state it is in then."""

import pytest

from shoal.competition.block import Attempt, Ending
from shoal.competition.plan import Entrant
from shoal.competition.specification import Format, Ladder, RoundRobin, Specification
from shoal.server.store import keys
from shoal.server.store.bells import Bells
from shoal.server.store.competition_nouns import Block, Competition, State, Try
from shoal.server.store.competition_texts import block_json, specification_json
from shoal.server.store.pipe import Pipe

from .arena import NOTE, Arena, until
from .looks import Looks
from .reads import audit_of, ended_of

OVER = "its time is over"
FORMS = pytest.mark.parametrize(
    "form", [RoundRobin(), Ladder(trial=False)], ids=["tournament", "ladder"]
)


class Hours:
    """A competition of two bots that are there, whose time is over when the test says so."""

    def __init__(self, pipe: Pipe, bells: Bells) -> None:
        self.arena = Arena(pipe, bells)
        self.looks = Looks(self.arena)
        self.cup = ""
        self.bots: tuple[str, ...] = ()

    async def hold(self, form: Format, **more: int) -> None:
        """Make it, open still."""
        specification = Specification("cup", form, seats=(2,), **more)
        name = "cup" if isinstance(form, Ladder) else ""
        self.cup = await self.arena.make(specification, name, State.OPEN)
        self.bots = tuple(await self.arena.arrive("a", "b", joined=False))
        await self.arena.enter(self.cup, *map(Entrant, self.bots))

    async def put_half_a_block(self) -> Block:
        """Put a block there whose first match is played, and which waits for its bots."""
        tries = (Try(keys.new_id(), Attempt(0, Ending.PLAYED, (1, 2))),)
        block = Block("0.0.0", self.bots, "base", rated=True, tries=tries, rotation=1)
        name = keys.competition(self.cup, "blocks")
        await self.arena.pipe.command("HSET", name, block.key, block_json(block))
        return block

    async def found(self) -> Competition:
        return await self.arena.competitions.get(self.cup)

    async def turn(self, *states: State) -> None:
        """Turn it as an organizer does."""
        for state in states:
            found = await self.found()
            await self.arena.competitions.turn(found, [found.state], state, NOTE)

    async def time_is_over(self) -> None:
        """Let its end be one that has passed."""
        spec = (await self.found()).specification
        late = Specification(spec.name, spec.format, seats=spec.seats, ends_ms=1)
        await self.arena.pipe.command(
            "HSET", keys.competition(self.cup), "spec", specification_json(late)
        )

    async def is_done_with(self) -> bool:
        """Look a few times, and tell whether nobody looks at it any more."""
        await self.looks.look(4)
        active = await self.arena.competitions.active()
        return self.cup not in {found.competition_id for found in active}

    async def is_finished(self) -> bool:
        return (await self.found()).state is State.FINISHED

    async def course(self) -> list[str]:
        """Return the states that a director has brought it to, the first first."""
        notes = await audit_of(self.arena.competitions, self.cup)
        return [note.action for note in notes if note.who == "director"]


@pytest.fixture
def hours(pipe: Pipe, bells: Bells) -> Hours:
    return Hours(pipe, bells)


@FORMS
@pytest.mark.parametrize("more", [{}, {"starts_ms": 1}], ids=["never begun", "both times passed"])
async def test_what_has_not_begun_when_its_time_is_over_never_does(
    hours: Hours, form: Format, more: dict[str, int]
) -> None:
    await hours.hold(form, ends_ms=2, **more)
    assert await hours.is_done_with()
    found = await hours.found()
    assert (found.state, found.ended, found.started_ms) == (State.FINISHED, OVER, None)
    assert await hours.course() == ["finished"]
    assert hours.looks.made == []


@FORMS
async def test_what_is_paused_when_its_time_is_over_ends(hours: Hours, form: Format) -> None:
    """If nothing of it is in play, at once."""
    await hours.hold(form)
    await hours.turn(State.RUNNING, State.PAUSED)
    await hours.time_is_over()
    assert await hours.is_done_with()
    assert (await hours.found()).ended == OVER
    assert await hours.course() == ["draining", "finished"]


@FORMS
async def test_what_a_pause_held_up_is_played_when_the_time_is_over(
    hours: Hours, form: Format
) -> None:
    """A block that waits for the return goes on, and with it the competition comes to its end."""
    await hours.hold(form)
    await hours.turn(State.RUNNING, State.PAUSED)
    held_up = await hours.put_half_a_block()
    await hours.time_is_over()
    await hours.looks.look(2)
    (match,) = hours.looks.made
    assert match.bots == held_up.bots[::-1]
    found = await hours.found()
    assert (found.state, found.ended) == (State.DRAINING, OVER)
    await hours.arena.finish(match)
    async with hours.arena.directing():
        await until(hours.is_finished)
    (ended,) = (await ended_of(hours.arena.competitions, hours.cup)).values()
    assert (ended.block.key, ended.state) == (held_up.key, "complete")


@FORMS
async def test_what_drains_for_a_pause_when_its_time_is_over_is_not_paused(
    hours: Hours, form: Format
) -> None:
    await hours.hold(form)
    await hours.turn(State.RUNNING, State.DRAINING)
    await hours.time_is_over()
    assert await hours.is_done_with()
    assert (await hours.found()).ended == OVER
    assert await hours.course() == ["finished"]


@FORMS
async def test_what_an_organizer_wants_next_does_not_begin_when_the_time_is_over(
    hours: Hours, form: Format
) -> None:
    await hours.hold(form)
    await hours.turn(State.RUNNING)
    found = await hours.found()
    block = Block("0.0.0", hours.bots, "base", rated=True)
    await hours.arena.competitions.force(found, block, NOTE)
    await hours.time_is_over()
    assert await hours.is_done_with()
    assert hours.looks.made == []
