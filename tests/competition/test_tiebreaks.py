"""Tie-breaks: published examples, small tables worked out by hand, and laws."""

from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.competition import tiebreaks
from shoal.competition.block import State
from shoal.competition.meetings import Meeting, meetings, score_of, swiss_meetings
from shoal.competition.plan import BlockKey, Entrant, Finished
from shoal.competition.score import Score, totals
from shoal.competition.standings import standings
from shoal.competition.tiebreaks import (
    ROBIN_ORDER,
    RULES,
    SWISS_ORDER,
    Tiebreak,
    as_opponent,
    season,
    virtual_opponents,
)
from tests.competition.making import duel, entrants

LAW = settings(max_examples=100, deadline=None)


def rounds(scores: list[float]) -> list[Meeting]:
    """Rounds of chess with these scores, each against somebody else."""
    return [Meeting(number, f"o{number}", points, 1) for number, points in enumerate(scores)]


def missed(number: int, points: float) -> Meeting:
    return Meeting(number, None, points, 1, was_played=False)


def test_the_virtual_opponent_of_who_did_not_come() -> None:
    """FIDE's first example: round 3 of 9 missed with 1.5 before: 2.5 after it, 5.5 at the end."""
    before, absent = rounds([1, 0.5]), missed(2, 0)
    assert virtual_opponents([*before, absent])[2] == 2.5
    after = [Meeting(number, "x", 0, 1) for number in range(3, 9)]
    assert virtual_opponents([*before, absent, *after])[2] == 5.5


def test_the_virtual_opponent_of_whose_opponent_did_not_come() -> None:
    """FIDE's second example: round 6 of 9 for nothing with 3.5 before: 3.5 after it, 5.0 at the end."""
    before, won = rounds([1, 1, 0.5, 0.5, 0.5]), missed(5, 1)
    assert virtual_opponents([*before, won])[5] == 3.5
    after = [Meeting(number, "x", 1, 1) for number in range(6, 9)]
    assert virtual_opponents([*before, won, *after])[5] == 5.0


def test_for_its_opponents_a_bot_has_drawn_what_it_did_not_play() -> None:
    assert as_opponent([*rounds([1, 1]), missed(2, 1), missed(3, 0)]) == 3.0


FOUR = {
    # Round by round: a, b, c, d by seed; the first of each pair got so many of two points.
    (0, "a", "c"): 2.0,
    (0, "b", "d"): 1.0,
    (1, "a", "b"): 1.0,
    (1, "c", "d"): 2.0,
    (2, "a", "d"): 0.0,
    (2, "b", "c"): 1.5,
}
"""All against all. a: 2+1+0 = 3, b: 1+1+1.5 = 3.5, c: 0+2+0.5 = 2.5, d: 1+0+2 = 3."""


def four() -> list[Finished]:
    return [
        duel(BlockKey(number, table, 0), (one, other), points)
        for table, ((number, one, other), points) in enumerate(FOUR.items())
    ]


@pytest.mark.parametrize(
    ("tiebreak", "expected"),
    [
        (Tiebreak.BUCHHOLZ, {"a": 9.0, "b": 8.5, "c": 9.5, "d": 9.0}),
        (Tiebreak.BUCHHOLZ_CUT_1, {"a": 6.5, "b": 6.0, "c": 6.5, "d": 6.5}),
        # a: all of c (2.5) + half of b (1.75) + nothing of d; b: ½·3 + ½·3 + ¾·2.5; and so on.
        (Tiebreak.SONNEBORN_BERGER, {"a": 4.25, "b": 4.875, "c": 3.875, "d": 4.75}),
        (Tiebreak.WINS, {"a": 1.0, "b": 1.0, "c": 1.0, "d": 1.0}),
    ],
)
def test_a_table_of_four_worked_out_by_hand(tiebreak: Tiebreak, expected: dict[str, float]) -> None:
    assert RULES[tiebreak](season(meetings("abcd", four())), "abcd") == expected


