"""An agenda says what working out a plan anew would say, whatever has been played."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.competition import tournament
from shoal.competition.agenda import Agenda
from shoal.competition.block import State
from shoal.competition.plan import Entrant, Finished, Planned
from shoal.competition.specification import (
    Format,
    Gauntlet,
    Knockout,
    RoundRobin,
    Specification,
    Swiss,
)

FORMATS: tuple[tuple[Format, tuple[int, ...]], ...] = (
    (RoundRobin(), (2,)),
    (RoundRobin(cycles=2, blocks_per_pairing=2), (3, 4)),
    (Gauntlet(("b0", "b3")), (2, 3)),
    (Swiss(blocks_per_pairing=2), (2,)),
    (Knockout(best_of=3), (2,)),
)


def entrants(number: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(f"b{place}", f"owner {place}") for place in range(number))


def played(block: Planned, chance: Random) -> Finished:
    """End a block in any way that it may end."""
    seats = len(block.bots)
    matches = tuple(tuple(chance.sample(range(1, seats + 1), seats)) for _ in range(seats))
    return Finished(block.key, block.bots, State.COMPLETE, matches)


@pytest.mark.parametrize(("form", "seats"), FORMATS, ids=lambda each: type(each).__name__)
@settings(max_examples=25, deadline=None)
@given(number=st.integers(2, 7), seed=st.integers())
def test_it_is_what_is_due_to_the_last_block(
    form: Format, seats: Sequence[int], number: int, seed: int
) -> None:
    """Kept as long as it may be, and made anew where a result may lead to something else."""
    spec = Specification("cup", form, seats=tuple(seats), rulesets=("base", "salt"))
    bots, chance = entrants(number), Random(seed)
    finished: list[Finished] = []
    agenda = Agenda(tournament.due(spec, bots, finished))
    while agenda:
        block = chance.choice(list(agenda))
        finished.append(played(block, chance))
        agenda.finish(str(block.key))
        agenda.finish(str(block.key))  # again is nothing
        due = tournament.due(spec, bots, finished)
        if not tournament.is_still_due(spec, len(agenda)):
            agenda = Agenda(due)
        assert tuple(agenda) == due
        assert agenda.bots == {bot for each in due for bot in each.bots}
    assert tournament.due(spec, bots, finished) == ()


@settings(deadline=None)
@given(number=st.integers(2, 12), seed=st.integers())
def test_the_blocks_of_free_bots_come_in_their_order(number: int, seed: int) -> None:
    """Each once, and none whose bots were all busy by then."""
    chance = Random(seed)
    due = tournament.due(Specification("cup", RoundRobin(), seats=(2, 3)), entrants(number), ())
    room = {f"b{place}": chance.randrange(3) for place in range(number)}
    agenda = Agenda(due)
    over = chance.sample(due, len(due) // 3)
    for block in over:
        agenda.finish(str(block.key))
    found: list[Planned] = []
    expected = [
        block for block in due if block not in over and any(room[bot] > 0 for bot in block.bots)
    ]
    for block in agenda.of_free_bots(lambda bot: room[bot] > 0):
        assert any(room[bot] > 0 for bot in block.bots)
        found.append(block)
        if all(room[bot] > 0 for bot in block.bots):
            for bot in block.bots:
                room[bot] -= 1
    assert len(found) == len(set(found))
    assert found == [block for block in expected if block in found]
    for block in expected:  # what was left out had no free bot any more
        assert block in found or all(room[bot] <= 0 for bot in block.bots)


@pytest.mark.parametrize(
    "form", [RoundRobin(), RoundRobin(3, 2), Gauntlet(("b0", "b1"), 2), Swiss()]
)
@pytest.mark.parametrize("seats", [(2,), (3,), (2, 4)])
def test_blocks_are_counted_without_making_them(form: Format, seats: tuple[int, ...]) -> None:
    """As many as are due before anything is played; of a Swiss tournament nobody knows."""
    spec = Specification("cup", form, seats=seats, rulesets=("base", "salt"))
    for number in range(1, 14):
        counted = tournament.number_of_blocks(spec, entrants(number))
        if isinstance(form, Swiss):
            assert counted == 0
        else:
            assert counted == len(tournament.due(spec, entrants(number), ()))
