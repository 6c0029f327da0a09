"""A ladder over minutes: nobody starves, time is shared, and everybody meets many others."""

import math
from statistics import mean

import pytest

from shoal.competition.pool import Candidate, Terms
from tests.competition.hall import TICK_MS, Ladder
from tests.competition.test_ladder_pairing import bot

SECOND = 1000.0
MINUTE = 60 * SECOND


def crowd(number: int, match_ms: float = 3 * SECOND, **more: object) -> list[Candidate]:
    """Bots of different strength whose matches take a little longer from one to the next."""
    return [
        bot(f"b{n:02}", match_ms=match_ms + 97 * n, mu=20.0 + n / 2, sigma=1.5, **more)
        for n in range(number)
    ]


def second_eigenvalue(ladder: Ladder) -> float:
    """Of the random walk from opponent to opponent: 1 if some never meet the others, 0 if all mix."""
    names = sorted(ladder.met)
    degree = {name: ladder.met[name].total() for name in names}
    total = sum(degree.values())
    walk = {name: math.sin(13.0 * place) for place, name in enumerate(names)}
    value = 0.0
    for _ in range(200):
        middle = sum(degree[name] * walk[name] for name in names) / total
        walk = {name: walk[name] - middle for name in names}
        size = math.sqrt(sum(degree[name] * walk[name] ** 2 for name in names))
        walk = {name: walk[name] / size for name in names}
        walk = {  # half of the time it stays, so that no eigenvalue is negative
            name: walk[name] / 2
            + sum(times * walk[other] for other, times in ladder.met[name].items())
            / degree[name]
            / 2
            for name in names
        }
        value = math.sqrt(sum(degree[name] * walk[name] ** 2 for name in names))
    return 2 * value - 1


@pytest.mark.parametrize(("room", "sizes"), [(1, (2,)), (1, (2, 3, 4)), (3, (2,))])
def test_the_graph_of_who_met_whom_is_mixed(room: int, sizes: tuple[int, ...]) -> None:
    """Those who come free together do not meet for ever, nor only their like (T64)."""
    ladder = Ladder(crowd(16, room=room), Terms(sizes=sizes))
    ladder.run(8 * MINUTE)
    assert second_eigenvalue(ladder) < 0.5
    assert min(len(met) for met in ladder.met.values()) >= 10


def test_a_slow_bot_holds_up_nobody_but_its_own_table() -> None:
    """The others play as much as they would without it (T67)."""
    quick = crowd(15)
    alone = Ladder(quick, Terms(sizes=(2, 3)))
    alone.run(10 * MINUTE)
    together = Ladder([*quick, bot("slow", match_ms=3 * MINUTE)], Terms(sizes=(2, 3)))
    together.run(10 * MINUTE)
    before = mean(each.blocks for each in alone.bots.values())
    after = [each.blocks for name, each in together.bots.items() if name != "slow"]
    assert mean(after) > 0.85 * before * 14 / 15


def test_a_newcomer_plays_within_a_minute() -> None:
    """Even where one is always left over, it is not the new one (T69)."""
    ladder = Ladder(crowd(7, blocks=9), Terms())
    for number in range(8):
        ladder.bots[f"new{number}"] = type(ladder.bots["b00"])(
            bot(f"new{number}", blocks=0, match_ms=4 * SECOND, sigma=8.0),
            comes_ms=MINUTE * (1 + number / 4),
            free_since=MINUTE * (1 + number / 4),
        )
    ladder.run(5 * MINUTE)
    for number in range(8):
        new = ladder.bots[f"new{number}"]
        assert new.first_seated is not None
        assert new.first_seated - new.comes_ms < MINUTE


@pytest.mark.parametrize("number", range(2, 7))
@pytest.mark.parametrize("sizes", [(2,), (2, 3), (2, 3, 4)])
def test_in_a_small_pool_nobody_waits_longer_than_for_a_block(
    number: int, sizes: tuple[int, ...]
) -> None:
    """Whoever is left over is seated as soon as one comes free, and the rest hardly waits (T79, T72)."""
    match_ms = 3 * SECOND + 7
    ladder = Ladder(
        [bot(name, match_ms=match_ms) for name in "abcdef"[:number]], Terms(sizes=sizes)
    )
    ladder.run(3 * MINUTE)
    assert all(each.blocks > 3 for each in ladder.bots.values())
    longest = 1.2 * sizes[-1] * match_ms + 2 * TICK_MS
    assert max(each.longest_wait for each in ladder.bots.values()) * match_ms <= longest
    busy = mean(each.played_ms for each in ladder.bots.values()) / (3 * MINUTE)
    assert busy > 0.85 * (number - number % 2) / number


def test_what_is_shared_out_is_time_and_not_matches() -> None:
    """Of seven one is always left over: as often a slow one, and the quick ones play more (T80)."""
    lengths = [1.0, 1.1, 0.9, 1.2, 10.0, 11.0, 12.0]
    pool = [bot(f"b{n}", match_ms=length * SECOND) for n, length in enumerate(lengths)]
    ladder = Ladder(pool, Terms())
    ladder.run(30 * MINUTE)
    shares = [each.played_ms / (30 * MINUTE) for each in ladder.bots.values()]
    blocks = [each.blocks for each in ladder.bots.values()]
    assert max(shares) - min(shares) < 0.25
    assert min(blocks[:4]) > 1.3 * max(blocks[4:])


@pytest.mark.parametrize(("number", "most"), [(12, 0.35), (40, 0.1)])
def test_repeats_are_rare_where_there_are_others(number: int, most: float) -> None:
    """Hardly anybody meets its last opponent again (T78)."""
    ladder = Ladder(crowd(number), Terms())
    ladder.run(4 * MINUTE)
    last: dict[str, frozenset[str]] = {}
    again = 0
    for table in ladder.tables:
        again += table.bots[1] in last.get(table.bots[0], frozenset())
        last.update({name: frozenset(table.bots) - {name} for name in table.bots})
    assert again / len(ladder.tables) < most