def test_the_direct_encounter_is_of_those_who_are_tied() -> None:
    played = season(meetings("abcd", four()))
    assert RULES[Tiebreak.DIRECT_ENCOUNTER](played, "ad") == {"a": 0, "d": 2}
    assert RULES[Tiebreak.DIRECT_ENCOUNTER](played, "ab") == {"a": 1, "b": 1}


def test_the_direct_encounter_says_nothing_unless_all_have_met() -> None:
    played = season(meetings("abcd", four()[:3]))  # d has not met a
    assert RULES[Tiebreak.DIRECT_ENCOUNTER](played, "ad") == {"a": 0, "d": 0}


def test_a_swiss_of_three_with_byes_worked_out_by_hand() -> None:
    """Three rounds, one bot free in each: a bye gives two points and says nothing of anybody."""
    blocks = [
        duel(BlockKey(0, 0, 0), "ab", 2.0),  # c is free
        duel(BlockKey(1, 0, 0), "ac", 1.0),  # b is free
        duel(BlockKey(2, 0, 0), "bc", 0.0),  # a is free
    ]
    met = swiss_meetings(entrants("abc"), blocks, 3, 1)
    assert {bot: score_of(all_of_one).points for bot, all_of_one in met.items()} == {
        "a": 5.0,
        "b": 2.0,
        "c": 5.0,
    }
    # As opponents: a 2+1+(1), b 0+(1)+0, c (1)+1+2. Virtual ones: a in round 3 has 3+0, b in round 2 has
    # 0+0+1, c in round 1 has 0+0+1+1.
    assert RULES[Tiebreak.BUCHHOLZ](season(met), "abc") == {
        "a": 1.0 + 4.0 + 3.0,
        "b": 4.0 + 1.0 + 4.0,
        "c": 2.0 + 4.0 + 1.0,
    }
    ranked = standings("abc", {b: score_of(met[b]) for b in "abc"}, met, SWISS_ORDER)
    assert [line.bot_id for line in ranked] == ["a", "c", "b"]


def test_a_void_block_is_a_draw_in_a_swiss_round_and_nothing_elsewhere() -> None:
    block = Finished(BlockKey(0, 0, 0), ("a", "b"), State.VOID, ())
    met = swiss_meetings(entrants("ab"), [block], 1, 1)
    assert met["a"] == (Meeting(0, "b", 1.0, 2.0, was_played=False),)
    assert meetings("ab", [block]) == {"a": (), "b": ()}
    assert totals("ab", [block]) == {"a": Score(), "b": Score()}


def test_who_is_gone_gets_nothing_and_a_forfeit_counts_as_not_played() -> None:
    block = Finished(BlockKey(0, 0, 0), ("a", "b"), State.FORFEIT, ((1, 2), (1, 2)))
    field = (Entrant("a"), Entrant("b", gone_from=1))
    met = swiss_meetings(field, [block], 2, 1)
    assert met["b"] == (
        Meeting(0, "a", 0.0, 2.0, was_played=False),
        Meeting(1, None, 0.0, 2.0, was_played=False),
    )
    assert met["a"][1] == Meeting(1, None, 2.0, 2.0, was_played=False)
    assert RULES[Tiebreak.WINS](season(met), "a") == {"a": 0}


def test_at_a_larger_table_everybody_meets_everybody() -> None:
    block = Finished(
        BlockKey(0, 0, 0), ("a", "b", "c"), State.COMPLETE, ((1, 2, 3), (2, 1, 3), (1, 2, 2))
    )
    met = meetings("abc", [block])
    assert met["a"] == (Meeting(0, "b", 2.0, 3), Meeting(0, "c", 3.0, 3))
    assert met["c"] == (Meeting(0, "a", 0.0, 3), Meeting(0, "b", 0.5, 3))


def test_ties_are_broken_in_the_order_that_is_asked_for_and_ranks_shared_after_that() -> None:
    met = meetings("abcd", four())
    scores = totals("abcd", four())
    ranked = standings("abcd", scores, met, ROBIN_ORDER)
    assert [(line.rank, line.bot_id) for line in ranked] == [(1, "b"), (2, "d"), (3, "a"), (4, "c")]
    assert ranked[1].tiebreaks == (2.0, 4.75, 1.0)
    shared = standings("abcd", scores, met, (Tiebreak.WINS,))
    assert [(line.rank, line.bot_id) for line in shared] == [(1, "b"), (2, "a"), (2, "d"), (4, "c")]


