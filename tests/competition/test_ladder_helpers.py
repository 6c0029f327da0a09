"""What the pairing of a ladder is made of: information, shares of time, and words about both."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.competition.explain_ladder import Waiting, explain_table
from shoal.competition.fair_share import HALF_LIFE_MS, Usage, more_share, share, used
from shoal.competition.information import information, odds
from shoal.competition.ladder_pairing import pair
from shoal.competition.pool import Candidate, Past, Terms
from shoal.competition.scale import BETA
from tests.competition.test_ladder_pairing import bot, busy, pools, seeds

LAW = settings(max_examples=100, deadline=None)
mus, sigmas = st.floats(0, 50), st.floats(0.1, 9)


@LAW
@given(mus, sigmas, mus, sigmas)
def test_information_is_mutual_and_odds_add_up(a: float, s: float, b: float, t: float) -> None:
    assert information(a, s, b, t) == pytest.approx(information(b, t, a, s))
    assert odds(a, s, b, t) + odds(b, t, a, s) == pytest.approx(1)
    assert information(a, s, b, t) > 0


@LAW
@given(mus, sigmas, mus, sigmas)
def test_more_is_told_by_near_bots_and_by_uncertain_ones(
    a: float, s: float, b: float, t: float
) -> None:
    rounding = 1 + 1e-12  # where the two are as good as one bot
    assert information(a, s, b, t) <= information(a, s, a, t) * rounding
    assert information(a, 2 * s, a, t) > information(a, s, a, t)


def test_odds_of_ten_are_four_hundred_points_between_certain_bots() -> None:
    """As the rating shows it."""
    gap = math.sqrt(2) * BETA * math.log(10)
    assert odds(25 + gap, 0, 25, 0) == pytest.approx(10 / 11)
    assert information(25, 25 / 3, 25, 25 / 3) == pytest.approx(0.5 * math.log(2))


@LAW
@given(st.lists(st.tuples(st.floats(0, 1e6), st.integers(0, 3), st.booleans()), max_size=8))
def test_a_share_is_between_the_fewest_and_the_most_tables(
    spans: list[tuple[float, int, bool]],
) -> None:
    usage = Usage(0.0)
    for length, tables, present in spans:
        usage = used(usage, usage.until_ms + length, tables if present else 0, present=present)
    there = [tables for length, tables, present in spans if present and length > 1]
    if there:
        assert (
            -1e-9 <= share(usage) <= max(tables for _, tables, present in spans if present) + 1e-6
        )


def test_what_was_long_ago_counts_for_less() -> None:
    """A bot is owed the time of today, not that of last week (T80)."""
    usage = used(Usage(0.0), 100 * HALF_LIFE_MS, 1)
    assert share(usage) == pytest.approx(1)
    assert share(used(usage, usage.until_ms + HALF_LIFE_MS, 0)) == pytest.approx(0.5)
    assert share(
        used(usage, usage.until_ms + 20 * HALF_LIFE_MS, 0, present=False)
    ) == pytest.approx(1)
    assert share(Usage(0.0)) == 0
    assert used(usage, 0.0, 3) == usage
    assert more_share(2, 60_000) == pytest.approx(2 * more_share(1, 60_000))


def because(bot_id: str, pool: list[Candidate], terms: Terms) -> str:
    (sentence,) = Waiting(pool, terms, pair(pool, terms, 1)).why(bot_id).sentences
    return sentence


@pytest.mark.parametrize(
    ("pool", "terms", "said"),
    [
        ([busy("a")], Terms(), "plays as many matches as it takes at once"),
        ([bot("a", seats=frozenset({4}))], Terms(), "plays tables of 4, and the ladder of 2"),
        ([bot("a", rulesets=frozenset())], Terms(), "plays nothing, and the ladder base"),
        ([bot("a")], Terms(), "needs 1 to play with, and 0 that fit are present"),
        ([bot("a"), busy("b"), busy("c")], Terms(), "of 2 that fit, 2 are busy"),
        (
            [bot("a", owner="ann", idle=False), bot("b", owner="ann"), busy("c")],
            Terms(),
            "0 of 1 free ones",
        ),
        ([bot("a"), bot("b"), bot("c")], Terms(), "of 2 that fit, 2 are busy"),
        (
            [
                *(bot(name, ticks=2, recent=(Past(frozenset("ab"), "base"),)) for name in "ab"),
                *map(busy, "cdefgh"),
            ],
            Terms(),
            "has just met who is free, and waits for others",
        ),
        ([bot("a", share=1), *map(bot, "bcde")], Terms(at_most=1), "1 tables are made at a time"),
        ([bot("a"), bot("b")], Terms(), "does not wait: it has just been given 1 table"),
    ],
)
def test_a_bot_that_waits_is_told_why(pool: list[Candidate], terms: Terms, said: str) -> None:
    """In words; the numbers are beside them (T81)."""
    reasons = [because(who.bot_id, pool, terms) for who in pool]
    assert any(said in reason for reason in reasons), reasons


@LAW
@given(pools(), seeds)
def test_every_bot_and_every_table_has_an_explanation(pool: list[Candidate], seed: int) -> None:
    """Nobody is left to guess, whatever the pool is like (T81)."""
    terms = Terms(("base", "salt"), (2, 3, 4))
    tables = pair(pool, terms, seed)
    for table in tables:
        explained = explain_table(table)
        assert explained.bots == table.bots
        assert len(explained.sentences) == len(table.bots) + 1 + (not table.rated)
        assert explained.numbers["information"] > 0
    waiting = Waiting(pool, terms, tables)
    for who in pool:
        explained = waiting.why(who.bot_id)
        assert explained.sentences[0].startswith(who.bot_id)
        assert explained.numbers["present"] == len(pool)


def test_a_table_is_explained_in_words_and_numbers() -> None:
    """Whose turn, what is played, and why this company (T81)."""
    (table,) = pair([bot("a", blocks=0), bot("b", waited_ms=30_000)], Terms(), 1)
    explained = explain_table(table)
    assert explained.sentences == (
        "The table was made for a: it is new, and little is known of it.",
        "It plays base with 2 seats, as at 0 tables of a's latest.",
        (
            "b was worth most of 1 that fitted: a's odds are 50%, a match tells 0.347 nats, not met lately, "
            "and it has waited 0.5 of its match lengths."
        ),
    )
    assert explained.numbers["size"] == 2


def test_who_is_not_there_has_no_explanation() -> None:
    with pytest.raises(ValueError, match="not present"):
        Waiting([bot("a")], Terms(), ()).why("x")
