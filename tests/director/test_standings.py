"""Laws of the standings."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.rating.table import rate
from shoal.server.director.rating import Rating
from shoal.server.director.standings import Row, standings
from tests.rating.making import block

LAW = settings(max_examples=60, deadline=None)
rows = st.lists(
    st.builds(
        Row,
        bot_id=st.text("abc", min_size=1, max_size=4),
        rating=st.builds(Rating, st.sampled_from([24.0, 25.0, 26.0]), st.sampled_from([2.0, 8.0])),
        matches=st.integers(0, 3),
        wins=st.integers(0, 3),
        placement_sum=st.integers(0, 9),
        joined=st.booleans(),
    ),
    unique_by=lambda row: row.bot_id,
    max_size=8,
)


@LAW
@given(rows, st.randoms())
def test_the_order_of_the_rows_changes_nothing(table: list[Row], chance: Random) -> None:
    """However the rows come, the standings are the same."""
    shuffled = list(table)
    chance.shuffle(shuffled)
    assert standings(shuffled) == standings(table)


@LAW
@given(rows)
def test_who_is_in_no_table_has_no_rank(table: list[Row]) -> None:
    """Nothing is known of them; they are in the order of the ratings that tables are made with."""
    lines = standings(table)
    assert not any(line.rank or line.published for line in lines)
    assert [line.rating for line in lines] == sorted((line.rating for line in lines), reverse=True)


def test_an_equal_rating_is_ordered_by_certainty_then_wins_then_id() -> None:
    """If ratings are equal, the surer bot is first, then the one with more wins, then the id."""
    sure, unsure = Rating(25, 2), Rating(25, 8)
    table = [
        Row("d", unsure, 1, 1, 1, joined=True),
        Row("c", sure, 1, 0, 2, joined=True),
        Row("b", sure, 1, 1, 1, joined=True),
        Row("a", sure, 1, 1, 1, joined=True),
    ]
    assert [line.bot_id for line in standings(table)] == ["a", "b", "c", "d"]


def test_the_average_placement_is_over_the_rated_matches() -> None:
    """The average placement is the sum over the matches, and 0 where there is none."""
    table = [
        Row("a", Rating(), 2, 1, 3, joined=True),
        Row("b", Rating(20, 8), 0, 0, 0, joined=False),
    ]
    assert [line.average_placement for line in standings(table)] == [1.5, 0.0]
    assert [line.joined for line in standings(table)] == [True, False]


def test_the_published_table_says_who_is_best() -> None:
    """Its bots come first, in its order and its groups, whatever tables are made with (T66)."""
    published = rate([block(bots, bots, [[1, 2]] * 2) for bots in ("ab", "cd")])
    table = [
        Row("new", Rating(40, 2), 1, 1, 1, joined=True),
        *(
            Row(bot, Rating(25 + worth, 2), 2, 1, 3, joined=True)
            for worth, bot in enumerate("abcd")
        ),
    ]
    lines = standings(table, published)
    assert [line.bot_id for line in lines] == ["a", "b", "c", "d", "new"]
    assert [line.rank for line in lines] == [1, 2, 1, 2, 0]
    assert [line.published for line in lines] == [*published.rows, None]