def test_a_tiebreak_looks_at_those_who_are_still_tied() -> None:
    """Three with a circle of wins and one more: after the wins the direct encounter is of two."""
    blocks = [
        duel(BlockKey(0, 0, 0), "ab", 2.0),
        duel(BlockKey(1, 0, 0), "bc", 1.5),
        duel(BlockKey(2, 0, 0), "ca", 2.0),
        duel(BlockKey(3, 0, 0), "cd", 0.0),
        duel(BlockKey(4, 0, 0), "bd", 1.5),
        duel(BlockKey(5, 0, 0), "ad", 1.5),
    ]
    met, scores = meetings("abcd", blocks), totals("abcd", blocks)
    assert [scores[bot].points for bot in "abcd"] == [3.5, 3.0, 2.5, 3.0]
    ranked = standings("abcd", scores, met, (Tiebreak.DIRECT_ENCOUNTER,))
    assert [(line.rank, line.bot_id) for line in ranked] == [(1, "a"), (2, "b"), (3, "d"), (4, "c")]


class Looked(dict[str, tuple[Meeting, ...]]):
    """Meetings that count how often those of a bot are looked at."""

    looks = 0

    def __getitem__(self, bot: str) -> tuple[Meeting, ...]:
        self.looks += 1
        return super().__getitem__(bot)


@pytest.mark.parametrize("number", [20, 40])
def test_the_meetings_of_each_bot_are_looked_at_a_few_times_however_many_there_are(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of all who are level, too: not once more for everybody that they met or are tied with."""
    names = [f"b{each}" for each in range(number)]
    blocks = [
        duel(BlockKey(place, 0, 0), pair, 1.0) for place, pair in enumerate(combinations(names, 2))
    ]
    met = Looked(meetings(names, blocks))
    summed: list[int] = []
    monkeypatch.setattr(tiebreaks, "as_opponent", lambda met: summed.append(1) or as_opponent(met))
    ranked = standings(names, totals(names, blocks), met, tuple(Tiebreak))
    assert [line.rank for line in ranked] == [1] * number
    assert len(summed) == number
    assert met.looks <= len(Tiebreak) * number


@LAW
@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, 1.5, 2.0]), min_size=10, max_size=10), st.randoms())
def test_standings_do_not_depend_on_the_order_of_the_blocks(
    results: list[float], chance: "object"
) -> None:
    blocks = [
        duel(BlockKey(number, 0, 0), pair, points)
        for number, (pair, points) in enumerate(zip(combinations("abcde", 2), results, strict=True))
    ]
    shuffled = blocks.copy()
    chance.shuffle(shuffled)  # type: ignore[attr-defined]

    def ranked(some: list[Finished]) -> object:
        return standings("abcde", totals("abcde", some), meetings("abcde", some), tuple(Tiebreak))

    assert ranked(blocks) == ranked(shuffled)


@LAW
@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, 1.5, 2.0]), min_size=6, max_size=6))
def test_ranks_are_shared_by_those_alone_whom_nothing_tells_apart(results: list[float]) -> None:
    """Who is called by another name has the same rank, so no seed decides anything."""
    pairs = list(combinations("abcd", 2))

    def ranks(names: tuple[str, ...]) -> dict[str, int]:
        called = dict(zip("abcd", names, strict=True))
        blocks = [
            duel(BlockKey(number, 0, 0), [called[bot] for bot in pair], points)
            for number, (pair, points) in enumerate(zip(pairs, results, strict=True))
        ]
        ranked = standings("abcd", totals("abcd", blocks), meetings("abcd", blocks), SWISS_ORDER)
        by_bot = {line.bot_id: line.rank for line in ranked}
        return {bot: by_bot[called[bot]] for bot in "abcd"}

    assert len({tuple(ranks(names).items()) for names in permutations("abcd")}) == 1
