"""A knock-out: who meets whom, what decides a tie, and who came how far."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.competition.block import State
from shoal.competition.bracket import rounds, slots
from shoal.competition.knockout import bracket, due, knockout_standings, leaves_from
from shoal.competition.plan import BlockKey, Entrant, Finished, Planned
from shoal.competition.specification import Knockout, Specification, Swiss
from shoal.competition.ties import Decision, judge
from tests.competition.making import by_strength, duel, entrants, void

LAW = settings(max_examples=60, deadline=None)
NAMES = "abcdefghijklm"


def cup(best_of: int = 1, tie_cap: int = 2) -> Specification:
    return Specification("cup", Knockout(best_of, tie_cap))


def play_all(
    specification: Specification, field: Sequence[Entrant], chance: Random
) -> list[Finished]:
    """Play any block that is due until none is; half of them are drawn, some are void."""
    over: list[Finished] = []
    while plan := due(specification, field, over):
        block = chance.choice(plan)
        drawn = chance.random() < 0.5
        over.append(
            void(block)
            if chance.random() < 0.1
            else duel(block.key, block.bots, 1.0 if drawn else chance.randrange(5) / 2)
        )
    return over


def test_the_bracket_of_eight_is_the_usual_one() -> None:
    assert [seed + 1 for seed in slots(8)] == [1, 8, 4, 5, 2, 7, 3, 6]


@pytest.mark.parametrize("entrants_", range(2, 40))
def test_the_better_two_four_and_so_on_meet_only_at_the_end(entrants_: int) -> None:
    """Seeds 1 and 2 are in different halves, 1 to 4 in different quarters; byes are for the best."""
    order = slots(entrants_)
    size = len(order)
    assert sorted(order) == list(range(size))
    assert size == 2 ** rounds(entrants_)
    top = 2
    while top <= size:
        part = size // top
        assert {order.index(seed) // part for seed in range(top)} == set(range(top))
        top *= 2
    free = [a for a, b in zip(order[::2], order[1::2], strict=True) if b >= entrants_]
    assert sorted(free) == list(range(size - entrants_))


@pytest.mark.parametrize("number", range(1, 14))
def test_if_the_better_seed_always_wins_the_ranks_are_by_seed(number: int) -> None:
    field = entrants(NAMES[:number])
    over: list[Finished] = []
    while plan := due(cup(), field, over):
        over.extend(map(by_strength(lambda bot: -ord(bot)), plan))
    ranked = knockout_standings(cup(), field, over)
    assert ranked[0].bot_id == "a"
    assert len(over) == number - 1
    if number > 3:
        assert [line.rank for line in ranked[:4]] == [1, 2, 3, 3]
        assert {line.bot_id for line in ranked[2:4]} == {"c", "d"}


@LAW
@given(st.integers(0, 9), st.integers(1, 4), st.integers(0, 2), st.randoms())
def test_every_knock_out_ends_with_one_winner_however_it_is_resumed(
    number: int, best_of: int, tie_cap: int, chance: Random
) -> None:
    """The plan depends on what is finished and not on the order in which it was told (T84)."""
    specification, field = cup(best_of, tie_cap), entrants(NAMES[:number])
    over = play_all(specification, field, chance)
    ranked = knockout_standings(specification, field, over)
    assert [line.rank for line in ranked].count(1) == min(1, number)
    ties = bracket(specification, field, over)
    assert all(tie.winner for of_round in ties for tie in of_round)
    assert len({block.key for block in over}) == len(over)
    for some in range(len(over)):
        known = over[:some]
        told = chance.sample(known, some)
        assert due(specification, field, told) == due(specification, field, known)
    assert ranked == knockout_standings(specification, field, chance.sample(over, len(over)))


@LAW
@given(st.integers(2, 8), st.integers(1, 5), st.randoms())
def test_a_block_in_play_stays_due_until_it_is_finished(
    number: int, best_of: int, chance: Random
) -> None:
    """Nothing is started that turns out not to be needed."""
    specification, field = cup(best_of), entrants(NAMES[:number])
    over: list[Finished] = []
    in_play: dict[BlockKey, Planned] = {}
    while plan := due(specification, field, over):
        assert in_play.items() <= {block.key: block for block in plan}.items()
        in_play = {block.key: block for block in plan}
        key = chance.choice(list(in_play))
        block = in_play.pop(key)
        over.append(duel(key, block.bots, chance.randrange(5) / 2))
    assert not in_play


def tie(*points: float) -> list[Finished]:
    return [
        duel(BlockKey(0, 0, number), "ab", each) if each >= 0 else
        Finished(BlockKey(0, 0, number), ("a", "b"), State.VOID, ())
        for number, each in enumerate(points)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("best_of", "tie_cap", "points", "winner", "decision", "wanted"),
    [
        (1, 2, [], None, None, 1),
        (1, 2, [1.5], 0, Decision.BLOCKS, 0),
        (3, 2, [], None, None, 2),
        (3, 2, [2], None, None, 1),
        (3, 2, [2, 0], None, None, 1),
        (3, 2, [0, 0], 1, Decision.BLOCKS, 0),
        (3, 2, [2, 1, 1], 0, Decision.BLOCKS, 0),
        (4, 2, [2, 2], None, None, 1),
        (2, 2, [2, 0], None, None, 1),
        (2, 2, [2, 0, 1], None, None, 1),
        (2, 2, [2, 0, 1, 0.5], 1, Decision.FURTHER_BLOCK, 0),
        (2, 2, [2, 0.5, 1, 1], 0, Decision.POINTS, 0),
        (2, 0, [1.5, 0], 1, Decision.POINTS, 0),
        (1, 2, [1, 1, 1], 0, Decision.SEED, 0),
        (1, 0, [1], 0, Decision.SEED, 0),
        (1, 2, [-1], None, None, 1),
        (1, 1, [-1, -1], 0, Decision.SEED, 0),
        (3, 0, [-1, 0], None, None, 1),
    ],
)
def test_a_tie_is_decided_by_blocks_then_further_ones_then_points_then_the_seed(
    best_of: int,
    tie_cap: int,
    points: list[float],
    winner: int | None,
    decision: Decision | None,
    wanted: int,
) -> None:
    verdict = judge(Knockout(best_of, tie_cap), "ab", tie(*points))
    assert (verdict.winner, verdict.decision, verdict.wanted) == (winner, decision, wanted)


def test_a_bye_needs_no_play_and_who_has_left_loses_what_is_open() -> None:
    field = (Entrant("a"), Entrant("b", gone_from=1), Entrant("c"))
    (first, second), (final,) = bracket(cup(), field, ())
    assert first.verdict is not None
    assert (first.winner, first.verdict.decision) == ("a", Decision.BYE)
    assert second.winner is None
    assert final.bots == ("a", None)
    over = [duel(block.key, block.bots, 2.0) for block in due(cup(), field, ())]
    _, (final,) = bracket(cup(), field, over)
    assert final.bots == ("a", "b")
    assert final.verdict is not None
    assert (final.winner, final.verdict.decision) == ("a", Decision.LEFT)
    assert due(cup(), field, over) == ()
    assert [line.rank for line in knockout_standings(cup(), field, over)] == [1, 2, 3]


def test_what_was_decided_before_a_bot_left_stays_decided() -> None:
    """Also in the standings: it has won, and left after that."""
    over = [duel(BlockKey(0, 0, 0), "ab", 2.0)]
    gone_from = leaves_from(cup(), entrants("ab"), over, "a")
    field = (Entrant("a", gone_from=gone_from), Entrant("b"))
    ((final,),) = bracket(cup(), field, over)
    assert final.winner == "a"
    assert final.verdict is not None
    assert final.verdict.decision is Decision.BLOCKS


def test_a_block_in_play_does_not_turn_round_what_a_withdrawal_has_decided() -> None:
    """The other has gone on, so the one that left does not, though it wins what it still plays."""
    field, over = entrants("abcd"), [duel(BlockKey(0, 1, 0), "bc", 2.0)]
    left = (*field[:3], replace(field[3], gone_from=leaves_from(cup(), field, over, "d")))
    assert [block.bots for block in due(cup(), left, over)] == [("a", "b")]
    over.append(duel(BlockKey(0, 0, 0), "ad", 0.0))
    assert [block.bots for block in due(cup(), left, over)] == [("a", "b")]
    over.append(duel(BlockKey(1, 0, 0), "ab", 2.0))
    assert due(cup(), left, over) == ()
    assert [line.bot_id for line in knockout_standings(cup(), left, over)][:2] == ["a", "b"]


@pytest.mark.parametrize(("bot_id", "first"), [("a", 1), ("b", 0), ("c", 0), ("d", 1)], ids=str)
def test_who_leaves_is_out_from_its_first_open_tie(bot_id: str, first: int) -> None:
    """Of a bot that has lost there is none any more: what it has lost stays as it was."""
    over = [duel(BlockKey(0, 0, 0), "ad", 2.0)]
    assert leaves_from(cup(), entrants("abcd"), over, bot_id) == first


@LAW
@given(
    number=st.integers(2, 13),
    best_of=st.integers(1, 3),
    third_place=st.booleans(),
    seed=st.integers(),
)
def test_whoever_leaves_who_is_through_stays_through(
    *, number: int, best_of: int, third_place: bool, seed: int
) -> None:
    """Bots leave while blocks of theirs are in play, which end after that, and however they do."""
    spec, chance = Specification("cup", Knockout(best_of, third_place=third_place)), Random(seed)
    field, over = list(entrants(NAMES[:number])), list[Finished]()
    known: dict[tuple[int, int, int], str] = {}
    in_play: dict[BlockKey, Planned] = {}
    while True:
        in_play |= {block.key: block for block in due(spec, field, over)}
        if not in_play:
            break
        if chance.random() < 0.2:
            place = chance.randrange(number)
            if field[place].gone_from is None:
                gone_from = leaves_from(spec, field, over, field[place].bot_id)
                field[place] = replace(field[place], gone_from=gone_from)
        else:
            block = in_play.pop(chance.choice(list(in_play)))
            over.append(duel(block.key, block.bots, chance.randrange(5) / 2))
        now = {
            (tie.round, tie.number, side): bot
            for ties in bracket(spec, field, over)
            for tie in ties
            for side, bot in enumerate(sorted(bot for bot in tie.bots if bot))
            if None not in tie.bots
        }
        assert known.items() <= now.items()
        known = now
    assert all(tie.winner for ties in bracket(spec, field, over) for tie in ties)


def test_a_quick_half_of_the_bracket_does_not_wait_for_the_other() -> None:
    """A slow tie holds up only those who are to meet its winner (T67)."""
    field = entrants("abcdefgh")
    over = [
        duel(block.key, block.bots, 2.0) for block in due(cup(), field, ()) if block.key.table < 2
    ]
    assert {block.bots for block in due(cup(), field, over)} == {("a", "d"), ("b", "g"), ("c", "f")}


def test_blocks_of_a_tie_take_turns_with_the_rulesets() -> None:
    specification = Specification("cup", Knockout(3), rulesets=("base", "salt"))
    assert [block.ruleset for block in due(specification, entrants("ab"), ())] == ["base", "salt"]


def test_bots_of_one_owner_meet_unrated() -> None:
    """The bracket brings them together, but not for ratings (T59)."""
    field = [Entrant(bot, "ann") for bot in "ab"]
    assert [block.rated for block in due(cup(), field, ())] == [False]


def test_while_it_runs_who_is_still_in_is_first() -> None:
    field = entrants("abcd")
    over = [duel(block.key, block.bots, 2.0) for block in due(cup(), field, ())[:1]]
    assert [(line.rank, line.bot_id) for line in knockout_standings(cup(), field, over)] == [
        (1, "a"),
        (1, "b"),
        (1, "c"),
        (4, "d"),
    ]


def test_every_two_bots_meet_at_most_in_one_tie() -> None:
    over = play_all(cup(3), entrants(NAMES), Random(5))
    places = {(block.key.round, block.key.table, frozenset(block.bots)) for block in over}
    assert len({pair for *_, pair in places}) == len(places)
    assert len(places) == len(NAMES) - 1
    assert {pair for *_, pair in places} <= set(map(frozenset, combinations(NAMES, 2)))


def test_a_knock_out_is_for_its_own_format() -> None:
    with pytest.raises(ValueError, match="knock-out"):
        due(Specification("x", Swiss(1)), (), ())


@pytest.mark.parametrize("number", range(3, 14))
def test_a_third_place_is_played_for_beside_the_final(number: int) -> None:
    """If the better seed always wins, each of the first four has a rank; of three the third has a bye."""
    spec = Specification("cup", Knockout(third_place=True))
    field, over, last = entrants(NAMES[:number]), list[Finished](), list[Planned]()
    win = by_strength(lambda bot: -NAMES.index(bot))
    while plan := due(spec, field, over):
        last = list(plan)
        over.extend(win(block) for block in plan)
    assert {frozenset(block.bots) for block in last} == {
        frozenset(pair) for pair in (("ab",) if number == 3 else ("ab", "cd"))
    }
    lines = knockout_standings(spec, field, over)
    assert [line.bot_id for line in lines[:3]] == ["a", "b", "c"]
    assert [line.rank for line in lines[:4]] == [1, 2, 3, 4][:number]


@LAW
@given(number=st.integers(2, 13), seed=st.integers())
def test_with_a_third_place_it_ends_too(number: int, seed: int) -> None:
    """Whatever happens; of three or more the first three ranks have one bot each."""
    spec = Specification("cup", Knockout(third_place=True))
    field = entrants(NAMES[:number])
    over = play_all(spec, field, Random(seed))
    ranks = [line.rank for line in knockout_standings(spec, field, over)]
    assert ranks[:3] == [1, 2, 3][:number]
