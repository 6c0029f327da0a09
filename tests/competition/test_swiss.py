"""A Swiss tournament: fair pairings, always one, and always the same one."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.competition.block import State
from shoal.competition.plan import Entrant, Finished, Planned
from shoal.competition.specification import Ladder, Specification, Swiss
from shoal.competition.swiss import current_round, due, rounds_of, swiss_standings
from shoal.competition.swiss import players as players_of
from shoal.competition.swiss_pairing import Obstacle, Player, RoundPairing, pair_round
from tests.competition.making import by_strength, duel, entrants

LAW = settings(max_examples=60, deadline=None)
CUP = Specification("cup", Swiss(3))


def cup(rounds: int, blocks: int = 1) -> Specification:
    return Specification("cup", Swiss(rounds, blocks))


@st.composite
def fields(draw: st.DrawFn, most: int = 9) -> tuple[Entrant, ...]:
    number = draw(st.integers(0, most))
    owner = st.sampled_from(["", "ann", "bob"])
    leaves = st.none() | st.integers(0, 5)
    return tuple(Entrant(bot, draw(owner), draw(leaves)) for bot in "abcdefghi"[:number])


def some_result(block: Planned, chance: Random) -> Finished:
    if chance.random() < 0.1:
        return Finished(block.key, block.bots, State.VOID, ())
    if chance.random() < 0.1:
        return Finished(block.key, block.bots, State.FORFEIT, ((1, 2), (1, 2)))
    return duel(block.key, block.bots, chance.randrange(5) / 2)


def play_all(
    specification: Specification, field: Sequence[Entrant], chance: Random
) -> list[Finished]:
    """Play block after block, any that is due, until none is; as a director that is always resuming."""
    over: list[Finished] = []
    while plan := due(specification, field, over):
        over.append(some_result(chance.choice(plan), chance))
    return over


def test_the_first_round_is_the_upper_half_against_the_lower_half() -> None:
    """As in every system of the FIDE handbook: of eight, 1 meets 5, 2 meets 6, 3 meets 7, 4 meets 8."""
    assert [block.bots for block in due(CUP, entrants("abcdefgh"), ())] == [
        ("a", "e"),
        ("b", "f"),
        ("c", "g"),
        ("d", "h"),
    ]


def test_the_second_round_pairs_winners_with_winners() -> None:
    field = entrants("abcdefgh")
    first = [by_strength(lambda bot: -ord(bot))(block) for block in due(CUP, field, ())]
    assert [block.bots for block in due(CUP, field, first)] == [
        ("a", "c"),
        ("b", "d"),
        ("e", "g"),
        ("f", "h"),
    ]


def test_of_an_odd_number_the_lowest_has_a_bye_that_is_worth_a_win() -> None:
    field = entrants("abcde")
    now = current_round(CUP, field, ())
    assert now.pairing is not None
    assert now.pairing.bye is not None
    assert now.pairing.bye.bot_id == "e"
    over = [duel(block.key, block.bots, 1.0) for block in due(CUP, field, ())]
    ranked = swiss_standings(CUP, field, over)
    assert (ranked[0].bot_id, ranked[0].score.points) == ("e", 2.0)
    second = current_round(CUP, field, over).pairing
    assert second is not None
    assert second.bye is not None
    assert second.bye.bot_id == "d"


@LAW
@given(fields(), st.integers(1, 6), st.integers(1, 2), st.randoms())
def test_everybody_plays_or_is_free_in_each_round_and_byes_go_round(
    field: tuple[Entrant, ...], rounds: int, blocks: int, chance: Random
) -> None:
    specification = cup(rounds, blocks)
    over = play_all(specification, field, chance)
    free: Counter[str] = Counter()
    for number in range(rounds):
        here = [one for one in field if one.gone_from is None or number < one.gone_from]
        if len(here) < 2:
            assert not [block for block in over if block.key.round >= number]
            break
        played = [block for block in over if block.key.round == number]
        seated = Counter(bot for block in played for bot in block.bots)
        assert set(seated.values()) == {blocks}
        missing = {one.bot_id for one in here} - set(seated)
        assert set(seated) <= {one.bot_id for one in here}
        assert len(missing) == len(here) % 2
        free.update(missing)
    if all(one.gone_from is None for one in field) and len(field) > rounds:
        walkovers = any(block.state is State.FORFEIT for block in over)
        assert walkovers or max(free.values(), default=0) <= 1


@LAW
@given(fields(), st.integers(1, 6), st.randoms())
def test_a_tournament_that_resumes_goes_on_as_if_nothing_had_happened(
    field: tuple[Entrant, ...], rounds: int, chance: Random
) -> None:
    """What has been played is told in any order: same plan, same final standings (T84)."""
    specification = cup(rounds)
    over = play_all(specification, field, chance)
    for number in range(len(over)):
        known = over[:number]
        told = chance.sample(known, number)
        assert due(specification, field, told) == due(specification, field, known)
    assert swiss_standings(specification, field, over) == swiss_standings(
        specification, field, chance.sample(over, len(over))
    )
    assert len({block.key for block in over}) == len(over)


def best_possible(players: Sequence[Player]) -> int:
    """Try all pairings, and byes for those with the fewest: the least that must be allowed."""

    def worst(places: tuple[int, ...]) -> float:
        if not places:
            return 0
        first, *others = places
        one = players[first]
        return min(
            max(
                2 * (one.met or {}).get(players[other].bot_id, 0)
                + (one.owner == players[other].owner != ""),
                worst(tuple(place for place in others if place != other)),
            )
            for other in others
        )

    everybody = tuple(range(len(players)))
    if len(players) % 2 == 0:
        return int(worst(everybody))
    fewest = min(player.byes for player in players)
    free = [place for place in everybody if players[place].byes == fewest]
    return int(min(worst(tuple(p for p in everybody if p != bye)) for bye in free))


@st.composite
def rounds_in_play(draw: st.DrawFn) -> list[Player]:
    number = draw(st.integers(2, 8))
    names = "abcdefgh"[:number]
    met = {
        frozenset(pair): draw(st.sampled_from([0, 0, 1, 1, 2])) for pair in combinations(names, 2)
    }
    scores = sorted((draw(st.integers(0, 3)) / 2 for _ in names), reverse=True)
    return [
        Player(
            bot,
            score,
            owner=draw(st.sampled_from(["", "", "ann"])),
            byes=draw(st.integers(0, 1)),
            met={other: met[frozenset((bot, other))] for other in names if other != bot},
            floated_down=draw(st.booleans()),
            floated_up=draw(st.booleans()),
        )
        for bot, score in zip(names, scores, strict=True)
    ]


@settings(max_examples=200, deadline=None)
@given(rounds_in_play())
def test_there_always_is_a_pairing_and_nobody_meets_again_while_that_can_be_helped(
    players: list[Player],
) -> None:
    """Rematches and bots of one owner are allowed only where every pairing has them (T59, T78)."""
    pairing = pair_round(players)
    seated = [one for pair in pairing.pairs for one in (pair.first, pair.second)]
    free = [pairing.bye] if pairing.bye else []
    assert sorted(player.bot_id for player in [*seated, *free]) == sorted(
        player.bot_id for player in players
    )
    allowed = best_possible(players)
    assert pairing.allowed == allowed
    for pair in pairing.pairs:
        same_owner = pair.first.owner == pair.second.owner != ""
        assert 2 * pair.times_met + same_owner <= allowed


def fewest_rematches(left: Sequence[Player]) -> int:
    """What trying all pairings comes to."""
    if not left:
        return 0
    first, *others = left
    return min(
        (first.met or {}).get(other.bot_id, 0)
        + fewest_rematches([one for one in others if one is not other])
        for other in others
    )


@settings(max_examples=200, deadline=None)
@given(st.integers(3, 8), st.integers())
def test_a_round_that_needs_rematches_has_as_few_as_there_can_be(number: int, seed: int) -> None:
    """Of bots who have met most others once, in any groups; also by the choice of the bye (T78)."""
    chance, names = Random(seed), "abcdefgh"[:number]
    met = [pair for pair in combinations(names, 2) if chance.random() < 0.7]
    scores = sorted((chance.randrange(3) for _ in names), reverse=True)
    players = with_met(dict(zip(names, scores, strict=True)), *map("".join, met))
    free = players if number % 2 else [None]
    fewest = min(fewest_rematches([one for one in players if one is not bye]) for bye in free)
    pairing = pair_round(players)
    assert sum(pair.times_met for pair in pairing.pairs) == fewest


def pairs_of(pairing: RoundPairing) -> list[str]:
    return [pair.first.bot_id + pair.second.bot_id for pair in pairing.pairs]


def with_met(scores: dict[str, float], *met: str, **down: bool) -> list[Player]:
    return [
        Player(
            bot,
            score,
            met={pair.strip(bot): 1 for pair in met if bot in pair},
            floated_down=down.get(bot, False),
        )
        for bot, score in scores.items()
    ]


def test_a_rematch_is_avoided_within_the_group() -> None:
    players = with_met(dict.fromkeys("abcd", 1.0), "ac")
    pairing = pair_round(players)
    assert pairs_of(pairing) == ["ad", "bc"]
    (passed,) = pairing.pairs[0].passed
    assert (passed.bot_id, passed.obstacle) == ("c", Obstacle.MET)


def test_who_has_met_all_of_its_group_goes_down() -> None:
    players = with_met({"a": 2, "b": 2, "c": 1, "d": 1}, "ab")
    assert pairs_of(pair_round(players)) == ["ac", "bd"]


def test_of_an_odd_group_the_lowest_goes_down_but_not_twice_in_succession() -> None:
    scores = {"a": 2, "b": 2, "c": 2, "d": 1, "e": 0, "f": 0}
    assert pairs_of(pair_round(with_met(scores))) == ["ab", "cd", "ef"]
    assert pairs_of(pair_round(with_met(scores, c=True))) == ["ac", "bd", "ef"]


def test_a_pair_that_would_strand_others_is_not_made() -> None:
    """a would meet c; then b and d, who have met, would be left."""
    players = with_met(dict.fromkeys("abcd", 1.0), "bd")
    pairing = pair_round(players)
    assert pairs_of(pairing) == ["ad", "bc"]
    assert pairing.pairs[0].passed[0].obstacle is Obstacle.STRANDS


def test_the_end_is_declared_with_its_reason() -> None:
    field = entrants("ab")
    over = [duel(block.key, block.bots, 2.0) for block in due(cup(1), field, ())]
    assert current_round(cup(1), field, over).why_none == "all 1 rounds have been played"
    left = (Entrant("a"), Entrant("b", gone_from=1))
    assert current_round(cup(2), left, over).why_none == "1 of 2 entrants are left: nobody to meet"
    assert due(cup(2), left, over) == ()


@pytest.mark.parametrize(("entrants_", "rounds"), [(0, 0), (1, 0), (2, 1), (5, 3), (8, 3), (9, 4)])
def test_rounds_are_as_many_as_a_knock_out_has_unless_asked_for(
    entrants_: int, rounds: int
) -> None:
    assert rounds_of(Swiss(), entrants_) == rounds
    assert rounds_of(Swiss(7), entrants_) == 7


def test_the_strongest_wins_if_the_stronger_always_wins() -> None:
    field = entrants("hgfedcba")
    over: list[Finished] = []
    while plan := due(CUP, field, over):
        over.extend(map(by_strength(ord), plan))
    ranked = swiss_standings(CUP, field, over)
    assert (ranked[0].bot_id, ranked[0].score.points, ranked[0].rank) == ("h", 6.0, 1)
    assert ranked[-1].bot_id == "a"


def test_a_swiss_is_for_its_own_format() -> None:
    with pytest.raises(ValueError, match="Swiss"):
        due(Specification("x", Ladder()), (), ())


def test_scores_decide_and_not_seeds() -> None:
    """After two upsets the winners meet, whoever was the better seed."""
    field = entrants("abcd")
    ac, bd = due(CUP, field, ())
    over = [duel(ac.key, ac.bots, 0.0), duel(bd.key, bd.bots, 0.0)]
    assert [block.bots for block in due(CUP, field, over)] == [("c", "d"), ("a", "b")]


def test_a_group_is_not_broken_up_for_a_preferred_pair() -> None:
    """a would meet c; then b and d, who have met, would both go down. So a meets d."""
    players = with_met({"a": 2, "b": 2, "c": 2, "d": 2, "e": 1, "f": 1}, "bd")
    assert pairs_of(pair_round(players)) == ["ad", "bc", "ef"]


def test_who_floated_up_last_time_is_not_asked_again() -> None:
    players = with_met({"a": 2, "b": 1, "c": 1, "d": 1})
    assert pairs_of(pair_round(players)) == ["ab", "cd"]
    players[1] = replace(players[1], floated_up=True)
    assert pairs_of(pair_round(players)) == ["ac", "bd"]


def test_who_did_not_play_has_not_met_and_a_float_is_remembered() -> None:
    field = entrants("abcde")
    plan = due(CUP, field, ())
    void = Finished(plan[0].key, plan[0].bots, State.VOID, ())
    over = [void, duel(plan[1].key, plan[1].bots, 2.0)]  # a and c void, b beats d, e is free
    by_id = {player.bot_id: player for player in players_of(Swiss(3), field, over, 1)}
    assert not by_id["a"].met
    assert by_id["a"].byes == 0
    assert by_id["b"].met == {"d": 1}
    assert (by_id["e"].byes, by_id["e"].floated_down) == (1, True)
    assert not by_id["b"].floated_down
    assert [player for player in by_id.values() if player.floated_up] == []
