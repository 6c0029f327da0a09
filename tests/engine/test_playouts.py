"""Random playouts are repeatable, and stop when they should."""

from itertools import count

from shoal.engine import random_playouts, ruleset


def test_playouts_of_one_seed_make_the_same_moves() -> None:
    """Equal seeds play equal matches, and the clock decides nothing but the speed."""
    rules = ruleset("base")
    first = random_playouts(rules, 3, count().__next__, matches=3, seed=5)
    second = random_playouts(rules, 3, count(0, 7).__next__, matches=3, seed=5)
    assert (first.moves, first.matches) == (second.moves, 3)
    assert first.moves_per_s == first.moves / first.seconds


def test_playouts_stop_after_the_time_given() -> None:
    """The match in which the time runs out is the last one."""
    stats = random_playouts(ruleset("base"), 2, count(0, 0.5).__next__, seconds=2)
    assert (stats.matches, stats.seconds) == (4, 2.0)


def test_one_match_is_played_when_nothing_is_said() -> None:
    """Without a number of matches or seconds one match is played."""
    assert random_playouts(ruleset("base"), 2, lambda: 0.0).matches == 1
